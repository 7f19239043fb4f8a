// Two loads meet if they differ by a few rows and about as many elements.

#include <sinter/codegen/cuda/row_reuse.h>

#include <sinter/codegen/cpp/reduction_plan.h>
#include <sinter/fusion/access.h>

#include <algorithm>
#include <cstdlib>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::Nest;

namespace {

constexpr int rows_of_thread = 4;
constexpr int64_t near = 8;  // elements
// Instructions of all elements of a thread together.
constexpr int most_cost = 400;
// Fewer threads would leave the GPU idle.
constexpr int64_t least_threads_of_multiprocessor = 2048;

class Finder {
 public:
  Finder(const CudaContext& context, const Nest& nest, int axis) : context_(context), nest_(nest), axis_(axis) {}

  std::vector<RowReuse::SharedLoad> find() {
    std::vector<bool> special = special_loads(nest_);
    for (size_t i = 0; i < nest_.body.loads.size(); ++i)
      if (!special[i] && is_read_only(nest_.body.loads[i].buffer)) candidates_.push_back(static_cast<int>(i));
    std::vector<RowReuse::SharedLoad> shared;
    for (int i : candidates_)
      if (meets_any(i)) shared.push_back({i, first_buffer(memory(i))});
    return shared;
  }

 private:
  int memory(int row) const {
    int buffer = nest_.body.loads[row].buffer;
    bool is_argument = context_.kernel.buffer(buffer).source >= 0;
    return is_argument ? fusion::memory_of(context_.schedule(), buffer) : buffer;
  }

  int first_buffer(int memory) const {
    for (int i : candidates_)
      if (this->memory(i) == memory) return nest_.body.loads[i].buffer;
    return -1;
  }

  bool is_read_only(int buffer) const {
    const std::vector<KernelBuffer>& buffers = context_.kernel.buffers;
    return std::none_of(buffers.begin(), buffers.end(), [&](const KernelBuffer& used) {
      return used.id == buffer && (used.place != Place::memory || used.is_written || used.may_alias);
    });
  }

  bool meets_any(int i) const {
    return std::any_of(candidates_.begin(), candidates_.end(), [&](int j) { return meet(i, j); });
  }

  bool meet(int i, int j) const {
    if (memory(i) != memory(j)) return false;
    if (context_.kernel.buffer(nest_.body.loads[i].buffer).dtype !=
        context_.kernel.buffer(nest_.body.loads[j].buffer).dtype)
      return false;
    IndexExpr a = context_.linear(nest_.body.loads[i]), difference = a - context_.linear(nest_.body.loads[j]);
    SymInt step = a.coef_of(axis_);
    if (!difference.is_constant() || !difference.constant().is_constant() || !step.is_constant()) return false;
    int64_t stride = std::abs(step.constant());
    if (stride <= 2 * near) return false;
    int64_t apart = std::abs(difference.constant().constant()), rows = (apart + near) / stride;
    return rows > 0 && rows < rows_of_thread && std::abs(apart - rows * stride) <= near;
  }

  const CudaContext& context_;
  const Nest& nest_;
  int axis_;
  std::vector<int> candidates_;
};

}  // namespace

std::optional<RowReuse> find_row_reuse(const CudaContext& context, const Nest& nest, const std::vector<int>& axes,
                                       const Packs& packs) {
  if (axes.size() < 2 || packs.has_rest || !has_numbers(nest, 0, static_cast<int>(nest.axes.size()))) return {};
  int64_t elements = int64_t{rows_of_thread} * packs.count;
  if (body_cost(nest) * elements > most_cost) return {};
  if (fusion::iterations(nest) / elements < context.target.multiprocessors * least_threads_of_multiprocessor) return {};
  RowReuse reuse{axes[axes.size() - 2], rows_of_thread, {}};
  if (extent(nest, reuse.axis) < rows_of_thread) return {};
  reuse.loads = Finder(context, nest, reuse.axis).find();
  if (reuse.loads.empty()) return {};
  return reuse;
}

}  // namespace sinter::codegen
