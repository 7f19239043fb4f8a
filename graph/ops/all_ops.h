// Every op that the library has, by family. The list is the one place where a definition is made known: it declares
// them here, and `all_ops.cpp` makes the table for lookup by name out of it.
//
// aten::add.Tensor is op_defs::add_tensor, aten::add_.Tensor is add_inplace_tensor, aten::relu is relu_default.

#pragma once

#include <sinter/graph/op.h>

// clang-format off
#define SINTER_ARITHMETIC_OPS(OP) \
  OP(add_tensor) OP(add_scalar) OP(add_inplace_tensor) OP(add_inplace_scalar) \
  OP(sub_tensor) OP(sub_scalar) OP(sub_inplace_tensor) OP(sub_inplace_scalar) \
  OP(rsub_tensor) OP(rsub_scalar) \
  OP(mul_tensor) OP(mul_scalar) OP(mul_inplace_tensor) OP(mul_inplace_scalar) \
  OP(div_tensor) OP(div_scalar) OP(div_inplace_tensor) OP(div_inplace_scalar) \
  OP(true_divide_tensor) OP(true_divide_inplace_tensor) \
  OP(neg_default) OP(neg_inplace_default) OP(abs_default) OP(abs_inplace_default) \
  OP(reciprocal_default) OP(reciprocal_inplace_default) OP(square_default) OP(square_inplace_default)

#define SINTER_POWER_OPS(OP) \
  OP(pow_tensor_tensor) OP(pow_tensor_scalar) OP(pow_scalar) OP(pow_inplace_tensor) OP(pow_inplace_scalar)

#define SINTER_COMPARE_OPS(OP) \
  OP(eq_tensor) OP(eq_scalar) OP(eq_inplace_tensor) OP(eq_inplace_scalar) \
  OP(ne_tensor) OP(ne_scalar) OP(ne_inplace_tensor) OP(ne_inplace_scalar) \
  OP(lt_tensor) OP(lt_scalar) OP(lt_inplace_tensor) OP(lt_inplace_scalar) \
  OP(le_tensor) OP(le_scalar) OP(le_inplace_tensor) OP(le_inplace_scalar) \
  OP(gt_tensor) OP(gt_scalar) OP(gt_inplace_tensor) OP(gt_inplace_scalar) \
  OP(ge_tensor) OP(ge_scalar) OP(ge_inplace_tensor) OP(ge_inplace_scalar) \
  OP(maximum_default) OP(minimum_default) \
  OP(isnan_default) OP(isinf_default) OP(isfinite_default) OP(equal_default) OP(allclose_default)

#define SINTER_LOGIC_OPS(OP) \
  OP(logical_and_default) OP(logical_and_inplace_default) OP(logical_or_default) OP(logical_or_inplace_default) \
  OP(logical_xor_default) OP(logical_xor_inplace_default) OP(logical_not_default) OP(logical_not_inplace_default) \
  OP(bitwise_and_tensor) OP(bitwise_and_scalar) OP(bitwise_and_inplace_tensor) OP(bitwise_and_inplace_scalar) \
  OP(bitwise_or_tensor) OP(bitwise_or_scalar) OP(bitwise_or_inplace_tensor) OP(bitwise_or_inplace_scalar) \
  OP(bitwise_xor_tensor) OP(bitwise_xor_scalar) OP(bitwise_xor_inplace_tensor) OP(bitwise_xor_inplace_scalar) \
  OP(bitwise_not_default) OP(bitwise_not_inplace_default)

#define SINTER_ROUNDING_OPS(OP) \
  OP(ceil_default) OP(ceil_inplace_default) OP(floor_default) OP(floor_inplace_default) \
  OP(round_default) OP(round_inplace_default) OP(trunc_default) OP(trunc_inplace_default)

#define SINTER_TRANSCENDENTAL_OPS(OP) \
  OP(exp_default) OP(exp_inplace_default) OP(log_default) OP(log_inplace_default) \
  OP(sqrt_default) OP(sqrt_inplace_default) OP(rsqrt_default) OP(rsqrt_inplace_default) \
  OP(sin_default) OP(sin_inplace_default) OP(cos_default) OP(cos_inplace_default) \
  OP(tanh_default) OP(tanh_inplace_default) OP(erf_default) OP(erf_inplace_default)

#define SINTER_ACTIVATION_OPS(OP) \
  OP(relu_default) OP(relu_inplace_default) OP(sigmoid_default) OP(sigmoid_inplace_default) \
  OP(silu_default) OP(silu_inplace_default) OP(gelu_default) OP(gelu_inplace_default)

#define SINTER_CHOICE_OPS(OP) \
  OP(where_self) OP(clamp_default) OP(clamp_tensor) OP(clamp_inplace_default) OP(clamp_inplace_tensor) \
  OP(clamp_min_default) OP(clamp_min_tensor) OP(clamp_min_inplace_default) OP(clamp_min_inplace_tensor) \
  OP(clamp_max_default) OP(clamp_max_tensor) OP(clamp_max_inplace_default) OP(clamp_max_inplace_tensor)

#define SINTER_COPY_OPS(OP) \
  OP(clone_default) OP(contiguous_default) OP(to_copy_default) OP(to_dtype) OP(to_device) \
  OP(copy_default) OP(copy_inplace_default) OP(fill_scalar) OP(fill_inplace_scalar) \
  OP(zero_default) OP(zero_inplace_default)

#define SINTER_VIEW_OPS(OP) \
  OP(alias_default) OP(detach_default) OP(view_default) OP(reshape_default) OP(flatten_using_ints) \
  OP(permute_default) OP(transpose_int) OP(transpose_inplace_default) OP(t_default) OP(t_inplace_default) \
  OP(unsqueeze_default) OP(unsqueeze_inplace_default) OP(squeeze_default) OP(squeeze_dim) OP(squeeze_dims) \
  OP(squeeze_inplace_default) OP(squeeze_inplace_dim) OP(squeeze_inplace_dims) \
  OP(expand_default) OP(select_int) OP(slice_tensor) OP(narrow_default) \
  OP(as_strided_default) OP(as_strided_scatter_default)

#define SINTER_JOIN_OPS(OP) \
  OP(cat_default) OP(stack_default)

#define SINTER_REDUCTION_OPS(OP) \
  OP(sum_default) OP(sum_dim_intlist) OP(mean_default) OP(mean_dim) OP(prod_default) OP(prod_dim_int) \
  OP(amax_default) OP(amin_default) OP(any_default) OP(any_dim) OP(any_dims) OP(all_default) OP(all_dim) OP(all_dims)

#define SINTER_NORM_OPS(OP) \
  OP(softmax_int) OP(inner_softmax_default) OP(log_softmax_int) OP(inner_log_softmax_default) \
  OP(layer_norm_default) OP(native_layer_norm_default)

#define SINTER_MATMUL_OPS(OP) \
  OP(mm_default) OP(bmm_default) OP(addmm_default) OP(addmm_inplace_default) OP(matmul_default) OP(linear_default)

#define SINTER_CREATION_OPS(OP) \
  OP(empty_memory_format) OP(empty_like_default) OP(zeros_default) OP(zeros_like_default) OP(ones_default) \
  OP(ones_like_default) OP(full_default) OP(full_like_default) OP(scalar_tensor_default) \
  OP(arange_default) OP(arange_start) OP(arange_start_step) \
  OP(linspace_default) OP(linspace_tensor_tensor) OP(linspace_tensor_scalar) OP(linspace_scalar_tensor)

#define SINTER_RANDOM_OPS(OP) \
  OP(rand_default) OP(rand_like_default) OP(randn_default) OP(randn_like_default) \
  OP(randint_default) OP(randint_low) OP(manual_seed_default)

#define SINTER_ALL_OPS(OP) \
  SINTER_ARITHMETIC_OPS(OP) SINTER_POWER_OPS(OP) SINTER_COMPARE_OPS(OP) SINTER_LOGIC_OPS(OP) SINTER_ROUNDING_OPS(OP) \
  SINTER_TRANSCENDENTAL_OPS(OP) SINTER_ACTIVATION_OPS(OP) SINTER_CHOICE_OPS(OP) SINTER_COPY_OPS(OP) \
  SINTER_VIEW_OPS(OP) SINTER_JOIN_OPS(OP) SINTER_REDUCTION_OPS(OP) SINTER_NORM_OPS(OP) SINTER_MATMUL_OPS(OP) \
  SINTER_CREATION_OPS(OP) SINTER_RANDOM_OPS(OP)
// clang-format on

namespace sinter {

namespace op_defs {
#define SINTER_DECLARE_OP(name) extern const OpDef name;
SINTER_ALL_OPS(SINTER_DECLARE_OP)
#undef SINTER_DECLARE_OP
}  // namespace op_defs

std::span<const OpDef* const> builtin_ops();

}  // namespace sinter
