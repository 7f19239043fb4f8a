// The rules of custom ops, by kind.

#include <sinter/graph/custom/rules.h>

#include <sinter/graph/custom/definition.h>
#include <sinter/graph/custom/kernel_body.h>
#include <sinter/graph/infer_meta.h>
#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/data_size.h>
#include <sinter/graph/ops/types.h>
#include <sinter/graph/trace.h>

namespace sinter::graph::custom_rules {

namespace {

const CustomDefinition& context(const OpArgs& args) { return *custom_of(args.op()); }

// The fake function's results, on fake tensors of a trace of its own.
Metas run_fake(const OpArgs& args) {
  std::shared_ptr<const CustomFunctions> functions = context(args).functions(args.here());
  if (!functions->fake) fail_without_fake(context(args), args);
  Trace scratch;
  Values fakes = scratch.fake_copies(args);
  ActivateTrace activate(&scratch);
  InheritLocation inherit(args.here());
  InheritDevice inherit_device(args);
  std::string name = context(args).name();
  NameSizesAfter names_sizes(name);
  Metas metas;
  Values results = functions->fake(OpArgs(args.op(), fakes, args.here()));
  for (const Tensor& result : fresh_results(args, results, "fake function")) {
    metas.push_back(result.meta());
    metas.back().layout.offset = 0;
  }
  return metas;
}

// A size that is a symbol becomes the number it is in this trace, which its guards then ask for.
Scalar number_of(const Value& value) {
  if (value.is_scalar()) {  // an integer may count a loop of the formula's text
    Scalar number = value.scalar();
    return number.is_floating() ? number : number.known();
  }
  SymInt size = value.sym_int();
  static_cast<void>(size == SymInt(size.hint()));
  return size.hint();
}

// Of what an argument holds after the call: a kernel op's function gets a copy that clone() makes, another's one with
// the argument's strides.
TensorMeta written_meta(const OpArgs& args, int slot) {
  if (context(args).kind() == CustomKind::kernel) {
    Values clone = {args[slot], Value()};
    return infer_meta(OpArgs(op_defs::clone_default, clone, args.here()))[0];
  }
  TensorMeta meta = args.meta(slot);
  meta.layout.offset = 0;
  return meta;
}

// A fake function may say what a formula gives, but not otherwise.
Metas elementwise_meta(const OpArgs& args) {
  Metas metas = {pointwise_meta(args, types(args).result)};
  if (context(args).functions(args.here())->fake) check_against_fake(args, 0, metas[0], run_fake(args)[0]);
  return metas;
}

}  // namespace

Metas meta(const OpArgs& args) {
  if (context(args).kind() == CustomKind::elementwise) return elementwise_meta(args);
  Metas metas;
  if (context(args).is_functional_of(args.op()))
    for (int slot : context(args).written()) metas.push_back(written_meta(args, slot));
  for (TensorMeta& fresh : run_fake(args)) metas.push_back(std::move(fresh));
  return metas;
}

PointwiseTypes types(const OpArgs& args) {
  PointwiseTypes types = types_float(args);
  if (context(args).functions(args.here())->formula_takes_integers) {
    SmallVector<int, 4> slots = args.tensor_slots();
    for (size_t i = 0; i < slots.size(); ++i)
      if (DType own = args.meta(slots[i]).dtype; !is_floating(own)) types.inputs[i] = own;
  }
  ScalarDag dag;
  ScalarBuilder builder(dag);
  std::vector<ScalarExpr> inputs;
  for (DType input : types.inputs)
    inputs.push_back(builder.input(static_cast<int>(inputs.size()), compute_type(input)));
  ScalarExpr value = formula(builder, args, inputs);
  if (value.dtype() != compute_type(types.result)) types.result = value.dtype();
  return types;
}

ScalarExpr formula(ScalarBuilder& builder, const OpArgs& args, std::span<const ScalarExpr> inputs) {
  const Schema& schema = args.op().schema();
  std::shared_ptr<const CustomFunctions> functions = context(args).functions(args.here());
  DType compute = compute_type(types_float(args).result);
  std::vector<ScalarExpr> operands;
  size_t next = 0;
  for (size_t i = 0; i < schema.parameters.size(); ++i) {
    if (schema.parameters[i].type == ArgType::tensor) {
      operands.push_back(inputs[next++]);
      continue;
    }
    Scalar number = number_of(args[static_cast<int>(i)]);
    DType exact = number.is_floating() ? DType::f64 : number.is_boolean() ? DType::boolean : DType::i64;
    operands.push_back(builder.constant(number, functions->formula_takes_integers ? exact : compute));
  }
  return functions->formula(builder, args, operands);
}

Values with_copies(const OpArgs& args) {
  Values own(args.values().begin(), args.values().end());
  if (context(args).is_functional_of(args.op()))
    for (int slot : context(args).written()) own[slot] = apply_one(op_defs::clone_default, {own[slot]}, args.here());
  return own;
}

Values decompose(const OpArgs& args) {
  Metas declared = meta(args);
  std::vector<Tensor> results = insert_body(kernel_body(args), args, *active_trace());
  for (size_t i = 0; i < results.size(); ++i) check_against_fake(args, i, results[i].meta(), declared[i]);
  return Values(results.begin(), results.end());
}

Values write(const OpArgs& args) {
  const CustomDefinition& definition = context(args);
  check_written_arguments(definition, args);
  if (!active_trace()) return installed_executor()(args);
  InheritLocation inherit(args.here());
  Values values = apply(definition.functional(), args.values(), {}, args.here());
  size_t next = 0;
  for (int slot : definition.written()) apply(op_defs::copy_inplace_default, {args[slot], values[next++]}, args.here());
  Values results;
  for (int argument : definition.returned_arguments())
    results.push_back(argument < 0 ? values[next++] : args[argument]);
  return results;
}

}  // namespace sinter::graph::custom_rules
