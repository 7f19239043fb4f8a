// The text of a launch.

#include <sinter/codegen/user_launch.h>

#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/source_writer.h>

#include <algorithm>
#include <optional>

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
  for (std::string_view type : {"float", "double"}) {
    text.print(
        "inline bool isnan({0} x) {{ return x != x; }} inline bool isinf({0} x) {{ return __builtin_isinf(x); }}",
        type);
    text.print("inline bool isfinite({0} x) {{ return __builtin_isfinite(x); }}", type);
    text.print("inline bool signbit({0} x) {{ return __builtin_signbit(x); }}", type);
  }
  for (std::string_view suffix : {"f", ""}) {
    std::string_view type = suffix == "f" ? "float" : "double";
    text.print("inline {0} copysign{1}({0} x, {0} y) {{ return __builtin_copysign{1}(x, y); }}", type, suffix);
    text.print("inline {0} abs({0} x) {{ return __builtin_fabs{1}(x); }}", type, suffix);
  }
  text.line("inline float copysign(float x, float y) { return __builtin_copysignf(x, y); }");
  for (std::string_view type : {"int", "long", "long long"})
    text.print("inline {0} abs({0} x) {{ return x < 0 ? -x : x; }}", type);
  text.line("#define INFINITY __builtin_inff()");
  text.line("#define NAN __builtin_nanf(\"\")");
  text.line("#define HUGE_VAL __builtin_huge_val()");
  for (auto [name, value] :
       {std::pair("M_PI", "3.14159265358979323846"), std::pair("M_E", "2.7182818284590452354"),
        std::pair("M_SQRT2", "1.41421356237309504880"), std::pair("M_SQRT1_2", "0.70710678118654752440"),
        std::pair("M_LN2", "0.69314718055994530942")})
    text.print("#define {} {}", name, value);
  text.print("namespace std {{ using ::isnan; using ::isinf; using ::isfinite; using ::signbit; using ::copysign;");
  text.print("using ::copysignf; using ::abs;");
  text.line("template <class T> inline const T& min(const T& x, const T& y) { return y < x ? y : x; }");
  text.line("template <class T> inline const T& max(const T& x, const T& y) { return x < y ? y : x; }");
  text.line("}");
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
    for (std::string_view header :
         {"<cmath>", "<math.h>", "<cstdint>", "<stdint.h>", "<cstddef>", "<algorithm>", "<cstdlib>"})
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

// Amounts as text: numbers, or on the CPU places among the sizes that a call passes on.
class AmountTexts {
 public:
  enum class Symbols : uint8_t { as_places, as_numbers };
  explicit AmountTexts(Symbols symbols) : symbols_(symbols) {}

  std::string of(SymInt amount) {
    if (amount.is_constant() || symbols_ == Symbols::as_numbers) return std::to_string(amount.constant());
    size_t place = 0;
    while (place < sizes.size() && !sizes[place].same(amount)) ++place;
    if (place == sizes.size()) sizes.push_back(amount);
    return fmt::format("sizes[{}]", place);
  }

  // A number of a launch.
  std::string of(const graph::Argument& argument, std::string_view type) {
    const Value& value = argument.value();
    DType dtype = graph::number_type(type);
    if (!value.is_sym_int() && !value.scalar().is_symbolic()) return literal(value.scalar(), dtype);
    SymInt amount = value.is_sym_int() ? value.sym_int() : value.scalar().size();
    if (amount.is_constant()) return literal(Scalar(amount.constant()), dtype);
    return symbols_ == Symbols::as_numbers ? literal(Scalar(amount.constant()), dtype)
                                           : fmt::format("({}){}", type, of(amount));
  }

  std::vector<SymInt> sizes;

 private:
  Symbols symbols_;
};

// The call of a launch: its arguments as C++, and what must be copied before it, in the order of `buffers`.
struct LaunchText {
  struct Copy {
    std::string to, from, bytes;
  };
  std::vector<std::string> arguments;
  std::vector<Copy> copies;
  std::vector<int> buffers;
  SymInt written_elements = 0;

  // `buffer_format` is how buffer number {} is spelled.
  LaunchText(const fusion::ExternCall& call, const fusion::Schedule& schedule, const UserKernel& kernel,
             fmt::format_string<size_t> buffer_format, AmountTexts& amounts) {
    const graph::Node& node = *call.node;
    size_t tensor = 0, number = 0, input = 0, output = 0;
    for (const KernelParameter& parameter : kernel.parameters) {
      if (!parameter.is_pointer) {
        arguments.push_back(amounts.of(node.args[4].list()[number++], parameter.type));
        continue;
      }
      bool has_contents = !graph::is_uninitialised(node.args[3].list()[tensor++].output());
      int64_t element = 0;
      std::string from;
      if (has_contents) {
        const Layout& layout = call.input_layouts[input];
        element = byte_size(schedule.buffers[call.inputs[input]].dtype);
        from = fmt::format("(char*){} + {}", fmt::format(buffer_format, buffers.size()),
                           amounts.of(layout.offset * element));
        buffers.push_back(call.inputs[input++]);
      }
      if (!parameter.is_written) {
        arguments.push_back(fmt::format("({})({})", pointer_type(parameter), from.empty() ? "nullptr" : from));
        continue;
      }
      std::string to = fmt::format(buffer_format, buffers.size());
      SymInt elements = extent_end(schedule.buffers[call.outputs[output]].layout);
      written_elements += elements;
      if (has_contents) copies.push_back({to, from, amounts.of(elements * element)});
      arguments.push_back(fmt::format("({}){}", pointer_type(parameter), to));
      buffers.push_back(call.outputs[output++]);
    }
  }
};

std::string call_text(const UserKernel& kernel, std::vector<std::string> arguments) {
  return fmt::format("{}({});", kernel.name, fmt::join(arguments, ", "));
}

// `sizes_at`: the buffer that holds the values of symbolic sizes, if there is one.
std::string cpp_text(const UserKernel& kernel, const std::string& name, const std::vector<LaunchText::Copy>& copies,
                     std::vector<std::string> arguments, const std::string& begin, const std::string& end,
                     std::optional<size_t> sizes_at = {}) {
  arguments.insert(arguments.end(), {begin, end});
  std::string text = fmt::format("// {}: the user's kernel '{}'\n", name, kernel.key) + declarations();
  text +=
      "\n#ifdef __clang__\n#pragma clang fp contract(off)\n#else\n#pragma GCC optimize(\"fp-contract=off\")\n#endif\n";
  text += hash_line(kernel.cpu_source) + without_includes(kernel.cpu_source) + "\n";
  SourceWriter function;
  function.open(fmt::format("extern \"C\" void {}(void* const* buffers, long begin, long end, void* scratch)", name));
  if (sizes_at) function.print("const long* sizes = (const long*)buffers[{}];", *sizes_at);
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
  AmountTexts amounts(AmountTexts::Symbols::as_places);
  LaunchText launch(call, schedule, kernel, "buffers[{}]", amounts);
  SymInt blocks = 1;
  for (const graph::Argument& size : call.node->args[1].list()) blocks *= size.value().sym_int();
  KernelSource source;
  source.name = fmt::format("{}_{}", prefix, kernel.name);
  // What the kernel changes in place is copied to its result first, and then one call does all blocks.
  bool is_whole = !launch.copies.empty();
  source.range = is_whole ? 1 : blocks;
  source.work = max(floor_div(launch.written_elements * 4, is_whole ? SymInt(1) : max(blocks, 1)), 1);
  std::string end = is_whole ? amounts.of(blocks) : "end";
  std::optional<size_t> sizes_at;
  if (!amounts.sizes.empty()) sizes_at = launch.buffers.size();
  source.text = cpp_text(kernel, source.name, launch.copies, launch.arguments, is_whole ? "0" : "begin", end, sizes_at);
  return {std::move(source), std::move(launch.buffers), std::move(amounts.sizes)};
}

UserLaunch user_launch(const fusion::ExternCall& call, const fusion::Schedule& schedule, const CudaTarget& target,
                       std::string prefix) {
  const UserKernel& kernel = kernel_of_call(call, DeviceType::cuda);
  AmountTexts amounts(AmountTexts::Symbols::as_numbers);
  LaunchText launch(call, schedule, kernel, "b{}", amounts);
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
  return {std::move(source), std::move(launch.buffers), {}};
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
    bool is_float = is_floating(graph::number_type(parameter.type));
    arguments.push_back(fmt::format("({})((const {}*)buffers[{}])[{}]", parameter.type, is_float ? "double" : "long",
                                    tensors, number++));
  }
  KernelSource source;
  source.name = fmt::format("cpp_user_{}", kernel.name);
  source.text = cpp_text(kernel, source.name, {}, std::move(arguments), "begin", "end");
  return source;
}

}  // namespace sinter::codegen
