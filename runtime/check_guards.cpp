// Guard checks: a straight walk over flat lists, and the slow search for the one that failed.

#include <sinter/runtime/check_guards.h>

#include <sinter/graph/shape_facts.h>
#include <sinter/graph/sym_expr.h>

#include <algorithm>

namespace sinter::runtime {

using graph::Guard;
using graph::GuardKind;

uintptr_t first_element(const Tensor& tensor) {
  if (!tensor.defined() || tensor.is_fake() || !tensor.storage()) return 0;
  return reinterpret_cast<uintptr_t>(tensor.storage()->data) +
         static_cast<uintptr_t>(tensor.layout().offset.hint() * byte_size(tensor.dtype()));
}

namespace {

int64_t span_bytes(const Layout& layout, DType dtype) {
  int64_t last = 0;
  for (size_t i = 0; i < layout.sizes.size(); ++i) {
    if (layout.sizes[i].hint() == 0) return 0;
    last += (layout.sizes[i].hint() - 1) * layout.strides[i].hint();
  }
  return (last + 1) * byte_size(dtype);
}

int64_t bytes_of(const Tensor& tensor) { return tensor.storage() ? tensor.storage()->bytes : 0; }

// dtype, device, rank and which strides follow, in one word; -1 for an undefined tensor.
constexpr int64_t undefined_header = -1;
constexpr int64_t unused_header = -2;
// In place of a size: any of symbol number k, `first_symbol + k`; of a stride: it is derived, and checked later.
constexpr int64_t first_symbol = std::numeric_limits<int64_t>::min();
constexpr int64_t derived_stride = std::numeric_limits<int64_t>::min();
constexpr int max_checked_rank = 30;
int64_t header_of(const TensorMeta& meta) {
  return static_cast<int64_t>(meta.dtype) | static_cast<int64_t>(meta.device.type) << 8 |
         static_cast<int64_t>(static_cast<uint8_t>(meta.device.index)) << 12 | meta.layout.rank() << 20;
}
constexpr int64_t header_mask = (int64_t{1} << 26) - 1;
constexpr int64_t checks_offset = int64_t{1} << 26;
constexpr int64_t checks_storage = int64_t{1} << 58;
constexpr int64_t stride_bit(int dim) { return int64_t{1} << (27 + dim); }

}  // namespace

MemoryRange memory_range(const Tensor& tensor) {
  uintptr_t begin = first_element(tensor);
  if (begin == 0) return {};
  return {begin, begin + static_cast<uintptr_t>(span_bytes(tensor.layout(), tensor.dtype()))};
}

MemoryRange reached_range(const Tensor& tensor, int64_t bytes) {
  if (bytes == 0 || first_element(tensor) == 0) return memory_range(tensor);
  uintptr_t begin = reinterpret_cast<uintptr_t>(tensor.storage()->data);
  return {begin, begin + static_cast<uintptr_t>(bytes)};
}

FlatGuards::FlatGuards(std::span<const Guard> guards, const FlatArguments& example, std::span<const Tensor> captured)
    : tensor_count_(example.tensors.size()), captured_(captured) {
  words_.assign(example.words.begin(), example.words.end());
  word_masks_.assign(words_.size(), 0);
  for (const Guard& guard : guards) {
    if (guard.kind == GuardKind::word) word_masks_[guard.argument] = ~uint64_t{0};
    if (guard.kind == GuardKind::number)
      numbers_.push_back({guard.argument, static_cast<graph::NumberQuestion>(guard.dim),
                          static_cast<DType>(guard.expected), guard.holds});
  }
  for (size_t i = 0; i < words_.size(); ++i) words_[i] &= word_masks_[i];
  if (std::ranges::count(word_masks_, 0) == 0) word_masks_.clear();
  std::vector<const Guard*> symbols, derived;
  std::vector<bool> unused(tensor_count_);
  for (const Guard& guard : guards) {
    if (guard.kind == GuardKind::symbol) symbols.push_back(&guard);
    if (guard.kind == GuardKind::stride && !guard.right.is_constant()) derived.push_back(&guard);
    if (guard.kind == GuardKind::unused) unused[guard.argument] = true;
  }
  for (const Guard* guard : symbols) {
    symbols_.resize(std::max<size_t>(symbols_.size(), guard->expected + 1));
    symbols_[guard->expected] = {guard->range, guard->multiple_of};
  }
  size_program_ = graph::SizeProgram(static_cast<int>(symbols_.size()));
  for (const Guard& guard : guards)
    if (guard.kind == GuardKind::relation)
      relations_.push_back(
          {size_program_.slot_of(guard.left), size_program_.slot_of(guard.right), guard.comparison, guard.holds});
  for (const Guard* guard : derived)
    strides_.push_back({guard->argument, guard->dim, size_program_.slot_of(guard->right), guard->is_asked});
  for (const Guard& guard : guards) {
    bool of_storage = guard.kind == GuardKind::same_storage;
    if (guard.kind == GuardKind::stride && guard.is_asked && guard.right.is_constant())
      asked_strides_.push_back({guard.argument, guard.dim, guard.expected});
    if (guard.kind != GuardKind::same_tensor && !of_storage) continue;
    const void* captured = guard.captured.impl();
    identities_.push_back(
        {guard.argument, guard.dim, of_storage ? guard.captured_storage.get() : captured, of_storage, guard.holds});
    compared_.push_back(guard.captured);
    compared_storages_.push_back(guard.captured_storage);
  }
  has_questions_ = !asked_strides_.empty() || !identities_.empty();
  auto is_at = [](const std::vector<const Guard*>& list, size_t argument, int dim) -> const Guard* {
    for (const Guard* guard : list)
      if (guard->argument == static_cast<int>(argument) && guard->dim == dim) return guard;
    return nullptr;
  };
  std::vector<int64_t> checks(tensor_count_, 0), reaches(tensor_count_ + captured.size(), 0);
  bool writes = false;
  for (const Guard& guard : guards) {
    if (guard.kind == GuardKind::stride) checks[guard.argument] |= stride_bit(guard.dim);
    if (guard.kind == GuardKind::offset) checks[guard.argument] |= checks_offset;
    writes |= guard.kind == GuardKind::disjoint;
    if (guard.kind != GuardKind::storage) continue;
    reaches[guard.argument] = guard.expected;
    if (guard.argument < static_cast<int>(tensor_count_)) checks[guard.argument] |= checks_storage;
  }
  for (size_t i = 0; i < tensor_count_; ++i) {
    const Tensor& tensor = *example.tensors[i];
    if (!tensor.defined()) {
      tensors_.push_back(undefined_header);
      continue;
    }
    if (unused[i]) {
      tensors_.push_back(unused_header);
      continue;
    }
    const Layout& layout = tensor.layout();
    if (layout.rank() > max_checked_rank)
      throw Error(ErrorKind::unsupported, Here::current(), fmt::format("an argument has {} dims", layout.rank()), {},
                  fmt::format("need at most {} dims in a compiled function", max_checked_rank));
    tensors_.push_back(header_of(tensor.meta()) | checks[i]);
    for (int dim = 0; dim < layout.rank(); ++dim) {
      const Guard* symbol = is_at(symbols, i, dim);
      tensors_.push_back(symbol ? first_symbol + symbol->expected : layout.sizes[dim].constant());
    }
    for (int dim = 0; dim < layout.rank(); ++dim)
      if (checks[i] & stride_bit(dim))
        tensors_.push_back(is_at(derived, i, dim) ? derived_stride : layout.strides[dim].constant());
    if (checks[i] & checks_offset) tensors_.push_back(layout.offset.constant());
    if (checks[i] & checks_storage) tensors_.push_back(reaches[i]);
  }
  if (!writes) return;
  for (size_t i = 0; i < tensor_count_ + captured.size(); ++i) {
    const Tensor& tensor = i < tensor_count_ ? *example.tensors[i] : captured[i - tensor_count_];
    Range range;
    range.leader = static_cast<int>(i);
    bool is_unused = i < tensor_count_ && unused[i];
    if (tensor.defined() && !is_unused) range.bytes = span_bytes(tensor.layout(), tensor.dtype());
    range.is_symbolic =
        std::ranges::any_of(symbols, [&](const Guard* g) { return g->argument == static_cast<int>(i); });
    if (reaches[i] > 0) {  // the offset is guarded too
      range.before = tensor.layout().offset.constant() * byte_size(tensor.dtype());
      range.bytes = reaches[i] - range.before;
    }
    ranges_.push_back(range);
  }
  for (const Guard& guard : guards) {
    if (guard.kind == GuardKind::disjoint) ranges_[guard.argument].is_written = true;
    if (guard.kind != GuardKind::distance) continue;
    ranges_[guard.argument].leader = guard.dim;
    ranges_[guard.argument].distance = guard.expected;
  }
}

bool FlatGuards::hold(const FlatArguments& arguments) const {
  if (arguments.words.size() != words_.size() || arguments.tensors.size() != tensor_count_) return false;
  if (word_masks_.empty()) {
    for (size_t i = 0; i < words_.size(); ++i)
      if (arguments.words[i] != words_[i]) return false;
  } else {
    for (size_t i = 0; i < words_.size(); ++i)
      if ((arguments.words[i] & word_masks_[i]) != words_[i]) return false;
    if (!numbers_hold(arguments)) return false;
  }
  Sizes sizes;
  if (!symbols_.empty()) sizes.resize(size_program_.slots());
  const int64_t* expected = tensors_.data();
  for (const Tensor* tensor : arguments.tensors) {
    int64_t header = *expected++;
    if (!tensor->defined()) {
      if (header != undefined_header) return false;
      continue;
    }
    if (header == unused_header) continue;
    const TensorMeta& meta = tensor->impl()->meta;
    if (header == undefined_header || header_of(meta) != (header & header_mask)) return false;
    if (tensor->is_fake()) return false;  // left over from a trace: the slow path says so
    const Layout& layout = meta.layout;
    size_t rank = layout.sizes.size();
    for (size_t dim = 0; dim < rank; ++dim)
      if (int64_t size = layout.sizes[dim].hint(), wanted = *expected++; size != wanted && !bind(wanted, size, sizes))
        return false;
    for (size_t dim = 0; dim < rank; ++dim)
      if (header & stride_bit(static_cast<int>(dim)))
        // A dim that has one element at this call may have any stride.
        if (int64_t wanted = *expected++;
            layout.strides[dim].hint() != wanted && wanted != derived_stride && layout.sizes[dim].hint() != 1)
          return false;
    if ((header & checks_offset) && layout.offset.hint() != *expected++) return false;
    if ((header & checks_storage) && bytes_of(*tensor) < *expected++) return false;
  }
  return (symbols_.empty() || sizes_hold(arguments, sizes)) && (ranges_.empty() || overlaps_hold(arguments)) &&
         (!has_questions_ || questions_hold(arguments));
}

namespace {

// What tells two tensors, or their storages, apart.
const void* identity_of(const Tensor& tensor, bool of_storage) {
  return of_storage && tensor.defined() ? static_cast<const void*>(tensor.impl()->storage.get()) : tensor.impl();
}

}  // namespace

bool FlatGuards::questions_hold(const FlatArguments& arguments) const {
  for (const AskedStride& stride : asked_strides_)
    if (arguments.tensors[stride.tensor]->impl()->meta.layout.strides[stride.dim].hint() != stride.expected)
      return false;
  for (const Identity& identity : identities_) {
    const void* one = identity_of(*arguments.tensors[identity.one], identity.of_storage);
    const void* other =
        identity.other < 0 ? identity.captured : identity_of(*arguments.tensors[identity.other], identity.of_storage);
    if ((one == other) != identity.holds) return false;
  }
  return true;
}

bool FlatGuards::numbers_hold(const FlatArguments& arguments) const {
  for (const Number& number : numbers_) {
    Scalar value = scalar_of_words(arguments.words[number.word - 1], arguments.words[number.word]);
    if (graph::answer(number.question, value, number.dtype) != number.holds) return false;
  }
  return true;
}

bool FlatGuards::bind(int64_t marker, int64_t size, Sizes& sizes) const {
  if (marker >= 0) return false;  // a number
  size_t symbol = static_cast<size_t>(marker - first_symbol);
  const Symbol& known = symbols_[symbol];
  if (size < known.range.low || size > known.range.high) return false;
  sizes[symbol] = size;
  if (known.multiple_of == 1) return true;  // a division costs as much as all the rest
  sizes[symbol] = size / known.multiple_of;
  return size % known.multiple_of == 0;
}

bool FlatGuards::sizes_hold(const FlatArguments& arguments, Sizes& sizes) const {
  size_program_.run({sizes.data(), sizes.size()});
  for (const Relation& relation : relations_) {
    int64_t left = sizes[relation.left], right = sizes[relation.right];
    bool answer = relation.comparison == Comparison::equal ? left == right : left < right;
    if (answer != relation.holds) return false;
  }
  for (const DerivedStride& stride : strides_) {
    const Layout& layout = arguments.tensors[stride.tensor]->impl()->meta.layout;
    bool may_differ = layout.sizes[stride.dim].hint() == 1 && !stride.is_asked;
    if (layout.strides[stride.dim].hint() != sizes[stride.slot] && !may_differ) return false;
  }
  return true;
}

bool FlatGuards::overlaps_hold(const FlatArguments& arguments) const {
  struct Block {
    MemoryRange memory;
    int leader;
    bool is_written;
  };
  SmallVector<Block, 16> blocks;
  auto tensor_at = [&](int i) -> const Tensor& {
    return static_cast<size_t>(i) < tensor_count_ ? *arguments.tensors[i] : captured_[i - tensor_count_];
  };
  for (int i = 0; i < static_cast<int>(ranges_.size()); ++i) {
    const Range& range = ranges_[i];
    int64_t bytes = range.bytes;
    if (range.is_symbolic) bytes = span_bytes(tensor_at(i).layout(), tensor_at(i).dtype());
    if (bytes == 0) continue;
    uintptr_t begin = first_element(tensor_at(i));
    if (range.leader != i && begin - first_element(tensor_at(range.leader)) != static_cast<uintptr_t>(range.distance))
      return false;
    MemoryRange memory = {begin - static_cast<uintptr_t>(range.before), begin + static_cast<uintptr_t>(bytes)};
    blocks.push_back({memory, range.leader, range.is_written});
  }
  if (blocks.size() <= 12) {
    for (const Block& a : blocks)
      for (const Block& b : blocks)
        if (a.is_written && a.leader != b.leader && overlap(a.memory, b.memory)) return false;
    return true;
  }
  // Many arguments: a sweep over the sorted ranges. Within it a block must start after what was written before it, and
  // a written block after all that came before; blocks with one leader are merged first.
  std::vector<Block> sorted(blocks.begin(), blocks.end());
  std::ranges::sort(sorted, {}, &Block::leader);
  size_t kept = 0;
  for (const Block& block : sorted) {
    Block* last = kept == 0 ? nullptr : &sorted[kept - 1];
    if (last && last->leader == block.leader) {
      last->memory = {std::min(last->memory.begin, block.memory.begin), std::max(last->memory.end, block.memory.end)};
      last->is_written |= block.is_written;
    } else {
      sorted[kept++] = block;
    }
  }
  sorted.resize(kept);
  std::ranges::sort(sorted, {}, [](const Block& block) { return block.memory.begin; });
  uintptr_t written_end = 0, end = 0;
  for (const Block& block : sorted) {
    if (block.memory.begin < written_end || (block.is_written && block.memory.begin < end)) return false;
    end = std::max(end, block.memory.end);
    if (block.is_written) written_end = std::max(written_end, block.memory.end);
  }
  return true;
}

std::vector<int64_t> symbol_values(std::span<const Guard> guards, const FlatArguments& arguments) {
  std::vector<int64_t> values;
  for (const Guard& guard : guards) {
    if (guard.kind != GuardKind::symbol) continue;
    values.resize(std::max<size_t>(values.size(), guard.expected + 1), 1);
    bool is_there = static_cast<size_t>(guard.argument) < arguments.tensors.size() &&
                    arguments.tensors[guard.argument]->defined() &&
                    guard.dim < arguments.tensors[guard.argument]->dim();
    if (is_there)
      values[guard.expected] = arguments.tensors[guard.argument]->layout().sizes[guard.dim].hint() / guard.multiple_of;
  }
  return values;
}

void add_data_symbols(SymInt size, std::vector<int>& symbols) {
  if (graph::ShapeFacts* facts = graph::active_shape_facts()) facts->check_owner(size, Here());
  visit_unbacked(size, [&](int symbol) { symbols.push_back(symbol); });
}

int64_t size_at(SymInt size, std::span<const int64_t> symbol_values) {
  return substitute(size, std::vector<SymInt>(symbol_values.begin(), symbol_values.end())).hint();
}

std::string word_text(WordKind kind, uint64_t word) {
  switch (kind) {
    case WordKind::present: return word ? "present" : "absent";
    case WordKind::boolean: return word ? "true" : "false";
    case WordKind::floating: return to_string(Scalar(std::bit_cast<double>(word)));
    case WordKind::text: {
      char bytes[9] = {};
      std::memcpy(bytes, &word, 8);
      return fmt::format("\"{}\"", bytes);
    }
    case WordKind::kind_of_number: {
      constexpr const char* kinds[] = {"bool", "integer", "float"};
      return word < std::size(kinds) ? kinds[word] : "of a trace";
    }
    default: return std::to_string(static_cast<int64_t>(word));
  }
}

namespace {

// What the arguments have where the guard expects something; nothing if the question makes no sense for them.
std::optional<int64_t> actual_code(const Guard& guard, const FlatArguments& arguments) {
  if (guard.kind == GuardKind::word) {
    if (static_cast<size_t>(guard.argument) >= arguments.words.size()) return {};
    return static_cast<int64_t>(arguments.words[guard.argument]);
  }
  if (static_cast<size_t>(guard.argument) >= arguments.tensors.size()) {
    // Of a captured tensor, which stays what it is.
    return guard.kind == GuardKind::storage ? std::optional(guard.expected) : std::nullopt;
  }
  const Tensor& tensor = *arguments.tensors[guard.argument];
  if (guard.kind == GuardKind::defined) return tensor.defined();
  if (!tensor.defined()) return {};
  const TensorMeta& meta = tensor.meta();
  bool has_dim = guard.dim < meta.layout.rank();
  switch (guard.kind) {
    case GuardKind::symbol: {
      if (!has_dim) return {};
      int64_t size = meta.layout.sizes[guard.dim].hint();
      bool fits = size >= guard.range.low && size <= guard.range.high && size % guard.multiple_of == 0;
      return fits ? guard.expected : first_symbol + size;
    }
    case GuardKind::dtype: return static_cast<int64_t>(meta.dtype);
    case GuardKind::device: return graph::guard_code(meta.device);
    case GuardKind::rank: return meta.layout.rank();
    case GuardKind::size: return has_dim ? std::optional(meta.layout.sizes[guard.dim].hint()) : std::nullopt;
    case GuardKind::stride: return has_dim ? std::optional(meta.layout.strides[guard.dim].hint()) : std::nullopt;
    case GuardKind::offset: return meta.layout.offset.hint();
    case GuardKind::storage:
      return std::max(bytes_of(tensor), guard.expected) == bytes_of(tensor) ? guard.expected : bytes_of(tensor);
    default: return guard.expected;
  }
}

std::optional<GuardFailure> failed_relation(const Guard& guard, std::span<const Guard> guards,
                                            const FlatArguments& arguments) {
  std::vector<int64_t> values = symbol_values(guards, arguments);
  int64_t right = size_at(guard.right, values);
  if (guard.kind == GuardKind::stride) {
    const Layout& layout = arguments.tensors[guard.argument]->layout();
    int64_t stride = layout.strides[guard.dim].hint();
    if (stride == right || (layout.sizes[guard.dim].hint() == 1 && !guard.is_asked)) return {};
    return GuardFailure{&guard, std::to_string(stride)};
  }
  int64_t left = size_at(guard.left, values);
  bool answer = guard.comparison == Comparison::equal ? left == right : left < right;
  if (answer == guard.holds) return {};
  return GuardFailure{&guard, fmt::format("{} and {}", left, right)};
}

std::optional<GuardFailure> failed_identity(const Guard& guard, const FlatArguments& arguments) {
  bool of_storage = guard.kind == GuardKind::same_storage;
  const void* captured = of_storage ? static_cast<const void*>(guard.captured_storage.get()) : guard.captured.impl();
  const void* one = identity_of(*arguments.tensors[guard.argument], of_storage);
  const void* other = guard.dim < 0 ? captured : identity_of(*arguments.tensors[guard.dim], of_storage);
  if ((one == other) == guard.holds) return {};
  return GuardFailure{&guard, guard.holds ? "another one" : "the same"};
}

std::optional<GuardFailure> failed_overlap(const Guard& guard, std::span<const Guard> guards,
                                           const FlatArguments& arguments, std::span<const Tensor> captured) {
  int count = static_cast<int>(arguments.tensors.size());
  auto tensor_at = [&](int i) -> const Tensor& { return i < count ? *arguments.tensors[i] : captured[i - count]; };
  if (guard.kind == GuardKind::distance) {
    int64_t actual =
        static_cast<int64_t>(first_element(tensor_at(guard.argument)) - first_element(tensor_at(guard.dim)));
    if (actual == guard.expected) return {};
    return GuardFailure{&guard, fmt::format("{} bytes", actual)};
  }
  auto leader_of = [&](int i) {
    for (const Guard& other : guards)
      if (other.kind == GuardKind::distance && other.argument == i) return other.dim;
    return i;
  };
  auto range_at = [&](int i) {
    for (const Guard& other : guards)
      if (other.kind == GuardKind::storage && other.argument == i) return reached_range(tensor_at(i), other.expected);
    return memory_range(tensor_at(i));
  };
  for (int i = 0; i < count + static_cast<int>(captured.size()); ++i)
    if (leader_of(i) != leader_of(guard.argument) && overlap(range_at(i), range_at(guard.argument)))
      return GuardFailure{&guard, i < count ? fmt::format("it overlaps tensor argument {}", i)
                                            : fmt::format("it overlaps captured tensor {}", i - count)};
  return {};
}

}  // namespace

std::optional<GuardFailure> first_failure(std::span<const Guard> guards, const FlatArguments& arguments,
                                          std::span<const WordInfo> words, std::span<const Tensor> captured) {
  for (const Guard& guard : guards) {
    if (guard.kind == GuardKind::distance || guard.kind == GuardKind::disjoint) {
      if (auto failure = failed_overlap(guard, guards, arguments, captured)) return failure;
      continue;
    }
    if (guard.kind == GuardKind::same_tensor || guard.kind == GuardKind::same_storage) {
      if (auto failure = failed_identity(guard, arguments)) return failure;
      continue;
    }
    if (guard.kind == GuardKind::number) {
      size_t word = static_cast<size_t>(guard.argument);
      if (word >= arguments.words.size()) return GuardFailure{&guard, "nothing there"};
      Scalar value = scalar_of_words(arguments.words[word - 1], arguments.words[word]);
      bool holds =
          graph::answer(static_cast<graph::NumberQuestion>(guard.dim), value, static_cast<DType>(guard.expected));
      if (holds != guard.holds) return GuardFailure{&guard, to_string(value)};
      continue;
    }
    bool has_derived_stride = guard.kind == GuardKind::stride && !guard.right.is_constant();
    if (guard.kind == GuardKind::relation || has_derived_stride) {
      if (auto failure = failed_relation(guard, guards, arguments)) return failure;
      continue;
    }
    std::optional<int64_t> actual = actual_code(guard, arguments);
    if (actual == guard.expected) continue;
    if (guard.kind == GuardKind::stride && actual && !guard.is_asked &&
        arguments.tensors[guard.argument]->layout().sizes[guard.dim].hint() == 1)
      continue;
    if (guard.kind == GuardKind::symbol && actual) return GuardFailure{&guard, std::to_string(*actual - first_symbol)};
    if (!actual) return GuardFailure{&guard, "nothing there"};
    if (guard.kind != GuardKind::word) return GuardFailure{&guard, guard_value(guard.kind, *actual)};
    return GuardFailure{&guard, word_text(words[guard.argument].kind, static_cast<uint64_t>(*actual))};
  }
  return {};
}

}  // namespace sinter::runtime
