// Chooses the library; converts types that it does not have.

#include <sinter/runtime/cpu/convolution.h>

#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/ending_library.h>
#include <sinter/runtime/interpreter/copy_elements.h>
#include <sinter/runtime/primitives/primitive_table.h>

#include <cstring>
#include <optional>
#include <span>

namespace sinter::runtime {

namespace {

using Sizes = std::array<int64_t, 5>;

Sizes sizes_of(int64_t first, int64_t second, const std::array<int64_t, 3>& spatial) {
  return {first, second, spatial[0], spatial[1], spatial[2]};
}

// A row-major tensor of its own, for the time of one call.
class OwnTensor {
 public:
  OwnTensor(const Sizes& sizes, int rank, DType dtype) : sizes_(sizes), rank_(rank), dtype_(dtype) {
    int64_t stride = 1;
    for (int i = rank + 1; i >= 0; --i) {
      tensor.strides[i] = stride;
      stride *= sizes[i];
    }
    elements_ = stride;
    tensor.data = allocate_host(elements_ * byte_size(dtype));
  }
  OwnTensor(const OwnTensor&) = delete;
  ~OwnTensor() { free_host(tensor.data, elements_ * byte_size(dtype_)); }

  void read(const ConvolutionTensor& from) {
    gather_elements(tensor.data, from.data, extents(), strides(from), width());
  }
  void write(const ConvolutionTensor& to) const {
    scatter_elements(to.data, tensor.data, extents(), strides(to), width());
  }
  void convert(const OwnTensor& from) { convert(from.tensor.data, from.dtype_); }
  void convert(const void* from, DType from_type) {
    primitives(detect_isa())
        .convert[static_cast<int>(from_type)][static_cast<int>(dtype_)](tensor.data, from, nullptr, nullptr, elements_);
  }

  ConvolutionTensor tensor;

 private:
  size_t dims() const { return static_cast<size_t>(rank_) + 2; }
  std::span<const int64_t> extents() const { return {sizes_.data(), dims()}; }
  std::span<const int64_t> strides(const ConvolutionTensor& other) const { return {other.strides.data(), dims()}; }
  int width() const { return static_cast<int>(byte_size(dtype_)); }

  Sizes sizes_;
  int rank_;
  DType dtype_;
  int64_t elements_ = 0;
};

struct Parts {
  Sizes x, w, y;
};

Parts parts_of(const Convolution& c) {
  return {sizes_of(c.batch, c.groups * c.channels, c.size), sizes_of(c.groups * c.filters, c.channels, c.kernel),
          sizes_of(c.batch, c.groups * c.filters, c.output)};
}

struct Slot {
  ConvolutionTensor ConvolutionCall::* tensor;
  Sizes Parts::* sizes;
};
constexpr Slot slots[] = {
    {&ConvolutionCall::x, &Parts::x}, {&ConvolutionCall::w, &Parts::w}, {&ConvolutionCall::y, &Parts::y}};

int written_slot(ConvolutionKind kind) {
  return kind == ConvolutionKind::transposed ? 0 : kind == ConvolutionKind::weight_gradient ? 1 : 2;
}

bool is_row_major(const ConvolutionTensor& tensor, const Sizes& sizes, int rank) {
  int64_t stride = 1;
  for (int i = rank + 1; i >= 0; --i) {
    if (sizes[i] > 1 && tensor.strides[i] != stride) return false;
    stride *= sizes[i];
  }
  return true;
}

// One of the call's tensors as a row-major one of type `wide`; a copy where it is not so already.
class WideTensor {
 public:
  WideTensor(const ConvolutionTensor& given, const Sizes& sizes, int rank, DType dtype, DType wide)
      : given_(given), sizes_(sizes), rank_(rank), dtype_(dtype), wide_(wide) {
    if (dtype != wide || !is_row_major(given, sizes, rank)) own_.emplace(sizes, rank, wide);
  }
  const ConvolutionTensor& tensor() const { return own_ ? own_->tensor : given_; }
  void read() {
    if (!own_) return;
    if (dtype_ == wide_) return own_->read(given_);
    OwnTensor narrow(sizes_, rank_, dtype_);
    narrow.read(given_);
    own_->convert(narrow);
  }
  void write() {
    if (!own_) return;
    if (dtype_ == wide_) return own_->write(given_);
    OwnTensor narrow(sizes_, rank_, dtype_);
    narrow.convert(*own_);
    narrow.write(given_);
  }

 private:
  const ConvolutionTensor& given_;
  const Sizes& sizes_;
  int rank_;
  DType dtype_, wide_;
  std::optional<OwnTensor> own_;
};

// The call on row-major tensors of type `wide`.
void convolve_copies(const ConvolutionCall& call, DType wide, void (*run)(const ConvolutionCall&)) {
  Parts parts = parts_of(call.shape);
  int written = written_slot(call.kind);
  ConvolutionCall copied = call;
  copied.dtype = wide;
  std::array<std::optional<WideTensor>, 3> tensors;
  for (int i = 0; i < 3; ++i) {
    tensors[i].emplace(call.*slots[i].tensor, parts.*slots[i].sizes, call.shape.rank, call.dtype, wide);
    copied.*slots[i].tensor = tensors[i]->tensor();
    if (i != written) tensors[i]->read();
  }
  bool spreads = call.kind == ConvolutionKind::transposed;
  int64_t channels = call.shape.groups * (spreads ? call.shape.channels : call.shape.filters);
  OwnTensor bias({channels, 1, 1, 1, 1}, 3, wide);
  if (call.bias && call.dtype != wide) {
    bias.convert(call.bias, call.dtype);
    copied.bias = bias.tensor.data;
  }
  run(copied);
  tensors[written]->write();
}

// A result that no product adds to: the bias alone, or zeros.
void write_bias_only(const ConvolutionCall& call) {
  int written = written_slot(call.kind), rank = call.shape.rank;
  Parts parts = parts_of(call.shape);
  Sizes sizes = parts.*slots[written].sizes;
  OwnTensor own(sizes, rank, call.dtype);
  int64_t pixels = sizes[2] * sizes[3] * sizes[4], width = byte_size(call.dtype);
  char* data = static_cast<char*>(own.tensor.data);
  std::memset(data, 0, sizes[0] * sizes[1] * pixels * width);
  if (call.bias)
    for (int64_t i = 0; i < sizes[0] * sizes[1] * pixels; ++i)
      std::memcpy(data + i * width, static_cast<const char*>(call.bias) + i / pixels % sizes[1] * width, width);
  own.write(call.*slots[written].tensor);
}

// oneDNN knows no element that stands for several.
bool repeats(const ConvolutionTensor& tensor, const Sizes& sizes, int rank) {
  for (int i = 0; i < rank + 2; ++i)
    if (sizes[i] > 1 && tensor.strides[i] == 0) return true;
  return false;
}
bool suits_dnnl(const ConvolutionCall& call) {
  Parts parts = parts_of(call.shape);
  for (const Slot& slot : slots)
    if (repeats(call.*slot.tensor, parts.*slot.sizes, call.shape.rank)) return false;
  return call.dtype == DType::f32 ||
         (call.dtype == DType::bf16 && convolves_bf16() && call.kind != ConvolutionKind::weight_gradient);
}

// Beyond the last window oneDNN takes fewer elements than a stride. A transposed convolution may have more: its
// output_padding may exceed the stride where the dilation is greater still.
bool ends_within_a_stride(const Convolution& c) {
  for (int i = 0; i < c.rank; ++i) {
    int64_t reached = (c.output[i] - 1) * c.stride[i] + (c.kernel[i] - 1) * c.dilation[i] + 1;
    if (c.size[i] + c.padding[i] - reached >= c.stride[i]) return false;
  }
  return true;
}

}  // namespace

void convolve(const ConvolutionCall& call) {
  const Convolution& c = call.shape;
  int written = written_slot(call.kind);
  int64_t elements[] = {c.x_elements(), c.w_elements(), c.y_elements()};
  if (elements[written] == 0) return;
  if (elements[0] == 0 || elements[1] == 0 || elements[2] == 0) return write_bias_only(call);
  bool has_dnnl_type = is_half(call.dtype) || call.dtype == DType::f32;
  if (!has_dnnl_type) return convolve_copies(call, call.dtype, convolve_by_products);
  static EndingLibrary::Kind convolutions_of_dnnl(dnnl_library());
  EndingLibrary::Use dnnl(convolutions_of_dnnl);
  if (!dnnl || !ends_within_a_stride(c)) return convolve_copies(call, DType::f32, convolve_by_products);
  if (suits_dnnl(call)) return convolve_with_dnnl(call);
  convolve_copies(call, DType::f32, convolve_with_dnnl);
}

}  // namespace sinter::runtime
