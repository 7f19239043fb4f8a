// Opens cuBLASLt.

#include <sinter/runtime/cuda/cublas.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/open_library.h>

#include <type_traits>

namespace sinter::runtime {

namespace {

struct Opening {
  CublasLt functions;
  std::string failure;  // empty: it is there
  std::vector<ErrorNote> notes;
};

Opening open_cublas() {
  Opening opening;
  OpenedLibrary library =
      OpenedLibrary::open(toolkit_places({"libcublasLt.so.13", "libcublasLt.so.12"}), opening.notes);
  if (!library) {
    opening.failure = "cuBLASLt, which multiplies matrices, can't be opened";
    return opening;
  }
  auto bind = [&](auto& pointer, const char* symbol) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(library.find(symbol));
    if (!pointer) opening.failure = fmt::format("{} has no function {}", library.name(), symbol);
  };
  CublasLt& f = opening.functions;
  bind(f.create, "cublasLtCreate");
  bind(f.desc_create, "cublasLtMatmulDescCreate");
  bind(f.desc_destroy, "cublasLtMatmulDescDestroy");
  bind(f.desc_set, "cublasLtMatmulDescSetAttribute");
  bind(f.layout_create, "cublasLtMatrixLayoutCreate");
  bind(f.layout_destroy, "cublasLtMatrixLayoutDestroy");
  bind(f.layout_set, "cublasLtMatrixLayoutSetAttribute");
  bind(f.preference_create, "cublasLtMatmulPreferenceCreate");
  bind(f.preference_destroy, "cublasLtMatmulPreferenceDestroy");
  bind(f.preference_set, "cublasLtMatmulPreferenceSetAttribute");
  bind(f.heuristic, "cublasLtMatmulAlgoGetHeuristic");
  bind(f.matmul, "cublasLtMatmul");
  return opening;
}

}  // namespace

const CublasLt& cublas_lt() {
  static const Opening& opening = *new Opening(open_cublas());
  if (!opening.failure.empty())
    throw Error(ErrorKind::environment, graph::effective_location(Here::current()), "cuda: " + opening.failure,
                opening.notes, "need libcublasLt of CUDA 12 or later where the system's loader or CUDA_HOME finds it");
  return opening.functions;
}

void check_cublas(CublasStatus status, const char* call) {
  if (status == 0) return;
  throw Error(ErrorKind::environment, graph::effective_location(Here::current()),
              fmt::format("cuda: {} failed: cuBLAS status {}", call, status));
}

}  // namespace sinter::runtime
