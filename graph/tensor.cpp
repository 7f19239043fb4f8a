// Tensor handles: construction, questions about shape, access to data.

#include <sinter/graph/tensor.h>

#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/ops/number.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/trace.h>

namespace sinter {

namespace {

// The same elements with the dims in another order.
Layout in_order(const Layout& layout, const Dims& order) {
  Layout turned{{}, {}, layout.offset};
  for (int64_t dim : order) {
    turned.sizes.push_back(layout.sizes[dim]);
    turned.strides.push_back(layout.strides[dim]);
  }
  return turned;
}

}  // namespace

std::string to_string(const TensorMeta& meta) {
  std::string text = fmt::format("{}{}", name(meta.dtype), to_string(meta.layout.sizes));
  SymDims strides = contiguous_strides(meta.layout.sizes);
  bool plain = meta.layout.offset.same(0);
  for (size_t i = 0; i < strides.size(); ++i) plain &= strides[i].same(meta.layout.strides[i]);
  if (!plain) text += fmt::format(" strides={}", to_string(meta.layout.strides));
  if (!meta.layout.offset.same(0)) text += fmt::format(" offset={}", to_string(meta.layout.offset));
  if (!meta.device.is_cpu()) text += fmt::format(" {}", to_string(meta.device));
  return text;
}

Tensor::Tensor(TensorMeta meta, Storage storage) : impl_(new TensorImpl) {
  impl_->meta = std::move(meta);
  impl_->storage = std::move(storage);
}

Tensor::Tensor(TensorMeta meta, Storage storage, FakeOrigin origin) : Tensor(std::move(meta), std::move(storage)) {
  impl_->fake = origin;
}

namespace {

// Of a fake tensor: it must be one of the trace that runs, but for what operators ask.
void note_question_of(const Tensor& tensor, Here here) {
  graph::Trace* trace = graph::active_trace();
  if (!graph::is_inside_op() && (!trace || trace->id() != tensor.impl()->fake.trace))
    throw Error(ErrorKind::trace, here,
                fmt::format("a fake tensor of {} trace is asked for its layout", trace ? "another" : "a finished"),
                {{"self", to_string(tensor.impl()->meta)}},
                "keep tensors that a traced function makes inside that function, or return them");
  graph::note_size_question(here);
}

int64_t checked_dim(const Tensor& tensor, int64_t dim, Here here) {
  if (!tensor.defined()) throw Error(ErrorKind::argument, here, "the tensor is undefined");
  int64_t rank = tensor.dim();
  if (dim < -rank || dim >= rank)
    throw Error(ErrorKind::argument, here, fmt::format("dim {} is out of range for a tensor of rank {}", dim, rank),
                {{"self", to_string(tensor.meta())}}, fmt::format("need {} <= dim < {}", -rank, rank));
  if (tensor.is_fake()) note_question_of(tensor, here);
  return dim < 0 ? dim + rank : dim;
}

}  // namespace

void mark_dynamic(const Tensor& tensor, int64_t dim, int64_t min, int64_t max, Here here) {
  dim = checked_dim(tensor, dim, here);
  int64_t size = tensor.sizes()[dim].hint();
  if (size < min || size > max)
    throw Error(ErrorKind::argument, here, fmt::format("mark_dynamic: dim {} has size {}", dim, size),
                {{"self", to_string(tensor.meta())}}, fmt::format("need a size from {} to {}", min, max));
  auto& marks = tensor.impl()->marks;
  if (!marks) marks = std::make_unique<std::vector<SizeMark>>();
  std::erase_if(*marks, [&](const SizeMark& mark) { return mark.dim == dim; });
  marks->push_back({dim, min, max});
}

SymInt Tensor::size(int64_t dim, Here here) const { return sizes()[checked_dim(*this, dim, here)]; }
SymInt Tensor::stride(int64_t dim, Here here) const {
  dim = checked_dim(*this, dim, here);
  if (is_fake()) graph::note_stride_question(*this, dim);
  return guarded().layout.strides[dim];
}

bool Tensor::is_contiguous(MemoryFormat format, Here here) const {
  if (is_fake()) note_question_of(*this, here);
  if (format == MemoryFormat::contiguous) return sinter::is_contiguous(guarded().layout);
  if (format == MemoryFormat::preserve)
    throw Error(ErrorKind::argument, here, "is_contiguous: preserve is no format that a tensor has", {},
                "ask for contiguous or channels_last");
  const SymDims& sizes = guarded().layout.sizes;
  return sizes.size() == 4 && sinter::is_contiguous(in_order(guarded().layout, {0, 2, 3, 1}));
}

void* Tensor::data_ptr(Here here) const { return checked_data(dtype(), here); }

void* Tensor::checked_data(DType wanted, Here here) const {
  if (!defined()) throw Error(ErrorKind::argument, here, "data_ptr: the tensor is undefined");
  std::vector<ErrorNote> notes = {{"self", to_string(meta())}};
  if (is_fake())
    throw Error(ErrorKind::trace, here, "data_ptr: a traced function has no data, only shapes", notes,
                "keep to operators on tensors inside a compiled function, or read the data outside of it");
  if (wanted != dtype())
    throw Error(ErrorKind::dtype, here,
                fmt::format("data_ptr: the elements are {}, not {}", name(dtype()), name(wanted)), notes,
                "ask for the tensor's own element type");
  if (!storage() || !storage()->data) return nullptr;  // no elements
  return static_cast<char*>(storage()->data) + layout().offset.constant() * byte_size(dtype());
}

void Tensor::fail_to_convert(Scalar value, DType type, Here here) {
  throw Error(ErrorKind::argument, here,
              fmt::format("item: the number {} does not fit into {}", to_string(value), name(type)), {},
              "ask for a wider type");
}

Scalar Tensor::item(Here here) const {
  if (!defined()) throw Error(ErrorKind::argument, here, "item: the tensor is undefined");
  std::vector<ErrorNote> notes = {{"self", to_string(meta())}};
  if (is_fake() || graph::active_trace()) {
    bool is_number = is_floating(dtype()) && graph::active_trace() && graph::active_shape_facts();
    return is_number ? traced_item(*this, here) : symbolic_item(*this, here);
  }
  if (!(numel() == 1))
    throw Error(ErrorKind::shape, here, fmt::format("item: the tensor has {} elements", to_string(numel())), notes,
                "need a tensor of one element");
  if (!device().is_cpu()) return to(cpu, here).item(here);
  return visit(dtype(), [&](auto zero) -> Scalar {
    using T = decltype(zero);
    T value = *static_cast<const T*>(data_ptr(here));
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      return Scalar(static_cast<float>(value));
    else
      return Scalar(value);
  });
}

}  // namespace sinter
