// Puts a kernel's source together: comment, prelude, functions; and its numbers: range, grain, work, scratch.

#include <sinter/codegen/cpp/generate_kernel.h>

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>
#include <sinter/fusion/access.h>

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

constexpr char fence[] = "  stream_fence();\n";

struct LocalArray {
  const KernelBuffer* used;
  SymInt elements;
  SymInt bytes;
};

std::vector<LocalArray> local_arrays(const KernelContext& context) {
  std::vector<LocalArray> arrays;
  for (const KernelBuffer& used : context.buffers) {
    if (used.place != Place::array) continue;
    const fusion::Buffer& buffer = context.buffer(used.id);
    SymInt elements = element_count(buffer);
    if (context.shared_axis >= 0)
      elements *= int64_t{context.kernel.strip} * context.lanes;
    else
      elements += context.lanes;  // whole vectors may be read and written at the end
    SymInt bytes = ceil_div(elements * byte_size(buffer.dtype), 64) * 64;
    arrays.push_back({&used, elements, bytes});
  }
  return arrays;
}

SymInt total_bytes(const std::vector<LocalArray>& arrays);

// Arrays of numbers of elements, and few bytes in all, lie on the stack.
bool are_on_stack(const std::vector<LocalArray>& arrays) {
  bool has_sizes = std::ranges::all_of(arrays, [](const LocalArray& array) { return array.elements.is_constant(); });
  return has_sizes && is_surely_at_least(most_stack_bytes, total_bytes(arrays));
}

SymInt total_bytes(const std::vector<LocalArray>& arrays) {
  SymInt bytes = 0;
  for (const LocalArray& array : arrays) bytes += array.bytes;
  return bytes;
}

bool may_stream(const KernelContext& context, const KernelBuffer& used) {
  BufferKind kind = context.buffer(used.id).kind;
  return used.place == Place::memory && used.is_written && !used.may_alias && kind != BufferKind::input;
}

// Large results that nothing in the kernel reads go past the caches. Gives their bytes.
SymInt streamed_bytes(const KernelContext& context) {
  SymInt bytes = 0;
  for (const KernelBuffer& used : context.buffers)
    if (may_stream(context, used)) bytes += used.bytes;
  return bytes;
}

void set_streams(KernelContext& context, bool streams) {
  for (KernelBuffer& used : context.buffers) used.streams = streams && may_stream(context, used);
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
    print_sizes();
    print_arrays(body);
    text_ += functions_.text();
    functions_ = SourceWriter();
    text_ += body;
    bool is_fenced = body.find(fence) != std::string::npos;
    if (!is_fenced && body.find("stream(") != std::string::npos) text_ += fence;
    text_ += "}\n";
  }

  std::string text() {
    context_.call_long_functions(most_inlined_functions);
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

  // Behind all buffers of the list. Arrays in scratch memory may have names for sizes that the body has not.
  void print_sizes() {
    std::vector<LocalArray> arrays = local_arrays(context_);
    if (!total_bytes(arrays).is_constant())
      for (const LocalArray& array : arrays) context_.size_text(array.bytes);
    const std::vector<SymInt>& symbols = context_.sizes.symbols();
    if (symbols.empty()) return;
    functions_.print("const long* sizes = (const long*)buffers[{}];", sizes_position());
    for (size_t i = 0; i < symbols.size(); ++i) functions_.print("const long s{0} = sizes[{0}];", i);
  }

  int sizes_position() const {
    int position = context_.kernel.splits_reduction ? 1 : 0;  // behind what the phases share
    for (const KernelBuffer& used : context_.buffers) position += used.place == Place::memory;
    return position;
  }

  void print_arrays(const std::string& body) {
    std::vector<LocalArray> arrays = local_arrays(context_);
    bool on_stack = are_on_stack(arrays);
    SymInt offset = 0;
    for (const LocalArray& array : arrays) {
      const fusion::Buffer& buffer = context_.buffer(array.used->id);
      std::string_view type = element_type(buffer.dtype);
      SymInt at = offset;
      offset += array.bytes;
      if (body.find(array.used->name) == std::string::npos) continue;
      if (on_stack)
        functions_.statement(fmt::format("alignas(64) {} {}[{}]", type, array.used->name, array.elements.constant()),
                             meta_text(buffer));
      else
        functions_.statement(fmt::format("{0}* __restrict {1} = ({0}*)((char*)scratch + {2})", type, array.used->name,
                                         as_factor(context_.size_text(at))),
                             meta_text(buffer));
    }
  }

  KernelContext& context_;
  const std::string& name_;
  SourceWriter functions_;
  std::string text_;
};

// Scalar operations of one iteration of the outer axes from `first_axis` on.
SymInt work_inside(const Kernel& kernel, int first_axis) {
  SymInt work = 0;
  for (const Nest& nest : kernel.nests) {
    SymInt points = 1;
    for (size_t axis = static_cast<size_t>(first_axis); axis < nest.axes.size(); ++axis)
      points *= nest.axes[axis].extent;
    work += points * std::max(1, body_cost(nest));
  }
  return max(1, work);
}

// Where the work is known only at run time, so is how much of it a thread takes.
int64_t grain_of(SymInt work, int64_t unit) {
  if (!work.is_constant()) return unit;
  int64_t grain = std::max<int64_t>(1, grain_operations / work.constant());
  return (grain + unit - 1) / unit * unit;
}

void set_numbers(KernelSource& source, const KernelContext& context) {
  const Kernel& kernel = context.kernel;
  source.range = 1;
  for (int axis = 0; axis < kernel.parallel_axes; ++axis) source.range *= kernel.nests[0].axes[axis].extent;
  source.work = work_inside(kernel, kernel.parallel_axes);
  int64_t unit = 1;
  if (context.shared_axis >= 0 && context.shared_axis < kernel.parallel_axes)
    unit = int64_t{context.lanes} * std::min(kernel.strip, shortest_long_strip);
  else if (std::any_of(kernel.nests.begin(), kernel.nests.end(), fusion::has_scan))
    unit = context.lanes;  // so many rows go together
  source.grain = grain_of(source.work, unit);
  std::vector<LocalArray> arrays = local_arrays(context);
  source.scratch_bytes = are_on_stack(arrays) ? SymInt(0) : total_bytes(arrays);
}

void set_split_numbers(KernelSource& source, KernelContext& context) {
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
  source.grain = grain_of(source.work, 1);
}

// Prints with `print` into the indent of a function's body.
template <class Print>
std::string body_text(KernelContext& context, Print&& print) {
  context.code = SourceWriter(1);
  print();
  return context.code.text();
}

// The whole body; of a kernel whose results may or may not be large, once for each.
std::string main_text(KernelContext& context, KernelPrinter& printer, const std::optional<TilePlan>& tiles,
                      SymInt streamed) {
  auto print = [&](KernelPrinter& by) {
    return body_text(context, [&] { tiles ? by.print_tiles(*tiles) : by.print_main(); });
  };
  auto main = [&] { return print(printer); };
  bool is_known = is_surely_at_least(streamed, context.target.stream_bytes) ||
                  is_surely_at_least(context.target.stream_bytes - 1, streamed);
  if (is_known) return main();
  std::string cached = main();
  set_streams(context, true);
  context.may_assume_rows = true;
  context.may_assume_lines = tiles.has_value();
  KernelPrinter streaming(context);
  std::string past_caches = print(streaming);
  if (past_caches.find("stream(") == std::string::npos) return cached;
  std::string condition = fmt::format("{} >= {}", context.size_text(streamed), context.target.stream_bytes);
  for (const std::string& assumed : context.assumed) condition += " && " + assumed;
  return fmt::format("  if ({}) {{\n{}{}  }} else {{\n{}  }}\n", condition, past_caches, fence, cached);
}

}  // namespace

GeneratedKernel generate_kernel(const fusion::Schedule& schedule, const Kernel& kernel, const CppTarget& target,
                                const std::string& name) {
  KernelContext context(schedule, kernel, target);
  SymInt streamed = streamed_bytes(context);
  set_streams(context, is_surely_at_least(streamed, target.stream_bytes));
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
  } else {
    std::optional<TilePlan> tiles = plan_tiles(context);
    if (tiles) set_tile_numbers(result.source, context, *tiles);
    assembler.add_function(name, main_text(context, printer, tiles, streamed));
  }
  result.source.text = assembler.text();
  for (const KernelBuffer& used : context.buffers)
    if (used.place == Place::memory) result.buffers.push_back(used.id);
  result.sizes = context.sizes.symbols();
  return result;
}

}  // namespace sinter::codegen
