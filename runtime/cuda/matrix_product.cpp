// Shapes and strides as cuBLASLt wants them, and the plans it chose for them.

#include <sinter/runtime/cuda/matrix_product.h>

#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/cublas.h>
#include <sinter/runtime/cuda/current_stream.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>

namespace sinter::runtime {

namespace {

constexpr size_t workspace_bytes = size_t{32} << 20;

// One operand: rows x columns in column-major order with a leading size, or the transpose of that.
struct Side {
  int64_t rows = 0, columns = 0, leading = 1, batch_stride = 0;
  bool is_transposed = false;
};

// All that a plan depends on. The product is taken as c' = b' @ a', which is column-major.
struct Shape {
  int device = 0;
  DType dtype = DType::f32, result = DType::f32;
  int64_t count = 1, m = 0, n = 0, k = 0;
  int64_t leading_left = 1, leading_right = 1, stride_left = 0, stride_right = 0;
  bool transposes_left = false, transposes_right = false;
  uint32_t alignment = 256;  // of both addresses
  auto operator<=>(const Shape&) const = default;
};

int cuda_type(DType dtype) {
  switch (dtype) {
    case DType::f64: return CUDA_R_64F;
    case DType::f16: return CUDA_R_16F;
    case DType::bf16: return CUDA_R_16BF;
    default: return CUDA_R_32F;
  }
}

// What cuBLASLt found for a shape.
class Plan {
 public:
  Plan(CublasLtHandle handle, const Shape& shape) {
    const CublasLt& lt = cublas_lt();
    bool is_wide = shape.dtype == DType::f64;
    int type = cuda_type(shape.dtype);
    check_cublas(
        lt.desc_create(&desc_, is_wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, is_wide ? CUDA_R_64F : CUDA_R_32F),
        "cublasLtMatmulDescCreate");
    int32_t left = shape.transposes_left, right = shape.transposes_right;
    check_cublas(lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_TRANSA, &left, sizeof left), "cublasLtMatmulDescSetAttribute");
    check_cublas(lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_TRANSB, &right, sizeof right),
                 "cublasLtMatmulDescSetAttribute");
    left_ = layout(type, left ? shape.k : shape.m, left ? shape.m : shape.k, shape.leading_left, shape.count,
                   shape.stride_left);
    right_ = layout(type, right ? shape.n : shape.k, right ? shape.k : shape.n, shape.leading_right, shape.count,
                    shape.stride_right);
    result_ = layout(cuda_type(shape.result), shape.m, shape.n, shape.m, shape.count, shape.m * shape.n);
    choose(handle, shape.alignment);
  }
  Plan(const Plan&) = delete;

  void run(CublasLtHandle handle, bool is_wide, const void* left, const void* right, void* result, void* workspace,
           CUstream stream) const {
    double one = 1, zero = 0;
    float narrow_one = 1, narrow_zero = 0;
    const void* alpha = is_wide ? static_cast<const void*>(&one) : &narrow_one;
    const void* beta = is_wide ? static_cast<const void*>(&zero) : &narrow_zero;
    check_cublas(cublas_lt().matmul(handle, desc_, alpha, left, left_, right, right_, beta, result, result_, result,
                                    result_, &algo_, workspace, workspace_bytes, stream),
                 "cublasLtMatmul");
  }

 private:
  static CublasLtMatrixLayout layout(int type, int64_t rows, int64_t columns, int64_t leading, int64_t count,
                                     int64_t stride) {
    const CublasLt& lt = cublas_lt();
    CublasLtMatrixLayout made = nullptr;
    check_cublas(lt.layout_create(&made, type, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns), leading),
                 "cublasLtMatrixLayoutCreate");
    auto batches = static_cast<int32_t>(count);
    check_cublas(lt.layout_set(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches),
                 "cublasLtMatrixLayoutSetAttribute");
    check_cublas(lt.layout_set(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride),
                 "cublasLtMatrixLayoutSetAttribute");
    return made;
  }

  void choose(CublasLtHandle handle, uint32_t alignment) {
    const CublasLt& lt = cublas_lt();
    CublasLtPreference preference = nullptr;
    check_cublas(lt.preference_create(&preference), "cublasLtMatmulPreferenceCreate");
    check_cublas(lt.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                   sizeof workspace_bytes),
                 "cublasLtMatmulPreferenceSetAttribute");
    for (int side : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES})
      check_cublas(lt.preference_set(preference, side, &alignment, sizeof alignment),
                   "cublasLtMatmulPreferenceSetAttribute");
    CublasLtHeuristicResult found{};
    int count = 0;
    CublasStatus status = lt.heuristic(handle, desc_, left_, right_, result_, result_, preference, 1, &found, &count);
    lt.preference_destroy(preference);
    check_cublas(status, "cublasLtMatmulAlgoGetHeuristic");
    if (count == 0)
      throw Error(ErrorKind::environment, Here::current(), "cuda: cuBLASLt knows no way to multiply these matrices");
    algo_ = found.algo;
  }

  CublasLtMatmulDesc desc_ = nullptr;
  CublasLtMatrixLayout left_ = nullptr, right_ = nullptr, result_ = nullptr;
  CublasLtAlgo algo_{};
};

// Plans are kept: choosing one takes longer than most products.
struct Plans {
  std::mutex mutex;
  std::map<int, CublasLtHandle> handles;
  std::map<Shape, std::unique_ptr<Plan>> plans;

  std::pair<CublasLtHandle, const Plan*> find(const Shape& shape) {
    std::lock_guard lock(mutex);
    CublasLtHandle& handle = handles[shape.device];
    if (!handle) check_cublas(cublas_lt().create(&handle), "cublasLtCreate");
    std::unique_ptr<Plan>& plan = plans[shape];
    if (!plan) plan = std::make_unique<Plan>(handle, shape);
    return {handle, plan.get()};
  }
};
Plans& plans() {
  static Plans& instance = *new Plans;
  return instance;
}

// Of a row-major matrix, seen column-major: its transpose. Nothing if neither direction is without gaps.
std::optional<Side> side_of(const Tensor& tensor) {
  const Layout& layout = tensor.layout();
  size_t rank = layout.sizes.size();
  int64_t rows = layout.sizes[rank - 2].constant(), columns = layout.sizes[rank - 1].constant();
  int64_t row_stride = layout.strides[rank - 2].constant(), column_stride = layout.strides[rank - 1].constant();
  Side side;
  side.rows = rows;
  side.columns = columns;
  if (rank == 3) side.batch_stride = layout.strides[0].constant();
  bool by_rows = column_stride == 1 || columns == 1, by_columns = row_stride == 1 || rows == 1;
  if (by_rows && (row_stride >= columns || rows == 1)) {
    side.leading = std::max(rows == 1 ? columns : row_stride, std::max<int64_t>(columns, 1));
    return side;
  }
  if (by_columns && (column_stride >= rows || columns == 1)) {
    side.leading = std::max(columns == 1 ? rows : column_stride, std::max<int64_t>(rows, 1));
    side.is_transposed = true;
    return side;
  }
  return {};
}

uint32_t alignment_of(const void* address) {
  auto bits = reinterpret_cast<uintptr_t>(address);
  return static_cast<uint32_t>(std::min<uintptr_t>(bits & -bits, 256));
}

void fill_with_zeros(const Tensor& c, const CudaDevice& device) {
  auto bytes = static_cast<size_t>(c.numel().constant() * byte_size(c.dtype()));
  check_cuda(
      driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(c.data_ptr()), 0, bytes, current_cuda_stream(device)),
      "cuMemsetD8Async");
}

}  // namespace

bool multiplies_on_cuda(DType dtype) { return is_floating(dtype); }

void multiply_on_cuda(const Tensor& a, const Tensor& b, const Tensor& c, Here here) {
  if (c.numel() == 0) return;
  const CudaDevice& device = cuda_device(c.device());
  make_current(device);
  if (a.size(-1) == 0) return fill_with_zeros(c, device);
  std::optional<Side> left = side_of(b), right = side_of(a);
  if (!left) return multiply_on_cuda(a, sinter::contiguous(b, here), c, here);
  if (!right) return multiply_on_cuda(sinter::contiguous(a, here), b, c, here);
  Shape shape;
  shape.device = device.index;
  shape.dtype = a.dtype();
  shape.result = c.dtype();
  shape.count = c.dim() == 3 ? c.size(0).constant() : 1;
  shape.m = left->columns;
  shape.n = right->rows;
  shape.k = left->rows;
  shape.leading_left = left->leading;
  shape.leading_right = right->leading;
  shape.stride_left = left->batch_stride;
  shape.stride_right = right->batch_stride;
  shape.transposes_left = left->is_transposed;
  shape.transposes_right = right->is_transposed;
  shape.alignment = std::min(alignment_of(a.data_ptr()), alignment_of(b.data_ptr()));
  auto [handle, plan] = plans().find(shape);
  Storage workspace = new_cuda_storage(device, static_cast<int64_t>(workspace_bytes));
  plan->run(handle, shape.dtype == DType::f64, b.data_ptr(), a.data_ptr(), c.data_ptr(), workspace->data,
            current_cuda_stream(device));
}

}  // namespace sinter::runtime
