// Each op says where its indices point and what goes there; f16 and bf16 are combined in f32 and rounded once.

#include <sinter/runtime/cuda/scatter.h>

#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/all_ops.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/index_arguments.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/combine_at_keys.h>
#include <sinter/runtime/cuda/copy.h>
#include <sinter/runtime/cuda/own_kernel.h>

#include <limits>
#include <unordered_map>

namespace sinter::runtime {

namespace {

using Outputs = std::span<const Tensor>;

Dims numbers_of(const SymDims& sizes) {
  Dims numbers;
  for (SymInt size : sizes) numbers.push_back(size.constant());
  return numbers;
}

int64_t count_of(const Tensor& tensor) { return tensor.numel().constant(); }
int64_t size_along(const Tensor& tensor, int64_t dim) { return tensor.dim() == 0 ? 1 : tensor.sizes()[dim].constant(); }

int64_t product(const SymDims& sizes, int64_t begin, int64_t end) {
  int64_t all = 1;
  for (int64_t i = begin; i < end && i < static_cast<int64_t>(sizes.size()); ++i) all *= sizes[i].constant();
  return all;
}

// Where results are made: in the result itself, or contiguous and in another type beside it.
class Target {
 public:
  Target(const Tensor& start, const Tensor& result, DType dtype, Here here) : result_(result), here_(here) {
    bool is_direct = result.is_contiguous() && result.dtype() == dtype;
    made_ = is_direct ? result : new_device_tensor(result.device(), dtype, numbers_of(result.sizes()));
    start.defined() ? made_.copy_(start, here) : made_.zero_(here);
  }
  const Tensor& tensor() const { return made_; }
  Tensor converted(const Tensor& values) const { return values.to(made_.dtype(), here_); }
  void finish() const {
    if (!made_.is_same(result_)) result_.copy_(made_, here_);
  }

 private:
  Tensor result_, made_;
  Here here_;
};

// One element for all positions, or as many elements as there are.
Tensor dense_values(const Tensor& values, Here here) { return values.numel() == 1 ? values : values.contiguous(here); }

// What combines, and whether f16 and bf16 do so in f32; nothing: the last one stays.
struct Rule {
  std::optional<Meeting> how;
  bool includes_target = true;
};

void put_values(const Target& target, const IndexKeys& keys, const Tensor& values, KeyedShape shape, Rule rule,
                Here here) {
  Tensor dense = dense_values(target.converted(values), here);
  if (rule.how)
    combine_at_keys(target.tensor(), keys, dense, shape, *rule.how, rule.includes_target);
  else
    assign_at_keys(target.tensor(), keys, dense, shape);
}

DType made_type(DType dtype, Rule rule) { return rule.how ? compute_type(dtype) : dtype; }

// --- An index for each element ----------------------------------------------------------------------------------

// Whether the index is a vector repeated over all other dims of the target.
bool repeats_vector(const Tensor& index, const Tensor& self, int64_t dim) {
  for (int64_t i = 0; i < index.dim(); ++i) {
    if (i == dim) continue;
    bool moves = !(index.strides()[i] == 0) && !(index.sizes()[i] == 1);
    if (moves || !(index.sizes()[i] == self.sizes()[i])) return false;
  }
  return index.dim() == self.dim();
}

// The part of a larger tensor that an index of these sizes reaches.
Tensor reached(Tensor values, const SymDims& sizes, Here here) {
  for (int64_t i = 0; i < values.dim() && i < static_cast<int64_t>(sizes.size()); ++i)
    if (!(values.sizes()[i] == sizes[i])) values = values.slice(i, SymInt(0), sizes[i], 1, here);
  return values;
}

void scatter(const OpArgs& args, const Tensor& result, const Tensor& given, Rule rule) {
  const Tensor &self = args[0].tensor(), &index = args[2].tensor();
  Here here = args.here();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim()), size = size_along(self, dim);
  Target target(self, result, made_type(self.dtype(), rule), here);
  if (count_of(index) == 0) return target.finish();
  Tensor values = given.dim() == 0 ? given : reached(given, index.sizes(), here);
  std::string what = out_of_range_text(args, dim, size);
  if (self.dim() > 0 && repeats_vector(index, self, dim)) {
    Tensor vector = index;
    for (int64_t i = index.dim() - 1; i >= 0; --i)
      if (i != dim) vector = vector.select(i, 0, here);
    IndexKeys keys(self.device(), count_of(vector), size);
    keys.add(args, vector, size, 1, false, what);
    KeyedShape shape{product(self.sizes(), 0, dim), product(self.sizes(), dim + 1, self.dim())};
    put_values(target, keys, values, shape, rule, here);
    return target.finish();
  }
  Dims steps = numbers_of(contiguous_strides(self.sizes()));
  IndexKeys keys(self.device(), count_of(index), count_of(self));
  keys.add(args, index, size, steps.empty() ? 1 : steps[static_cast<size_t>(dim)], false, what);
  Dims sizes = numbers_of(index.sizes());
  if (!steps.empty()) steps[static_cast<size_t>(dim)] = 0;
  if (sizes.size() == steps.size() && !steps.empty()) keys.add_places(sizes, steps);
  put_values(target, keys, values, {}, rule, here);
  target.finish();
}

Tensor number(const OpArgs& args, Scalar value, DType dtype) {
  graph::InheritDevice inherit(cpu);
  return moved(scalar_tensor(value, dtype, args.here()), args[0].tensor().device());
}

Rule asked_combination(const OpArgs& args) {
  return {args["reduce"].string() == "add" ? Meeting::add : Meeting::multiply};
}
Rule asked_reduction(const OpArgs& args) {
  const std::string& name = args["reduce"].string();
  Meeting how = name == "prod"   ? Meeting::multiply
                : name == "amax" ? Meeting::maximum
                : name == "amin" ? Meeting::minimum
                : name == "mean" ? Meeting::mean
                                 : Meeting::add;
  return {how, args.flag("include_self")};
}

void scatter_source(const OpArgs& args, Outputs outputs) { scatter(args, outputs[0], args[3].tensor(), {}); }
void scatter_sum(const OpArgs& args, Outputs outputs) { scatter(args, outputs[0], args[3].tensor(), {Meeting::add}); }
void scatter_combined(const OpArgs& args, Outputs outputs) {
  scatter(args, outputs[0], args[3].tensor(), asked_combination(args));
}
void scatter_reduced(const OpArgs& args, Outputs outputs) {
  scatter(args, outputs[0], args[3].tensor(), asked_reduction(args));
}
void scatter_number(const OpArgs& args, Outputs outputs) {
  scatter(args, outputs[0], number(args, args.scalar("value"), args[0].tensor().dtype()), {});
}
void scatter_number_combined(const OpArgs& args, Outputs outputs) {
  scatter(args, outputs[0], number(args, args.scalar("value"), args[0].tensor().dtype()), asked_combination(args));
}

// --- A vector of indices ----------------------------------------------------------------------------------------

void put_along(const OpArgs& args, const Tensor& result, const Tensor& values, Rule rule, bool wraps) {
  const Tensor &self = args[0].tensor(), &index = args[2].tensor();
  Here here = args.here();
  int64_t dim = wrap_dim(args, args.integer("dim"), self.dim()), size = size_along(self, dim);
  Target target(self, result, made_type(self.dtype(), rule), here);
  IndexKeys keys(self.device(), count_of(index), size);
  keys.add(args, index, size, 1, wraps, out_of_range_text(args, dim, size));
  put_values(target, keys, values, {product(self.sizes(), 0, dim), product(self.sizes(), dim + 1, self.dim())}, rule,
             here);
  target.finish();
}

void index_add(const OpArgs& args, Outputs outputs) {
  DType wide = compute_type(args[0].tensor().dtype());
  Tensor source = args[3].tensor().to(wide, args.here());
  Scalar alpha = args.scalar("alpha");
  bool is_one = alpha.is_floating() ? alpha.to_double() == 1 : alpha.to_int() == 1;
  if (!is_one) source = mul(source, alpha, args.here()).to(wide, args.here());
  put_along(args, outputs[0], source, {Meeting::add}, false);
}
void index_copy(const OpArgs& args, Outputs outputs) { put_along(args, outputs[0], args[3].tensor(), {}, false); }
void index_reduce(const OpArgs& args, Outputs outputs) {
  put_along(args, outputs[0], args[3].tensor(), asked_reduction(args), false);
}
void index_fill_tensor(const OpArgs& args, Outputs outputs) {
  put_along(args, outputs[0], args[3].tensor().to(args[0].tensor().dtype(), args.here()), {}, true);
}
void index_fill_number(const OpArgs& args, Outputs outputs) {
  put_along(args, outputs[0], number(args, args.scalar("value"), args[0].tensor().dtype()), {}, true);
}

// --- Whole tensors ----------------------------------------------------------------------------------------------

void put(const OpArgs& args, Outputs outputs) {
  const Tensor &self = args[0].tensor(), &index = args[1].tensor();
  Rule rule;
  if (args.flag("accumulate")) rule.how = Meeting::add;
  Target target(self, outputs[0], made_type(self.dtype(), rule), args.here());
  IndexKeys keys(self.device(), count_of(index), count_of(self));
  keys.add(args, index, count_of(self), 1, true, out_of_range_text(args, -1, count_of(self)));
  put_values(target, keys, args[2].tensor(), {}, rule, args.here());
  target.finish();
}

// A permutation of self's dims that brings the indexed ones together.
Dims dims_in_order(const IndexedShape& shape) {
  Dims order(shape.before.begin(), shape.before.end());
  for (int64_t dim : shape.indexed) order.push_back(dim);
  for (int64_t dim : shape.after) order.push_back(dim);
  return order;
}

void index_put(const OpArgs& args, Outputs outputs) {
  const Tensor& self = args[0].tensor();
  Here here = args.here();
  Rule rule;
  if (args.flag("accumulate")) rule.how = Meeting::add;
  std::vector<Tensor> indices = args.tensors("indices");
  for (Tensor& index : indices) index = moved(index, self.device());
  std::vector<Tensor> index_of_dim = index_of_each_dim(args, indices);
  IndexedShape shape = indexed_shape(args, self.layout(), index_of_dim);
  Tensor values = args[2].tensor();
  if (!expand_layout(values.layout(), shape.sizes))
    args.fail(ErrorKind::shape, fmt::format("values of sizes {} do not broadcast to the indexed sizes {}",
                                            to_string(values.sizes()), to_string(shape.sizes)));
  Dims order = dims_in_order(shape);
  Target target(self.permute(order, here), outputs[0].permute(order, here), made_type(self.dtype(), rule), here);
  int64_t places = 1, outer = 1, inner = 1;
  for (int64_t dim : shape.indexed) places *= self.sizes()[dim].constant();
  for (int64_t dim : shape.before) outer *= self.sizes()[dim].constant();
  for (int64_t dim : shape.after) inner *= self.sizes()[dim].constant();
  bool refuses_negative = args.op().schema().find("wraps") >= 0 && !args.flag("wraps");
  IndexKeys keys(self.device(), numel(shape.index_sizes).constant(), places);
  int64_t step = places;
  for (int64_t dim : shape.indexed) {
    int64_t size = self.sizes()[dim].constant();
    step = size == 0 ? 0 : step / size;
    keys.add(args, index_of_dim[dim].expand(shape.index_sizes, here), size, step, !refuses_negative,
             out_of_range_text(args, dim, size));
  }
  if (!(values.numel() == 1)) values = values.expand(shape.sizes, here);
  put_values(target, keys, values, {outer, inner}, rule, here);
  target.finish();
}

// --- Planes and tables ------------------------------------------------------------------------------------------

// Each element goes to the place in its plane that its index names.
void put_back(const OpArgs& args, const Tensor& values, const Tensor& index, const Tensor& result, Rule rule) {
  const std::string& name = args.op().schema().name;
  int64_t rank = name[name.find_first_of("123")] - '0', dims = result.dim();
  int64_t planes = product(result.sizes(), 0, dims - rank), plane = product(result.sizes(), dims - rank, dims);
  Target target(Tensor(), result, made_type(values.dtype(), rule), args.here());
  int64_t count = count_of(values);
  if (count > 0 && planes > 0) {
    IndexKeys keys(result.device(), count, planes * plane);
    keys.add(args, index, plane, 1, false, fmt::format("index {{}} in a plane of {} elements", plane));
    keys.add_places({planes, count / planes}, {plane, 0});
    put_values(target, keys, values, {}, rule, args.here());
  }
  target.finish();
}

void add_back(const OpArgs& args, Outputs outputs) {
  put_back(args, args[0].tensor(), args["indices"].tensor(), outputs[0], {Meeting::add});
}
void unpool(const OpArgs& args, Outputs outputs) {
  put_back(args, args[0].tensor(), args["indices"].tensor(), outputs[0], {});
}

void embedding_gradient(const OpArgs& args, Outputs outputs) {
  const Tensor &grad = args[0].tensor(), &index = args[1].tensor(), &result = outputs[0];
  int64_t rows = args.integer("num_weights"), padding = args.integer("padding_idx");
  Target target(Tensor(), result, compute_type(result.dtype()), args.here());
  IndexKeys keys(result.device(), count_of(index), rows);
  keys.add(args, index, rows, 1, false, out_of_range_text(args, 0, rows));
  put_values(target, keys, grad, {1, result.sizes()[1].constant()}, {Meeting::add}, args.here());
  if (padding >= 0 && padding < rows) target.tensor().select(0, padding, args.here()).zero_(args.here());
  target.finish();
}

// As index reads at positions, once masks have become such.
void unsafe_index(const OpArgs& args, Outputs outputs) {
  std::vector<Tensor> indices = args.tensors("indices");
  for (Tensor& index : indices) index = moved(index, args[0].tensor().device());
  Value::List list;
  bool any = false;
  for (const Tensor& index : index_of_each_dim(args, indices)) {
    any = any || index.defined();
    list.push_back(index.defined() ? Value(index) : Value());
  }
  Tensor picked = any ? apply_one(op_defs::index_tensor, {args[0], list}, args.here()) : args[0].tensor();
  outputs[0].copy_(picked, args.here());
}

using Scatter = void (*)(const OpArgs&, Outputs);

const std::unordered_map<const OpDef*, Scatter>& scatters() {
  namespace d = op_defs;
  static const auto& table = *new std::unordered_map<const OpDef*, Scatter>{
      {&d::scatter_src, scatter_source},
      {&d::scatter_value, scatter_number},
      {&d::scatter_reduce, scatter_combined},
      {&d::scatter_value_reduce, scatter_number_combined},
      {&d::scatter_add_default, scatter_sum},
      {&d::scatter_reduce_two, scatter_reduced},
      {&d::index_add_default, index_add},
      {&d::index_copy_default, index_copy},
      {&d::index_reduce_default, index_reduce},
      {&d::index_fill_int_tensor, index_fill_tensor},
      {&d::index_fill_int_scalar, index_fill_number},
      {&d::put_default, put},
      {&d::unsafe_index_put_default, index_put},
      {&d::unsafe_index_tensor, unsafe_index},
      {&d::max_unpool2d_default, unpool},
      {&d::max_unpool3d_default, unpool},
      {&d::max_pool2d_with_indices_backward_default, add_back},
      {&d::max_pool3d_with_indices_backward_default, add_back},
      {&d::adaptive_max_pool2d_backward_default, add_back},
      {&d::adaptive_max_pool3d_backward_default, add_back},
      {&d::fractional_max_pool2d_backward_default, add_back},
      {&d::fractional_max_pool3d_backward_default, add_back},
      {&d::embedding_dense_backward_default, embedding_gradient},
  };
  return table;
}

// Positions are numbered in 32 bits, and their places are made from at most so many dims.
bool fits_kernels(const OpArgs& args) {
  int64_t most = std::numeric_limits<int32_t>::max();
  for (const Value& value : args.values())
    if (value.is_tensor() && (count_of(value.tensor()) > most || value.tensor().dim() > most_key_dims)) return false;
  int frequency = args.op().schema().find("scale_grad_by_freq");
  return frequency < 0 || !args.flag("scale_grad_by_freq");
}

}  // namespace

bool scatter_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  auto found = scatters().find(&args.op());
  if (found == scatters().end() || !fits_kernels(args)) return false;
  found->second(args, outputs);
  return true;
}

}  // namespace sinter::runtime
