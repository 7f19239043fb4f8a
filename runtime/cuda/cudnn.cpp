// Opens cuDNN, and says what is missing.

#include <sinter/runtime/cuda/cudnn.h>

#include <sinter/graph/log.h>
#include <sinter/runtime/cuda/open_library.h>

#include <type_traits>

namespace sinter::runtime {

namespace {

// Null with a line in the log if something is missing.
const Cudnn* open_cudnn() {
  std::vector<ErrorNote> failures;
  OpenedLibrary library = OpenedLibrary::open(toolkit_places({"libcudnn.so.9"}), failures);
  if (!library) {
    std::string tried;
    for (const ErrorNote& failure : failures) tried += "\n  " + failure.text;
    log(LogTopic::fusion, "cuDNN can't be opened: convolutions go to the host and back{}", tried);
    return nullptr;
  }
  static Cudnn functions;
  const char* missing = nullptr;
  auto bind = [&](auto& pointer, const char* symbol) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(library.find(symbol));
    if (!pointer) missing = symbol;
  };
  Cudnn& f = functions;
  bind(f.create, "cudnnCreate");
  bind(f.set_stream, "cudnnSetStream");
  bind(f.error_string, "cudnnGetErrorString");
  bind(f.create_tensor, "cudnnCreateTensorDescriptor");
  bind(f.set_tensor, "cudnnSetTensorNdDescriptor");
  bind(f.destroy_tensor, "cudnnDestroyTensorDescriptor");
  bind(f.create_filter, "cudnnCreateFilterDescriptor");
  bind(f.set_filter, "cudnnSetFilterNdDescriptor");
  bind(f.destroy_filter, "cudnnDestroyFilterDescriptor");
  bind(f.create_convolution, "cudnnCreateConvolutionDescriptor");
  bind(f.set_convolution, "cudnnSetConvolutionNdDescriptor");
  bind(f.set_groups, "cudnnSetConvolutionGroupCount");
  bind(f.set_math, "cudnnSetConvolutionMathType");
  bind(f.destroy_convolution, "cudnnDestroyConvolutionDescriptor");
  bind(f.choose_forward, "cudnnGetConvolutionForwardAlgorithm_v7");
  bind(f.choose_data, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
  bind(f.choose_filter, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
  bind(f.forward, "cudnnConvolutionForward");
  bind(f.data_gradient, "cudnnConvolutionBackwardData");
  bind(f.filter_gradient, "cudnnConvolutionBackwardFilter");
  if (!missing) return &functions;
  log(LogTopic::fusion, "{} has no function {}: convolutions go to the host and back", library.name(), missing);
  return nullptr;
}

}  // namespace

const Cudnn* find_cudnn() {
  static const Cudnn* const opened = open_cudnn();
  return opened;
}

}  // namespace sinter::runtime
