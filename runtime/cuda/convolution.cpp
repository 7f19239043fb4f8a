// Shapes as cuDNN wants them, and the plans that it chose for them.

#include <sinter/runtime/cuda/convolution.h>

#include <sinter/graph/ops/convolution.h>
#include <sinter/graph/ops/memory_format.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/spatial.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/cudnn.h>
#include <sinter/runtime/cuda/current_stream.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

namespace sinter::runtime {

namespace {

constexpr size_t most_workspace_bytes = size_t{256} << 20;
constexpr int most_choices = 10;

enum class Kind : uint8_t { forward, data_gradient, filter_gradient };

// The convolution x -> y; which of x, w and y is computed, the kind says. Batch and channels, then 2 or 3 spatial dims.
struct Shape {
  int device = 0;
  Kind kind = Kind::forward;
  DType dtype = DType::f32;
  bool channels_last = false;
  int rank = 4;
  std::array<int, 5> x{}, w{}, y{};
  std::array<int, 3> padding{}, stride{}, dilation{};
  int groups = 1;
  auto operator<=>(const Shape&) const = default;
};

int cudnn_type(DType dtype) {
  switch (dtype) {
    case DType::f64: return CUDNN_DATA_DOUBLE;
    case DType::f16: return CUDNN_DATA_HALF;
    case DType::bf16: return CUDNN_DATA_BFLOAT16;
    default: return CUDNN_DATA_FLOAT;
  }
}

void check(const Cudnn& dnn, CudnnStatus status, const char* call) {
  if (status == 0) return;
  throw Error(ErrorKind::environment, graph::effective_location(Here::current()),
              fmt::format("cuda: {} failed: {}", call, dnn.error_string(status)));
}

// Sums in the order of the taps: the transforms (FFT, Winograd) round more, by the size of the largest element.
bool is_plain(Kind kind, int algorithm) { return kind == Kind::forward ? algorithm <= 2 : algorithm <= 1; }

class Plan {
 public:
  Plan(const Cudnn& dnn, CudnnHandle handle, const Shape& shape) : dnn_(dnn), shape_(shape) {
    int type = cudnn_type(shape.dtype), dims = shape.rank - 2;
    x_ = tensor(shape.x);
    y_ = tensor(shape.y);
    check(dnn, dnn.create_filter(&w_), "cudnnCreateFilterDescriptor");
    check(dnn,
          dnn.set_filter(w_, type, shape.channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW, shape.rank,
                         shape.w.data()),
          "cudnnSetFilterNdDescriptor");
    check(dnn, dnn.create_convolution(&convolution_), "cudnnCreateConvolutionDescriptor");
    check(
        dnn,
        dnn.set_convolution(convolution_, dims, shape.padding.data(), shape.stride.data(), shape.dilation.data(),
                            CUDNN_CROSS_CORRELATION, shape.dtype == DType::f64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT),
        "cudnnSetConvolutionNdDescriptor");
    check(dnn, dnn.set_groups(convolution_, shape.groups), "cudnnSetConvolutionGroupCount");
    check(dnn, dnn.set_math(convolution_, is_half() ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH),
          "cudnnSetConvolutionMathType");
    choose(handle);
  }
  Plan(const Plan&) = delete;
  ~Plan() {
    dnn_.destroy_tensor(x_);
    dnn_.destroy_tensor(y_);
    dnn_.destroy_filter(w_);
    dnn_.destroy_convolution(convolution_);
  }

  bool is_possible() const { return algorithm_ >= 0; }
  size_t workspace_bytes() const { return workspace_bytes_; }

  void run(CudnnHandle handle, void* x, void* w, void* y, void* workspace) const {
    double wide_one = 1, wide_zero = 0;
    float narrow_one = 1, narrow_zero = 0;
    bool is_wide = shape_.dtype == DType::f64;
    const void* one = is_wide ? static_cast<const void*>(&wide_one) : &narrow_one;
    const void* zero = is_wide ? static_cast<const void*>(&wide_zero) : &narrow_zero;
    switch (shape_.kind) {
      case Kind::forward:
        return check(
            dnn_,
            dnn_.forward(handle, one, x_, x, w_, w, convolution_, algorithm_, workspace, workspace_bytes_, zero, y_, y),
            "cudnnConvolutionForward");
      case Kind::data_gradient:
        return check(dnn_,
                     dnn_.data_gradient(handle, one, w_, w, y_, y, convolution_, algorithm_, workspace,
                                        workspace_bytes_, zero, x_, x),
                     "cudnnConvolutionBackwardData");
      case Kind::filter_gradient:
        return check(dnn_,
                     dnn_.filter_gradient(handle, one, x_, x, y_, y, convolution_, algorithm_, workspace,
                                          workspace_bytes_, zero, w_, w),
                     "cudnnConvolutionBackwardFilter");
    }
  }

 private:
  bool is_half() const { return shape_.dtype == DType::f16 || shape_.dtype == DType::bf16; }

  CudnnTensor tensor(const std::array<int, 5>& sizes) {
    std::array<int, 5> strides{};
    int stride = shape_.channels_last ? sizes[1] : 1;
    for (int dim = shape_.rank - 1; dim >= 0; --dim) {
      if (shape_.channels_last && dim == 1) {
        strides[1] = 1;
        continue;
      }
      strides[dim] = stride;
      stride *= sizes[dim];
    }
    CudnnTensor made = nullptr;
    check(dnn_, dnn_.create_tensor(&made), "cudnnCreateTensorDescriptor");
    check(dnn_, dnn_.set_tensor(made, cudnn_type(shape_.dtype), shape_.rank, sizes.data(), strides.data()),
          "cudnnSetTensorNdDescriptor");
    return made;
  }

  // The fastest of those that are deterministic and plain, by cuDNN's own estimate.
  void choose(CudnnHandle handle) {
    std::array<CudnnChoice, most_choices> choices{};
    int found = 0;
    CudnnStatus status = 0;
    switch (shape_.kind) {
      case Kind::forward:
        status = dnn_.choose_forward(handle, x_, w_, convolution_, y_, most_choices, &found, choices.data());
        break;
      case Kind::data_gradient:
        status = dnn_.choose_data(handle, w_, y_, convolution_, x_, most_choices, &found, choices.data());
        break;
      case Kind::filter_gradient:
        status = dnn_.choose_filter(handle, x_, y_, convolution_, w_, most_choices, &found, choices.data());
        break;
    }
    if (status != 0) return;
    for (int i = 0; i < found; ++i) {
      const CudnnChoice& choice = choices[static_cast<size_t>(i)];
      if (choice.status != 0 || choice.determinism != CUDNN_DETERMINISTIC || !is_plain(shape_.kind, choice.algorithm) ||
          choice.workspace_bytes > most_workspace_bytes)
        continue;
      algorithm_ = choice.algorithm;
      workspace_bytes_ = choice.workspace_bytes;
      check(dnn_, dnn_.set_math(convolution_, is_half() ? choice.math_type : CUDNN_FMA_MATH),
            "cudnnSetConvolutionMathType");
      return;
    }
  }

  const Cudnn& dnn_;
  Shape shape_;
  CudnnTensor x_ = nullptr, y_ = nullptr;
  CudnnFilter w_ = nullptr;
  CudnnConvolution convolution_ = nullptr;
  int algorithm_ = -1;
  size_t workspace_bytes_ = 0;
};

// Plans are kept. A handle has one stream at a time: who sets it keeps the lock until the work is submitted.
struct Plans {
  std::mutex mutex;
  std::map<int, CudnnHandle> handles;
  std::map<Shape, std::unique_ptr<Plan>> plans;

  std::pair<CudnnHandle, const Plan*> find(const Cudnn& dnn, const Shape& shape) {
    std::lock_guard lock(mutex);
    CudnnHandle& handle = handles[shape.device];
    if (!handle) check(dnn, dnn.create(&handle), "cudnnCreate");
    std::unique_ptr<Plan>& plan = plans[shape];
    if (!plan) plan = std::make_unique<Plan>(dnn, handle, shape);
    return {handle, plan.get()};
  }
};
Plans& plans() {
  static Plans& instance = *new Plans;
  return instance;
}

std::array<int, 5> sizes_of(const Tensor& tensor) {
  std::array<int, 5> sizes{};
  for (int64_t i = 0; i < tensor.dim(); ++i)
    sizes[static_cast<size_t>(i)] = static_cast<int>(tensor.sizes()[i].constant());
  return sizes;
}

// A convolution of one dim is one of two whose second is a single column.
Tensor planar(const Tensor& tensor) { return tensor.dim() == 3 ? tensor.unsqueeze(-1) : tensor; }

bool fits_int(const Tensor& tensor) { return tensor.numel() > 0 && tensor.numel() < INT32_MAX; }

void fill(std::array<int, 3>& numbers, const Dims& from, int missing) {
  numbers.fill(missing);
  std::copy(from.begin(), from.end(), numbers.begin());
}

// One of them is what the kind computes.
struct Operands {
  Tensor x, w, y;

  Tensor& made(Kind kind) { return kind == Kind::forward ? y : kind == Kind::data_gradient ? x : w; }
};

Shape shape_of(const OpArgs& args, Kind kind, const Operands& planes, int64_t dims) {
  Shape shape;
  shape.kind = kind;
  shape.dtype = planes.x.dtype();
  const Tensor& image = kind == Kind::forward ? planes.y : planes.x;
  shape.device = image.device().index;
  shape.channels_last = is_channels_last(image.layout());
  shape.rank = static_cast<int>(planes.x.dim());
  shape.x = sizes_of(planes.x);
  shape.w = sizes_of(planes.w);
  shape.y = sizes_of(planes.y);
  fill(shape.padding, spatial_numbers(args, "padding", dims), 0);
  fill(shape.stride, spatial_numbers(args, "stride", dims), 1);
  fill(shape.dilation, spatial_numbers(args, "dilation", dims), 1);
  shape.groups = static_cast<int>(args.integer("groups"));
  return shape;
}

// Memory in the order that cuDNN is given, with the operand's elements in it, or for them.
Tensor arranged(const Tensor& tensor, bool channels_last, bool is_read, Here here) {
  Layout wanted = channels_last ? channels_last_layout(tensor.sizes()) : contiguous_layout(tensor.sizes());
  if (same_layout({tensor.sizes(), tensor.strides(), 0}, wanted)) return tensor;
  Storage storage = new_storage(tensor.device(), tensor.numel().constant() * byte_size(tensor.dtype()));
  Tensor own({tensor.dtype(), tensor.device(), wanted}, std::move(storage));
  if (is_read) own.copy_(tensor, here);
  return own;
}

void run(const Cudnn& dnn, CudnnHandle handle, const Plan& plan, const CudaDevice& device, Operands& own) {
  Storage workspace;
  if (plan.workspace_bytes() > 0) workspace = new_cuda_storage(device, static_cast<int64_t>(plan.workspace_bytes()));
  std::lock_guard lock(plans().mutex);
  check(dnn, dnn.set_stream(handle, current_cuda_stream(device)), "cudnnSetStream");
  plan.run(handle, own.x.data_ptr(), own.w.data_ptr(), own.y.data_ptr(), workspace ? workspace->data : nullptr);
}

// False where cuDNN is missing or knows no way.
bool convolve(const OpArgs& args, Kind kind, const Tensor& x, const Tensor& w, const Tensor& y) {
  const Cudnn* dnn = find_cudnn();
  if (!dnn || !is_floating(x.dtype()) || !fits_int(x) || !fits_int(w) || !fits_int(y)) return false;
  Operands planes = {planar(x), planar(w), planar(y)};
  Shape shape = shape_of(args, kind, planes, x.dim() - 2);
  const CudaDevice& device = cuda_device(planes.made(kind).device());
  make_current(device);
  auto [handle, plan] = plans().find(*dnn, shape);
  if (!plan->is_possible()) return false;
  Operands own = planes;
  for (Tensor* operand : {&own.x, &own.w, &own.y})
    *operand = arranged(*operand, shape.channels_last, operand != &own.made(kind), args.here());
  run(*dnn, handle, *plan, device, own);
  if (!own.made(kind).is_same(planes.made(kind))) planes.made(kind).copy_(own.made(kind), args.here());
  return true;
}

// Channels are dim 1 of the result.
void add_bias(const OpArgs& args, const Tensor& result) {
  if (!args.has(2)) return;
  Tensor bias = args[2].tensor();
  for (int64_t i = 2; i < result.dim(); ++i) bias = bias.unsqueeze(-1, args.here());
  result.add_(bias, 1, args.here());
}

}  // namespace

bool convolve_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  const OpDef& op = args.op();
  if (&op == &op_defs::convolution_weight_gradient_default)
    return convolve(args, Kind::filter_gradient, args[0].tensor(), outputs[0], args[1].tensor());
  if (&op != &op_defs::convolution_default) return false;
  const Tensor &input = args[0].tensor(), &weight = args[1].tensor();
  bool is_done = args.flag("transposed") ? convolve(args, Kind::data_gradient, outputs[0], weight, input)
                                         : convolve(args, Kind::forward, input, weight, outputs[0]);
  if (is_done) add_bias(args, outputs[0]);
  return is_done;
}

}  // namespace sinter::runtime
