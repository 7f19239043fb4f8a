// Prefetches, where the machine does not see by itself what will be read.
//
// Kernels that go over a row several times: the first nest waits for memory and the later ones, whose rows are in
// cache, do not use it, so one of these asks for what the next iteration's first nest will read.
//
// Kernels that go down the rows by short strips of columns: each row is a new place in memory.

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>

#include <algorithm>
#include <set>

namespace sinter::codegen {

using fusion::Axis;
using fusion::IndexExpr;
using fusion::Nest;

namespace {

// Shorter rows arrive in time by themselves.
constexpr int64_t least_row_bytes = 1024;
constexpr int64_t most_spread_bytes = 8192;
// More streams at once do not help.
constexpr size_t most_prefetches = 4;
// Of strips of columns: so many rows ahead of the one at hand. Smaller operands are in a cache anyway.
constexpr int64_t rows_ahead = 8;
constexpr int64_t least_column_bytes = 1 << 20;

// Its one axis of its own with more than one element is its vector axis.
bool runs_along_its_vectors(const Nest& nest, int outer_axes) {
  if (nest.vector_axis < outer_axes) return false;
  for (int axis = outer_axes; axis < static_cast<int>(nest.axes.size()); ++axis)
    if (axis != nest.vector_axis && !nest.axes[axis].extent.same(1)) return false;
  return true;
}

bool calls_functions(const Nest* nest) {
  return std::ranges::any_of(nest->body.dag.nodes, [](const ScalarNode& node) { return is_long(node.op, node.dtype); });
}

}  // namespace

void KernelPrinter::plan_prefetch() {
  const fusion::Kernel& kernel = context_.kernel;
  const std::vector<Nest>& nests = kernel.nests;
  int row_axis = kernel.outer_axes - 1;
  if (nests.size() < 2 || row_axis < 0 || context_.shared_axis >= 0) return;
  const Nest& first = nests[0];
  if (first.axes[row_axis].extent.same(1) || !runs_along_its_vectors(first, kernel.outer_axes)) return;
  const SymInt& length = first.axes[first.vector_axis].extent;
  auto follows = [&](const Nest& nest) {
    return runs_along_its_vectors(nest, kernel.outer_axes) && nest.axes[nest.vector_axis].extent.same(length);
  };
  std::vector<const Nest*> prefetchers;
  for (size_t k = 1; k < nests.size(); ++k)
    if (follows(nests[k])) prefetchers.push_back(&nests[k]);
  if (prefetchers.empty()) return;
  // Each of several streams in a nest of its own, unless the rows are so long that the first would be gone by then.
  bool is_short = length.hint() * byte_size(DType::f32) <= most_spread_bytes;
  for (const fusion::Load& load : first.body.loads) {
    const KernelBuffer& used = context_.used(load.buffer);
    const fusion::Buffer& buffer = context_.buffer(load.buffer);
    IndexExpr address = linear_index(load.index, buffer.layout.strides, buffer.layout.offset);
    bool is_known = std::any_of(prefetches_.begin(), prefetches_.end(), [&](const Prefetch& prefetch) {
      return prefetch.buffer == load.buffer && prefetch.address == address;
    });
    bool is_row = used.place == Place::memory && address.is_affine() && address.coef_of(first.vector_axis).same(1) &&
                  address.uses(row_axis) && length.hint() * byte_size(buffer.dtype) >= least_row_bytes;
    if (is_row && !is_known && prefetches_.size() < most_prefetches) {
      size_t which = is_short ? prefetches_.size() % prefetchers.size() : 0;
      prefetches_.push_back({load.buffer, address, prefetchers[which]});
    }
  }
  // One stream of long rows comes in best while the last nest writes, if no other nest computes for long.
  if (!is_short && prefetches_.size() == 1 && std::ranges::none_of(prefetchers, calls_functions))
    prefetches_[0].nest = prefetchers.back();
}

void KernelPrinter::print_prefetch(const BodyPrinter& printer) {
  auto is_mine = [&](const Prefetch& prefetch) { return prefetch.nest == &printer.nest(); };
  bool asks = std::any_of(prefetches_.begin(), prefetches_.end(), is_mine);
  if (!asks || printer.place().kind != LaneCount::all) return;
  int row_axis = context_.kernel.outer_axes - 1;
  const Nest& first = context_.kernel.nests[0];
  AxisScope scope = printer.axes();
  scope.text.resize(std::max(scope.text.size(), first.axes.size()));
  scope.extents.clear();
  for (const Axis& axis : first.axes) scope.extents.push_back(axis.extent);
  scope.text[first.vector_axis] = printer.axes().text[printer.nest().vector_axis];
  scope.text[row_axis] += " + 1";
  for (const Prefetch& prefetch : prefetches_) {
    if (!is_mine(prefetch)) continue;
    context_.need("prefetch");
    int64_t line = 64 / byte_size(context_.buffer(prefetch.buffer).dtype);
    for (int64_t first = 0; first < context_.lanes; first += line)  // of the lines that a vector goes over
      code_.print("prefetch({});", address_text(context_.used(prefetch.buffer).name,
                                                prefetch.address + IndexExpr(first), scope, context_.use));
  }
}

// Inside of a loop over rows, for one vector of the strip that is open.
void KernelPrinter::print_rows_ahead(const BodyPrinter& printer, int row_axis) {
  if (strip_.strip == 1 || is_long_strip(strip_.strip)) return;
  int columns = strip_.axis;
  AxisScope scope = printer.axes();
  scope.text[row_axis] += fmt::format(" + {}", rows_ahead);
  std::set<std::string> addresses;
  for (const fusion::Load& load : printer.nest().body.loads) {
    const KernelBuffer& used = context_.used(load.buffer);
    const fusion::Buffer& buffer = context_.buffer(load.buffer);
    IndexExpr linear = linear_index(load.index, buffer.layout.strides, buffer.layout.offset);
    bool is_row = used.place == Place::memory && linear.is_affine() && linear.coef_of(columns).same(1) &&
                  linear.uses(row_axis) && used.bytes.hint() >= least_column_bytes;
    if (!is_row) continue;
    int64_t line = 64 / byte_size(buffer.dtype);
    for (int64_t first = 0; first < context_.lanes; first += line)
      addresses.insert(address_text(used.name, linear + IndexExpr(first), scope, context_.use));
  }
  if (!addresses.empty()) context_.need("prefetch");
  for (const std::string& address : addresses) code_.print("prefetch({});", address);
}

}  // namespace sinter::codegen
