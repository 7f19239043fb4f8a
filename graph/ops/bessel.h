// The ops that bessel.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_BESSEL_OPS(OP) \
  OP(i0_default) OP(i0_inplace_default) OP(special_i0_default) OP(special_i0e_default) OP(special_i1_default) \
  OP(special_i1e_default) OP(special_modified_bessel_i0_default) OP(special_modified_bessel_i1_default) \
  OP(special_modified_bessel_k0_default) OP(special_modified_bessel_k1_default) \
  OP(special_scaled_modified_bessel_k0_default) OP(special_scaled_modified_bessel_k1_default) \
  OP(special_bessel_j0_default) OP(special_bessel_j1_default) OP(special_bessel_y0_default) \
  OP(special_bessel_y1_default) OP(special_spherical_bessel_j0_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_BESSEL_OPS)
