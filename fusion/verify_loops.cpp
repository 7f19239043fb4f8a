// Operands, types, index arity and ranges, axes.

#include <sinter/fusion/verify_loops.h>

#include <sinter/fusion/access.h>

namespace sinter::fusion {

namespace {

class Verifier {
 public:
  explicit Verifier(const Schedule& schedule) : schedule_(schedule) {}

  void run() {
    for (const Kernel& kernel : schedule_.kernels) {
      SINTER_CHECK(kernel.call.has_value() == kernel.nests.empty(), "kernel {} is both or neither loops and a call",
                   kernel.name);
      for (const Nest& nest : kernel.nests) check(kernel, nest);
    }
    for (const ScheduleResult& result : schedule_.results)
      SINTER_CHECK(result.buffer < buffer_count(), "a result names no buffer");
  }

 private:
  int buffer_count() const { return static_cast<int>(schedule_.buffers.size()); }

  void require(bool holds, const Nest& nest, std::string_view what) const {
    if (holds) return;
    throw Error(ErrorKind::internal, Here::current(),
                fmt::format("internal: verify_loops: nest {}: {}\n{}", nest.name, what, to_string(nest, schedule_)));
  }

  void check(const Kernel& kernel, const Nest& nest) const {
    require(static_cast<int>(nest.axes.size()) >= kernel.outer_axes, nest, "it lacks a shared axis");
    bool seen_ordered = false;
    for (size_t i = 0; i < nest.axes.size(); ++i) {
      bool is_outer = static_cast<int>(i) < kernel.outer_axes;
      bool is_parallel = nest.axes[i].kind == AxisKind::parallel;
      require(!is_outer || is_parallel, nest, "a shared axis is reduced");
      require(!is_outer || nest.axes[i].extent.same(kernel.nests[0].axes[i].extent), nest,
              "a shared axis has another extent");
      require(!(seen_ordered && is_parallel), nest, "a parallel axis stands behind a reduction or scan axis");
      seen_ordered |= !is_parallel;
    }
    require(!has_scan(nest) || nest.axes.size() == static_cast<size_t>(parallel_rank(nest)) + 1, nest,
            "beside its scan axis it has others that are ordered");
    require(!seen_ordered || is_ordered(nest), nest, "it has reduction axes and no reduction");
    require(nest.vector_axis < static_cast<int>(nest.axes.size()), nest, "its vector axis is none of its axes");
    check_body(nest);
    for (const Store& store : nest.stores) {
      require(store.value >= 0 && store.value < static_cast<int>(nest.body.dag.nodes.size()), nest,
              "a store has no value");
      check_access(nest, store.buffer, store.index);
      check_range(nest, store.buffer, store.index, "a store leaves its buffer");
    }
  }

  void check_body(const Nest& nest) const {
    for (const Load& load : nest.body.loads) check_access(nest, load.buffer, load.index);
    const std::vector<ScalarNode>& nodes = nest.body.dag.nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (int operand : nodes[i].operands)
        require(operand < static_cast<int>(i), nest, "an operand comes later than its use");
      bool is_scan = nodes[i].op == scan_op && nodes[i].operands[0] >= 0;
      require(is_scan || nodes[i].op != ScalarOp::input, nest, "an op's input was not replaced by a load");
      check_types(nest, nodes[i]);
      if (nodes[i].op == ScalarOp::load) {
        require(nodes[i].payload < nest.body.loads.size(), nest, "a load is not in the table");
        const Load& load = nest.body.loads[nodes[i].payload];
        require(schedule_.buffers[load.buffer].dtype == nodes[i].dtype, nest,
                "a load has another type than its buffer");
        int offset = nodes[i].operands[1];
        require((offset >= 0) == load.anywhere, nest, "a load's offset and its row in the table disagree");
        require(offset < 0 || nodes[offset].dtype == DType::i64, nest, "a load's offset is no i64");
        // Where its mask is false, a masked load touches nothing.
        if (nodes[i].operands[0] < 0) check_range(nest, load.buffer, load.index, "a load leaves its buffer");
      }
      if (nodes[i].op == ScalarOp::index)
        require(nodes[i].payload < nest.body.index_values.size(), nest, "an index value is not in the table");
      if (is_scan) {
        require(has_scan(nest), nest, "it scans along no axis");
        require(nodes[nodes[i].operands[0]].dtype == nodes[i].dtype, nest, "a scan has another type than its operand");
      }
    }
  }

  // Two operands are of one type; a condition is a bool, and what it chooses from is of the result's type.
  void check_types(const Nest& nest, const ScalarNode& node) const {
    const std::vector<ScalarNode>& nodes = nest.body.dag.nodes;
    int operands = info(node.op).operands;
    for (int i = 0; i < operands; ++i) require(node.operands[i] >= 0, nest, "an operand is missing");
    if (operands < 2) return;
    const ScalarNode &first = nodes[node.operands[0]], &second = nodes[node.operands[1]];
    bool is_select = node.op == ScalarOp::select;
    require(is_select ? first.dtype == boolean : first.dtype == second.dtype, nest, "operands differ in type");
    bool same_as_result = is_select ? second.dtype == node.dtype && nodes[node.operands[2]].dtype == node.dtype
                                    : info(node.op).gives_bool || first.dtype == node.dtype;
    require(same_as_result, nest, "a value has another type than its operands");
  }

  void check_access(const Nest& nest, int buffer, const Index& index) const {
    require(buffer >= 0 && buffer < buffer_count(), nest, "an access names no buffer");
    require(index.size() == schedule_.buffers[buffer].layout.sizes.size(), nest,
            "an index has not as many parts as its buffer has dims");
  }

  void check_range(const Nest& nest, int buffer, const Index& index, std::string_view what) const {
    if (iterations(nest) == 0) return;
    const SymDims& sizes = schedule_.buffers[buffer].layout.sizes;
    SymDims extents = extents_of(nest);
    for (size_t p = 0; p < index.size(); ++p) {
      IndexRange range = range_of(index[p], extents);
      require(range.low.hint() >= 0 && range.high.hint() < std::max<int64_t>(sizes[p].hint(), 1), nest, what);
    }
  }

  const Schedule& schedule_;
};

}  // namespace

void verify(const Schedule& schedule) { Verifier(schedule).run(); }

}  // namespace sinter::fusion
