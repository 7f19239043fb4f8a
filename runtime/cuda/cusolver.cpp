// Opens cuSOLVER and cuBLAS.

#include <sinter/runtime/cuda/cusolver.h>

#include <sinter/graph/log.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/open_library.h>

#include <string>
#include <type_traits>

namespace sinter::runtime {

namespace {

// Binds functions by name, and notes the first that is missing.
class Binding {
 public:
  explicit Binding(std::vector<std::string> names) : names_(std::move(names)) {
    library_ = OpenedLibrary::open(toolkit_places(names_), failures_);
  }

  template <class Pointer>
  void operator()(Pointer& pointer, const std::string& symbol) {
    pointer = reinterpret_cast<Pointer>(library_.find(symbol.c_str()));
    if (!pointer && missing_.empty()) missing_ = symbol;
  }

  bool is_complete() const { return library_ && missing_.empty(); }
  std::string failure() const {
    if (library_) return library_.name() + " has no function " + missing_;
    std::string text = names_[0] + " can't be opened";
    for (const ErrorNote& note : failures_) text += "\n  " + note.text;
    return text;
  }

 private:
  std::vector<std::string> names_;
  std::vector<ErrorNote> failures_;
  OpenedLibrary library_;
  std::string missing_;
};

// `letter`: S or D.
template <class T>
void bind_functions(CusolverFunctions<T>& f, Binding& solver, Binding& blas, const std::string& letter) {
  auto bind = [&](auto& pointer, const char* name) { solver(pointer, "cusolverDn" + letter + name); };
  bind(f.cholesky_size, "potrf_bufferSize");
  bind(f.cholesky, "potrf");
  bind(f.cholesky_solve, "potrs");
  bind(f.lu_size, "getrf_bufferSize");
  bind(f.lu, "getrf");
  bind(f.lu_solve, "getrs");
  bind(f.qr_size, "geqrf_bufferSize");
  bind(f.qr, "geqrf");
  bind(f.expand_size, "orgqr_bufferSize");
  bind(f.expand, "orgqr");
  bind(f.eigen_size, "syevd_bufferSize");
  bind(f.eigen, "syevd");
  bind(f.singular_size, "gesvd_bufferSize");
  bind(f.singular, "gesvd");
  blas(f.triangular, "cublas" + letter + "trsm_v2");
}

const Cusolver* open_cusolver() {
  Binding blas({"libcublas.so.13", "libcublas.so.12"}), solver({"libcusolver.so.12", "libcusolver.so.11"});
  static Cusolver functions;
  solver(functions.create, "cusolverDnCreate");
  solver(functions.set_stream, "cusolverDnSetStream");
  blas(functions.create_blas, "cublasCreate_v2");
  blas(functions.set_blas_stream, "cublasSetStream_v2");
  bind_functions(functions.narrow, solver, blas, "S");
  bind_functions(functions.wide, solver, blas, "D");
  for (const Binding* binding : {&solver, &blas}) {
    if (binding->is_complete()) continue;
    log(LogTopic::fusion, "{}: linear algebra goes to the host and back", binding->failure());
    return nullptr;
  }
  return &functions;
}

}  // namespace

const Cusolver* find_cusolver() {
  static const Cusolver* const opened = open_cusolver();
  return opened;
}

void check_cusolver(CusolverStatus status, const char* call) {
  if (status == 0) return;
  throw Error(ErrorKind::environment, graph::effective_location(Here::current()),
              fmt::format("cuda: {} failed: cuSOLVER status {}", call, status));
}

}  // namespace sinter::runtime
