// The text of a launch.

#include <sinter/codegen/user_launch.h>

#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/source_writer.h>

#include <algorithm>

namespace sinter::codegen {

namespace {

std::string integer_types() {
  SourceWriter text;
  text.line("typedef signed char int8_t; typedef unsigned char uint8_t;");
  text.line("typedef short int16_t; typedef unsigned short uint16_t;");
  text.line("typedef int int32_t; typedef unsigned uint32_t;");
  text.line("typedef long int64_t; typedef unsigned long uint64_t; typedef unsigned long size_t;");
  return text.text();
}

// What <cstdint> and <cmath> would declare; the source can include nothing.
std::string declarations() {
  SourceWriter text;
  std::string names;
  auto declare = [&](std::string_view name, int operands) {
    std::string_view doubles = operands == 1 ? "double" : "double, double",
                     floats = operands == 1 ? "float" : "float, float";
    std::string_view taken = operands == 1 ? "float x" : "float x, float y", given = operands == 1 ? "x" : "x, y";
    text.print(
        "extern \"C\" double {0}({1}); extern \"C\" float {0}f({2}); inline float {0}({3}) {{ return {0}f({4}); }}",
        name, doubles, floats, taken, given);
    names += fmt::format(" using ::{0}; using ::{0}f;", name);
  };
  for (std::string_view name : {"acos", "acosh", "asin", "asinh", "atan",  "atanh",  "ceil", "cos",    "cosh",  "erf",
                                "erfc", "exp",   "exp2", "expm1", "floor", "lgamma", "log",  "log10",  "log1p", "log2",
                                "rint", "round", "sin",  "sinh",  "sqrt",  "tan",    "tanh", "tgamma", "trunc"})
    declare(name, 1);
  for (std::string_view name : {"atan2", "fmod", "nextafter", "pow", "remainder"}) declare(name, 2);
  for (std::string_view type : {"float", "double"}) {
    std::string_view suffix = type == "float" ? "f" : "";
    text.print("inline {0} fabs{1}({0} x) {{ return __builtin_fabs{1}(x); }}", type, suffix);
    text.print("inline {0} fmax{1}({0} x, {0} y) {{ return x > y || y != y ? x : y; }}", type, suffix);
    text.print("inline {0} fmin{1}({0} x, {0} y) {{ return x < y || y != y ? x : y; }}", type, suffix);
  }
  text.line("inline float fabs(float x) { return __builtin_fabsf(x); }");
  text.line("inline float fmax(float x, float y) { return fmaxf(x, y); }");
  text.line("inline float fmin(float x, float y) { return fminf(x, y); }");
  text.print("namespace std {{ using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t;");
  text.print("using ::uint32_t; using ::int64_t; using ::uint64_t; using ::size_t; using ::fabs; using ::fmax;");
  text.print("using ::fmin;{} }}", names);
  return integer_types() + text.text();
}

// `#include <cmath>` and the like stand for what is declared already.
std::string without_includes(std::string_view source) {
  std::string text;
  while (!source.empty()) {
    size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    size_t first = line.find_first_not_of(" \t");
    bool is_known = false;
    for (std::string_view header : {"<cmath>", "<math.h>", "<cstdint>", "<stdint.h>", "<cstddef>"})
      is_known |= first != std::string_view::npos && line.substr(first).starts_with("#include") &&
                  line.find(header) != std::string_view::npos;
    if (!is_known) text += line;
    text += '\n';
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return text;
}

// Comments and the function's name are no part of a kernel's key, but every letter of the user's text is.
std::string hash_line(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return fmt::format("enum : unsigned long {{ text_of_kernel = {:#x}ul }};\n", hash);
}

std::string pointer_type(const KernelParameter& parameter) {
  return fmt::format("{}{}*", parameter.is_written ? "" : "const ", parameter.type);
}

std::string number_text(const graph::Argument& argument, std::string_view type) {
  const Value& value = argument.value();
  Scalar number = value.is_sym_int() ? Scalar(value.sym_int().constant()) : value.scalar();
  return literal(number, graph::element_types(type)[0]);
}

// The call of a launch: its arguments as C++, and what must be copied before it, in the order of `buffers`.
struct LaunchText {
  struct Copy {
    std::string to, from;
    int64_t bytes = 0;
  };
  std::vector<std::string> arguments;
  std::vector<Copy> copies;
  std::vector<int> buffers;
  int64_t written_elements = 0;

  // `buffer_format` is how buffer number {} is spelled.
  LaunchText(const fusion::ExternCall& call, const fusion::Schedule& schedule, const UserKernel& kernel,
             fmt::format_string<size_t> buffer_format) {
    const graph::Node& node = *call.node;
    size_t tensor = 0, number = 0, input = 0, output = 0;
    for (const KernelParameter& parameter : kernel.parameters) {
      if (!parameter.is_pointer) {
        arguments.push_back(number_text(node.args[4].list()[number++], parameter.type));
        continue;
      }
      bool has_contents = !graph::is_uninitialised(node.args[3].list()[tensor++].output());
      int64_t element = 0;
      std::string from;
      if (has_contents) {
        const Layout& layout = call.input_layouts[input];
        element = byte_size(schedule.buffers[call.inputs[input]].dtype);
        from = fmt::format("(char*){} + {}", fmt::format(buffer_format, buffers.size()),
                           layout.offset.constant() * element);
        buffers.push_back(call.inputs[input++]);
      }
      if (!parameter.is_written) {
        arguments.push_back(fmt::format("({})({})", pointer_type(parameter), from.empty() ? "nullptr" : from));
        continue;
      }
      std::string to = fmt::format(buffer_format, buffers.size());
      int64_t elements = extent_end(schedule.buffers[call.outputs[output]].layout).constant();
      written_elements += elements;
      if (has_contents) copies.push_back({to, from, elements * element});
      arguments.push_back(fmt::format("({}){}", pointer_type(parameter), to));
      buffers.push_back(call.outputs[output++]);
    }
  }
};

std::string call_text(const UserKernel& kernel, std::vector<std::string> arguments) {
  return fmt::format("{}({});", kernel.name, fmt::join(arguments, ", "));
}

std::string cpp_text(const UserKernel& kernel, const std::string& name, const std::vector<LaunchText::Copy>& copies,
                     std::vector<std::string> arguments, const std::string& begin, const std::string& end) {
  arguments.insert(arguments.end(), {begin, end});
  std::string text = fmt::format("// {}: the user's kernel '{}'\n", name, kernel.key) + declarations();
  text +=
      "\n#ifdef __clang__\n#pragma clang fp contract(off)\n#else\n#pragma GCC optimize(\"fp-contract=off\")\n#endif\n";
  text += hash_line(kernel.cpu_source) + without_includes(kernel.cpu_source) + "\n";
  SourceWriter function;
  function.open(fmt::format("extern \"C\" void {}(void* const* buffers, long begin, long end, void* scratch)", name));
  for (const LaunchText::Copy& copy : copies)
    function.print("__builtin_memcpy({}, {}, {});", copy.to, copy.from, copy.bytes);
  function.line(call_text(kernel, std::move(arguments)));
  function.close();
  return text + function.text();
}

// The user's __global__ function becomes one that ours calls, which takes a pointer for each buffer.
std::string as_device_function(std::string text) {
  constexpr std::string_view global = "__global__", device = "__device__";
  for (size_t at = text.find(global); at != std::string::npos; at = text.find(global, at))
    text.replace(at, global.size(), device);
  return text;
}

std::string cuda_function(const std::string& name, size_t buffers, const std::vector<std::string>& lines) {
  std::vector<std::string> parameters;
  for (size_t i = 0; i < buffers; ++i) parameters.push_back(fmt::format("void* b{}", i));
  SourceWriter function;
  function.open(fmt::format("extern \"C\" __global__ void {}({})", name, fmt::join(parameters, ", ")));
  for (const std::string& line : lines) function.line(line);
  function.close();
  return function.text();
}

const UserKernel& kernel_of_call(const fusion::ExternCall& call, DeviceType device) {
  Values fakes = graph::fake_arguments(*call.node);
  OpArgs args(*call.node->op, fakes, call.node->where);
  const UserKernel& kernel = graph::kernel_of(args);
  graph::check_has_source(args, kernel, device);
  return kernel;
}

}  // namespace

UserLaunch user_launch(const fusion::ExternCall& call, const fusion::Schedule& schedule, const CppTarget&,
                       std::string prefix) {
  const UserKernel& kernel = kernel_of_call(call, DeviceType::cpu);
  LaunchText launch(call, schedule, kernel, "buffers[{}]");
  int64_t blocks = 1;
  for (const graph::Argument& size : call.node->args[1].list()) blocks *= size.value().sym_int().constant();
  KernelSource source;
  source.name = fmt::format("{}_{}", prefix, kernel.name);
  // What the kernel changes in place is copied to its result first, and then one call does all blocks.
  bool is_whole = !launch.copies.empty();
  source.range = is_whole ? 1 : blocks;
  source.work = std::max<int64_t>(1, 4 * launch.written_elements / std::max<int64_t>(is_whole ? 1 : blocks, 1));
  source.text = cpp_text(kernel, source.name, launch.copies, launch.arguments, is_whole ? "0" : "begin",
                         is_whole ? std::to_string(blocks) : "end");
  return {std::move(source), std::move(launch.buffers)};
}

UserLaunch user_launch(const fusion::ExternCall& call, const fusion::Schedule& schedule, const CudaTarget& target,
                       std::string prefix) {
  const UserKernel& kernel = kernel_of_call(call, DeviceType::cuda);
  LaunchText launch(call, schedule, kernel, "b{}");
  KernelSource source;
  source.name = fmt::format("{}_{}", prefix, kernel.name);
  source.range = 0;
  source.text = fmt::format("// {}: the user's kernel '{}'\n", source.name, kernel.key) + integer_types();
  source.text += hash_line(kernel.cuda_source) + as_device_function(without_includes(kernel.cuda_source)) + "\n";
  if (!launch.copies.empty()) {
    std::vector<std::string> lines = {
        "long first = blockIdx.x * (long)blockDim.x + threadIdx.x, step = gridDim.x * (long)blockDim.x;"};
    for (const LaunchText::Copy& copy : launch.copies)
      lines.push_back(fmt::format("for (long i = first; i < {}; i += step) ((char*){})[i] = ({})[i];", copy.bytes,
                                  copy.to, copy.from));
    source.text += cuda_function(source.name + "_copy", launch.buffers.size(), lines);
    source.launches.push_back(
        {.function = source.name + "_copy", .grid = {2 * target.multiprocessors, 1, 1}, .block = 256});
  }
  source.text += cuda_function(source.name, launch.buffers.size(), {call_text(kernel, launch.arguments)});
  CudaLaunch whole{.function = source.name};
  for (size_t i = 0; i < whole.grid.size(); ++i)
    whole.grid[i] = call.node->args[1].list()[i].value().sym_int().constant();
  whole.block = static_cast<int>(call.node->args[2].value().scalar().to_int());
  source.launches.push_back(std::move(whole));
  return {std::move(source), std::move(launch.buffers)};
}

KernelSource user_kernel_source(const UserKernel& kernel) {
  std::vector<std::string> arguments;
  size_t tensors = std::ranges::count_if(kernel.parameters, &KernelParameter::is_pointer);
  size_t tensor = 0, number = 0;
  for (const KernelParameter& parameter : kernel.parameters) {
    if (parameter.is_pointer) {
      arguments.push_back(fmt::format("({})buffers[{}]", pointer_type(parameter), tensor++));
      continue;
    }
    bool is_float = is_floating(graph::element_types(parameter.type)[0]);
    arguments.push_back(fmt::format("({})((const {}*)buffers[{}])[{}]", parameter.type, is_float ? "double" : "long",
                                    tensors, number++));
  }
  KernelSource source;
  source.name = fmt::format("cpp_user_{}", kernel.name);
  source.text = cpp_text(kernel, source.name, {}, std::move(arguments), "begin", "end");
  return source;
}

}  // namespace sinter::codegen
