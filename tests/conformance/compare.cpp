// Compares results, argument storages and argument handles.

#include "conformance/compare.h"

#include "conformance/elements.h"

#include <algorithm>
#include <cstring>

namespace sinter::conformance {

namespace {

std::string index_text(const Layout& layout, size_t flat) {
  std::vector<int64_t> index(layout.rank());
  for (int64_t dim = layout.rank() - 1; dim >= 0; --dim) {
    auto size = static_cast<size_t>(layout.sizes[dim].constant());
    index[dim] = static_cast<int64_t>(flat % size);
    flat /= size;
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

bool same_sizes(const Layout& a, const Layout& b) {
  return std::equal(a.sizes.begin(), a.sizes.end(), b.sizes.begin(), b.sizes.end(),
                    [](SymInt x, SymInt y) { return x.constant() == y.constant(); });
}

// Strides that no element depends on may be anything.
bool agree_in_strides(const Layout& a, const Layout& b) {
  if (numel(a.sizes).constant() == 0) return true;
  for (int64_t dim = 0; dim < a.rank(); ++dim)
    if (a.sizes[dim].constant() > 1 && a.strides[dim].constant() != b.strides[dim].constant()) return false;
  return true;
}

std::string meta_difference(const TensorMeta& got, const TensorMeta& want) {
  if (got.dtype != want.dtype) return fmt::format("dtype {}, want {}", name(got.dtype), name(want.dtype));
  if (!same_sizes(got.layout, want.layout))
    return fmt::format("sizes {}, want {}", to_string(got.layout.sizes), to_string(want.layout.sizes));
  if (!agree_in_strides(got.layout, want.layout))
    return fmt::format("strides {}, want {} (sizes {})", to_string(got.layout.strides), to_string(want.layout.strides),
                       to_string(want.layout.sizes));
  return {};
}

bool lies_inside(const Elements& tensor) {
  if (numel(tensor.layout.sizes).constant() == 0) return true;
  int64_t end = extent_end(tensor.layout).constant() * byte_size(tensor.dtype);
  return tensor.layout.offset.constant() >= 0 && end <= static_cast<int64_t>(tensor.storage.size());
}

// Elements whose sign ATen leaves open: those of signbit and copysign at a NaN.
class SignlessElements {
 public:
  SignlessElements(const RecordedCase& recorded, const Layout& result) {
    if (recorded.is_program) return;
    size_t deciding = recorded.name.starts_with("aten::signbit")    ? 0
                      : recorded.name.starts_with("aten::copysign") ? 1
                                                                    : 2;
    if (deciding >= recorded.inputs.size()) return;
    const RecordedTensor& input = recorded.inputs[deciding];
    std::optional<Layout> layout = expand_layout(input.meta().layout, result.sizes);
    if (!layout) return;
    for (int64_t position : positions(*layout))
      is_open_.push_back(is_nan(input.dtype, &recorded.storages[input.storage][position * byte_size(input.dtype)]));
  }
  bool contains(size_t flat) const { return flat < is_open_.size() && is_open_[flat]; }

 private:
  std::vector<bool> is_open_;
};

std::string value_difference(const RecordedCase& recorded, const Elements& got, const Elements& want,
                             const Agreement& agreement) {
  if (!lies_inside(got)) return "elements outside of their storage";
  SignlessElements signless(recorded, want.layout);
  std::vector<int64_t> got_at = positions(got.layout), want_at = positions(want.layout);
  int64_t bytes = byte_size(want.dtype);
  for (size_t i = 0; i < want_at.size(); ++i) {
    const std::byte* x = got.storage.data() + got_at[i] * bytes;
    const std::byte* y = want.storage.data() + want_at[i] * bytes;
    if (!agree(want.dtype, x, y, agreement) && !signless.contains(i))
      return fmt::format("element {} of {}{} is {}, want {}", index_text(want.layout, i), name(want.dtype),
                         to_string(want.layout.sizes), element_text(want.dtype, x), element_text(want.dtype, y));
  }
  return {};
}

// Which fresh storages of the record are which of the run, and by how much their offsets differ.
class FreshStorages {
 public:
  std::string match(const Tensor& got, const RecordedTensor& want) {
    auto [known, is_new] = by_record_.try_emplace(want.storage, Match{got.storage(), difference(got, want)});
    if (!is_new && !(known->second.storage == got.storage())) return "does not share memory with an earlier result";
    if (!is_new && known->second.shift != difference(got, want)) return "views its memory at another offset";
    for (const auto& [number, match] : by_record_)
      if (number != want.storage && match.storage == got.storage()) return "shares memory with an earlier result";
    return {};
  }

 private:
  struct Match {
    Storage storage;
    int64_t shift;
  };
  static int64_t difference(const Tensor& got, const RecordedTensor& want) {
    return got.storage_offset().constant() - want.offset;
  }

  std::map<int, Match> by_record_;
};

std::string alias_difference(const Run& run, const Tensor& got, const RecordedTensor& want, FreshStorages& fresh) {
  bool is_empty = numel(got.sizes()).constant() == 0;
  int argument = run.memory.find(got.storage());
  if (run.memory.is_argument(want.storage)) {
    if (argument != want.storage)
      return fmt::format("does not share memory with the argument of storage {}", want.storage);
    if (got.storage_offset().constant() != want.offset)
      return fmt::format("storage offset {}, want {}", got.storage_offset().constant(), want.offset);
    return {};
  }
  if (argument >= 0) return fmt::format("shares memory with the argument of storage {}", argument);
  return is_empty ? std::string() : fresh.match(got, want);
}

int64_t dim_of_call(const RecordedCase& recorded) {
  const Call& call = recorded.calls[0];
  auto slot = static_cast<size_t>(find_op(recorded.name)->schema().find("dim"));
  const Operand* operand = slot < call.positional.size() ? &call.positional[slot] : nullptr;
  for (const auto& [name, value] : call.keywords)
    if (name == "dim") operand = &value;
  const Value* number = operand ? std::get_if<Value>(&operand->held) : nullptr;
  return !number ? -1 : number->is_sym_int() ? number->sym_int().constant() : number->scalar().to_int();
}

// Of equal elements a device may name another one than the CPU does.
bool names_equal_elements(const RecordedCase& recorded, const Elements& got, const Elements& want) {
  bool may = recorded.name == "aten::topk.default" || recorded.name == "aten::kthvalue.default" ||
             recorded.name == "aten::mode.default";
  if (!may || got.dtype != DType::i64) return false;
  const auto* input = std::get_if<InputIndex>(&recorded.calls[0].positional[0].held);
  if (!input) return false;
  const RecordedTensor& tensor = recorded.inputs[input->index];
  Elements self = elements_of(tensor, recorded.storages[tensor.storage]);
  int64_t rank = self.layout.rank(), dim = dim_of_call(recorded), inner = 1, kept = 1;
  if (dim < 0) dim += rank;
  int64_t length = rank == 0 ? 1 : self.layout.sizes[dim].constant();
  for (int64_t i = dim + 1; i < rank; ++i) inner *= self.layout.sizes[i].constant();
  if (rank > 0 && got.layout.rank() == rank) kept = got.layout.sizes[dim].constant();
  std::vector<int64_t> in_self = positions(self.layout), in_got = positions(got.layout);
  std::vector<int64_t> in_want = positions(want.layout);
  int64_t bytes = byte_size(self.dtype);
  for (size_t i = 0; i < in_got.size(); ++i) {
    int64_t named[2];
    std::memcpy(&named[0], &got.storage[in_got[i] * sizeof(int64_t)], sizeof(int64_t));
    std::memcpy(&named[1], &want.storage[in_want[i] * sizeof(int64_t)], sizeof(int64_t));
    auto flat = static_cast<int64_t>(i);
    const std::byte* elements[2];
    for (int side : {0, 1}) {
      if (named[side] < 0 || named[side] >= length) return false;
      int64_t place = (flat / (kept * inner) * length + named[side]) * inner + flat % inner;
      elements[side] = &self.storage[in_self[place] * bytes];
    }
    if (!agree(self.dtype, elements[0], elements[1], {})) return false;
  }
  return true;
}

std::string result_difference(const RecordedCase& recorded, const Run& run, const Value& got,
                              const RecordedResult& want, FreshStorages& fresh) {
  if (std::holds_alternative<std::monostate>(want)) return got.is_none() ? "" : "is something, want nothing";
  if (const Scalar* number = std::get_if<Scalar>(&want)) {
    if (!got.is_scalar()) return "is no number";
    return got.scalar() == *number ? "" : fmt::format("is {}, want {}", to_string(got.scalar()), to_string(*number));
  }
  const auto& tensor = std::get<RecordedTensor>(want);
  if (!got.is_tensor()) return "is no tensor";
  std::string difference = meta_difference(got.tensor().meta(), tensor.meta());
  if (difference.empty()) difference = alias_difference(run, got.tensor(), tensor, fresh);
  if (!difference.empty()) return difference;
  auto after = recorded.storages_after.find(tensor.storage);
  const Bytes& want_bytes = after == recorded.storages_after.end() ? recorded.storages[tensor.storage] : after->second;
  Elements made = elements_of(got.tensor()), wanted = elements_of(tensor, want_bytes);
  difference = value_difference(recorded, made, wanted, {recorded.tolerance, recorded.keeps_zero_signs});
  bool is_on_cpu = got.tensor().device().is_cpu();
  return difference.empty() || is_on_cpu || !names_equal_elements(recorded, made, wanted) ? difference : "";
}

// The positions of a storage that an argument covers: only there may a written value be off by the tolerance.
std::vector<bool> covered_elements(const RecordedCase& recorded, int storage, int64_t count) {
  std::vector<bool> covered(count);
  for (const RecordedTensor& input : recorded.inputs)
    if (input.storage == storage)
      for (int64_t position : positions(input.meta().layout)) covered.at(position) = true;
  return covered;
}

std::string storage_difference(const RecordedCase& recorded, int storage, DType dtype, std::span<const std::byte> got,
                               const Bytes& want, const Agreement& agreement) {
  if (std::equal(got.begin(), got.end(), want.begin(), want.end())) return {};
  int64_t bytes = byte_size(dtype), count = static_cast<int64_t>(want.size()) / bytes;
  std::vector<bool> covered = covered_elements(recorded, storage, count);
  for (int64_t i = 0; i < count; ++i)
    if (!agree(dtype, &got[i * bytes], &want[i * bytes], covered[i] ? agreement : Agreement{}))
      return fmt::format("argument storage {} has {} at {}, want {}", storage, element_text(dtype, &got[i * bytes]), i,
                         element_text(dtype, &want[i * bytes]));
  return {};
}

// The memory of all arguments, against the record's (before the call, or after).
std::string memory_difference(const RecordedCase& recorded, const Run& run, bool after) {
  for (const RecordedTensor& input : recorded.inputs) {
    auto changed = recorded.storages_after.find(input.storage);
    bool was_written = after && changed != recorded.storages_after.end();
    std::string difference =
        storage_difference(recorded, input.storage, input.dtype, run.memory.bytes(input.storage),
                           was_written ? changed->second : recorded.storages[input.storage],
                           was_written ? Agreement{recorded.tolerance, recorded.keeps_zero_signs} : Agreement{});
    if (!difference.empty()) return difference + (was_written ? "" : " (as before the call)");
  }
  int damaged = run.memory.damaged();
  return damaged < 0 ? "" : fmt::format("memory next to the argument of storage {} was written to", damaged);
}

// The input that a call changes and returns (t_, squeeze_): its handle must have the result's layout.
int returned_input(const RecordedCase& recorded) {
  if (recorded.is_program || recorded.results.empty()) return -1;
  const OpDef* op = find_op(recorded.name);
  if (!op || op->schema().parameters.empty() || !op->schema().parameters[0].is_written) return -1;
  if (op->schema().returns.size() != 1) return -1;
  const InputIndex* input = std::get_if<InputIndex>(&recorded.calls[0].positional[0].held);
  return input ? input->index : -1;
}

std::string handle_difference(const RecordedCase& recorded, const Run& run, bool after) {
  int returned = after ? returned_input(recorded) : -1;
  for (int i = 0; i < static_cast<int>(recorded.inputs.size()); ++i) {
    const RecordedTensor* want = i == returned ? std::get_if<RecordedTensor>(&recorded.results[0]) : nullptr;
    TensorMeta meta = (want ? *want : recorded.inputs[i]).meta();
    std::string difference = meta_difference(run.inputs[i].meta(), meta);
    if (difference.empty() && run.inputs[i].storage_offset().constant() != meta.layout.offset.constant())
      difference = "another storage offset";
    if (!difference.empty()) return fmt::format("the handle of argument {} has {}", i, difference);
  }
  return {};
}

std::string result_label(size_t i, size_t count) { return count == 1 ? "result" : fmt::format("result {}", i); }

}  // namespace

std::string difference_from_record(const RecordedCase& recorded, const Run& run) {
  size_t count = recorded.results.size();
  bool wants_nothing = count == 1 && std::holds_alternative<std::monostate>(recorded.results[0]);
  if (run.results.size() != count && !(wants_nothing && run.results.empty()))
    return fmt::format("{} results, want {}", run.results.size(), count);
  FreshStorages fresh;
  for (size_t i = 0; i < run.results.size(); ++i) {
    std::string difference = result_difference(recorded, run, run.results[i], recorded.results[i], fresh);
    if (!difference.empty()) return fmt::format("{}: {}", result_label(i, count), difference);
  }
  std::string difference = memory_difference(recorded, run, true);
  return difference.empty() ? handle_difference(recorded, run, true) : difference;
}

std::string change_after_error(const RecordedCase& recorded, const Run& run) {
  std::string difference = memory_difference(recorded, run, false);
  return difference.empty() ? handle_difference(recorded, run, false) : difference;
}

std::string difference_between(const RecordedCase& recorded, const Run& eager, const Run& compiled) {
  // A GPU's reductions and library calls need not take their elements in one order.
  bool is_exact = std::ranges::all_of(
      eager.results, [](const Value& value) { return !value.is_tensor() || value.tensor().device().is_cpu(); });
  Agreement agreement{is_exact ? std::nullopt : recorded.tolerance};
  if (eager.results.size() != compiled.results.size())
    return fmt::format("{} results, eager {}", compiled.results.size(), eager.results.size());
  for (size_t i = 0; i < eager.results.size(); ++i) {
    if (!eager.results[i].is_tensor() || !compiled.results[i].is_tensor()) continue;
    const Tensor &want = eager.results[i].tensor(), &got = compiled.results[i].tensor();
    std::string difference = meta_difference(got.meta(), want.meta());
    if (difference.empty()) difference = value_difference(recorded, elements_of(got), elements_of(want), agreement);
    if (difference.empty() && compiled.memory.find(got.storage()) != eager.memory.find(want.storage()))
      difference = "other aliasing";
    if (!difference.empty()) return fmt::format("{}: {}", result_label(i, eager.results.size()), difference);
  }
  for (const RecordedTensor& input : recorded.inputs) {
    std::span<const std::byte> want = eager.memory.bytes(input.storage);
    std::string difference =
        storage_difference(recorded, input.storage, input.dtype, compiled.memory.bytes(input.storage),
                           Bytes(want.begin(), want.end()), agreement);
    if (!difference.empty()) return difference;
  }
  return {};
}

}  // namespace sinter::conformance
