// Guards of a static trace: each tensor's dtype, sizes and strides, each number, and who may overlap whom.

#include <sinter/runtime/write_guards.h>

#include <sinter/graph/strided_window.h>
#include <sinter/runtime/check_guards.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

namespace sinter::runtime {

using graph::Guard;
using graph::GuardKind;
using graph::NodeKind;
using graph::NodeOutput;

std::string identifier(std::string_view path) {
  std::string text;
  for (char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      text += c;
    else if (!text.empty() && text.back() != '_')
      text += '_';
  }
  while (!text.empty() && text.back() == '_') text.pop_back();
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) text = "arg_" + text;
  return text;
}

namespace {

int64_t storage_of(NodeOutput output) { return output.node->storages[output.output]; }

// An as_strided that names an offset counts it from the start of the storage, wherever the argument itself begins.
bool counts_from_storage(const graph::Node& node) {
  if (node.op->schema().name.find("as_strided") == std::string::npos) return false;
  int offset = node.op->schema().find("storage_offset");
  return offset >= 0 && !node.args[offset].is_none();
}

// For each storage: the elements of the inputs in it, and those that as_strided looks at.
class Reaches {
 public:
  explicit Reaches(const graph::Graph& graph) {
    for (const auto& node : graph.nodes) {
      if (node->kind != NodeKind::call_function) join(own_[node->storages[0]], node->metas[0].layout);
      std::optional<Layout> window = graph::strided_window(*node);
      if (window) join(seen_[storage_of(node->args[0].output())], *window);
    }
  }

  // The end of what is seen outside of the inputs' own elements; 0 if nothing is.
  int64_t beyond(int64_t storage) const {
    auto own = own_.find(storage), seen = seen_.find(storage);
    if (own == own_.end() || seen == seen_.end() || seen->second.end == 0) return 0;
    if (seen->second.begin >= own->second.begin && seen->second.end <= own->second.end) return 0;
    return std::max(own->second.end, seen->second.end);
  }

 private:
  struct Elements {
    int64_t begin = 0, end = 0;
  };
  static void join(Elements& elements, const Layout& layout) {
    if (numel(layout.sizes) == 0) return;
    int64_t begin = layout.offset.hint(), end = extent_end(layout).hint();
    bool is_first = elements.end == 0;
    elements = {is_first ? begin : std::min(elements.begin, begin), std::max(elements.end, end)};
  }

  std::unordered_map<int64_t, Elements> own_, seen_;
};

}  // namespace

WrittenMemory find_written(const graph::Graph& graph, std::span<const NodeOutput> placeholders,
                           std::span<const Tensor> fakes) {
  std::unordered_set<int64_t> written, offset_is_read;
  std::vector<int64_t> captured;
  for (const auto& node : graph.nodes) {
    if (node->kind == NodeKind::get_attr) captured.push_back(node->storages[0]);
    if (node->kind != NodeKind::call_function) continue;
    const Schema& schema = node->op->schema();
    for (size_t i = 0; i < node->args.size(); ++i)
      if (schema.parameters[i].is_written)
        visit_outputs(node->args[i], [&](NodeOutput output) { written.insert(storage_of(output)); });
    if (counts_from_storage(*node)) offset_is_read.insert(storage_of(node->args[0].output()));
  }
  WrittenMemory memory;
  Reaches reaches(graph);
  for (size_t i = 0; i < placeholders.size(); ++i) {
    bool is_there = placeholders[i].node != nullptr;
    memory.arguments.push_back(is_there && written.contains(storage_of(placeholders[i])));
    memory.reach.push_back(is_there ? reaches.beyond(storage_of(placeholders[i])) : 0);
    memory.offset_is_read.push_back(is_there && (fakes[i].storage()->offset_is_read || memory.reach.back() > 0 ||
                                                 offset_is_read.contains(storage_of(placeholders[i]))));
  }
  for (int64_t storage : captured) {
    memory.captured.push_back(written.contains(storage));
    memory.reach.push_back(reaches.beyond(storage));
  }
  return memory;
}

namespace {

class GuardWriter {
 public:
  GuardWriter(const TraceFacts& facts, const graph::Graph& graph, std::span<const NodeOutput> placeholders, Here where)
      : facts_(facts), placeholders_(placeholders), where_(where) {
    for (const auto& node : graph.nodes)
      visit_outputs(*node, [&](NodeOutput output) { first_use_.try_emplace(output.node, node->where); });
  }

  std::vector<Guard> write() {
    for (size_t i = 0; i < facts_.names.words.size(); ++i) word(static_cast<int>(i));
    for (size_t i = 0; i < facts_.arguments.tensors.size(); ++i) tensor(static_cast<int>(i));
    overlaps();
    return std::move(guards_);
  }

 private:
  void add(GuardKind kind, int argument, int dim, int64_t expected, std::string subject, std::string readable,
           Here where = {}) {
    guards_.push_back({kind, argument, dim, expected, std::move(subject), std::move(readable), where});
  }

  void word(int i) {
    const WordInfo& info = facts_.names.words[i];
    bool has_inputs = facts_.shapes && facts_.shapes->numbers.arguments() > 0;
    if (has_inputs && std::ranges::find(facts_.names.scalars, i) != facts_.names.scalars.end()) return;
    std::string subject = info.kind == WordKind::length ? info.path + ".size()" : info.path;
    uint64_t value = facts_.arguments.words[i];
    add(GuardKind::word, i, 0, static_cast<int64_t>(value), std::move(subject), word_text(info.kind, value));
  }

  void tensor(int i) {
    const Tensor& tensor = *facts_.arguments.tensors[i];
    const std::string& name = facts_.names.tensors[i];
    if (!tensor.defined()) return add(GuardKind::defined, i, 0, 0, name, "undefined");
    auto use = first_use_.find(placeholders_[i].node);
    Here where = use == first_use_.end() ? Here{} : use->second;
    auto fact = [&](GuardKind kind, int dim, int64_t expected) {
      add(kind, i, dim, expected, name, guard_value(kind, expected), where);
    };
    const Layout& layout = tensor.layout();
    fact(GuardKind::defined, 0, 1);
    if (!facts_.unused.empty() && facts_.unused[i]) return add(GuardKind::unused, i, 0, 0, name, "");
    fact(GuardKind::dtype, 0, static_cast<int64_t>(tensor.dtype()));
    fact(GuardKind::device, 0, graph::guard_code(tensor.device()));
    fact(GuardKind::rank, 0, layout.rank());
    const Layout& traced = facts_.traced.empty() ? layout : facts_.traced[i].layout;
    for (int dim = 0; dim < layout.rank(); ++dim) {
      if (traced.sizes[dim].is_constant())
        fact(GuardKind::size, dim, layout.sizes[dim].constant());
      else
        symbol(i, dim, where);
    }
    // A dim of one element has no meaningful stride, an empty tensor none at all.
    uint64_t asked = facts_.strides.empty() ? 0 : facts_.strides[i];
    bool is_empty = tensor.numel() == 0;
    for (int dim = 0; dim < layout.rank(); ++dim) {
      bool is_asked = (asked >> dim & 1) != 0;
      if (!is_asked && (is_empty || traced.sizes[dim].same(1))) continue;
      fact(GuardKind::stride, dim, layout.strides[dim].constant());
      guards_.back().is_asked = is_asked;
      if (traced.strides[dim].is_constant()) continue;
      guards_.back().right = traced.strides[dim];
      guards_.back().readable = graph::in_words(traced.strides[dim], facts_.shapes->symbols());
    }
    if (facts_.written.offset_is_read[i]) fact(GuardKind::offset, 0, layout.offset.constant());
    if (int64_t reach = facts_.written.reach[i]) fact(GuardKind::storage, 0, reach * byte_size(tensor.dtype()));
  }

  void symbol(int i, int dim, Here where) {
    const std::vector<graph::SizeSymbol>& symbols = facts_.shapes->symbols();
    for (size_t number = 0; number < symbols.size(); ++number) {
      const graph::SizeSymbol& symbol = symbols[number];
      if (symbol.argument != i || symbol.dim != dim) continue;
      std::string range = fmt::format(">= {}", symbol.range.low);
      if (symbol.range.high != SizeRange::no_high)
        range = fmt::format("is between {} and {}", symbol.range.low, symbol.range.high);
      if (symbol.multiple_of != 1) range += fmt::format(", a multiple of {}", symbol.multiple_of);
      add(GuardKind::symbol, i, dim, static_cast<int64_t>(number), facts_.names.tensors[i], range, where);
      guards_.back().range = symbol.range;
      guards_.back().multiple_of = symbol.multiple_of;
    }
  }

  bool writes_anything() const {
    for (bool written : facts_.written.arguments)
      if (written) return true;
    for (bool written : facts_.written.captured)
      if (written) return true;
    return false;
  }

  void overlaps() {
    int count = static_cast<int>(facts_.arguments.tensors.size());
    if (!writes_anything()) return;
    for (int i = 0; i < count; ++i) {
      int leader = facts_.memory.leaders[i];
      if (leader != i) distance(i, leader, facts_.names.tensors[i], facts_.names.tensors[leader]);
      if (facts_.written.arguments[i]) add(GuardKind::disjoint, i, 0, 0, facts_.names.tensors[i], "");
    }
    for (int i = 0; i < static_cast<int>(facts_.captured.size()); ++i) {
      std::string name = fmt::format("captured_{}", i);
      refuse_capture_that_overlaps(i);
      refuse_captures_that_overlap(i);
      for (int j = 0; j < i; ++j) {
        if (!(facts_.captured[j].storage() == facts_.captured[i].storage())) continue;
        distance(count + i, count + j, name, fmt::format("captured_{}", j));
        break;
      }
      if (facts_.written.captured[i]) add(GuardKind::disjoint, count + i, 0, 0, name, "");
      int64_t bytes = facts_.written.reach[count + i] * byte_size(facts_.captured[i].dtype());
      if (bytes > 0) add(GuardKind::storage, count + i, 0, bytes, name, std::to_string(bytes));
    }
  }

  const Tensor& tensor_at(int i) const {
    int count = static_cast<int>(facts_.arguments.tensors.size());
    return i < count ? *facts_.arguments.tensors[i] : facts_.captured[i - count];
  }

  void distance(int i, int leader, const std::string& name, const std::string& leader_name) {
    int64_t bytes = static_cast<int64_t>(first_element(tensor_at(i)) - first_element(tensor_at(leader)));
    add(GuardKind::distance, i, leader, bytes, fmt::format("{}.data_ptr() - {}.data_ptr()", name, leader_name),
        fmt::format("{} bytes", bytes));
  }

  MemoryRange range_at(int i) const {
    const Tensor& tensor = tensor_at(i);
    return reached_range(tensor, facts_.written.reach[i] * (tensor.defined() ? byte_size(tensor.dtype()) : 0));
  }

  // Memory that another library gave twice.
  void refuse_captures_that_overlap(int captured) const {
    int count = static_cast<int>(facts_.arguments.tensors.size());
    for (int other = 0; other < captured; ++other) {
      const Tensor &one = facts_.captured[other], &two = facts_.captured[captured];
      bool is_written = facts_.written.captured[other] || facts_.written.captured[captured];
      if (!is_written || one.storage() == two.storage() ||
          !overlap(range_at(count + other), range_at(count + captured)))
        continue;
      throw Error(ErrorKind::unsupported, where_,
                  "compile: two captured tensors share memory but no storage, and the function writes one of them",
                  {{fmt::format("captured_{}", other), to_string(one.meta())},
                   {fmt::format("captured_{}", captured), to_string(two.meta())}},
                  "pass them as arguments, or capture views of one tensor");
    }
  }

  void refuse_capture_that_overlaps(int captured) const {
    int count = static_cast<int>(facts_.arguments.tensors.size());
    for (size_t i = 0; i < facts_.arguments.tensors.size(); ++i) {
      const Tensor& argument = *facts_.arguments.tensors[i];
      bool is_written = facts_.written.arguments[i] || facts_.written.captured[captured];
      if (!is_written || !overlap(range_at(static_cast<int>(i)), range_at(count + captured))) continue;
      throw Error(ErrorKind::unsupported, where_,
                  fmt::format("compile: {} shares memory with a captured tensor, and the function writes one of them",
                              facts_.names.tensors[i]),
                  {{facts_.names.tensors[i], to_string(argument.meta())},
                   {"captured", to_string(facts_.captured[captured].meta())}},
                  "pass both as arguments");
    }
  }

  const TraceFacts& facts_;
  std::span<const NodeOutput> placeholders_;
  Here where_;
  std::unordered_map<const graph::Node*, Here> first_use_;
  std::vector<Guard> guards_;
};

}  // namespace

std::vector<Guard> identity_guards(std::span<const graph::IdentityAnswer> answers, const NameArguments& names) {
  std::vector<Guard> guards;
  for (const graph::IdentityAnswer& answer : answers) {
    Guard guard{answer.of_storage ? GuardKind::same_storage : GuardKind::same_tensor};
    guard.argument = answer.argument;
    guard.dim = answer.other;
    guard.captured = answer.captured;
    guard.captured_storage = answer.captured_storage;
    guard.holds = answer.holds;
    guard.where = answer.where;
    std::string other = answer.other >= 0 ? names.tensors[static_cast<size_t>(answer.other)] : "a captured tensor";
    guard.subject = fmt::format("{} {} {}{}", names.tensors[static_cast<size_t>(answer.argument)],
                                answer.holds ? "is" : "is not", answer.of_storage ? "in the storage of " : "", other);
    guard.readable = "so";
    guards.push_back(std::move(guard));
  }
  return guards;
}

std::vector<Guard> relation_guards(const graph::ShapeFacts& shapes) {
  std::vector<Guard> guards;
  for (const graph::ShapeGuard& relation : shapes.guards()) {
    Guard guard{GuardKind::relation};
    guard.subject = graph::to_string(relation, shapes.symbols());
    guard.readable = "so";
    guard.where = relation.where;
    guard.left = relation.left;
    guard.right = relation.right;
    guard.comparison = relation.comparison;
    guard.holds = relation.holds;
    guards.push_back(std::move(guard));
  }
  return guards;
}

std::vector<Guard> number_guards(const graph::NumberFacts& numbers, const NameArguments& names,
                                 const FlatArguments& arguments) {
  std::vector<Guard> guards;
  for (const graph::NumberGuard& number : numbers.guards()) {
    Guard guard{number.is_value ? GuardKind::word : GuardKind::number};
    guard.argument = names.scalars[static_cast<size_t>(number.number)];
    guard.where = number.where;
    uint64_t value = arguments.words[guard.argument];
    if (number.is_value) {
      guard.expected = static_cast<int64_t>(value);
      guard.subject = numbers.source(number.number);
      guard.readable = word_text(names.words[guard.argument].kind, value);
    } else {
      guard.dim = static_cast<int>(number.question);
      guard.expected = static_cast<int64_t>(number.dtype);
      guard.holds = number.holds;
      guard.subject = graph::to_string(number, numbers.source(number.number));
      guard.readable = "so";
    }
    guards.push_back(std::move(guard));
  }
  return guards;
}

std::vector<Guard> write_guards(const TraceFacts& facts, const graph::Graph& graph,
                                std::span<const NodeOutput> placeholders, Here where) {
  return GuardWriter(facts, graph, placeholders, where).write();
}

}  // namespace sinter::runtime
