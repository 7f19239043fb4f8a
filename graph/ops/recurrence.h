// The ops that recurrence.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_RECURRENCE_OPS(OP) \
  OP(igamma_default) OP(igamma_inplace_default) OP(igammac_default) OP(igammac_inplace_default) \
  OP(special_gammainc_default) OP(special_gammaincc_default) OP(special_zeta_default) \
  OP(special_chebyshev_polynomial_t_default) OP(special_chebyshev_polynomial_u_default) \
  OP(special_chebyshev_polynomial_v_default) OP(special_chebyshev_polynomial_w_default) \
  OP(special_shifted_chebyshev_polynomial_t_default) OP(special_shifted_chebyshev_polynomial_u_default) \
  OP(special_shifted_chebyshev_polynomial_v_default) OP(special_shifted_chebyshev_polynomial_w_default) \
  OP(special_hermite_polynomial_h_default) OP(special_hermite_polynomial_he_default) \
  OP(special_laguerre_polynomial_l_default) OP(special_legendre_polynomial_p_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_RECURRENCE_OPS)
