// Asks whether there is a view on a copy of what is known, and takes the answer over if a copy would show.

#include <sinter/graph/late_guards.h>

#include <sinter/graph/known_layout.h>

#include <algorithm>
#include <unordered_set>

namespace sinter::graph {

namespace {

thread_local LateGuards* active = nullptr;

// Relations that are taken the other way at once.
constexpr int most_special_sizes = 5;

struct Answer {
  std::optional<SymDims> strides;
  std::vector<ShapeGuard> asked;
};

Answer ask(ShapeFacts facts, ViewOf view_of, const Layout& layout, const SymDims& sizes) {
  auto before = static_cast<ptrdiff_t>(facts.guards().size());
  ActivateShapeFacts decides(&facts);
  std::optional<SymDims> strides = view_of(layout, sizes);
  return {std::move(strides), {facts.guards().begin() + before, facts.guards().end()}};
}

SymDims simplified(const ShapeFacts& facts, SymDims dims) {
  for (SymInt& value : dims) value = facts.simplified(value);
  return dims;
}

// Where the relation is taken the other way: what there is known, and the layout and sizes there.
struct SpecialCase {
  ShapeFacts facts;
  Layout layout;
  SymDims sizes;
};

// Of relations between what is at least as large as the other: that they are equal after all. `is_possible`: it may be.
std::optional<SpecialCase> special_case(const ShapeFacts& facts, const ShapeGuard& relation, const Layout& layout,
                                        const SymDims& sizes, bool& is_possible) {
  bool is_equality = relation.comparison == Comparison::equal && !relation.holds;
  bool is_order = relation.comparison == Comparison::less && relation.holds &&
                  facts.is_known_never_negative(relation.right - relation.left);
  if (!is_equality && !is_order) return std::nullopt;
  SpecialCase special{facts, layout, sizes};
  is_possible = special.facts.require_equal(relation.left, relation.right, relation.where);
  special.layout.sizes = simplified(special.facts, layout.sizes);
  special.layout.strides = simplified(special.facts, layout.strides);
  special.sizes = simplified(special.facts, sizes);
  return special;
}

// Where any of the relations holds after all there is no view either, or one that lies in memory as a copy does.
bool lies_as_a_copy(const ShapeFacts& facts, const std::vector<ShapeGuard>& relations, ViewOf view_of,
                    const Layout& layout, const SymDims& sizes, int depth) {
  for (const ShapeGuard& relation : relations) {
    bool is_possible = true;
    std::optional<SpecialCase> special = special_case(facts, relation, layout, sizes, is_possible);
    if (!special || depth == 0) return false;
    if (!is_possible) continue;
    Answer answer = ask(special->facts, view_of, special->layout, special->sizes);
    if (answer.strides && !is_row_major({special->sizes, *answer.strides, 0})) return false;
    if (!lies_as_a_copy(special->facts, answer.asked, view_of, special->layout, special->sizes, depth - 1))
      return false;
  }
  return true;
}

// Those of the relations whose special case shows in the strides.
std::vector<ShapeGuard> seen_in_strides(const ShapeFacts& facts, const std::vector<ShapeGuard>& relations,
                                        ViewOf view_of, const Layout& layout, const SymDims& sizes) {
  std::vector<ShapeGuard> seen;
  std::ranges::copy_if(relations, std::back_inserter(seen), [&](const ShapeGuard& relation) {
    return !lies_as_a_copy(facts, {relation}, view_of, layout, sizes, most_special_sizes);
  });
  return seen;
}

void decide_all(ShapeFacts& facts, const std::vector<ShapeGuard>& relations) {
  for (const ShapeGuard& relation : relations)
    facts.decide(relation.left, relation.comparison, relation.right, relation.where);
}

bool has_backed_symbols(const Layout& layout, const SymDims& sizes) {
  auto is_symbolic = [](SymInt size) { return !size.is_constant(); };
  auto is_data = [](SymInt size) { return is_unbacked(size); };
  return (sinter::is_symbolic(layout) || std::ranges::any_of(sizes, is_symbolic)) &&
         std::ranges::none_of(layout.sizes, is_data) && std::ranges::none_of(layout.strides, is_data) &&
         std::ranges::none_of(sizes, is_data);
}

// Nothing lies in its memory but its elements.
bool is_whole(const Layout& layout) { return layout.offset.same(0) && is_one_run(layout); }

}  // namespace

LateGuards::LateGuards(const Trace* trace) : trace_(trace), before_(active) { active = this; }
LateGuards::~LateGuards() { active = before_; }

ViewOrCopy view_or_copy(const Tensor& source, const SymDims& sizes, ViewOf view_of) {
  ShapeFacts* facts = active_shape_facts();
  const Layout& layout = source.layout();
  if (!facts || !source.is_fake() || !active || !has_backed_symbols(layout, sizes))
    return {view_of(layout, sizes).has_value(), {}};
  Answer answer = ask(*facts, view_of, layout, sizes);
  bool is_known_here = !active->trace_ || source.impl()->fake.trace == active->trace_->id();
  if (!is_known_here || answer.strides || answer.asked.empty()) return {view_of(layout, sizes).has_value(), {}};
  ShapeFacts restricted = *facts;
  std::vector<ShapeGuard> seen = seen_in_strides(*facts, answer.asked, view_of, layout, sizes);
  decide_all(restricted, seen);
  Answer rest = ask(restricted, view_of, layout, sizes);
  if (!lies_as_a_copy(restricted, rest.asked, view_of, layout, sizes, most_special_sizes))
    return {view_of(layout, sizes).has_value(), {}};
  decide_all(*facts, seen);
  return {false, std::move(rest.asked)};
}

void note_copy(const Tensor& source, const Tensor& copy, std::vector<ShapeGuard> waiting) {
  if (active && active->trace_ && !waiting.empty()) active->copies_.push_back({source, copy, std::move(waiting)});
}

void settle_copies_of(const Storage& storage, Here where) {
  if (!active || !active->trace_) return;
  for (LateGuards::Copy& copy : active->copies_) {
    if (copy.copy.storage().get() != storage.get()) continue;
    for (ShapeGuard& relation : copy.relations) relation.where = users_line(where);
    decide_all(*active_shape_facts(), std::exchange(copy.relations, {}));
  }
}

void LateGuards::settle(const Graph& graph, std::span<const Tensor> results) {
  if (copies_.empty()) return;
  std::unordered_set<int64_t> written, given, returned;
  for (const auto& node : graph.nodes) {
    if (node->kind != NodeKind::call_function) given.insert(node->storages.begin(), node->storages.end());
    if (node->kind != NodeKind::call_function) continue;
    for (size_t i = 0; i < node->args.size(); ++i)
      if (node->op->schema().parameters[i].is_written)
        visit_outputs(node->args[i], [&](NodeOutput output) { written.insert(output.node->storages[output.output]); });
  }
  for (const Tensor& result : results)
    if (result.defined() && result.is_fake()) returned.insert(result.storage()->fake_id);
  for (const Copy& copy : copies_) {
    int64_t from = copy.source.storage()->fake_id, to = copy.copy.storage()->fake_id;
    bool is_written = written.contains(from) || written.contains(to);
    bool is_seen =
        returned.contains(to) && (given.contains(from) || returned.contains(from) || !is_whole(copy.source.layout()));
    if (!is_written && !is_seen) continue;
    decide_all(*active_shape_facts(), copy.relations);
  }
}

}  // namespace sinter::graph
