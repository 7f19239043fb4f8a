// The ops that special.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_SPECIAL_OPS(OP) \
  OP(erfc_default) OP(erfc_inplace_default) OP(special_erfc_default) OP(special_erfcx_default) \
  OP(erfinv_default) OP(erfinv_inplace_default) OP(special_erfinv_default) OP(special_ndtr_default) \
  OP(special_log_ndtr_default) OP(special_ndtri_default) OP(sinc_default) OP(sinc_inplace_default) \
  OP(special_sinc_default) OP(special_entr_default) OP(special_xlog1py_default) \
  OP(special_xlog1py_other_scalar) OP(special_xlog1py_self_scalar)
// clang-format on

SINTER_DECLARE_OPS(SINTER_SPECIAL_OPS)
