// Roles and names of a kernel's buffers, aliases between them, and the number of lanes.

#include <sinter/codegen/cpp/kernel_context.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>
#include <sinter/fusion/access.h>
#include <sinter/graph/sym_expr.h>

#include <algorithm>
#include <map>

namespace sinter::codegen {

using fusion::Buffer;
using fusion::BufferKind;
using fusion::Kernel;
using fusion::Nest;

SymInt element_count(const Buffer& buffer) { return extent_end(buffer.layout); }

KernelContext::KernelContext(const fusion::Schedule& schedule, const Kernel& kernel, const CppTarget& target)
    : schedule(schedule), kernel(kernel), target(target) {
  for (const Nest& nest : kernel.nests)
    if (nest.vector_axis >= 0 && nest.vector_axis < kernel.outer_axes) shared_axis = nest.vector_axis;
  collect_buffers();
  name_buffers();
  find_aliases();
  choose_lanes();
}

KernelBuffer& KernelContext::find(int id) {
  auto [entry, is_new] = position_of_.try_emplace(id, static_cast<int>(buffers.size()));
  if (is_new) {
    KernelBuffer used;
    used.id = id;
    used.bytes = element_count(buffer(id)) * byte_size(buffer(id).dtype);
    if (buffer(id).kind == BufferKind::local)
      used.place = numel(buffer(id).layout.sizes).same(1) ? Place::variable : Place::array;
    buffers.push_back(std::move(used));
  }
  return buffers[entry->second];
}

void KernelContext::collect_buffers() {
  for (const Nest& nest : kernel.nests) {
    for (const fusion::Load& load : nest.body.loads) find(load.buffer).is_read = true;
    for (const fusion::Store& store : nest.stores) find(store.buffer).is_written = true;
  }
  int position = 0;
  for (KernelBuffer& used : buffers)
    if (used.place == Place::memory) used.position = position++;
}

void KernelContext::name_buffers() {
  for (KernelBuffer& used : buffers) {
    const char* role = used.place != Place::memory       ? "local"
                       : used.is_read && used.is_written ? "io"
                       : used.is_written                 ? "out"
                                                         : "in";
    std::string name = fmt::format("{}_{}", role, base_name(buffer(used.id).name));
    int again = names_[name]++;
    used.name = again == 0 ? name : fmt::format("{}_{}", name, again + 1);
  }
}

namespace {

bool share_memory(const Buffer& a, const Buffer& b) {
  if (a.is_number || b.is_number) return false;
  // Different arguments may be views of one storage.
  if (a.kind == BufferKind::input && b.kind == BufferKind::input) return true;
  if (a.kind != BufferKind::temporary || b.kind != BufferKind::temporary) return false;
  // Places of symbolic size lie apart or are one.
  if (!a.arena_offset.is_constant() || !b.arena_offset.is_constant()) return a.arena_offset.same(b.arena_offset);
  SymInt a_end = a.arena_offset + element_count(a) * byte_size(a.dtype);
  SymInt b_end = b.arena_offset + element_count(b) * byte_size(b.dtype);
  return !is_surely_at_least(a.arena_offset, b_end) && !is_surely_at_least(b.arena_offset, a_end);
}

}  // namespace

void KernelContext::find_aliases() {
  for (KernelBuffer& used : buffers) {
    if (used.is_read && used.is_written) used.may_alias = true;
    for (const KernelBuffer& other : buffers) {
      bool writes = used.is_written || other.is_written;
      if (writes && used.id != other.id && share_memory(buffer(used.id), buffer(other.id))) used.may_alias = true;
    }
  }
}

namespace {

constexpr int vector_registers = 16;  // that any instruction set has
constexpr int busy_operations = 8;    // in flight at once: latency times throughput
constexpr size_t long_body = 48;      // scalar operations beyond which a core can't look ahead into the next vector

// How many values of a body are alive at once, and how many operations its longest chain has.
struct BodyShape {
  int most_alive = 0;
  int depth = 0;
  int operations = 0;
};
BodyShape shape_of(const std::vector<ScalarNode>& nodes) {
  std::vector<size_t> last_use(nodes.size(), 0);
  for (size_t i = 0; i < nodes.size(); ++i)
    for (int operand : nodes[i].operands)
      if (operand >= 0) last_use[static_cast<size_t>(operand)] = i;
  BodyShape shape;
  std::vector<int> depths(nodes.size(), 0), ending(nodes.size() + 1, 0);
  int alive = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (int operand : nodes[i].operands)
      if (operand >= 0) depths[i] = std::max(depths[i], depths[static_cast<size_t>(operand)] + 1);
    shape.depth = std::max(shape.depth, depths[i]);
    if (nodes[i].op == ScalarOp::constant) continue;
    ++shape.operations;
    shape.most_alive = std::max(shape.most_alive, ++alive);
    ++ending[std::max(last_use[i], i)];
    alive -= ending[i];
  }
  return shape;
}

// The math functions of a kernel.
enum class Functions : uint8_t {
  none,
  few_inlined,  // of f32, a chain of some ten operations each
  others,       // called, or so large that they fill the registers by themselves
};
Functions functions_of(const Kernel& kernel) {
  constexpr int most_work = 12, most = 3;
  std::map<ScalarOp, int> uses;
  int count = 0;
  for (const Nest& nest : kernel.nests)
    for (const ScalarNode& node : nest.body.dag.nodes) {
      if (!is_long(node.op, node.dtype)) continue;
      if (node.dtype != DType::f32 || info(node.op).work > most_work || ++uses[node.op] > most_inlined_functions)
        return Functions::others;
      ++count;
    }
  return count == 0 ? Functions::none : count <= most ? Functions::few_inlined : Functions::others;
}

// A long chain of dependent operations waits for each result: more vectors at once fill the time, as long as the
// registers hold them beside the chain's constants. (A reduction of a chain waits no less with them: measured.)
int vectors_at_once(const Kernel& kernel) {
  if (kernel.nests.size() != 1 || is_ordered(kernel.nests[0]) || kernel.nests[0].vector_axis < 0) return 1;
  Functions functions = functions_of(kernel);
  const std::vector<ScalarNode>& nodes = kernel.nests[0].body.dag.nodes;
  if (functions == Functions::few_inlined) return nodes.size() < long_body ? 4 : 2;
  if (functions == Functions::others || nodes.size() < long_body) return 1;
  BodyShape shape = shape_of(nodes);
  int vectors = 1;
  while (vectors < 4 && vectors * shape.operations < busy_operations * shape.depth &&
         2 * vectors * shape.most_alive <= vector_registers)
    vectors *= 2;
  return vectors;
}

}  // namespace

// As many lanes as a register has elements of the widest type that the kernel computes in: f32 unless all is f64 and
// i64, or all is bytes. Index values do not count, they are i64 in any kernel.
void KernelContext::choose_lanes() {
  bool any_wide = false, any_other = false, all_bytes = true;
  for (const Nest& nest : kernel.nests) {
    for (const ScalarNode& node : nest.body.dag.nodes) {
      if (node.op == ScalarOp::index || node.dtype == DType::boolean) {
        all_bytes &= node.dtype == DType::boolean;
        continue;
      }
      bool is_wide = byte_size(node.dtype) == 8;
      any_wide |= is_wide;
      any_other |= !is_wide;
      all_bytes &= byte_size(node.dtype) == 1;
    }
  }
  lanes = any_wide && !any_other ? target.vector_bytes / 8 : target.vector_bytes / 4;
  if (all_bytes && any_other) lanes = std::min(target.vector_bytes, 64);
  lanes = std::clamp(lanes * vectors_at_once(kernel), 4, 64);
}

bool KernelContext::are_lines(std::span<const SymInt> counts) {
  std::vector<std::string> conditions;
  for (SymInt count : counts) {
    if (exact_quotient(count, lanes)) continue;
    if (!may_assume_lines || count.is_constant()) return false;
    conditions.push_back(fmt::format("{} % {} == 0", as_factor(size_text(count)), lanes));
  }
  assumed.insert(conditions.begin(), conditions.end());
  return true;
}

std::string KernelContext::fresh_name(std::string_view base) {
  std::string key(base);
  return fmt::format("{}_{}", base, names_[key + "#"]++);
}

void KernelContext::need(std::string_view what, DType dtype) { use.pieces.insert(piece_name(what, dtype)); }

void KernelContext::call_long_functions(int most_inlined) {
  std::map<std::string, int> uses;
  for (const Nest& nest : kernel.nests)
    for (const ScalarNode& node : nest.body.dag.nodes)
      if (is_long(node.op, node.dtype)) ++uses[operation_piece(node.op, node.dtype)];
  for (const auto& [piece, count] : uses)
    if (count > most_inlined) use.out_of_line.insert(piece);
}

}  // namespace sinter::codegen
