// An op that a user adds at run time: the context that its OpDef's functions work on.
//
// The OpDef is an ordinary one, so everything downstream treats it as it treats those that are built in. What may be
// registered later (fake function, kernels) is exchanged as a whole; a call uses the set it found. Definitions live as
// long as the process, because cached plans and entries name them by address; what they hold goes when they are
// unregistered.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include <sinter/graph/op.h>

namespace sinter::graph {

enum class CustomKind : uint8_t {
  opaque,       // the user's function: a black box
  elementwise,  // a scalar formula, which the compiler inlines
  kernel,       // ops and launches of the user's loop kernels, which the compiler sees
};

using CustomFunction = std::function<Values(const OpArgs&)>;
using CustomFormula = std::function<ScalarExpr(ScalarBuilder&, const OpArgs&, std::span<const ScalarExpr>)>;

struct CustomFunctions {
  CustomFunction fake;                           // results from fake tensors
  std::map<DeviceType, CustomFunction> kernels;  // of an opaque op
  CustomFunction reference;                      // what eager runs where there is no kernel; compiled code never does
  CustomFunction visible;                        // of a kernel op
  CustomFormula formula;                         // of an elementwise op
  // The formula takes integers as they are, tensors' and numbers; else all operands in the type that it computes in.
  bool formula_takes_integers = false;
  CustomFunction vjp;  // kept for training
};

class CustomDefinition;

// An OpDef with the context that its functions find by custom_of.
struct CustomOpDef : OpDef {
  const CustomDefinition* custom = nullptr;
};
// Null for an op that is built in.
const CustomDefinition* custom_of(const OpDef& op);

class CustomDefinition {
 public:
  // Parses the signature, and tries a formula; throws Error(argument) for what no custom op may be.
  CustomDefinition(CustomKind kind, std::string signature, std::string body, CustomFunctions functions, Here here);
  CustomDefinition(const CustomDefinition&) = delete;

  CustomKind kind() const { return kind_; }
  const OpDef& def() const { return def_; }
  // Of an op that writes arguments: the same without writing. Its first results are what those hold afterwards, its
  // further ones the op's own. This is what a trace records.
  const OpDef& functional() const { return functional_; }
  bool is_functional_of(const OpDef& op) const { return &op == &functional_; }
  // The parameters that it writes.
  const std::vector<int>& written() const { return written_; }
  // Of each return: the parameter that it is, or -1 for a fresh tensor.
  const std::vector<int>& returned_arguments() const { return returned_arguments_; }
  const std::string& body() const { return body_; }  // the text of its formula, if it has one

  // `mylib::gelu`, as messages call it.
  std::string name() const;
  // Name, schema, body and number of registration: what a cache must compare besides the name.
  std::string identity() const;
  // Grows with every change of its functions, and once it is unregistered.
  int64_t version() const { return version_.load(std::memory_order_acquire); }

  // Throws Error(argument) if the op is no longer registered.
  std::shared_ptr<const CustomFunctions> functions(Here here) const;
  // The same.
  void change(const std::function<void(CustomFunctions&)>& edit, Here here);
  void enter_registry(Here here);
  void leave_registry();

 private:
  void check_parameters(Here here) const;
  void try_formula(Here here) const;
  [[noreturn]] void fail_unregistered(Here here) const;
  void find_writes(Here here);
  void find_returns(Here here);
  void find_operands(Here here) const;
  void make_functional();
  void set_rules();

  CustomKind kind_;
  int64_t number_;
  std::string signature_;
  std::string functional_signature_;
  std::string body_;
  CustomOpDef def_;
  CustomOpDef functional_;
  std::vector<int> written_;
  std::vector<int> returned_arguments_;
  std::atomic<int64_t> version_ = 1;
  mutable std::mutex mutex_;
  std::shared_ptr<const CustomFunctions> functions_;  // null: unregistered
};

// Throws Error(argument) if a written argument overlaps itself or another one.
void check_written_arguments(const CustomDefinition& definition, const OpArgs& args);
// Throws for an op without a fake function: a fake tensor has no data to point to.
[[noreturn]] void fail_without_fake(const CustomDefinition& definition, const OpArgs& args);
// parse_schema of what the user wrote there.
Schema parse_signature(std::string_view signature, Here here);
// The op's error: `mylib::gelu: message`, with its tensor arguments; `prefix` stands before each of them.
[[noreturn]] void fail_custom(const OpArgs& args, ErrorKind kind, std::string message, std::string need = {},
                              std::string_view prefix = {});
// The tensors that one of its functions returned, without those that are arguments. Throws if they are too many, too
// few, undefined, or lie in an argument's memory or in that of another result.
std::vector<Tensor> fresh_results(const OpArgs& args, const Values& results, std::string_view function);
// Throws if a result is not as the fake function said.
void check_against_fake(const OpArgs& args, size_t result, const TensorMeta& real, const TensorMeta& fake);

}  // namespace sinter::graph
