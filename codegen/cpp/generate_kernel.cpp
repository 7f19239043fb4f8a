// Puts a kernel's source together: comment, prelude, functions; and its numbers: range, grain, work, scratch.

#include <sinter/codegen/cpp/generate_kernel.h>

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::AxisKind;
using fusion::BufferKind;
using fusion::Kernel;
using fusion::Nest;

namespace {

// Local arrays up to this many bytes in all lie on the stack.
constexpr int64_t most_stack_bytes = 64 * 1024;
// A thread takes at least this many scalar operations at a time.
constexpr int64_t grain_operations = 32 * 1024;
// A math function that occurs more often than this is called, not inlined.
constexpr int most_inlined = 2;

struct LocalArray {
  const KernelBuffer* used;
  int64_t elements;
  int64_t bytes;
};

std::vector<LocalArray> local_arrays(const KernelContext& context) {
  std::vector<LocalArray> arrays;
  for (const KernelBuffer& used : context.buffers) {
    if (used.place != Place::array) continue;
    const fusion::Buffer& buffer = context.buffer(used.id);
    int64_t elements = element_count(buffer);
    if (context.shared_axis >= 0)
      elements *= int64_t{context.kernel.strip} * context.lanes;
    else
      elements += context.lanes;  // whole vectors may be read and written at the end
    int64_t bytes = (elements * byte_size(buffer.dtype) + 63) / 64 * 64;
    arrays.push_back({&used, elements, bytes});
  }
  return arrays;
}

int64_t total_bytes(const std::vector<LocalArray>& arrays) {
  int64_t bytes = 0;
  for (const LocalArray& array : arrays) bytes += array.bytes;
  return bytes;
}

// Large results that nothing in the kernel reads go past the caches.
void choose_streams(KernelContext& context) {
  int64_t bytes = 0;
  auto may_stream = [&](const KernelBuffer& used) {
    BufferKind kind = context.buffer(used.id).kind;
    return used.place == Place::memory && used.is_written && !used.may_alias && kind != BufferKind::input;
  };
  for (const KernelBuffer& used : context.buffers)
    if (may_stream(used)) bytes += used.bytes;
  if (bytes < context.target.stream_bytes) return;
  for (KernelBuffer& used : context.buffers) used.streams = may_stream(used);
}

std::string meta_text(const fusion::Buffer& buffer) {
  return fmt::format("{} {}{}", buffer.name, name(buffer.dtype), to_string(buffer.layout.sizes));
}

class SourceAssembler {
 public:
  SourceAssembler(KernelContext& context, const std::string& name) : context_(context), name_(name) {}

  void add_function(const std::string& name, const std::string& body) {
    functions_.blank();
    functions_.open(
        fmt::format("extern \"C\" void {}(void* const* buffers, long begin, long end, void* scratch)", name));
    print_pointers(body);
    print_arrays(body);
    text_ += functions_.text();
    functions_ = SourceWriter();
    text_ += body;
    if (body.find("stream(") != std::string::npos) text_ += "  stream_fence();\n";
    text_ += "}\n";
  }

  std::string text() {
    context_.call_long_functions(most_inlined);
    return kernel_comment(name_, context_.kernel) + print_prelude(context_.lanes, context_.use) + text_;
  }

 private:
  void print_pointers(const std::string& body) {
    for (const KernelBuffer& used : context_.buffers) {
      if (used.place != Place::memory || body.find(used.name) == std::string::npos) continue;
      const fusion::Buffer& buffer = context_.buffer(used.id);
      std::string type(element_type(buffer.dtype));
      if (!used.is_written) type.insert(0, "const ");
      if (has_piece(element_type(buffer.dtype))) context_.need(std::string(element_type(buffer.dtype)));
      functions_.statement(fmt::format("{0}*{1} {2} = ({0}*)buffers[{3}]", type, used.may_alias ? "" : " __restrict",
                                       used.name, used.position),
                           meta_text(buffer));
    }
  }

  void print_arrays(const std::string& body) {
    std::vector<LocalArray> arrays = local_arrays(context_);
    bool on_stack = total_bytes(arrays) <= most_stack_bytes;
    int64_t offset = 0;
    for (const LocalArray& array : arrays) {
      const fusion::Buffer& buffer = context_.buffer(array.used->id);
      std::string_view type = element_type(buffer.dtype);
      int64_t at = offset;
      offset += array.bytes;
      if (body.find(array.used->name) == std::string::npos) continue;
      if (on_stack)
        functions_.statement(fmt::format("alignas(64) {} {}[{}]", type, array.used->name, array.elements),
                             meta_text(buffer));
      else
        functions_.statement(
            fmt::format("{0}* __restrict {1} = ({0}*)((char*)scratch + {2})", type, array.used->name, at),
            meta_text(buffer));
    }
  }

  KernelContext& context_;
  const std::string& name_;
  SourceWriter functions_;
  std::string text_;
};

// Scalar operations of one iteration of the outer axes from `first_axis` on.
int64_t work_inside(const Kernel& kernel, int first_axis) {
  int64_t work = 0;
  for (const Nest& nest : kernel.nests) {
    int64_t points = 1;
    for (size_t axis = static_cast<size_t>(first_axis); axis < nest.axes.size(); ++axis)
      points *= nest.axes[axis].extent.constant();
    work += points * std::max(1, body_cost(nest));
  }
  return std::max<int64_t>(1, work);
}

void set_numbers(KernelSource& source, const KernelContext& context) {
  const Kernel& kernel = context.kernel;
  source.range = 1;
  for (int axis = 0; axis < kernel.parallel_axes; ++axis) source.range *= kernel.nests[0].axes[axis].extent.constant();
  source.work = work_inside(kernel, kernel.parallel_axes);
  int64_t unit = 1;
  if (context.shared_axis >= 0 && context.shared_axis < kernel.parallel_axes)
    unit = int64_t{context.lanes} * std::min(kernel.strip, shortest_long_strip);
  int64_t grain = std::max<int64_t>(1, grain_operations / source.work);
  source.grain = (grain + unit - 1) / unit * unit;
  int64_t bytes = total_bytes(local_arrays(context));
  source.scratch_bytes = bytes > most_stack_bytes ? bytes : 0;
}

void set_split_numbers(KernelSource& source, const KernelContext& context) {
  const Nest& nest = context.kernel.nests[0];
  ReductionPlan plan = plan_reduction(nest, context);
  plan_segments(plan, nest, context.kernel.outer_axes);
  source.range = plan.segments;
  source.grain = 1;
  source.work = plan.segment * plan.results * std::max(1, body_cost(nest));
  source.partial_bytes = partial_bytes(plan);
}

void set_tile_numbers(KernelSource& source, const KernelContext& context, const TilePlan& plan) {
  const Nest& nest = context.kernel.nests[0];
  source.range = tile_count(plan, nest);
  source.work = int64_t{plan.size} * plan.size * std::max(1, body_cost(nest));
  source.grain = std::max<int64_t>(1, grain_operations / source.work);
}

// Prints with `print` into the indent of a function's body.
template <class Print>
std::string body_text(KernelContext& context, Print&& print) {
  context.code = SourceWriter(1);
  print();
  return context.code.text();
}

}  // namespace

GeneratedKernel generate_kernel(const fusion::Schedule& schedule, const Kernel& kernel, const CppTarget& target,
                                const std::string& name) {
  KernelContext context(schedule, kernel, target);
  choose_streams(context);
  KernelPrinter printer(context);
  SourceAssembler assembler(context, name);
  GeneratedKernel result;
  result.source.name = name;
  set_numbers(result.source, context);
  if (kernel.splits_reduction) {
    result.source.finish_name = name + "_finish";
    set_split_numbers(result.source, context);
    assembler.add_function(name, body_text(context, [&] { printer.print_segments(); }));
    assembler.add_function(result.source.finish_name, body_text(context, [&] { printer.print_finish(); }));
  } else if (std::optional<TilePlan> tiles = plan_tiles(context)) {
    set_tile_numbers(result.source, context, *tiles);
    assembler.add_function(name, body_text(context, [&] { printer.print_tiles(*tiles); }));
  } else {
    assembler.add_function(name, body_text(context, [&] { printer.print_main(); }));
  }
  result.source.text = assembler.text();
  for (const KernelBuffer& used : context.buffers)
    if (used.place == Place::memory) result.buffers.push_back(used.id);
  return result;
}

}  // namespace sinter::codegen
