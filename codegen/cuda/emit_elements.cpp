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
  std::string first = fmt::format("({}){} * {}", index, block, element_block * plan.packs_of_thread);
  printer.push_scope();
  printer.enter_iteration();
  printer.print_values();
  auto inside = [&] {
    print_position(printer, plan.axes, plan.packs, "at", plan.reuse ? &*plan.reuse : nullptr);
    auto stores = [&] { print_stores(printer, plan.packs); };
    if (plan.axes.empty())
      stores();
    else if (plan.reuse)
      in_rows(printer, *plan.reuse, [&] { in_pack(printer, plan.axes.back(), plan.packs, stores); });
    else if (can_be_quick(printer.nest(), plan.packs))
      in_quick_pack(printer, plan.axes.back(), plan.packs);
    else
      in_pack(printer, plan.axes.back(), plan.packs, stores);
  };
  if (plan.packs_of_thread > 1) {
    code_.print("const {0} first = {1} + ({0})threadIdx.x;", index, first);
    in_parts(printer, plan, inside);
  } else {
    code_.print("const {0} at = {1} + ({0})threadIdx.x;", index, first);
    if (!is_multiple(plan.threads, element_block)) code_.print("if (at >= {}) return;", size_text(plan.threads));
    inside();
  }
  printer.pop_scope();
}

void CudaPrinter::in_parts(BodyPrinter& printer, const ElementPlan& plan, const Inside& inside) {
  const fusion::Load& load = printer.nest().body.loads[plan.packs.loads[0]];
  const fusion::Buffer& buffer = context_.kernel.buffer(load.buffer);
  int axis = plan.axes.back();
  std::string begin = axis_name(axis) + "_begin", packs = context_.kernel.fresh_name("packs_" + base_name(buffer.name));
  auto in_each = [&](const Inside& body) {
    code_.directive("#pragma unroll");
    code_.open(fmt::format("for (int part = 0; part < {}; ++part)", plan.packs_of_thread));
    code_.print("const {} at = first + part * {};", context_.index_type(), element_block);
    printer.push_scope();
    body();
    printer.pop_scope();
    code_.close();
  };
  code_.print("Pack<{}, {}> {}[{}];", element_type(buffer.dtype), plan.packs.count, packs, plan.packs_of_thread);
  in_each([&] {
    print_position(printer, plan.axes, plan.packs, "at");
    context_.kernel.need("load_pack_n");
    code_.print("{}[part] = load_pack_n<{}>({}, {});", packs, plan.packs.count,
                pack_address(printer, load.buffer, context_.linear(load), axis, begin), plan.packs.count);
  });
  loaded_packs_ = packs + "[part]";
  in_each(inside);
  loaded_packs_.clear();
}

void CudaPrinter::print_position(BodyPrinter& printer, const std::vector<int>& axes, const Packs& packs,
                                 const std::string& at, const RowReuse* reuse) {
  const Nest& nest = printer.nest();
  SymInt inner = 1;
  for (size_t k = axes.size(); k-- > 0;) {
    int axis = axes[k];
    bool is_last = k + 1 == axes.size();
    int together = is_last ? packs.count : reuse && axis == reuse->axis ? reuse->rows : 1;
    SymInt steps = ceil_div(nest.axes[axis].extent, together);
    std::string position = inner.same(1) ? at : fmt::format("{} / {}", at, factor_text(inner));
    if (k > 0) position += fmt::format(" % {}", factor_text(steps));
    if (together > 1) position += fmt::format(" * {}", together);
    std::string variable = together > 1 ? axis_name(axis) + "_begin" : axis_name(axis);
    code_.print("const {} {} = {};", context_.index_type(), variable, position);
    if (!is_last && together == 1) printer.set_axis(axis, variable);
    inner *= steps;
  }
  printer.print_values();
}

// All rows go by one pointer, so that the compiler sees what several of them load.
void CudaPrinter::in_rows(BodyPrinter& printer, const RowReuse& reuse, const Inside& inside) {
  std::string i = axis_name(reuse.axis);
  code_.directive("#pragma unroll");
  code_.open(fmt::format("for (int row = 0; row < {}; ++row)", reuse.rows));
  code_.print("const {0} {1} = {1}_begin + row;", context_.index_type(), i);
  if (extent(printer.nest(), reuse.axis) % reuse.rows != 0)
    code_.print("if ({} >= {}) break;", i, extent(printer.nest(), reuse.axis));
  printer.push_scope();
  printer.set_axis(reuse.axis, i);
  AxisScope scope = printer.axes();
  for (size_t axis = 0; axis < scope.text.size(); ++axis)
    if (extent(printer.nest(), static_cast<int>(axis)) != 1) scope.text[axis] = axis_name(static_cast<int>(axis));
  for (const RowReuse::SharedLoad& shared : reuse.loads) {
    const fusion::Load& load = printer.nest().body.loads[shared.row];
    context_.kernel.need("load", context_.kernel.buffer(load.buffer).dtype);
    printer.redirect(shared.row, address_text(context_.kernel.used(shared.buffer).name, context_.linear(load), scope,
                                              context_.kernel.use));
  }
  printer.print_values();
  inside();
  printer.pop_scope();
  code_.close();
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
                     const std::string& begin, bool is_aligned) {
  if (packs.has_rest) return {"_n", fmt::format(", {} - {}", context.kernel.size_text(nest.axes[axis].extent), begin)};
  if (!is_aligned && !is_fresh(context.kernel.buffer(buffer))) return {"_n", fmt::format(", {}", packs.count)};
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
    std::string pack = loaded_packs_.empty() ? register_pack(load.buffer, linear) : loaded_packs_;
    bool is_register = !pack.empty();
    bool is_there = !loaded_packs_.empty();
    if (is_register && !is_there)
      is_there = rows_->has_local(load.buffer) || !loaded_rows_.insert(rows_->cached(load.buffer, linear)).second;
    kernel.need("load", buffer.dtype);
    if (!is_register) pack = kernel.fresh_name("pack_" + base_name(buffer.name));
    printer.redirect(row, fmt::format("&{}.at[lane]", pack));
    if (is_there) continue;
    PackAccess access = access_of(context_, nest, load.buffer, axis, packs, begin, packs_are_aligned_);
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
    PackAccess access = access_of(context_, nest, store.buffer, axis, packs, begin, packs_are_aligned_);
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
