// Reductions by a team: each thread takes its share in order, then the team combines; or each thread takes whole
// results of its own.
//
// The order is a function of the launch's plan alone, so results are the same from run to run; it is not the order of
// the CPU's.

#include <sinter/codegen/cuda/cuda_printer.h>

#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/fusion/access.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::Nest;
using fusion::Store;

namespace {

std::vector<int> own_axes(const Nest& nest, int first, int last) {
  std::vector<int> axes;
  for (int axis = first; axis < last; ++axis)
    if (is_long(nest, axis)) axes.push_back(axis);
  return axes;
}

// Which zero the largest of zeros of both signs is depends on the order anyhow.
std::string_view combine_function(const Accumulator& acc) {
  if (acc.dtype == DType::f32 && acc.kind == ReductionKind::maximum) return "larger";
  if (acc.dtype == DType::f32 && acc.kind == ReductionKind::minimum) return "smaller";
  return combine_of(acc.kind, acc.dtype).function;
}

int axis_count(const Nest& nest) { return static_cast<int>(nest.axes.size()); }

}  // namespace

void CudaPrinter::print_reduction(BodyPrinter& printer, const Launch& launch) {
  bool combines = launch.kind == LaunchKind::teams && launch.segments && &printer == printers_[launch.nests[0]].get();
  code_.open("");
  if (!combines && has_thread_per_result(context_, printer.nest()))
    print_thread_reduction(printer);
  else
    print_team_reduction(printer, launch);
  code_.close();
}

std::vector<Accumulator> CudaPrinter::start_accumulators(const Nest& nest) {
  std::vector<Accumulator> accumulators;
  for (size_t s = 0; s < nest.stores.size(); ++s) {
    const Store& store = nest.stores[s];
    if (store.reduction == ReductionKind::none) continue;
    Accumulator acc;
    acc.store = static_cast<int>(s);
    acc.kind = store.reduction;
    acc.dtype = nest.body.dag.nodes[store.value].dtype;
    acc.name = context_.kernel.fresh_name(combine_of(acc.kind, acc.dtype).name);
    context_.kernel.need(combine_function(acc), acc.dtype);
    context_.kernel.need("splat", acc.dtype);
    context_.kernel.need(std::string(vector_type(acc.dtype)));
    code_.print("{} {} = {};", vector_type(acc.dtype), acc.name, identity(acc.kind, acc.dtype));
    accumulators.push_back(std::move(acc));
  }
  return accumulators;
}

void CudaPrinter::take(BodyPrinter& printer, const Accumulator& acc) {
  const Store& store = printer.nest().stores[acc.store];
  code_.statement(fmt::format("{0} = {1}({0}, {2})", acc.name, combine_function(acc), printer.value(store.value)),
                  printer.comment(store.value));
}

void CudaPrinter::take_segments(const Accumulator& acc, const SegmentPlan& segments, SymInt offset) {
  context_.kernel.need("load", acc.dtype);
  if (has_piece(element_type(acc.dtype))) context_.kernel.need(std::string(element_type(acc.dtype)));
  code_.open(fmt::format("for (int at = rank; at < {}; at += {})", segments.segments, team_.team));
  code_.print("{0} = {1}({0}, load((const {2}*)(partials + {3}) + item * {4} + at));", acc.name, combine_function(acc),
              element_type(acc.dtype), factor_text(offset), segments.segments);
  code_.close();
}

std::string CudaPrinter::combined(const Accumulator& acc) {
  if (team_.team == 1) return acc.name;
  std::string_view vector = vector_type(acc.dtype);
  std::string lambda = fmt::format("[]({0} a, {0} b) {{ return {1}(a, b); }}", vector, combine_function(acc));
  bool is_rows = team_.arrangement == Arrangement::rows;
  context_.kernel.need(is_rows ? "combine_team" : "combine_column");
  std::string room = fmt::format("({}*){}", vector, team_.spans_warps() ? "shared" : "0");
  if (is_rows) return fmt::format("combine_team<{}>({}, {}, {})", team_.team, acc.name, lambda, room);
  return fmt::format("combine_column<{}, {}>({}, {}, {})", team_.teams, team_.team, acc.name, lambda, room);
}

void CudaPrinter::store_result(BodyPrinter& printer, const Accumulator& acc) {
  one_thread_stores_ = team_.team > 1;
  print_store(printer, printer.nest().stores[acc.store], acc.name, acc.dtype);
  one_thread_stores_ = false;
}

void CudaPrinter::store_segment(const Accumulator& acc, const SegmentPlan& segments, SymInt offset) {
  context_.kernel.need("store", acc.dtype);
  if (has_piece(element_type(acc.dtype))) context_.kernel.need(std::string(element_type(acc.dtype)));
  std::string guard = team_.team > 1 ? "rank == 0" : "";
  if (!store_guard_.empty()) guard = guard.empty() ? store_guard_ : guard + " && " + store_guard_;
  in_if(guard, [&] {
    code_.print("store(({}*)(partials + {}) + item * {} + segment, {});", element_type(acc.dtype), factor_text(offset),
                segments.segments, acc.name);
  });
}

void CudaPrinter::print_team_reduction(BodyPrinter& printer, const Launch& launch) {
  const Nest& nest = printer.nest();
  bool is_first = &printer == printers_[launch.nests[0]].get();
  bool in_segments = launch.kind == LaunchKind::segments;
  bool combines = launch.kind == LaunchKind::teams && launch.segments && is_first;
  SharedLoop loop = shared_loop(context_, nest, team_.arrangement);
  if (const Packs* packs = row_packs(nest)) loop.packs = *packs;
  in_own_loops(printer, own_axes(nest, context_.outer_axes(), fusion::parallel_rank(nest)), [&] {
    std::vector<Accumulator> accumulators = start_accumulators(nest);
    std::string begin = "0", end;
    if (in_segments) {
      code_.print("const {0} begin = segment * {1}, end = begin + {1} < {2} ? begin + {1} : {2};",
                  context_.index_type(), factor_text(launch.segments->groups), size_text(loop.groups));
      begin = "begin";
      end = "end";
    }
    bool deviates = deviation_ && &printer == printers_[deviation_->sum_nest].get();
    if (deviation_ && &printer == printers_[deviation_->squares_nest].get())
      return print_squares(printer, accumulators);
    auto take_all = [&] {
      for (const Accumulator& acc : accumulators) take(printer, acc);
      if (deviates) code_.print("{0} = taken({0}, {1});", deviations_, printer.value(deviation_->value));
      print_stores(printer, loop.packs);
    };
    QuickOperations quick(nest);
    if (combines) {
      for (size_t a = 0; a < accumulators.size(); ++a)
        take_segments(accumulators[a], *launch.segments, launch.segments->offsets[a]);
    } else if (loop.axes.empty() && team_.team > 1) {
      in_if("rank == 0", take_all);  // a single element, which must not count more often
    } else if (row_packs(nest) && !quick.empty() && can_be_repeated(nest)) {
      take_quickly(printer, loop, quick, accumulators, take_all);
    } else {
      in_shared_loop(printer, loop, begin, end, take_all);
    }
    for (size_t a = 0; a < accumulators.size(); ++a) {
      const Accumulator& acc = accumulators[a];
      if (team_.team > 1) code_.print("{} = {};", acc.name, combined(acc));
      if (in_segments)
        store_segment(acc, *launch.segments, launch.segments->offsets[a]);
      else
        store_result(printer, acc);
    }
    if (deviates) code_.print("{0} = settled({0});", deviations_);
    if (deviates && team_.team > 1) {
      std::string type = fmt::format("Deviations<{}>", vector_type(deviation_->dtype));
      code_.print(
          "{0} = combine_column<{1}, {2}>({0}, [](const {3}& a, const {3}& b) {{ return merged(a, b); }}, "
          "({3}*)shared);",
          deviations_, team_.teams, team_.team, type);
    }
  });
}

// Rows that it leaves to later nests would lie in registers beside those that it may have to take again.
bool CudaPrinter::can_be_repeated(const Nest& nest) const {
  return std::all_of(nest.stores.begin(), nest.stores.end(),
                     [](const Store& store) { return store.reduction != ReductionKind::none; });
}

// A thread that meets a rare element takes all of its elements once more.
void CudaPrinter::take_quickly(BodyPrinter& printer, const SharedLoop& loop, const QuickOperations& quick,
                               const std::vector<Accumulator>& accumulators, const Inside& take_all) {
  code_.print("bool is_rare = false;");
  printer.spell(
      [&](int node, std::span<const std::string> operands) { return quick.text(context_.kernel, node, operands); });
  in_shared_loop(printer, loop, "0", "", take_all);
  printer.spell({});
  code_.open("if (is_rare)");
  for (const Accumulator& acc : accumulators) code_.print("{} = {};", acc.name, identity(acc.kind, acc.dtype));
  in_shared_loop(printer, loop, "0", "", take_all);
  code_.close();
}

// The elements have been taken together with their sum.
void CudaPrinter::print_squares(BodyPrinter& printer, const std::vector<Accumulator>& accumulators) {
  const Accumulator& acc = accumulators[0];
  code_.print("{} = squares_about({}, {});", acc.name, deviations_, printer.value(deviation_->center));
  store_result(printer, acc);
}

void CudaPrinter::print_thread_reduction(BodyPrinter& printer) {
  const Nest& nest = printer.nest();
  int results = fusion::parallel_rank(nest);
  SharedLoop loop;
  loop.axes = own_axes(nest, context_.outer_axes(), results);
  loop.groups = symbolic_iterations(nest, context_.outer_axes(), results);
  in_shared_loop(printer, loop, "0", "", [&] {
    std::vector<Accumulator> accumulators = start_accumulators(nest);
    in_own_loops(printer, own_axes(nest, results, axis_count(nest)), [&] {
      for (const Accumulator& acc : accumulators) take(printer, acc);
      print_stores(printer, {});
    });
    for (const Accumulator& acc : accumulators) print_store(printer, nest.stores[acc.store], acc.name, acc.dtype);
  });
}

}  // namespace sinter::codegen
