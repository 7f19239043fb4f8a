// Matrices are brought to column-major order (the transpose, row by row), factorised in place, and copied to the
// results.

#include <sinter/runtime/cuda/linear_algebra.h>

#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/cusolver.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

namespace sinter::runtime {

namespace {

using Outputs = std::span<const Tensor>;

int size_of(const Tensor& tensor, int64_t dim) { return static_cast<int>(tensor.size(dim).constant()); }

Tensor fresh(DType dtype, SymDims sizes, Device device) {
  TensorMeta meta{dtype, device, contiguous_layout(sizes)};
  Storage storage = new_storage(device, numel(sizes).constant() * byte_size(dtype));
  return Tensor(std::move(meta), std::move(storage));
}

// One device's handles, whose stream is that of whoever holds the lock.
struct Handles {
  CusolverHandle solver = nullptr;
  CublasHandle blas = nullptr;
};
std::mutex& handle_lock() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}
Handles handles_for(const Cusolver& cusolver, const CudaDevice& device) {
  static std::map<int, Handles>& all = *new std::map<int, Handles>;
  Handles& handles = all[device.index];
  if (!handles.solver) check_cusolver(cusolver.create(&handles.solver), "cusolverDnCreate");
  if (!handles.blas) check_cusolver(cusolver.create_blas(&handles.blas), "cublasCreate");
  CUstream stream = current_cuda_stream(device);
  check_cusolver(cusolver.set_stream(handles.solver, stream), "cusolverDnSetStream");
  check_cusolver(cusolver.set_blas_stream(handles.blas, stream), "cublasSetStream");
  return handles;
}

// One call: its matrices, cuSOLVER's functions for their type, memory for it to work in.
template <class T>
class Solving {
 public:
  using Functions = CusolverFunctions<T>;

  Solving(const OpArgs& args, Outputs outputs, const Cusolver& cusolver, const CudaDevice& device)
      : args(args),
        outputs(outputs),
        f(cusolver.of(T{})),
        device(device),
        lock_(handle_lock()),
        handles_(handles_for(cusolver, device)) {}

  CusolverHandle solver() const { return handles_.solver; }
  CublasHandle blas() const { return handles_.blas; }
  Here here() const { return args.here(); }

  // Own memory: [batch, columns, rows] with the elements of the transpose.
  Tensor by_columns(const Tensor& matrices) const {
    Tensor transposed = matrices.transpose(-1, -2, here());
    Tensor own = transposed.contiguous(here());
    return own.data_ptr() == matrices.data_ptr() ? own.clone(here()) : own;
  }
  T* at(const Tensor& stack, int64_t matrix, int64_t elements) const { return stack.data_ptr<T>() + matrix * elements; }
  Tensor memory(SymDims sizes, DType dtype) const { return fresh(dtype, std::move(sizes), cuda::device(device.index)); }
  // Valid until asked for again.
  T* work(int elements) {
    work_ = new_cuda_storage(device, std::max<int64_t>(elements, 1) * static_cast<int64_t>(sizeof(T)));
    return static_cast<T*>(work_->data);
  }
  int* unread_info() {
    if (!info_) info_ = new_cuda_storage(device, sizeof(int));
    return static_cast<int*>(info_->data);
  }

  const OpArgs& args;
  Outputs outputs;
  const Functions& f;
  const CudaDevice& device;

 private:
  std::unique_lock<std::mutex> lock_;
  Handles handles_;
  Storage work_, info_;
};

int64_t count_of(const Tensor& tensor, int64_t rank) {
  int64_t count = 1;
  for (int64_t i = 0; i < tensor.dim() - rank; ++i) count *= tensor.sizes()[i].constant();
  return count;
}

int fill_mode(bool upper) { return upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; }

// x with its batch dims expanded to those of `like`, whose last `rank_like` dims are no batch.
Tensor with_batch(const Tensor& x, int64_t rank, const Tensor& like, int64_t rank_like) {
  SymDims sizes(like.sizes().begin(), like.sizes().end() - rank_like);
  for (int64_t i = x.dim() - rank; i < x.dim(); ++i) sizes.push_back(x.sizes()[i]);
  return x.expand(sizes);
}

template <class T>
void cholesky(Solving<T>& s) {
  const Tensor& a = s.args[0].tensor();
  int n = size_of(a, -1), size = 0, mode = fill_mode(s.args.flag("upper"));
  Tensor own = s.by_columns(s.args.flag("upper") ? triu(a, 0, s.here()) : tril(a, 0, s.here()));
  Tensor infos = s.memory(s.outputs[1].sizes(), DType::i32);
  check_cusolver(s.f.cholesky_size(s.solver(), mode, n, s.at(own, 0, 0), n, &size), "cusolverDnpotrf_bufferSize");
  T* work = s.work(size);
  for (int64_t i = 0; i < count_of(a, 2); ++i)
    check_cusolver(
        s.f.cholesky(s.solver(), mode, n, s.at(own, i, int64_t{n} * n), n, work, size, infos.data_ptr<int>() + i),
        "cusolverDnpotrf");
  s.outputs[0].copy_(own.transpose(-1, -2), s.here());
  s.outputs[1].copy_(infos, s.here());
}

template <class T>
void solve_by_cholesky(Solving<T>& s) {
  const Tensor& x = s.outputs[0];
  Tensor factor = s.by_columns(with_batch(s.args[1].tensor(), 2, x, 2));
  Tensor own = s.by_columns(with_batch(s.args[0].tensor(), 2, x, 2));
  int n = size_of(x, -2), sides = size_of(x, -1);
  for (int64_t i = 0; i < count_of(x, 2); ++i)
    check_cusolver(
        s.f.cholesky_solve(s.solver(), fill_mode(s.args.flag("upper")), n, sides, s.at(factor, i, int64_t{n} * n), n,
                           s.at(own, i, int64_t{n} * sides), n, s.unread_info()),
        "cusolverDnpotrs");
  x.copy_(own.transpose(-1, -2), s.here());
}

// Factorises m x n matrices in place.
template <class T>
void lu(Solving<T>& s, const Tensor& own, int m, int n, const Tensor& pivots, const Tensor& infos) {
  int size = 0;
  check_cusolver(s.f.lu_size(s.solver(), m, n, s.at(own, 0, 0), m, &size), "cusolverDngetrf_bufferSize");
  T* work = s.work(size);
  for (int64_t i = 0; i < count_of(own, 2); ++i)
    check_cusolver(s.f.lu(s.solver(), m, n, s.at(own, i, int64_t{m} * n), m, work,
                          pivots.data_ptr<int>() + i * std::min(m, n), infos.data_ptr<int>() + i),
                   "cusolverDngetrf");
}

template <class T>
void lu_factor(Solving<T>& s) {
  const Tensor& a = s.args[0].tensor();
  Tensor own = s.by_columns(a), pivots = s.memory(s.outputs[1].sizes(), DType::i32),
         infos = s.memory(s.outputs[2].sizes(), DType::i32);
  lu(s, own, size_of(a, -2), size_of(a, -1), pivots, infos);
  s.outputs[0].copy_(own.transpose(-1, -2), s.here());
  s.outputs[1].copy_(pivots, s.here());
  s.outputs[2].copy_(infos, s.here());
}

// cuSOLVER believes them.
void check_pivots(const OpArgs& args, const Tensor& pivots, int rows) {
  Tensor fetched = moved(pivots.contiguous(args.here()), cpu);
  const int* numbers = fetched.data_ptr<int>();
  for (int64_t i = 0; i < fetched.numel().constant(); ++i)
    if (numbers[i] < 1 || numbers[i] > rows)
      args.fail(ErrorKind::argument, fmt::format("pivot {} is {}", i % rows, numbers[i]),
                "need pivots between 1 and the number of rows");
}

// b is brought to the form a x = b: for x a = b, everything is transposed.
template <class T>
void solve_by_lu(Solving<T>& s) {
  bool left = s.args.flag("left"), transposed = s.args.flag("adjoint") == left;
  Tensor result = left ? s.outputs[0] : s.outputs[0].transpose(-1, -2);
  Tensor right = with_batch(s.args["B"].tensor(), 2, s.outputs[0], 2);
  Tensor own = s.by_columns(left ? right : right.transpose(-1, -2));
  Tensor factors = s.by_columns(with_batch(s.args["LU"].tensor(), 2, s.outputs[0], 2));
  Tensor pivots = with_batch(s.args["pivots"].tensor(), 1, s.outputs[0], 2).contiguous(s.here());
  int n = size_of(result, -2), sides = size_of(result, -1);
  check_pivots(s.args, pivots, n);
  for (int64_t i = 0; i < count_of(result, 2); ++i)
    check_cusolver(
        s.f.lu_solve(s.solver(), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n, sides, s.at(factors, i, int64_t{n} * n), n,
                     pivots.data_ptr<int>() + i * n, s.at(own, i, int64_t{n} * sides), n, s.unread_info()),
        "cusolverDngetrs");
  result.copy_(own.transpose(-1, -2), s.here());
}

template <class T>
void invert(Solving<T>& s) {
  const Tensor& a = s.args[0].tensor();
  int n = size_of(a, -1);
  Tensor own = s.by_columns(a), infos = s.memory(s.outputs[1].sizes(), DType::i32);
  SymDims pivot_sizes(a.sizes().begin(), a.sizes().end() - 1);
  Tensor pivots = s.memory(pivot_sizes, DType::i32);
  lu(s, own, n, n, pivots, infos);
  Tensor identity = apply_one(op_defs::eye_default, {int64_t{n}, a.dtype(), Value(), a.device()}, s.here());
  Tensor inverse = s.by_columns(identity.expand(a.sizes()));
  for (int64_t i = 0; i < count_of(a, 2); ++i)
    check_cusolver(s.f.lu_solve(s.solver(), CUBLAS_OP_N, n, n, s.at(own, i, int64_t{n} * n), n,
                                pivots.data_ptr<int>() + i * n, s.at(inverse, i, int64_t{n} * n), n, s.unread_info()),
                   "cusolverDngetrs");
  s.outputs[0].copy_(inverse.transpose(-1, -2), s.here());
  s.outputs[1].copy_(infos, s.here());
}

template <class T>
void solve_triangular(Solving<T>& s) {
  const Tensor& x = s.outputs[0];
  Tensor a = s.by_columns(with_batch(s.args[0].tensor(), 2, x, 2));
  Tensor own = s.by_columns(with_batch(s.args[1].tensor(), 2, x, 2));
  int rows = size_of(x, -2), columns = size_of(x, -1), n = size_of(a, -1);
  bool left = s.args.flag("left");
  T one = 1;
  for (int64_t i = 0; i < count_of(x, 2); ++i)
    check_cusolver(
        s.f.triangular(s.blas(), left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, fill_mode(s.args.flag("upper")),
                       CUBLAS_OP_N, s.args.flag("unitriangular") ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, rows,
                       columns, &one, s.at(a, i, int64_t{n} * n), n, s.at(own, i, int64_t{rows} * columns), rows),
        "cublastrsm");
  x.copy_(own.transpose(-1, -2), s.here());
}

// Q has as many columns as the mode says; beyond those of a, only reflections of the identity's stand there.
template <class T>
void qr(Solving<T>& s) {
  const Tensor& a = s.args[0].tensor();
  bool wants_q = s.args["mode"].string() != "r";
  int m = size_of(a, -2), n = size_of(a, -1), k = std::min(m, n), size = 0;
  int q_columns = wants_q ? size_of(s.outputs[0], -1) : 0, r_rows = size_of(s.outputs[1], -2);
  int64_t count = count_of(a, 2);
  Tensor own = s.by_columns(a), tau = s.memory({count, k}, a.dtype());
  check_cusolver(s.f.qr_size(s.solver(), m, n, s.at(own, 0, 0), m, &size), "cusolverDngeqrf_bufferSize");
  T* work = s.work(size);
  for (int64_t i = 0; i < count; ++i)
    check_cusolver(
        s.f.qr(s.solver(), m, n, s.at(own, i, int64_t{m} * n), m, s.at(tau, i, k), work, size, s.unread_info()),
        "cusolverDngeqrf");
  Tensor factored = own.transpose(-1, -2);
  s.outputs[1].copy_(triu(factored.slice(-2, 0, r_rows), 0, s.here()), s.here());
  if (!wants_q) return;
  int known = std::min(n, q_columns);
  SymDims q_sizes(own.sizes().begin(), own.sizes().end());
  q_sizes[q_sizes.size() - 2] = q_columns;
  Tensor q = s.memory(q_sizes, a.dtype());
  q.slice(-2, 0, known).copy_(own.slice(-2, 0, known), s.here());
  check_cusolver(s.f.expand_size(s.solver(), m, q_columns, k, s.at(q, 0, 0), m, s.at(tau, 0, 0), &size),
                 "cusolverDnorgqr_bufferSize");
  work = s.work(size);
  for (int64_t i = 0; i < count; ++i)
    check_cusolver(s.f.expand(s.solver(), m, q_columns, k, s.at(q, i, int64_t{m} * q_columns), m, s.at(tau, i, k), work,
                              size, s.unread_info()),
                   "cusolverDnorgqr");
  s.outputs[0].copy_(q.transpose(-1, -2), s.here());
}

// Waits for the device.
void check_convergence(const OpArgs& args, const Tensor& infos) {
  Tensor fetched = moved(infos, cpu);
  for (int64_t i = 0; i < fetched.numel().constant(); ++i)
    if (fetched.data_ptr<int>()[i] != 0)
      args.fail(ErrorKind::argument, fmt::format("matrix {} of the batch: its spectrum did not converge", i),
                "need finite elements");
}

template <class T>
void eigenvalues(Solving<T>& s) {
  const Tensor& a = s.args[0].tensor();
  const std::string& uplo = s.args["UPLO"].string();
  bool wants_vectors = s.args.flag("compute_v");
  int n = size_of(a, -1), size = 0, fill = fill_mode(uplo == "U" || uplo == "u");
  int mode = wants_vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  int64_t count = count_of(a, 2);
  Tensor own = s.by_columns(a), values = s.memory(s.outputs[0].sizes(), a.dtype()),
         infos = s.memory({count}, DType::i32);
  check_cusolver(s.f.eigen_size(s.solver(), mode, fill, n, s.at(own, 0, 0), n, s.at(values, 0, 0), &size),
                 "cusolverDnsyevd_bufferSize");
  T* work = s.work(size);
  for (int64_t i = 0; i < count; ++i)
    check_cusolver(s.f.eigen(s.solver(), mode, fill, n, s.at(own, i, int64_t{n} * n), n, s.at(values, i, n), work, size,
                             infos.data_ptr<int>() + i),
                   "cusolverDnsyevd");
  check_convergence(s.args, infos);
  s.outputs[0].copy_(values, s.here());
  if (wants_vectors) s.outputs[1].copy_(own.transpose(-1, -2), s.here());
}

// cuSOLVER wants no more columns than rows: of a wide matrix the transpose is decomposed, and u and v change roles.
template <class T>
void singular_values(Solving<T>& s) {
  const Tensor& a = s.args[0].tensor();
  bool wants_vectors = s.args.flag("compute_uv"), is_full = s.args.flag("full_matrices");
  bool is_wide = size_of(a, -1) > size_of(a, -2);
  Tensor own = s.by_columns(is_wide ? a.transpose(-1, -2) : a);
  int n = size_of(own, -2), m = size_of(own, -1), columns = is_full ? m : n, size = 0;
  int64_t count = count_of(a, 2);
  auto mode = static_cast<signed char>(!wants_vectors ? 'N' : is_full ? 'A' : 'S');
  SymDims batch(a.sizes().begin(), a.sizes().end() - 2);
  auto stack = [&](std::initializer_list<int> sizes) {
    SymDims all = batch;
    for (int one : sizes) all.push_back(one);
    return s.memory(all, a.dtype());
  };
  Tensor values = stack({n}), u = stack({wants_vectors ? columns : 1, m}), vt = stack({n, n}),
         infos = s.memory({count}, DType::i32), more_work = s.memory({n}, a.dtype());
  check_cusolver(s.f.singular_size(s.solver(), m, n, &size), "cusolverDngesvd_bufferSize");
  T* work = s.work(size);
  for (int64_t i = 0; i < count; ++i)
    check_cusolver(s.f.singular(s.solver(), mode, mode, m, n, s.at(own, i, int64_t{m} * n), m, s.at(values, i, n),
                                s.at(u, i, int64_t{m} * (wants_vectors ? columns : 1)), m, s.at(vt, i, int64_t{n} * n),
                                n, work, size, s.at(more_work, 0, 0), infos.data_ptr<int>() + i),
                   "cusolverDngesvd");
  check_convergence(s.args, infos);
  s.outputs[1].copy_(values, s.here());
  if (!wants_vectors) return;
  s.outputs[0].copy_(is_wide ? vt : u.transpose(-1, -2), s.here());
  s.outputs[2].copy_(is_wide ? u : vt.transpose(-1, -2), s.here());
}

struct Entry {
  void (*narrow)(Solving<float>&);
  void (*wide)(Solving<double>&);
  int info = -1;  // of the results: what check_errors is about
};

const std::unordered_map<const OpDef*, Entry>& entries() {
#define SINTER_ENTRY(function) function<float>, function<double>
  static const auto& table = *new std::unordered_map<const OpDef*, Entry>{
      {&op_defs::linalg_cholesky_ex_default, {SINTER_ENTRY(cholesky), 1}},
      {&op_defs::cholesky_solve_default, {SINTER_ENTRY(solve_by_cholesky)}},
      {&op_defs::linalg_lu_factor_ex_default, {SINTER_ENTRY(lu_factor), 2}},
      {&op_defs::linalg_lu_solve_default, {SINTER_ENTRY(solve_by_lu)}},
      {&op_defs::linalg_inv_ex_default, {SINTER_ENTRY(invert), 1}},
      {&op_defs::linalg_solve_triangular_default, {SINTER_ENTRY(solve_triangular)}},
      {&op_defs::linalg_qr_default, {SINTER_ENTRY(qr)}},
      {&op_defs::inner_linalg_eigh_default, {SINTER_ENTRY(eigenvalues)}},
      {&op_defs::inner_linalg_svd_default, {SINTER_ENTRY(singular_values)}},
  };
#undef SINTER_ENTRY
  return table;
}

// Nothing to factorise: the host says what the results are then.
bool has_empty(const OpArgs& args) {
  return std::ranges::any_of(args.tensor_slots(),
                             [&](int slot) { return args[slot].is_tensor() && args[slot].tensor().numel() == 0; });
}

void check_if_asked(const OpArgs& args, const Tensor& infos) {
  if (args.flag("check_errors"))
    apply(op_defs::linalg_check_errors_default, {infos, std::string(args.op().schema().name), infos.dim() == 0},
          args.here());
}

}  // namespace

bool factorise_on_cuda(const OpArgs& args, Outputs outputs) {
  auto found = entries().find(&args.op());
  if (found == entries().end() || has_empty(args)) return false;
  const Cusolver* cusolver = find_cusolver();
  if (!cusolver) return false;
  const CudaDevice& device = cuda_device(device_of(args));
  make_current(device);
  if (args[0].tensor().dtype() == DType::f64) {
    Solving<double> solving(args, outputs, *cusolver, device);
    found->second.wide(solving);
  } else {
    Solving<float> solving(args, outputs, *cusolver, device);
    found->second.narrow(solving);
  }
  if (found->second.info >= 0) check_if_asked(args, outputs[static_cast<size_t>(found->second.info)]);
  return true;
}

}  // namespace sinter::runtime
