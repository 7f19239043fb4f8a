// Which routine runs which op: one line each.

#include <sinter/graph/ops/all_ops.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/routines/routine.h>

#include <unordered_map>

// clang-format off
#define SINTER_ROUTINES(ROUTINE) \
  ROUTINE(adaptive_max_pool2d_backward_default) \
  ROUTINE(adaptive_max_pool2d_default) \
  ROUTINE(adaptive_max_pool3d_backward_default) \
  ROUTINE(adaptive_max_pool3d_default) \
  ROUTINE(attention_default) \
  ROUTINE(avg_pool2d_backward_default) \
  ROUTINE(avg_pool3d_backward_default) \
  ROUTINE(bucketize_tensor) \
  ROUTINE(check_range_default) \
  ROUTINE(check_sizes_default) \
  ROUTINE(cholesky_inverse_default) \
  ROUTINE(cholesky_solve_default) \
  ROUTINE(col2im_default) \
  ROUTINE(combinations_default) \
  ROUTINE(convolution_default) \
  ROUTINE(convolution_weight_gradient_default) \
  ROUTINE(cummax_default) \
  ROUTINE(cummin_default) \
  ROUTINE(cumprod_default) \
  ROUTINE(cumsum_default) \
  ROUTINE(embedding_bag_backward_default) \
  ROUTINE(embedding_bag_dense_backward_default) \
  ROUTINE(embedding_bag_forward_only_default) \
  ROUTINE(embedding_bag_per_sample_weights_backward_default) \
  ROUTINE(embedding_dense_backward_default) \
  ROUTINE(embedding_renorm_default) \
  ROUTINE(flash_attention_for_cpu_backward_default) \
  ROUTINE(flash_attention_for_cpu_default) \
  ROUTINE(fractional_max_pool2d_backward_default) \
  ROUTINE(fractional_max_pool2d_default) \
  ROUTINE(fractional_max_pool3d_backward_default) \
  ROUTINE(fractional_max_pool3d_default) \
  ROUTINE(geqrf_default) \
  ROUTINE(grid_sampler_2d_default) \
  ROUTINE(grid_sampler_3d_default) \
  ROUTINE(grid_sampler_gradients_default) \
  ROUTINE(histc_default) \
  ROUTINE(histogram_bin_ct) \
  ROUTINE(histogram_bins_tensor) \
  ROUTINE(igamma_default) \
  ROUTINE(igammac_default) \
  ROUTINE(index_add_default) \
  ROUTINE(index_copy_default) \
  ROUTINE(index_fill_int_scalar) \
  ROUTINE(index_fill_int_tensor) \
  ROUTINE(index_reduce_default) \
  ROUTINE(inner_adaptive_avg_pool2d_backward_default) \
  ROUTINE(inner_adaptive_avg_pool3d_backward_default) \
  ROUTINE(inner_embedding_bag_default) \
  ROUTINE(inner_linalg_eigh_default) \
  ROUTINE(inner_linalg_svd_default) \
  ROUTINE(inner_upsample_bicubic2d_aa_backward_default) \
  ROUTINE(inner_upsample_bicubic2d_aa_default) \
  ROUTINE(inner_upsample_bilinear2d_aa_backward_default) \
  ROUTINE(inner_upsample_bilinear2d_aa_default) \
  ROUTINE(inner_upsample_nearest_exact1d_backward_default) \
  ROUTINE(inner_upsample_nearest_exact2d_backward_default) \
  ROUTINE(inner_upsample_nearest_exact3d_backward_default) \
  ROUTINE(isin_tensor_tensor) \
  ROUTINE(kthvalue_default) \
  ROUTINE(least_squares_default) \
  ROUTINE(linalg_check_errors_default) \
  ROUTINE(linalg_cholesky_ex_default) \
  ROUTINE(linalg_householder_product_default) \
  ROUTINE(linalg_inv_ex_default) \
  ROUTINE(linalg_lu_factor_ex_default) \
  ROUTINE(linalg_lu_solve_default) \
  ROUTINE(linalg_qr_default) \
  ROUTINE(linalg_solve_triangular_default) \
  ROUTINE(logcumsumexp_default) \
  ROUTINE(masked_scatter_backward_default) \
  ROUTINE(masked_scatter_default) \
  ROUTINE(matrix_exponential_default) \
  ROUTINE(max_pool1d_with_indices_default) \
  ROUTINE(max_pool2d_with_indices_backward_default) \
  ROUTINE(max_pool2d_with_indices_default) \
  ROUTINE(max_pool3d_with_indices_backward_default) \
  ROUTINE(max_pool3d_with_indices_default) \
  ROUTINE(max_unpool2d_default) \
  ROUTINE(max_unpool3d_default) \
  ROUTINE(median_default) \
  ROUTINE(median_dim) \
  ROUTINE(mode_default) \
  ROUTINE(nanmedian_default) \
  ROUTINE(nanmedian_dim) \
  ROUTINE(nanquantile_default) \
  ROUTINE(nanquantile_scalar) \
  ROUTINE(nonzero_static_default) \
  ROUTINE(ormqr_default) \
  ROUTINE(permutation_of_pivots_default) \
  ROUTINE(pick_default) \
  ROUTINE(put_default) \
  ROUTINE(quantile_default) \
  ROUTINE(quantile_scalar) \
  ROUTINE(reflection_pad1d_backward_default) \
  ROUTINE(reflection_pad2d_backward_default) \
  ROUTINE(reflection_pad3d_backward_default) \
  ROUTINE(replication_pad1d_backward_default) \
  ROUTINE(replication_pad2d_backward_default) \
  ROUTINE(replication_pad3d_backward_default) \
  ROUTINE(resample_nearest_default) \
  ROUTINE(scatter_add_default) \
  ROUTINE(scatter_reduce) \
  ROUTINE(scatter_reduce_two) \
  ROUTINE(scatter_src) \
  ROUTINE(scatter_value) \
  ROUTINE(scatter_value_reduce) \
  ROUTINE(searchsorted_tensor) \
  ROUTINE(segment_reduce_backward_default) \
  ROUTINE(segment_reduce_default) \
  ROUTINE(sort_stable) \
  ROUTINE(special_chebyshev_polynomial_t_default) \
  ROUTINE(special_chebyshev_polynomial_u_default) \
  ROUTINE(special_chebyshev_polynomial_v_default) \
  ROUTINE(special_chebyshev_polynomial_w_default) \
  ROUTINE(special_hermite_polynomial_h_default) \
  ROUTINE(special_hermite_polynomial_he_default) \
  ROUTINE(special_laguerre_polynomial_l_default) \
  ROUTINE(special_legendre_polynomial_p_default) \
  ROUTINE(special_shifted_chebyshev_polynomial_t_default) \
  ROUTINE(special_shifted_chebyshev_polynomial_u_default) \
  ROUTINE(special_shifted_chebyshev_polynomial_v_default) \
  ROUTINE(special_shifted_chebyshev_polynomial_w_default) \
  ROUTINE(special_zeta_default) \
  ROUTINE(topk_default) \
  ROUTINE(tril_indices_default) \
  ROUTINE(triu_indices_default) \
  ROUTINE(uneven_adaptive_avg_pool_default) \
  ROUTINE(unfold_backward_default) \
  ROUTINE(unsafe_index_put_default) \
  ROUTINE(unsafe_index_tensor) \
  ROUTINE(upsample_bicubic2d_backward_default) \
  ROUTINE(upsample_bicubic2d_default) \
  ROUTINE(upsample_bilinear2d_backward_default) \
  ROUTINE(upsample_bilinear2d_default) \
  ROUTINE(upsample_linear1d_backward_default) \
  ROUTINE(upsample_linear1d_default) \
  ROUTINE(upsample_nearest1d_backward_default) \
  ROUTINE(upsample_nearest2d_backward_default) \
  ROUTINE(upsample_nearest3d_backward_default) \
  ROUTINE(upsample_trilinear3d_backward_default) \
  ROUTINE(upsample_trilinear3d_default)

#define SINTER_SIZING_ROUTINES(ROUTINE) \
  ROUTINE(bincount_default) \
  ROUTINE(item_default) \
  ROUTINE(masked_select_default) \
  ROUTINE(nonzero_default) \
  ROUTINE(repeat_interleave_tensor) \
  ROUTINE(unique2_default) \
  ROUTINE(unique_consecutive_default) \
  ROUTINE(unique_dim_consecutive_default) \
  ROUTINE(unique_dim_default)
// clang-format on

namespace sinter::runtime {

namespace routines {
#define SINTER_DECLARE(name) SINTER_ROUTINE(name);
SINTER_ROUTINES(SINTER_DECLARE)
#undef SINTER_DECLARE
#define SINTER_DECLARE(name) SINTER_SIZING_ROUTINE(name);
SINTER_SIZING_ROUTINES(SINTER_DECLARE)
#undef SINTER_DECLARE
}  // namespace routines

namespace {

template <class Function>
using Table = std::unordered_map<const OpDef*, Function>;

template <class Function>
Function find(const Table<Function>& table, const OpDef& op) {
  auto found = table.find(&op);
  SINTER_CHECK(found != table.end(), "{} has no routine", op.name());
  return found->second;
}

}  // namespace

#define SINTER_ROW(name) {&op_defs::name, routines::name},
Routine find_routine(const OpDef& op) {
  static const auto& table = *new Table<Routine>{SINTER_ROUTINES(SINTER_ROW)};  // never destroyed
  return find(table, op);
}
SizingRoutine find_sizing_routine(const OpDef& op) {
  static const auto& table = *new Table<SizingRoutine>{SINTER_SIZING_ROUTINES(SINTER_ROW)};
  return find(table, op);
}
#undef SINTER_ROW

Tensor new_tensor(DType dtype, Dims sizes) {
  TensorMeta meta{dtype, cpu, contiguous_layout(SymDims(sizes.begin(), sizes.end()))};
  int64_t bytes = numel(meta.layout.sizes).constant() * byte_size(dtype);
  return Tensor(std::move(meta), new_host_storage(bytes));
}

}  // namespace sinter::runtime
