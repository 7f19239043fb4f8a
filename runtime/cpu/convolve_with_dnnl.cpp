// Convolutions in f32 and bf16 by oneDNN, in the memory formats that it likes best; what is in another one is
// reordered.

#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/cpu/convolution.h>
#include <sinter/runtime/cpu/copy_permuted.h>
#include <sinter/runtime/cpu/dnnl_session.h>
#include <sinter/runtime/kept_by_thread.h>
#include <sinter/runtime/parallel.h>

#include <dnnl.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace sinter::runtime {

namespace {

using dnnl::memory;
using Key = std::vector<int64_t>;

memory::dims first(const std::array<int64_t, 3>& numbers, int rank) {
  return {numbers.begin(), numbers.begin() + rank};
}

memory::dims joined(memory::dims front, const memory::dims& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

memory::data_type type_of(DType dtype) {
  return dtype == DType::bf16 ? memory::data_type::bf16 : memory::data_type::f32;
}

// A tensor as the caller has it, and its sizes alone for oneDNN to choose a format.
struct Described {
  memory::dims sizes;
  memory::desc given;
  memory::desc any;
};

Described describe(memory::dims sizes, const memory::dims& strides, DType dtype) {
  return {sizes, memory::desc(sizes, type_of(dtype), strides),
          memory::desc(sizes, type_of(dtype), memory::format_tag::any)};
}

Described describe_plain(const ConvolutionTensor& tensor, int64_t batch, int64_t channels,
                         const std::array<int64_t, 3>& size, int rank, DType dtype) {
  memory::dims strides(tensor.strides.begin(), tensor.strides.begin() + rank + 2);
  return describe(joined({batch, channels}, first(size, rank)), strides, dtype);
}

// [groups, result's channels, argument's channels, kernel...]; of one group without the first dim.
Described describe_weight(const ConvolutionCall& call) {
  const Convolution& shape = call.shape;
  const auto& s = call.w.strides;
  bool swaps = call.kind == ConvolutionKind::transposed;
  memory::dims sizes = {swaps ? shape.channels : shape.filters, swaps ? shape.filters : shape.channels};
  memory::dims strides = {swaps ? s[1] : s[0], swaps ? s[0] : s[1]};
  for (int i = 0; i < shape.rank; ++i) strides.push_back(s[i + 2]);
  sizes = joined(sizes, first(shape.kernel, shape.rank));
  if (shape.groups > 1) {
    sizes.insert(sizes.begin(), shape.groups);
    strides.insert(strides.begin(), shape.filters * s[0]);
  }
  return describe(sizes, strides, call.dtype);
}

// A primitive, the formats of its tensors, and the reorders between them and the caller's.
struct Prepared {
  dnnl::primitive primitive;
  struct Slot {
    int argument;
    memory given, inner;
    bool differs = false;                  // the caller's format from the inner one
    std::optional<dnnl::reorder> reorder;  // between them, where it is more than an order of the dims
  };
  Slot source, weight, result;
  memory bias, scratch;
};

// Every element has a place of its own stride: no blocks, no padding.
bool is_strided(const memory::desc& desc) {
  const auto& data = desc.data;
  return data.format_kind == dnnl_blocked && data.format_desc.blocking.inner_nblks == 0 && data.offset0 == 0 &&
         std::equal(data.dims, data.dims + data.ndims, data.padded_dims);
}

Prepared::Slot make_slot(int argument, const memory::desc& given, const memory::desc& inner, bool is_result) {
  Prepared::Slot slot = {
      argument, memory(given, dnnl_engine(), nullptr), memory(inner, dnnl_engine(), nullptr), {}, {}};
  slot.differs = given != inner;
  if (slot.differs && !(is_strided(given) && is_strided(inner) && given.data.data_type == inner.data.data_type))
    slot.reorder = is_result ? dnnl::reorder(slot.inner, slot.given) : dnnl::reorder(slot.given, slot.inner);
  return slot;
}

// oneDNN's own copies between orders of dims run at a fraction of the memory's pace.
void copy_slot(dnnl::stream& stream, Prepared::Slot& slot, bool is_result) {
  if (!slot.differs) return;
  memory &from = is_result ? slot.inner : slot.given, &to = is_result ? slot.given : slot.inner;
  if (slot.reorder) return slot.reorder->execute(stream, from, to);
  const memory::desc a = from.get_desc(), b = to.get_desc();
  auto strides = [](const memory::desc& desc) {
    return std::span<const int64_t>(desc.data.format_desc.blocking.strides, desc.data.ndims);
  };
  int bytes = a.data.data_type == dnnl_f32 ? 4 : 2;
  copy_permuted(from.get_data_handle(), strides(a), to.get_data_handle(), strides(b),
                std::span<const int64_t>(a.data.dims, a.data.ndims), bytes);
}

dnnl::primitive_attr user_scratch() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

struct Numbers {
  memory::dims stride, dilation, before, after;
};

Numbers numbers_of(const Convolution& c) {
  Numbers numbers;
  for (int i = 0; i < c.rank; ++i) {
    numbers.before.push_back(c.padding[i]);
    int64_t reached = (c.output[i] - 1) * c.stride[i] + (c.kernel[i] - 1) * c.dilation[i] + 1;
    int64_t after = reached - c.size[i] - c.padding[i];
    numbers.after.push_back(after);
    // Steps that are never made may be larger than oneDNN takes.
    numbers.stride.push_back(c.output[i] == 1 ? std::min(c.stride[i], std::max<int64_t>(1, 1 - after)) : c.stride[i]);
    numbers.dilation.push_back(c.kernel[i] == 1 ? 0 : c.dilation[i] - 1);
  }
  return numbers;
}

template <class Made>
Prepared prepare(const Made& made, const memory::desc& source_inner, const memory::desc& weight_inner,
                 const memory::desc& result_inner, const Described& source, const Described& weight,
                 const Described& result, dnnl::primitive primitive) {
  Prepared prepared;
  prepared.primitive = std::move(primitive);
  prepared.source = make_slot(DNNL_ARG_SRC, source.given, source_inner, false);
  prepared.weight = make_slot(DNNL_ARG_WEIGHTS, weight.given, weight_inner, false);
  prepared.result = make_slot(DNNL_ARG_DST, result.given, result_inner, true);
  prepared.scratch = memory(made.scratchpad_desc(), dnnl_engine(), nullptr);
  return prepared;
}

memory::desc bias_desc(const ConvolutionCall& call, int64_t channels) {
  return memory::desc({channels}, type_of(call.dtype), memory::dims{1});
}

Described describe_x(const ConvolutionCall& call) {
  const Convolution& c = call.shape;
  return describe_plain(call.x, c.batch, c.groups * c.channels, c.size, c.rank, call.dtype);
}
Described describe_y(const ConvolutionCall& call) {
  const Convolution& c = call.shape;
  return describe_plain(call.y, c.batch, c.groups * c.filters, c.output, c.rank, call.dtype);
}

Prepared prepare_forward(const ConvolutionCall& call) {
  using Forward = dnnl::convolution_forward;
  Described x = describe_x(call), w = describe_weight(call), y = describe_y(call);
  Numbers n = numbers_of(call.shape);
  memory::desc bias = bias_desc(call, call.shape.groups * call.shape.filters);
  Forward::desc wanted = call.bias
                             ? Forward::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                             x.any, w.any, bias, y.any, n.stride, n.dilation, n.before, n.after)
                             : Forward::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                             x.any, w.any, y.any, n.stride, n.dilation, n.before, n.after);
  Forward::primitive_desc made(wanted, user_scratch(), dnnl_engine());
  Prepared prepared = prepare(made, made.src_desc(), made.weights_desc(), made.dst_desc(), x, w, y, Forward(made));
  if (call.bias) prepared.bias = memory(bias, dnnl_engine(), nullptr);
  return prepared;
}

Prepared prepare_transposed(const ConvolutionCall& call) {
  using Transposed = dnnl::deconvolution_forward;
  Described x = describe_x(call), w = describe_weight(call), y = describe_y(call);
  Numbers n = numbers_of(call.shape);
  memory::desc bias = bias_desc(call, call.shape.groups * call.shape.channels);
  Transposed::desc wanted =
      call.bias ? Transposed::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::deconvolution_direct, y.any,
                                   w.any, bias, x.any, n.stride, n.dilation, n.before, n.after)
                : Transposed::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::deconvolution_direct, y.any,
                                   w.any, x.any, n.stride, n.dilation, n.before, n.after);
  Transposed::primitive_desc made(wanted, user_scratch(), dnnl_engine());
  Prepared prepared = prepare(made, made.src_desc(), made.weights_desc(), made.dst_desc(), y, w, x, Transposed(made));
  if (call.bias) prepared.bias = memory(bias, dnnl_engine(), nullptr);
  return prepared;
}

Prepared prepare_weight_gradient(const ConvolutionCall& call) {
  using Forward = dnnl::convolution_forward;
  using Backward = dnnl::convolution_backward_weights;
  Described x = describe_x(call), w = describe_weight(call), y = describe_y(call);
  Numbers n = numbers_of(call.shape);
  Forward::primitive_desc hint(Forward::desc(dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
                                             x.any, w.any, y.any, n.stride, n.dilation, n.before, n.after),
                               dnnl_engine());
  Backward::primitive_desc made(
      Backward::desc(dnnl::algorithm::convolution_direct, x.any, w.any, y.any, n.stride, n.dilation, n.before, n.after),
      user_scratch(), dnnl_engine(), hint);
  Prepared prepared =
      prepare(made, made.src_desc(), made.diff_weights_desc(), made.diff_dst_desc(), x, w, y, Backward(made));
  prepared.weight = make_slot(DNNL_ARG_DIFF_WEIGHTS, w.given, made.diff_weights_desc(), true);
  prepared.result = make_slot(DNNL_ARG_DIFF_DST, y.given, made.diff_dst_desc(), false);
  return prepared;
}

Prepared prepare(const ConvolutionCall& call) {
  switch (call.kind) {
    case ConvolutionKind::forward: return prepare_forward(call);
    case ConvolutionKind::transposed: return prepare_transposed(call);
    case ConvolutionKind::weight_gradient: return prepare_weight_gradient(call);
  }
  __builtin_unreachable();
}

Key key_of(const ConvolutionCall& call) {
  const Convolution& c = call.shape;
  Key key = {static_cast<int64_t>(call.kind),
             static_cast<int64_t>(call.dtype),
             call.bias != nullptr,
             dnnl_thread_count(),
             c.rank,
             c.batch,
             c.groups,
             c.channels,
             c.filters};
  for (const auto* numbers : {&c.size, &c.output, &c.kernel, &c.stride, &c.padding, &c.dilation})
    key.insert(key.end(), numbers->begin(), numbers->begin() + c.rank);
  for (const ConvolutionTensor* tensor : {&call.x, &call.w, &call.y})
    key.insert(key.end(), tensor->strides.begin(), tensor->strides.begin() + c.rank + 2);
  return key;
}

// Memory for the time of one call.
class Block {
 public:
  explicit Block(size_t bytes) : bytes_(static_cast<int64_t>(bytes)), data_(allocate_host(bytes_)) {}
  Block(const Block&) = delete;
  ~Block() { free_host(data_, bytes_); }
  void* data() const { return data_; }

 private:
  int64_t bytes_;
  void* data_;
};

size_t inner_bytes(const Prepared::Slot& slot) { return slot.differs ? slot.inner.get_desc().get_size() : 0; }

void place(Prepared::Slot& slot, void* given, const Block& inner) {
  slot.given.set_data_handle(given);
  slot.inner.set_data_handle(slot.differs ? inner.data() : given);
}

void run(Prepared& prepared, const ConvolutionCall& call) {
  bool swaps = call.kind == ConvolutionKind::transposed;
  Prepared::Slot* slots[] = {&prepared.source, &prepared.weight, &prepared.result};
  void* given[] = {swaps ? call.y.data : call.x.data, call.w.data, swaps ? call.x.data : call.y.data};
  Block blocks[] = {Block(inner_bytes(*slots[0])), Block(inner_bytes(*slots[1])), Block(inner_bytes(*slots[2]))};
  Block scratch(prepared.scratch.get_desc().get_size());
  prepared.scratch.set_data_handle(scratch.data());
  std::unordered_map<int, memory> arguments = {{DNNL_ARG_SCRATCHPAD, prepared.scratch}};
  for (int i = 0; i < 3; ++i) {
    place(*slots[i], given[i], blocks[i]);
    arguments.emplace(slots[i]->argument, slots[i]->inner);
  }
  if (call.bias) {
    prepared.bias.set_data_handle(const_cast<void*>(call.bias));
    arguments.emplace(DNNL_ARG_BIAS, prepared.bias);
  }
  Prepared::Slot* written = call.kind == ConvolutionKind::weight_gradient ? slots[1] : slots[2];
  dnnl::stream stream(dnnl_engine());
  for (Prepared::Slot* slot : slots)
    if (slot != written) copy_slot(stream, *slot, false);
  prepared.primitive.execute(stream, arguments);
  stream.wait();
  copy_slot(stream, *written, true);
  stream.wait();
}

void run_once(const ConvolutionCall& call) {
  auto& convolutions = kept_by_thread<DnnlCache<Key, Prepared>>();
  with_dnnl_errors([&] {
    DnnlThreads threads;
    run(convolutions.find_or_make(key_of(call), [&] { return prepare(call); }), call);
  });
}

// How oneDNN adds depends on the number of its threads. So a convolution is done in parts, as many as the shape says,
// by one thread each.
constexpr int64_t most_parts = 8;

struct Division {
  int64_t parts, length;
};

// Parts of equal length, a multiple of `step`, but for the last.
Division divide(int64_t size, int64_t most, int64_t step) {
  int64_t length = (size + most - 1) / most;
  length = (length + step - 1) / step * step;
  return {(size + length - 1) / length, length};
}

template <class Body>
void for_parts(int64_t parts, const Body& body) {
  // A loop over one part would not count as parallel: oneDNN would take all threads.
  parallel_for(0, std::max<int64_t>(parts, 2), 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < std::min(end, parts); ++part) body(part);
  });
}

void* moved(const void* data, int64_t elements, DType dtype) {
  return static_cast<char*>(const_cast<void*>(data)) + elements * byte_size(dtype);
}

void keep_samples(ConvolutionCall& call, int64_t start, int64_t length) {
  call.shape.batch = std::min(length, call.shape.batch - start);
  call.x.data = moved(call.x.data, start * call.x.strides[0], call.dtype);
  call.y.data = moved(call.y.data, start * call.y.strides[0], call.dtype);
}

// Of the channels that the call writes.
void keep_channels(ConvolutionCall& call, int64_t start, int64_t length) {
  bool spreads = call.kind == ConvolutionKind::transposed;
  int64_t& channels = spreads ? call.shape.channels : call.shape.filters;
  ConvolutionTensor& written = spreads ? call.x : call.y;
  channels = std::min(length, channels - start);
  written.data = moved(written.data, start * written.strides[1], call.dtype);
  call.w.data = moved(call.w.data, start * call.w.strides[spreads ? 1 : 0], call.dtype);
  if (call.bias) call.bias = moved(call.bias, start, call.dtype);
}

// The batch is divided, and where that makes few parts, the channels of the result.
void run_in_parts(const ConvolutionCall& call) {
  constexpr int64_t least_products = 1 << 20, block_of_channels = 16;
  const Convolution& c = call.shape;
  int64_t written = call.kind == ConvolutionKind::transposed ? c.channels : c.filters;
  int64_t products = c.w_elements() * c.batch;
  for (int i = 0; i < c.rank; ++i) products *= c.output[i];
  bool is_small = products < least_products;
  Division samples = divide(c.batch, is_small ? 1 : most_parts, 1);
  bool divides_channels = !is_small && c.groups == 1 && written >= 2 * block_of_channels;
  Division channels =
      divide(written, divides_channels ? most_parts / samples.parts : 1, divides_channels ? block_of_channels : 1);
  for_parts(samples.parts * channels.parts, [&](int64_t part) {
    ConvolutionCall slice = call;
    keep_samples(slice, part / channels.parts * samples.length, samples.length);
    if (channels.parts > 1) keep_channels(slice, part % channels.parts * channels.length, channels.length);
    run_once(slice);
  });
}

// The parts' sums are added in their order.
void run_weight_gradient(const ConvolutionCall& call) {
  auto [parts, length] = divide(call.shape.batch, call.dtype == DType::f32 ? most_parts : 1, 1);
  int64_t elements = call.shape.w_elements();
  Block sums(parts > 1 ? parts * elements * sizeof(float) : 0);
  for_parts(parts, [&, parts = parts, length = length](int64_t part) {
    ConvolutionCall slice = call;
    keep_samples(slice, part * length, length);
    if (parts > 1) slice.w.data = static_cast<float*>(sums.data()) + part * elements;
    run_once(slice);
  });
  if (parts == 1) return;
  float* total = static_cast<float*>(call.w.data);
  const float* part = static_cast<const float*>(sums.data());
  for (int64_t i = 0; i < elements; ++i) {
    float sum = part[i];
    for (int64_t k = 1; k < parts; ++k) sum += part[k * elements + i];
    total[i] = sum;
  }
}

}  // namespace

bool convolves_bf16() {
  using Isa = dnnl::cpu_isa;
  constexpr auto needed = static_cast<unsigned>(Isa::avx512_core);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & needed) == needed;
}

void convolve_with_dnnl(const ConvolutionCall& call) {
  if (call.kind == ConvolutionKind::weight_gradient) return run_weight_gradient(call);
  run_in_parts(call);
}

}  // namespace sinter::runtime
