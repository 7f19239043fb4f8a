// Kernels by key, their parameters as the text declares them, and the op that launches them.

#include <sinter/graph/custom/user_kernel.h>

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/custom/overlap.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/graph/trace.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

namespace sinter {

using graph::element_types;
using graph::kernel_of;

// --- Reading a text's declaration -------------------------------------------------------------------------------

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

[[noreturn]] void refuse(std::string_view name, Here here, std::string message, std::string need) {
  throw Error(ErrorKind::argument, here, fmt::format("kernel {}: {}", name, message), {}, std::move(need));
}

// Comments become spaces: what they say is no declaration.
std::string without_comments(std::string_view text) {
  std::string plain(text);
  for (size_t at = 0; at + 1 < plain.size(); ++at) {
    bool is_line = plain.compare(at, 2, "//") == 0, is_block = plain.compare(at, 2, "/*") == 0;
    if (!is_line && !is_block) continue;
    size_t end = is_line ? plain.find('\n', at) : plain.find("*/", at + 2);
    end = std::min(end, plain.size());
    if (is_block) end = std::min(end + 2, plain.size());
    std::fill(plain.begin() + static_cast<int64_t>(at), plain.begin() + static_cast<int64_t>(end), ' ');
  }
  return plain;
}

size_t after_space(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

// The function's body begins here, maybe after `noexcept`.
bool begins_body(std::string_view text, size_t at) {
  constexpr std::string_view promise = "noexcept";
  at = after_space(text, at);
  if (text.substr(at).starts_with(promise)) at = after_space(text, at + promise.size());
  return at < text.size() && text[at] == '{';
}

// The text between the parentheses after the function's name.
std::string_view parameter_list(std::string_view text, std::string_view name, Here here) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    size_t open = after_space(text, at + name.size());
    bool is_whole = (at == 0 || !is_word(text[at - 1])) && open < text.size() && text[open] == '(';
    size_t close = text.find(')', open);
    if (is_whole && close != std::string_view::npos && begins_body(text, close + 1))
      return text.substr(open + 1, close - open - 1);
  }
  refuse(name, here, "its text defines no function of that name", fmt::format("void {}(...) {{ ... }}", name));
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) words.emplace_back(text.substr(i, end - i));
    i = end > i ? end : i + 1;
  }
  return words;
}

// `float* const y` may write its elements, `float const* y` may not; `float y[]` is a pointer.
KernelParameter read_parameter(std::string_view text, std::string_view name, Here here) {
  auto refuse_type = [&](const KernelParameter& parameter, std::string_view type) {
    refuse(name, here, fmt::format("parameter `{}` is of type {}", parameter.name, type),
           "pointers to numbers, and numbers: float, double, int, int64_t, bool, ...");
  };
  size_t star = text.find('*'), bracket = text.find('[');
  std::vector<std::string> words = words_of(text.substr(0, bracket));
  std::vector<std::string> pointee = words_of(text.substr(0, std::min(star, bracket)));
  std::erase_if(words, [](const std::string& word) {
    return word == "__restrict" || word == "__restrict__" || word == "restrict" || word == "std";
  });
  KernelParameter parameter;
  std::erase(words, "const");
  if (words.size() < 2)
    refuse(name, here, fmt::format("parameter `{}` has no type or no name", text), "as in `const float* x, int64_t n`");
  parameter.name = words.back();
  words.pop_back();
  parameter.type = fmt::format("{}", fmt::join(words, " "));
  bool is_array = bracket != std::string_view::npos, is_star = star != std::string_view::npos;
  parameter.is_pointer = is_star || is_array;
  parameter.is_written = parameter.is_pointer && std::ranges::find(pointee, "const") == pointee.end();
  bool is_deep = is_star && (is_array || text.find('*', star + 1) != std::string_view::npos);
  if (is_deep) refuse_type(parameter, parameter.type + "**");
  if (text.find('&') != std::string_view::npos) refuse_type(parameter, parameter.type + "&");
  if (element_types(parameter.type).empty()) refuse_type(parameter, parameter.type);
  return parameter;
}

std::vector<KernelParameter> read_parameters(std::string_view text, std::string_view name, Here here) {
  std::vector<KernelParameter> parameters;
  std::string plain = without_comments(text);
  std::string_view list = parameter_list(plain, name, here);
  while (list.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    size_t comma = std::min(list.find(','), list.size());
    parameters.push_back(read_parameter(list.substr(0, comma), name, here));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parameters;
}

// Without the range of blocks at its end.
std::vector<KernelParameter> read_cpu_parameters(std::string_view text, std::string_view name, Here here) {
  std::vector<KernelParameter> parameters = read_parameters(text, name, here);
  size_t count = parameters.size();
  auto is_range_end = [&](size_t i) {
    return !parameters[i].is_pointer && element_types(parameters[i].type)[0] == DType::i64;
  };
  if (count < 2 || !is_range_end(count - 1) || !is_range_end(count - 2))
    refuse(name, here, "its last parameters are not the blocks that a call works on",
           fmt::format("void {}(..., int64_t begin, int64_t end)", name));
  parameters.resize(count - 2);
  return parameters;
}

bool are_equal(const std::vector<KernelParameter>& a, const std::vector<KernelParameter>& b) {
  return std::ranges::equal(a, b, [](const KernelParameter& left, const KernelParameter& right) {
    return left.is_pointer == right.is_pointer && left.is_written == right.is_written;
  });
}

// Never destroyed: compiled functions with static lifetime may launch while the process ends.
struct KernelTable {
  std::mutex mutex;
  std::map<std::string, UserKernel, std::less<>> by_key;
};
KernelTable& kernel_table() {
  static KernelTable& instance = *new KernelTable;
  return instance;
}

}  // namespace

Kernel kernel(std::string_view name, KernelSources sources, Here here) {
  UserKernel fresh{.name = std::string(name),
                   .key = {},
                   .cpu_source = std::string(sources.cpu),
                   .cuda_source = std::string(sources.cuda),
                   .parameters = {}};
  if (sources.cpu.empty() && sources.cuda.empty()) refuse(name, here, "it has no source", "C++ or CUDA text");
  if (!sources.cuda.empty()) fresh.parameters = read_parameters(sources.cuda, name, here);
  if (!sources.cpu.empty()) {
    std::vector<KernelParameter> on_cpu = read_cpu_parameters(sources.cpu, name, here);
    if (!sources.cuda.empty() && !are_equal(on_cpu, fresh.parameters))
      refuse(name, here, "its C++ and its CUDA text take different parameters",
             "the same pointers and numbers in both; the C++ text has `int64_t begin, int64_t end` after them");
    fresh.parameters = std::move(on_cpu);
  }
  std::lock_guard lock(kernel_table().mutex);
  auto& by_key = kernel_table().by_key;
  for (int number = 1;; ++number) {
    fresh.key = number == 1 ? fresh.name : fmt::format("{}.{}", name, number);
    auto [entry, is_new] = by_key.try_emplace(fresh.key, fresh);
    if (is_new || (entry->second.cpu_source == sources.cpu && entry->second.cuda_source == sources.cuda))
      return Kernel(entry->second);
  }
}

namespace graph {

const UserKernel& kernel_of(const OpArgs& args) {
  const std::string& key = args["kernel"].string();
  std::lock_guard lock(kernel_table().mutex);
  auto found = kernel_table().by_key.find(key);
  if (found != kernel_table().by_key.end()) return found->second;
  throw Error(ErrorKind::argument, args.here(), fmt::format("launch: there is no kernel '{}'", key), {},
              "a kernel that this process has made with kernel(name, sources)");
}

SymInt block_count(const OpArgs& args) {
  SymInt count = 1;
  for (SymInt size : args.sizes("grid")) count *= size;
  return count;
}

std::vector<DType> element_types(std::string_view type) {
  static const auto& types = *new std::map<std::string_view, std::vector<DType>>{
      {"float", {DType::f32}},
      {"double", {DType::f64}},
      {"int", {DType::i32}},
      {"int32_t", {DType::i32}},
      {"long", {DType::i64}},
      {"int64_t", {DType::i64}},
      {"long long", {DType::i64}},
      {"short", {DType::i16}},
      {"int16_t", {DType::i16}},
      {"signed char", {DType::i8}},
      {"int8_t", {DType::i8}},
      {"unsigned char", {DType::u8}},
      {"uint8_t", {DType::u8}},
      {"unsigned short", {DType::f16, DType::bf16}},
      {"uint16_t", {DType::f16, DType::bf16}},
      {"__half", {DType::f16}},
      {"__nv_bfloat16", {DType::bf16}},
      {"bool", {DType::boolean}},
  };
  auto found = types.find(type);
  return found == types.end() ? std::vector<DType>() : found->second;
}

Tensor copy_with_strides(const Tensor& tensor, Here here) {
  const Layout& layout = tensor.layout();
  if (is_dense(layout) || numel(layout.sizes) == 0) return clone(tensor, here);
  Tensor span = as_strided(tensor, {extent_end(layout) - layout.offset}, {1}, layout.offset, here);
  return as_strided(clone(span, here), layout.sizes, layout.strides, 0, here);
}

DType number_type(std::string_view type) {
  if (type == "unsigned short" || type == "uint16_t") return DType::i32;
  return element_types(type)[0];
}

void check_has_source(const OpArgs& args, const UserKernel& kernel, DeviceType device) {
  if (!(device == DeviceType::cpu ? kernel.cpu_source : kernel.cuda_source).empty()) return;
  bool is_cpu = device == DeviceType::cpu;
  throw Error(ErrorKind::unsupported, args.here(),
              fmt::format("wrap_kernel: kernel '{}' has no {} text, which {} needs", kernel.key,
                          is_cpu ? "C++" : "CUDA", is_cpu ? "the CPU" : "the GPU"),
              {}, fmt::format("kernel(\"{}\", {{.{} = ...}})", kernel.name, is_cpu ? "cpu" : "cuda"));
}

}  // namespace graph

// --- The op -----------------------------------------------------------------------------------------------------

namespace {

[[noreturn]] void fail_launch(const OpArgs& args, ErrorKind kind, std::string message, std::string need) {
  throw Error(kind, args.here(), fmt::format("wrap_kernel: kernel '{}': {}", kernel_of(args).key, message), {},
              std::move(need));
}

void check_tensor(const OpArgs& args, const KernelParameter& parameter, const Tensor& tensor) {
  std::vector<DType> wanted = element_types(parameter.type);
  if (std::ranges::find(wanted, tensor.dtype()) == wanted.end())
    fail_launch(args, ErrorKind::dtype,
                fmt::format("`{}` is {}*, got {}", parameter.name, parameter.type, to_string(tensor.meta())),
                fmt::format("a tensor of {}", name(wanted[0])));
}

// One result for each tensor that the kernel writes, laid out as that is.
Metas launch_metas(const OpArgs& args) {
  const UserKernel& kernel = kernel_of(args);
  std::vector<Tensor> tensors = args.tensors("tensors");
  auto pointers = std::ranges::count_if(kernel.parameters, &KernelParameter::is_pointer);
  size_t numbers = args["numbers"].list().size();
  if (std::cmp_not_equal(tensors.size(), pointers) || tensors.size() + numbers != kernel.parameters.size())
    fail_launch(args, ErrorKind::argument,
                fmt::format("it takes {} tensors and {} numbers, got {} and {}", pointers,
                            kernel.parameters.size() - static_cast<size_t>(pointers), tensors.size(), numbers),
                "one for each parameter");
  Metas metas;
  size_t next = 0;
  for (const KernelParameter& parameter : kernel.parameters) {
    if (!parameter.is_pointer) continue;
    const Tensor& tensor = tensors[next++];
    check_tensor(args, parameter, tensor);
    if (!parameter.is_written) continue;
    metas.push_back(tensor.meta());
    metas.back().layout.offset = 0;
  }
  return metas;
}

Metas no_metas(const OpArgs& args) {
  launch_metas(args);
  return {};
}

#define SINTER_LAUNCH "str kernel, SymInt[] grid, int threads, "

}  // namespace

namespace op_defs {

constinit const OpDef launch_default = {
    .signature = "sinter::launch(" SINTER_LAUNCH "Tensor[] tensors, Scalar[] numbers) -> Tensor[]",
    .meta = launch_metas,
    .library = Library::launch,
};
// On real tensors: writes them.
constinit const OpDef launch_inplace_default = {
    .signature = "sinter::launch_(" SINTER_LAUNCH "Tensor(a!)[] tensors, Scalar[] numbers) -> ()",
    .meta = no_metas,
    .library = Library::launch,
    .may_fail_on_data = true,
};

}  // namespace op_defs

// --- Calling it -------------------------------------------------------------------------------------------------

namespace {

// A fresh value of this trace that no view looks at: nobody can tell the launch's result from it.
bool can_be_replaced(const Tensor& tensor) {
  if (!tensor.is_fake() || !tensor.storage()) return false;
  const graph::Node* node = tensor.impl()->fake.node;
  constexpr int64_t holders = 2;  // the trace, and the tensor itself
  return node->kind == graph::NodeKind::call_function && !node->op->view && tensor.storage()->references == holders;
}

void write_result(const Tensor& tensor, const Tensor& result, Here here) {
  if (can_be_replaced(tensor)) {
    tensor.impl()->meta = result.meta();
    tensor.impl()->storage = result.storage();
    tensor.impl()->fake = result.impl()->fake;
    return;
  }
  apply(op_defs::copy_inplace_default, {tensor, result}, here);
}

}  // namespace

namespace {

// The arguments of one launch, with the mistakes that they may hold.
class LaunchArguments {
 public:
  LaunchArguments(const Kernel& kernel, const Values& arguments, Here here)
      : kernel_(*kernel), arguments_(arguments), here_(here) {}

  void check(const Grid& grid) const {
    const std::vector<KernelParameter>& parameters = kernel_.parameters;
    if (arguments_.size() != parameters.size())
      fail(fmt::format("it takes {} arguments, got {}", parameters.size(), arguments_.size()),
           "one for each parameter");
    check_grid(grid);
    for (size_t i = 0; i < parameters.size(); ++i) check_kind(i);
    for (size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].is_written) check_written(i);
  }

 private:
  [[noreturn]] void fail(std::string message, std::string need) const {
    throw Error(ErrorKind::argument, graph::effective_location(here_),
                fmt::format("wrap_kernel: kernel '{}': {}", kernel_.key, message), {}, std::move(need));
  }

  void check_grid(const Grid& grid) const {
    int64_t blocks = 1;
    bool is_too_large = false, is_negative = false;
    for (SymInt size : {grid.x, grid.y, grid.z}) {
      is_negative |= size.hint() < 0;
      is_too_large |= __builtin_mul_overflow(blocks, size.hint(), &blocks);
    }
    if (is_negative || is_too_large || grid.threads < 1)
      fail(fmt::format("a grid of {} by {} by {} blocks of {} threads", to_string(grid.x), to_string(grid.y),
                       to_string(grid.z), grid.threads),
           "sizes of 0 or more, fewer than 2^63 blocks in all, and a thread or more");
  }

  void check_kind(size_t i) const {
    const KernelParameter& parameter = kernel_.parameters[i];
    const Value& value = arguments_[i];
    bool fits = parameter.is_pointer ? value.is_tensor() : value.is_scalar() || value.is_sym_int();
    if (!fits)
      fail(fmt::format("`{}` needs a {}", parameter.name, parameter.is_pointer ? "tensor" : "number"),
           "the arguments in the order of the kernel's parameters");
    if (!parameter.is_pointer && !value.is_sym_int() && !value.scalar().is_symbolic())
      check_number(parameter, value.scalar());
  }

  // What C++ would convert with another value is refused.
  void check_number(const KernelParameter& parameter, Scalar number) const {
    DType dtype = graph::number_type(parameter.type);
    if (is_floating(dtype)) return;
    bool is_16_bit = dtype == DType::i32 && element_types(parameter.type)[0] != DType::i32;
    auto [low, high] = is_16_bit ? std::pair<int64_t, int64_t>(0, 65535) : limits_of(dtype);
    double value = number.to_double();
    bool fits = number.is_floating() ? value == std::trunc(value) && value >= static_cast<double>(low) &&
                                           value < static_cast<double>(high) + 1
                                     : number.to_int() >= low && number.to_int() <= high;
    if (!fits)
      fail(fmt::format("`{}` is of type {}, which {} does not fit", parameter.name, parameter.type, to_string(number)),
           dtype == DType::boolean ? "true or false" : fmt::format("a whole number from {} to {}", low, high));
  }

  static std::pair<int64_t, int64_t> limits_of(DType dtype) {
    if (dtype == DType::boolean) return {0, 1};
    if (dtype == DType::u8) return {0, 255};
    int64_t high = std::numeric_limits<int64_t>::max() >> (64 - 8 * byte_size(dtype));
    return {-high - 1, high};
  }

  void check_written(size_t i) const {
    const std::string& name = kernel_.parameters[i].name;
    const Tensor& tensor = arguments_[i].tensor();
    if (is_expanded(tensor.layout()))
      fail(fmt::format("more than one element of `{}`, which it writes, lies at one place in memory", name),
           "clone() it first");
    for (size_t j = 0; j < arguments_.size(); ++j)
      if (i != j && kernel_.parameters[j].is_pointer && graph::may_overlap(tensor, arguments_[j].tensor()))
        fail(fmt::format("`{}`, which it writes, shares memory with `{}`", name, kernel_.parameters[j].name),
             "one pointer that is read and written, or clone() one of them first");
  }

  const UserKernel& kernel_;
  const Values& arguments_;
  Here here_;
};

}  // namespace

void launch(const Kernel& kernel, const Grid& grid, const Values& arguments, Here here) {
  LaunchArguments(kernel, arguments, here).check(grid);
  bool is_traced = graph::active_trace() != nullptr;
  Value::List tensors, numbers;
  std::vector<Tensor> written, copies;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const KernelParameter& parameter = kernel->parameters[i];
    if (!parameter.is_pointer) {
      // Part of the launch; sizes stay sizes.
      const Value& number = arguments[i];
      numbers.push_back(number.is_sym_int() ? number : Value(number.scalar().known(here)));
      continue;
    }
    tensors.push_back(arguments[i]);
    if (!parameter.is_written) continue;
    const Tensor& tensor = arguments[i].tensor();
    bool has_gaps = !is_traced && !is_dense(tensor.layout()) && numel(tensor.sizes()) != 0;
    written.push_back(tensor);
    copies.push_back(has_gaps ? graph::copy_with_strides(tensor, here) : Tensor());
    if (has_gaps) tensors.back() = copies.back();
  }
  Values call = {kernel->key, SymDims{grid.x, grid.y, grid.z}, grid.threads, tensors, numbers};
  Values results = apply(is_traced ? op_defs::launch_default : op_defs::launch_inplace_default, call, {}, here);
  for (size_t i = 0; i < results.size(); ++i) write_result(written[i], results[i].tensor(), here);
  for (size_t i = 0; i < copies.size(); ++i)
    if (copies[i].defined()) apply(op_defs::copy_inplace_default, {written[i], copies[i]}, here);
}

}  // namespace sinter
