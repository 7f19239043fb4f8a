// The ops that linear_system.cpp defines.

#pragma once

#include <sinter/graph/ops/declare.h>

// clang-format off
#define SINTER_LINEAR_SYSTEM_OPS(OP) \
  OP(linalg_lu_factor_ex_default) OP(linalg_lu_factor_default) OP(lu_with_info_default) OP(linalg_lu_solve_default) \
  OP(lu_solve_default) OP(permutation_of_pivots_default) OP(lu_unpack_default) OP(linalg_lu_default) \
  OP(inner_linalg_det_default) OP(linalg_det_default) OP(det_default) OP(inner_linalg_slogdet_default) \
  OP(linalg_slogdet_default) OP(slogdet_default) OP(logdet_default) OP(linalg_inv_ex_default) OP(linalg_inv_default) \
  OP(inverse_default) OP(inner_linalg_solve_ex_default) OP(linalg_solve_ex_default) OP(linalg_solve_default) \
  OP(linalg_tensorinv_default) OP(linalg_tensorsolve_default) OP(linalg_check_errors_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_LINEAR_SYSTEM_OPS)

namespace sinter {

// Throws `api: ... singular` (or what fails in that function) if an element of info is not 0, once the data is there.
void check_info(const Tensor& info, const char* api, Here here);
// ATen's test of a right side that is a batch of vectors.
bool is_vector_side(const TensorMeta& a, const TensorMeta& b);

}  // namespace sinter
