// Versioned storages: a write through a view is as_strided_scatter into the current value of the whole block, a read is
// as_strided of it.

#include <sinter/graph/passes/functionalize.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/strided_window.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace sinter::graph {

namespace {

const OpDef& core_op(const char* name) {
  const OpDef* op = find_op(name);
  SINTER_CHECK(op, "{} is missing", name);
  return *op;
}

// A block of memory whose contents change during the traced function.
struct Block {
  std::vector<Node*> owners;  // placeholders and captured tensors that lie in it; empty for fresh memory
  TensorMeta root;            // dtype, and the layout of the value that stands for the whole block
  NodeOutput current;         // that value now
  int version = 0;

  struct Write {
    Layout layout;
    NodeOutput value;
  };
  std::vector<Write> writes;
  bool reads_by_strides = false;  // some view of it is as_strided, and may see the gaps between elements
  // What the arguments and views in it reach, from one element to past another; nothing if all are empty.
  std::optional<std::pair<SymInt, SymInt>> span;

  void reach(const Layout& layout) {
    if (numel(layout.sizes).same(0)) return;
    SymInt low = layout.offset, high = extent_end(layout);
    span = span ? std::pair(min(span->first, low), max(span->second, high)) : std::pair(low, high);
  }
};

class Functionalizer {
 public:
  explicit Functionalizer(Graph& old) : old_(old) {}

  bool run() {
    find_written_blocks();
    if (blocks_.empty()) return false;
    for (const auto& node : old_.nodes) visit(*node);
    write_back();
    for (const Argument& result : old_.results)
      fresh_.results.push_back(result.is_output() ? Argument(result_of(result.output())) : result);
    fresh_.attributes = std::move(old_.attributes);
    old_ = std::move(fresh_);
    old_.number_nodes();
    return true;
  }

 private:
  static int64_t storage_of(NodeOutput output) { return output.node->storages[output.output]; }

  Block* block_of(NodeOutput old_output) {
    auto found = blocks_.find(storage_of(old_output));
    return found == blocks_.end() ? nullptr : &found->second;
  }

  void find_written_blocks() {
    for (const auto& node : old_.nodes)
      if (node->op && node->op->inplace_of) blocks_[node->storages[0]];
    for (const auto& node : old_.nodes) {
      for (size_t i = 0; i < node->metas.size(); ++i)
        if (Block* block = block_of({node.get(), static_cast<int>(i)})) block->reach(node->metas[i].layout);
      std::optional<Layout> window = strided_window(*node);
      if (Block* block = window ? block_of(node->args[0].output()) : nullptr) {
        block->reads_by_strides = true;
        block->reach(*window);
      }
    }
  }

  void visit(const Node& node) {
    if (node.kind != NodeKind::call_function)
      add_owner(node);
    else if (node.op->inplace_of)
      write(node);
    else if (node.op->view && block_of({const_cast<Node*>(&node), 0}))
      return;  // read where it is used, at that time
    else
      copy(node);
  }

  Node* copy(const Node& node) {
    auto fresh = std::make_unique<Node>();
    fresh->kind = node.kind;
    fresh->target = node.target;
    fresh->op = node.op;
    fresh->args = read_arguments(node);
    fresh->metas = node.metas;
    fresh->storages = node.storages;
    fresh->where = node.where;
    fresh->number = node.number;
    Node* added = fresh_.append(std::move(fresh), node.op ? node.op->schema().name : node.name);
    mapped_[&node] = added;
    for (size_t i = 0; i < node.metas.size(); ++i) {
      NodeOutput old_output{const_cast<Node*>(&node), static_cast<int>(i)};
      Block* block = block_of(old_output);
      if (block && !block->current.node) {
        block->root = node.metas[i];
        block->current = {added, static_cast<int>(i)};
      }
    }
    return added;
  }

  // An argument's own layout stands for its block where each element has a place of its own and nothing else is seen.
  static bool stands_for_block(const Layout& layout, const Block& block) {
    if (block.owners.size() > 1) return false;
    if (!block.span) return true;
    if (overlaps_itself(layout)) return false;
    if (!block.reads_by_strides) return true;
    return is_dense(layout) && block.span->first == layout.offset && block.span->second == extent_end(layout);
  }

  // Otherwise the block is one flat value that spans all that lies in it: several arguments, the gaps between elements,
  // and what as_strided reaches outside of the argument.
  void add_owner(const Node& node) {
    Node* added = copy(node);
    Block* block = block_of({const_cast<Node*>(&node), 0});
    if (!block) return;
    block->owners.push_back(added);
    if (stands_for_block(node.metas[0].layout, *block)) return;
    for (Node* owner : block->owners)
      SINTER_CHECK(owner->metas[0].dtype == node.metas[0].dtype,
                   "arguments of different types share a written storage");
    auto [low, high] = block->span.value_or(std::pair(SymInt(0), SymInt(0)));
    block->root = node.metas[0];
    block->root.layout = {{high - low}, {1}, low};
    block->current = strided({block->owners[0], 0}, block->root.layout, node.where);
  }

  NodeOutput strided(NodeOutput base, const Layout& layout, Here where) {
    static const OpDef& as_strided = core_op("aten::as_strided.default");
    TensorMeta meta = meta_of(base);
    meta.layout = layout;
    std::vector<Argument> args = {base, list_of(layout.sizes), list_of(layout.strides), Argument(Value(layout.offset))};
    Node* node = fresh_.append_call(as_strided, std::move(args), {std::move(meta)}, where);
    node->storages = {base.node->storages[base.output]};
    return {node, 0};
  }

  static Argument list_of(const SymDims& dims) {
    Argument::List list;
    for (SymInt dim : dims) list.push_back(Argument(Value(dim)));
    return list;
  }

  // The value that the old graph's tensor has now.
  NodeOutput read(NodeOutput old_output) {
    Block* block = block_of(old_output);
    if (!block) return {mapped_.at(old_output.node), old_output.output};
    const Layout& layout = meta_of(old_output).layout;
    if (same_layout(layout, block->root.layout)) return block->current;
    auto [known, is_new] = reads_.try_emplace({old_output.node, old_output.output, block->version});
    if (is_new) known->second = strided(block->current, layout, old_output.node->where);
    return known->second;
  }

  std::vector<Argument> read_arguments(const Node& node) {
    std::vector<Argument> args;
    for (const Argument& argument : node.args)
      args.push_back(map_outputs(argument, [&](NodeOutput output) { return Argument(read(output)); }));
    if (strided_window(node)) look_at_block(node, args);
    return args;
  }

  // An as_strided_copy looks past its argument, at the whole block.
  void look_at_block(const Node& node, std::vector<Argument>& args) {
    Block* block = block_of(node.args[0].output());
    if (!block) return;
    args[0] = block->current;
    if (args[3].is_none()) args[3] = Argument(Value(meta_of(node.args[0].output()).layout.offset));
  }

  NodeOutput call(const OpDef& op, std::vector<Argument> args, Here where) {
    Node probe;
    probe.args = args;
    Values fakes = fake_arguments(probe);
    Metas metas = infer_meta(OpArgs(op, fakes, where));
    Node* node = fresh_.append_call(op, std::move(args), std::move(metas), where);
    node->storages.assign(node->metas.size(), -1);
    return {node, 0};
  }

  void write(const Node& node) {
    static const OpDef& copy_op = core_op("aten::copy.default");
    std::vector<Argument> args = read_arguments(node);
    NodeOutput self = node.args[0].output();
    NodeOutput target = args[0].output();
    NodeOutput value = call(*node.op->inplace_of, args, node.where);
    if (meta_of(value).dtype != meta_of(self).dtype)
      value = call(copy_op, {target, value, Argument(Value(false))}, node.where);

    Block& block = *block_of(self);
    const Layout& layout = meta_of(self).layout;
    bool is_whole = same_layout(layout, block.root.layout);
    auto covered = [&](const Block::Write& earlier) { return is_whole || same_layout(earlier.layout, layout); };
    std::erase_if(block.writes, covered);
    ++block.version;
    if (is_whole && same_layout(meta_of(value).layout, block.root.layout))
      block.current = value;
    else
      scatter_into(block, value, layout, node.where);
    // Where elements meet in memory the last one stays: as the scatter has it.
    if (overlaps_itself(layout))
      block.writes.push_back({block.root.layout, block.current});
    else
      block.writes.push_back({layout, value});
  }

  void scatter_into(Block& block, NodeOutput value, const Layout& layout, Here where) {
    static const OpDef& scatter = core_op("aten::as_strided_scatter.default");
    block.current = call(
        scatter, {block.current, value, list_of(layout.sizes), list_of(layout.strides), Argument(Value(layout.offset))},
        where);
    // Views of the block go on counting from where its root does.
    block.current.node->metas[0].layout = block.root.layout;
  }

  void write_back() {
    static const OpDef& copy_into = core_op("aten::copy_.default");
    for (auto& [storage, block] : blocks_) {
      if (block.owners.empty()) continue;
      NodeOutput owner{block.owners[0], 0};
      for (const Block::Write& write : block.writes) {
        NodeOutput target = owner;
        Here where = write.value.node->where;
        if (!same_layout(write.layout, meta_of(owner).layout)) target = strided(owner, write.layout, where);
        Node* node =
            fresh_.append_call(copy_into, {target, write.value, Argument(Value(false))}, {meta_of(target)}, where);
        node->storages = {storage};
      }
    }
  }

  // A result that lies in an argument's memory is a view of the argument, which by then holds the final values.
  NodeOutput result_of(NodeOutput old_output) {
    Block* block = block_of(old_output);
    if (!block || block->owners.empty()) return read(old_output);
    const Layout& layout = meta_of(old_output).layout;
    for (Node* owner : block->owners)
      if (same_layout(layout, owner->metas[0].layout) && same_strides(layout, owner->metas[0].layout))
        return {owner, 0};
    return strided({block->owners[0], 0}, layout, old_output.node->where);
  }

  Graph& old_;
  Graph fresh_;
  std::map<int64_t, Block> blocks_;  // written storages only; ordered, so that write-backs come in a fixed order
  std::unordered_map<const Node*, Node*> mapped_;
  std::map<std::tuple<const Node*, int, int>, NodeOutput> reads_;  // by output and version of its block
};

}  // namespace

bool functionalize(Graph& graph) { return Functionalizer(graph).run(); }

}  // namespace sinter::graph
