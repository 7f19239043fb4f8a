// Choice of an implementation, checks of what it gave, and launches.

#include <sinter/runtime/custom/custom_call.h>

#include <sinter/codegen/user_launch.h>
#include <sinter/graph/custom/definition.h>
#include <sinter/graph/custom/rules.h>
#include <sinter/graph/custom/user_kernel.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/kernel_cache.h>
#include <sinter/runtime/options.h>
#include <sinter/runtime/parallel.h>

#include <algorithm>
#include <bit>

namespace sinter::runtime {

using graph::CustomDefinition;
using graph::CustomFunction;
using graph::CustomFunctions;
using graph::fail_custom;

namespace {

template <class F>
void visit_tensors(const Value& value, F&& f) {
  if (value.is_tensor()) f(value.tensor());
  if (!value.is_list()) return;
  for (const Value& element : value.list()) visit_tensors(element, f);
}

DeviceType device_type_of(const OpArgs& args) {
  Device device;
  for (const Value& value : args.values())
    visit_tensors(value, [&](const Tensor& tensor) {
      if (device.is_cpu()) device = tensor.device();
    });
  return device.type;
}

std::string_view name(DeviceType device) { return device == DeviceType::cpu ? "cpu" : "cuda"; }

std::string known_devices(const CustomFunctions& functions) {
  std::string text;
  for (const auto& [device, kernel] : functions.kernels)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name(device));
  return text.empty() ? "none" : text;
}

enum class Caller : uint8_t { eager, program };

// Whether every kernel that the function launches has a text for the device; without running any.
bool has_all_sources(const OpArgs& args, const CustomFunctions& functions, DeviceType device);

const CustomFunction& implementation(const OpArgs& args, const CustomFunctions& functions, Caller caller) {
  DeviceType device = device_type_of(args);
  if (auto found = functions.kernels.find(device); found != functions.kernels.end()) return found->second;
  bool may_use_reference = caller == Caller::eager && functions.reference;
  if (functions.visible && (!may_use_reference || has_all_sources(args, functions, device))) return functions.visible;
  if (may_use_reference) return functions.reference;
  fail_custom(args, ErrorKind::unsupported,
              fmt::format("it has no implementation for {} (it has: {})", name(device), known_devices(functions)),
              fmt::format("op.register_kernel({}, function)", name(device)));
}

bool has_all_sources(const OpArgs& args, const CustomFunctions& functions, DeviceType device) {
  graph::Trace scratch;
  Values fakes = scratch.fake_copies(args);
  graph::ActivateTrace activate(&scratch);
  graph::InheritDevice inherit_device(args);
  Values own = graph::custom_rules::with_copies(OpArgs(args.op(), fakes, args.here()));
  functions.visible(OpArgs(args.op(), own, args.here()));
  for (const auto& node : scratch.graph().nodes) {
    if (!node->op || node->op->library != Library::launch) continue;
    Values arguments = graph::fake_arguments(*node);
    const UserKernel& kernel = graph::kernel_of(OpArgs(*node->op, arguments, node->where));
    if ((device == DeviceType::cpu ? kernel.cpu_source : kernel.cuda_source).empty()) return false;
  }
  return true;
}

// Calls it outside of any trace; exceptions that are not ours pass through as they are.
std::vector<Tensor> call(const OpArgs& args, const CustomFunctions& functions, Caller caller) {
  graph::ActivateTrace nothing(nullptr);
  graph::InheritLocation inherit(args.here());
  graph::InheritDevice inherit_device(args);
  return graph::fresh_results(args, implementation(args, functions, caller)(args), "implementation");
}

}  // namespace

Values run_custom(const OpArgs& args) {
  const CustomDefinition& definition = *graph::custom_of(args.op());
  std::shared_ptr<const CustomFunctions> functions = definition.functions(args.here());
  Values own(args.values().begin(), args.values().end());
  Values results;
  if (definition.is_functional_of(args.op()))
    for (int slot : definition.written()) {
      const Tensor& written = own[slot].tensor();
      own[slot] = definition.kind() == graph::CustomKind::kernel
                      ? apply_one(op_defs::clone_default, {written}, args.here())
                      : graph::copy_with_strides(written, args.here());
      results.push_back(own[slot]);
    }
  std::vector<Tensor> fresh = call(OpArgs(args.op(), own, args.here()), *functions, Caller::eager);
  if (&args.op() != &definition.def() || definition.written().empty()) {
    results.insert(results.end(), fresh.begin(), fresh.end());
    return results;
  }
  size_t next = 0;
  for (int argument : definition.returned_arguments())
    results.push_back(argument < 0 ? Value(fresh[next++]) : args[argument]);
  return results;
}

// --- In a program -----------------------------------------------------------------------------------------------

namespace {

// Gives a storage that somebody kept bytes of its own, since those it has belong to the program.
void detach(const Tensor& tensor) noexcept {
  constexpr int64_t our_handles = 2;  // the step's, and the list of arguments that is passed on
  bool is_kept = tensor.impl()->references > our_handles || tensor.storage()->references > 1;
  if (!is_kept || tensor.storage()->release) return;
  int64_t bytes = extent_end(tensor.layout()).hint() * byte_size(tensor.dtype());
  Storage copy = new_storage(tensor.device(), bytes);
  // From the first element on: what lies before it may be nobody's.
  int64_t first = tensor.layout().offset.hint() * byte_size(tensor.dtype());
  if (bytes > first)
    copy_bytes(static_cast<char*>(copy->data) + first, tensor.device(),
               static_cast<const char*>(tensor.storage()->data) + first, tensor.device(), bytes - first);
  std::swap(copy->data, tensor.storage()->data);
  std::swap(copy->release, tensor.storage()->release);
  std::swap(copy->owner, tensor.storage()->owner);
  std::swap(copy->bytes, tensor.storage()->bytes);
}

// Detaches the arguments at the end of a call, however it ends.
class LentArguments {
 public:
  explicit LentArguments(const Values& values) {
    for (const Value& value : values)
      visit_tensors(value, [&](const Tensor& tensor) {
        tensors_.push_back(&tensor);
        tensor.storage()->bytes = extent_end(tensor.layout()).hint() * byte_size(tensor.dtype());
      });
  }
  LentArguments(const LentArguments&) = delete;
  ~LentArguments() {
    for (const Tensor* tensor : tensors_) detach(*tensor);
  }

 private:
  std::vector<const Tensor*> tensors_;
};

void copy_into(const Tensor& target, const Tensor& source) {
  if (numel(target.sizes()) == 0) return;
  int64_t first = source.layout().offset.hint();
  int64_t bytes = (extent_end(source.layout()).hint() - first) * byte_size(source.dtype());
  copy_bytes(target.data_ptr(), target.device(), source.data_ptr(), source.device(), bytes);
}

}  // namespace

void call_custom(const OpArgs& args, std::span<const Tensor> outputs) {
  const CustomDefinition& definition = *graph::custom_of(args.op());
  std::shared_ptr<const CustomFunctions> functions = definition.functions(args.here());
  Values own(args.values().begin(), args.values().end());
  size_t written = 0;
  if (definition.is_functional_of(args.op()))
    for (int slot : definition.written()) {
      copy_into(outputs[written], own[slot].tensor());
      own[slot] = outputs[written++];
    }
  LentArguments lent(own);
  std::vector<Tensor> results = call(OpArgs(args.op(), own, args.here()), *functions, Caller::program);
  std::span<const Tensor> fresh = outputs.subspan(written);
  if (results.size() != fresh.size())
    fail_custom(args, ErrorKind::shape,
                fmt::format("it gave {} results, but its fake function {}", results.size(), fresh.size()),
                "a fake function that gives what the op gives");
  for (size_t i = 0; i < results.size(); ++i) {
    graph::check_against_fake(args, i, results[i].meta(), fresh[i].meta());
    copy_into(fresh[i], results[i]);
  }
}

std::vector<Tensor> make_custom(const OpArgs& args) {
  const CustomDefinition& definition = *graph::custom_of(args.op());
  std::shared_ptr<const CustomFunctions> functions = definition.functions(args.here());
  Values own(args.values().begin(), args.values().end());
  std::vector<Tensor> results;
  if (definition.is_functional_of(args.op()))
    for (int slot : definition.written()) {
      results.push_back(apply_one(op_defs::clone_default, {own[slot]}, args.here()));
      own[slot] = results.back();
    }
  LentArguments lent(own);
  std::vector<Tensor> fresh = call(OpArgs(args.op(), own, args.here()), *functions, Caller::program);
  results.insert(results.end(), fresh.begin(), fresh.end());
  return results;
}

// --- Kernels ----------------------------------------------------------------------------------------------------

namespace {

// The numbers of a launch, each as the 64 bits that the source reads.
std::vector<uint64_t> number_bits(const OpArgs& args, const UserKernel& kernel) {
  std::vector<uint64_t> bits;
  const Value::List& numbers = args["numbers"].list();
  for (const KernelParameter& parameter : kernel.parameters) {
    if (parameter.is_pointer) continue;
    const Value& value = numbers[bits.size()];
    Scalar number = value.is_sym_int() ? Scalar(value.sym_int().constant()) : value.scalar();
    bool is_float = is_floating(graph::number_type(parameter.type));
    bits.push_back(is_float ? std::bit_cast<uint64_t>(number.to_double()) : static_cast<uint64_t>(number.to_int()));
  }
  return bits;
}

// What each pointer of the kernel points to: the argument, or the result that starts as a copy of it.
std::vector<void*> pointers_of(const OpArgs& args, const UserKernel& kernel, std::span<const Tensor> outputs) {
  std::vector<void*> pointers;
  std::vector<Tensor> tensors = args.tensors("tensors");
  size_t output = 0;
  for (const KernelParameter& parameter : kernel.parameters) {
    if (!parameter.is_pointer) continue;
    const Tensor& tensor = tensors[pointers.size()];
    bool has_result = parameter.is_written && !outputs.empty();
    if (has_result) copy_into(outputs[output], tensor);
    pointers.push_back(has_result ? outputs[output++].data_ptr() : tensor.data_ptr());
  }
  return pointers;
}

// A text that does not compile is a mistake of the launch's line, too.
std::shared_ptr<const LoadedKernel> load_user_kernel(const OpArgs& args, const UserKernel& kernel) {
  CompileTarget target{.isa = environment().isa.value_or(detect_isa())};
  try {
    return load_kernel(codegen::user_kernel_source(kernel), target);
  } catch (const Error& failure) {
    throw Error(failure.kind(), args.here(),
                fmt::format("wrap_kernel: kernel '{}' does not compile: {}", kernel.key, failure.message()),
                failure.notes(), "a text that the compiler takes");
  }
}

}  // namespace

void launch_kernel(const OpArgs& args, std::span<const Tensor> outputs) {
  const UserKernel& kernel = graph::kernel_of(args);
  graph::check_has_source(args, kernel, device_type_of(args));
  SINTER_CHECK(device_type_of(args) == DeviceType::cpu, "a launch on a GPU is a program of its own");
  std::vector<void*> pointers = pointers_of(args, kernel, outputs);
  std::vector<uint64_t> numbers = number_bits(args, kernel);
  pointers.push_back(numbers.data());
  auto loaded = load_user_kernel(args, kernel);
  int64_t blocks = graph::block_count(args).constant(), elements = 1;
  for (const Tensor& tensor : args.tensors("tensors")) elements = std::max(elements, numel(tensor.sizes()).constant());
  constexpr int64_t least_elements = 8192;  // that are worth another thread
  int64_t grain = std::max<int64_t>(1, blocks * least_elements / elements);
  parallel_for(0, blocks, grain,
               [&](int64_t begin, int64_t end) { loaded->run(pointers.data(), begin, end, nullptr); });
}

}  // namespace sinter::runtime
