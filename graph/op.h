// An operator: one OpDef per overload says all there is to know of it; `apply` calls it on real or fake tensors.
//
// Definitions are constinit objects in graph/ops/FAMILY.cpp, listed in the family's header: no registration by static
// constructors. Ops added at run time are OpDefs too.

#pragma once

#include <atomic>
#include <string_view>

#include <sinter/graph/number_facts.h>
#include <sinter/graph/scalar.h>
#include <sinter/graph/schema.h>

namespace sinter {

struct OpDef;

// Bound arguments, in schema order, as op functions see them. A tensor is real, or fake while tracing.
class OpArgs {
 public:
  OpArgs(const OpDef& op, std::span<const Value> values, Here here) : op_(&op), values_(values), here_(here) {}

  const OpDef& op() const { return *op_; }
  Here here() const { return here_; }
  std::span<const Value> values() const { return values_; }
  const Value& operator[](int i) const { return values_[i]; }
  const Value& operator[](std::string_view parameter) const;

  // Of a Tensor slot, which may hold a number: its meta (zero-dim for a number) and its rank in promotion.
  TensorMeta meta(int i) const;
  TypedOperand typed(int i) const;
  // The tensor in slot i; a number becomes a zero-dim tensor of its own type.
  Tensor tensor(int i) const;
  bool has(int i) const { return !values_[i].is_none(); }
  // The Tensor slots (not lists) that hold something, in order: the inputs of a pointwise formula.
  SmallVector<int, 4> tensor_slots() const;

  Scalar scalar(std::string_view parameter) const { return (*this)[parameter].scalar(); }
  bool flag(std::string_view parameter) const { return (*this)[parameter].scalar().to_bool(); }
  SymInt size(std::string_view parameter) const { return (*this)[parameter].sym_int(); }
  int64_t integer(std::string_view parameter) const { return (*this)[parameter].sym_int().constant(); }
  double number(std::string_view parameter) const { return (*this)[parameter].scalar().to_double(); }
  SymDims sizes(std::string_view parameter) const;
  Dims dims(std::string_view parameter) const;
  std::vector<Tensor> tensors(std::string_view parameter) const;

  // A question whose answer is all that is asked of the number (graph/number_facts.h).
  bool asks(graph::NumberQuestion question, std::string_view parameter, DType dtype = DType::f64) const {
    return graph::ask(question, scalar(parameter), dtype, here_);
  }

  // `name: message`, with the op's tensor arguments as operands.
  [[noreturn]] void fail(ErrorKind kind, std::string message, std::string need = {}) const;

 private:
  const OpDef* op_;
  std::span<const Value> values_;
  Here here_;
};

// The types of a pointwise op: what each tensor slot is converted to before the formula (f16 and bf16 then widen to
// f32), and the result's.
struct PointwiseTypes {
  SmallVector<DType, 4> inputs;
  DType result = DType::f32;
};

// result[i] = formula(inputs[i]...), over broadcast sizes. `inputs` are the filled Tensor slots in schema order, in
// compute type; the formula's value is converted to the result type.
struct PointwiseRule {
  PointwiseTypes (*types)(const OpArgs&) = nullptr;
  ScalarExpr (*formula)(ScalarBuilder&, const OpArgs&, std::span<const ScalarExpr> inputs) = nullptr;
};

enum class ReductionKind : uint8_t { none, sum, prod, minimum, maximum, any, all };

// Reduces dims of slot 0. The input is converted to `input_type`, then reduced in that type's compute type (f16 and
// bf16 in f32), then converted to the result type of the op's meta.
struct ReductionRule {
  ReductionKind kind = ReductionKind::none;
  Dims (*dims)(const OpArgs&) = nullptr;         // normalised to 0 <= dim < rank, no duplicates
  bool (*keepdim)(const OpArgs&) = nullptr;      // null: false
  DType (*input_type)(const OpArgs&) = nullptr;  // null: the input's own
};

// Ops that are neither formulas nor made of others, each with its own lowering.
enum class Structured : uint8_t {
  none,
  empty,            // memory with unspecified contents
  cat,              // (Tensor[] tensors, int dim)
  strided_scatter,  // aten::as_strided_scatter
  reindex,          // sinter::reindex
  random,           // fills from the generator
};

// Ops that are a call on whole buffers, eager and compiled alike.
enum class Library : uint8_t {
  none,
  mm,
  bmm,
  routine,         // runtime/routines has a function of the definition's name, which writes into results made by `meta`
  sizing_routine,  // its data say how large the results are: it makes them itself; traced by unbacked symbols
  custom,          // the user's function, which makes its results itself (graph/custom/definition.h)
  launch,          // the user's loop kernel (graph/custom/user_kernel.h)
};

using Metas = std::vector<TensorMeta>;

// Exactly one of: pointwise, view, reduction, structured, library, decompose, composite, inplace_of.
struct OpDef {
  std::string_view signature;  // ATen's text

  // Sizes, strides, dtype and device of the results, with all argument checks. Null: derived (pointwise, view,
  // reduction, inplace_of), or found by running the decomposition on fake tensors.
  Metas (*meta)(const OpArgs&) = nullptr;

  PointwiseRule pointwise = {};
  // The result shares slot 0's memory: its layout there. Argument checks included.
  Layout (*view)(const OpArgs&, const Layout& self) = nullptr;
  ReductionRule reduction = {};
  Structured structured = Structured::none;
  Library library = Library::none;
  // Recorded as one node, later replaced by other ops.
  Values (*decompose)(const OpArgs&) = nullptr;
  // Runs at once in terms of other ops, never recorded itself: for ops that may return their argument or a view of it.
  Values (*composite)(const OpArgs&) = nullptr;
  // This op is `*inplace_of` with the result written into slot 0 (same parameters).
  const OpDef* inplace_of = nullptr;
  // May fail for its data's values (an index out of range): never dropped as dead.
  bool may_fail_on_data = false;

  // Parsed at first use.
  const Schema& schema() const;
  // aten::add.Tensor
  std::string name() const { return schema().qualified_name(); }
  // Its result is a number, not a tensor (graph/ops/number.h).
  bool gives_number() const { return schema().returns.size() == 1 && schema().returns[0].type == ArgType::scalar; }

  mutable std::atomic<const Schema*> parsed = nullptr;
};

// Binds, checks, and then records (in a trace) or executes.
Values apply(const OpDef& op, std::span<const Value> positional, const NamedValues& keywords, Here here);
inline Values apply(const OpDef& op, std::initializer_list<Value> positional, Here here) {
  return apply(op, std::span<const Value>(positional.begin(), positional.size()), {}, here);
}
// The single result.
Tensor apply_one(const OpDef& op, std::initializer_list<Value> positional, Here here);

// The results' metas by the op's own or derived rule; checks arguments. Not for composite ops.
Metas infer_meta(const OpArgs& args);

// What runs ops on real tensors: installed by runtime/, called with bound arguments of an op that is not composite.
using Executor = Values (*)(const OpArgs& args);
void install_executor(Executor executor);
Executor installed_executor();

// --- By name ----------------------------------------------------------------------------------------------------

// A callable op found by name: ops("aten::add.Tensor")(a, b). An unknown name is an error that lists near ones.
class OpHandle {
 public:
  explicit OpHandle(const OpDef& op, Here here = Here::current()) : op_(&op), here_(here) {}
  const OpDef& def() const { return *op_; }
  template <class... Args>
  Values operator()(Args&&... args) const {
    return call({Value(std::forward<Args>(args))...}, {}, here_);
  }
  Values call(Values positional, const NamedValues& keywords = {}, Here here = Here::current()) const {
    return apply(*op_, positional, keywords, here);
  }

 private:
  const OpDef* op_;
  Here here_;  // where it was looked up
};

// "aten::add.Tensor"; "aten::relu" means its default overload.
OpHandle ops(std::string_view name, Here here = Here::current());
// Null if there is none.
const OpDef* find_op(std::string_view qualified_name);
// The overload names of "aten::add".
std::vector<std::string> overloads(std::string_view name);
std::vector<const OpDef*> all_ops();
// A name that is taken is an error. The definition must live until it is unregistered, and its name stay the same.
void register_op(const OpDef& op, Here here = Here::current());
void unregister_op(const OpDef& op);

}  // namespace sinter
