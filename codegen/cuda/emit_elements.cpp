// Pointwise nests: a thread takes one pack of elements.

#include <sinter/codegen/cuda/cuda_printer.h>

#include <sinter/codegen/cpp/kernel_printer.h>
#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>

namespace sinter::codegen {

using fusion::IndexExpr;
using fusion::Nest;
using fusion::Store;

CudaPrinter::CudaPrinter(CudaContext& context) : context_(context), code_(context.kernel.code) {
  for (const Nest& nest : context.nests()) printers_.push_back(std::make_unique<BodyPrinter>(context.kernel, nest));
}

void CudaPrinter::print(const Launch& launch) {
  shared_bytes_ = 0;
  store_guard_.clear();
  one_thread_stores_ = false;
  rows_.reset();
  switch (launch.kind) {
    case LaunchKind::elements: return print_elements(launch);
    case LaunchKind::tiles: return print_tiles(*launch.tiles);
    case LaunchKind::teams:
    case LaunchKind::segments: return print_teams(launch);
  }
}

void CudaPrinter::for_all(const std::vector<int>& nests, const std::function<void(BodyPrinter&)>& f) {
  for (int n : nests) f(*printers_[n]);
}

void CudaPrinter::in_if(const std::string& condition, const Inside& inside) {
  if (condition.empty()) return inside();
  code_.open(fmt::format("if ({})", condition));
  inside();
  code_.close();
}

void CudaPrinter::print_elements(const Launch& launch) {
  bool several = launch.elements.size() > 1;
  for (const ElementPlan& plan : launch.elements) {
    std::string condition;
    if (several) condition = fmt::format("blockIdx.x < {}", size_text(plan.first_block + plan.blocks));
    if (!plan.first_block.same(0))
      condition = fmt::format("blockIdx.x >= {} && {}", size_text(plan.first_block), condition);
    in_if(condition, [&] { print_element_nest(plan); });
  }
}

void CudaPrinter::print_element_nest(const ElementPlan& plan) {
  BodyPrinter& printer = *printers_[plan.nest];
  std::string_view index = context_.index_type();
  std::string block =
      plan.first_block.same(0) ? "blockIdx.x" : fmt::format("(blockIdx.x - {})", factor_text(plan.first_block));
  code_.print("const {0} at = ({0}){1} * {2} + ({0})threadIdx.x;", index, block, element_block);
  if (!is_multiple(plan.threads, element_block)) code_.print("if (at >= {}) return;", size_text(plan.threads));
  printer.push_scope();
  printer.enter_iteration();
  printer.print_values();
  print_position(printer, plan.axes, plan.packs, "at");
  auto inside = [&] { print_stores(printer, plan.packs); };
  if (plan.axes.empty())
    inside();
  else
    in_pack(printer, plan.axes.back(), plan.packs, inside);
  printer.pop_scope();
}

void CudaPrinter::print_position(BodyPrinter& printer, const std::vector<int>& axes, const Packs& packs,
                                 const std::string& at) {
  const Nest& nest = printer.nest();
  SymInt inner = 1;
  for (size_t k = axes.size(); k-- > 0;) {
    int axis = axes[k];
    bool is_last = k + 1 == axes.size();
    SymInt steps = nest.axes[axis].extent;
    if (is_last) steps = ceil_div(steps, packs.count);
    std::string position = inner.same(1) ? at : fmt::format("{} / {}", at, factor_text(inner));
    if (k > 0) position += fmt::format(" % {}", factor_text(steps));
    if (is_last && packs.count > 1) position += fmt::format(" * {}", packs.count);
    std::string variable = is_last && packs.count > 1 ? axis_name(axis) + "_begin" : axis_name(axis);
    code_.print("const {} {} = {};", context_.index_type(), variable, position);
    if (!is_last) printer.set_axis(axis, variable);
    inner *= steps;
  }
  printer.print_values();
}

void CudaPrinter::in_pack(BodyPrinter& printer, int axis, const Packs& packs, const Inside& inside) {
  std::string i = axis_name(axis);
  printer.push_scope();
  if (packs.count == 1 && packs.loads.empty() && packs.stores.empty()) {
    printer.set_axis(axis, i);
    printer.print_values();
    inside();
  } else {
    std::string begin = i + "_begin";
    load_packs(printer, axis, packs, begin);
    declare_packs(printer, packs);
    code_.directive("#pragma unroll");
    code_.open(fmt::format("for (int lane = 0; lane < {}; ++lane)", packs.count));
    code_.print("const {} {} = {} + lane;", context_.index_type(), i, begin);
    if (packs.has_rest) code_.print("if ({} >= {}) break;", i, size_text(printer.nest().axes[axis].extent));
    printer.set_axis(axis, i);
    printer.print_values();
    inside();
    code_.close();
    store_packs(printer, axis, packs, begin);
  }
  printer.pop_scope();
}

std::string CudaPrinter::pack_address(BodyPrinter& printer, int buffer, const IndexExpr& linear, int axis,
                                      const std::string& begin) {
  AxisScope scope = printer.axes();
  scope.text[axis] = begin;
  return address_text(context_.kernel.used(buffer).name, linear, scope, context_.kernel.use);
}

namespace {

// `, 100 - i0_begin`: how much of the pack exists; an argument's memory may begin anywhere.
struct PackAccess {
  std::string suffix;
  std::string count;
};

PackAccess access_of(CudaContext& context, const Nest& nest, int buffer, int axis, const Packs& packs,
                     const std::string& begin) {
  if (packs.has_rest) return {"_n", fmt::format(", {} - {}", context.kernel.size_text(nest.axes[axis].extent), begin)};
  if (!is_fresh(context.kernel.buffer(buffer))) return {"_n", fmt::format(", {}", packs.count)};
  return {"", ""};
}

}  // namespace

void CudaPrinter::load_packs(BodyPrinter& printer, int axis, const Packs& packs, const std::string& begin) {
  const Nest& nest = printer.nest();
  KernelContext& kernel = context_.kernel;
  for (int row : packs.loads) {
    const fusion::Load& load = nest.body.loads[row];
    const fusion::Buffer& buffer = kernel.buffer(load.buffer);
    fusion::IndexExpr linear = context_.linear(load);
    std::string pack = register_pack(load.buffer, linear);
    bool is_register = !pack.empty();
    bool is_there = is_register &&
                    (rows_->has_local(load.buffer) || !loaded_rows_.insert(rows_->cached(load.buffer, linear)).second);
    kernel.need("load", buffer.dtype);
    if (!is_register) pack = kernel.fresh_name("pack_" + base_name(buffer.name));
    printer.redirect(row, fmt::format("&{}.at[lane]", pack));
    if (is_there) continue;
    PackAccess access = access_of(context_, nest, load.buffer, axis, packs, begin);
    kernel.need("load_pack" + access.suffix);
    if (!is_register) pack = fmt::format("const Pack<{}, {}> {}", element_type(buffer.dtype), packs.count, pack);
    code_.print("{} = load_pack{}<{}>({}{});", pack, access.suffix, packs.count,
                pack_address(printer, load.buffer, linear, axis, begin), access.count);
  }
}

void CudaPrinter::declare_packs(BodyPrinter& printer, const Packs& packs) {
  const Nest& nest = printer.nest();
  store_packs_.assign(nest.stores.size(), {});
  for (int s : packs.stores) {
    const fusion::Buffer& buffer = context_.kernel.buffer(nest.stores[s].buffer);
    store_packs_[s] = register_pack(nest.stores[s].buffer, {});
    if (!store_packs_[s].empty()) continue;
    store_packs_[s] = context_.kernel.fresh_name("pack_" + base_name(buffer.name));
    context_.kernel.need("Pack");
    code_.print("Pack<{}, {}> {};", element_type(buffer.dtype), packs.count, store_packs_[s]);
  }
}

void CudaPrinter::store_packs(BodyPrinter& printer, int axis, const Packs& packs, const std::string& begin) {
  const Nest& nest = printer.nest();
  for (int s : packs.stores) {
    const Store& store = nest.stores[s];
    if (!register_pack(store.buffer, {}).empty()) continue;
    PackAccess access = access_of(context_, nest, store.buffer, axis, packs, begin);
    context_.kernel.need("store_pack" + access.suffix);
    bool is_guarded = context_.kernel.used(store.buffer).place == Place::memory;
    in_if(is_guarded ? store_guard_ : "", [&] {
      code_.print("store_pack{}({}, {}{});", access.suffix,
                  pack_address(printer, store.buffer, context_.linear(store), axis, begin), store_packs_[s],
                  access.count);
    });
  }
}

// All plain stores of the nest: into packs where it has them.
void CudaPrinter::print_stores(BodyPrinter& printer, const Packs& packs) {
  const Nest& nest = printer.nest();
  for (size_t s = 0; s < nest.stores.size(); ++s) {
    const Store& store = nest.stores[s];
    if (store.reduction != ReductionKind::none) continue;
    DType from = nest.body.dag.nodes[store.value].dtype, to = context_.kernel.buffer(store.buffer).dtype;
    std::string value = printer.value(store.value);
    if (!packs.stores_pack(static_cast<int>(s))) {
      print_store(printer, store, value, from);
      continue;
    }
    if (from != to) {
      context_.kernel.need(conversion_piece(from, to));
      value = fmt::format("to_{}({})", name(to), value);
    }
    context_.kernel.need("store", to);
    code_.statement(fmt::format("store(&{}.at[lane], {})", store_packs_[s], value), printer.comment(store.value));
  }
}

void CudaPrinter::print_store(BodyPrinter& printer, const Store& store, const std::string& value, DType dtype) {
  bool is_variable = context_.kernel.used(store.buffer).place == Place::variable;
  bool is_array = context_.kernel.used(store.buffer).place == Place::array;
  std::string guard = is_variable || is_array ? "" : store_guard_;
  if (!is_variable && one_thread_stores_) guard = guard.empty() ? "rank == 0" : "rank == 0 && " + guard;
  in_if(guard, [&] { printer.print_store(store, value, dtype); });
}

}  // namespace sinter::codegen
