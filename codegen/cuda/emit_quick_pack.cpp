// A pack whose lanes are computed in short forms, and the rare lanes among them once more from memory to memory: a
// thread that has none, as nearly all, goes by one branch. Where arguments are not aligned all lanes count as rare.

#include <sinter/codegen/cuda/cuda_printer.h>

#include <sinter/codegen/cpp/scalar_syntax.h>
#include <sinter/codegen/kernel_name.h>

#include <algorithm>

namespace sinter::codegen {

using fusion::Nest;

// The rare lanes read what they need after the pack is written.
bool CudaPrinter::can_be_quick(const Nest& nest, const Packs& packs) const {
  if (packs.count == 1 || packs.stores.size() != nest.stores.size() || QuickOperations(nest).empty()) return false;
  return std::none_of(context_.kernel.buffers.begin(), context_.kernel.buffers.end(),
                      [](const KernelBuffer& used) { return used.is_written && (used.is_read || used.may_alias); });
}

// Of the arguments that are moved as packs; empty if there are none, or rows end within packs.
std::string CudaPrinter::alignment_check(const Nest& nest, const Packs& packs) const {
  if (packs.has_rest) return {};
  std::vector<std::string> pointers;
  std::vector<int> buffers;
  for (int row : packs.loads) buffers.push_back(nest.body.loads[row].buffer);
  for (int store : packs.stores) buffers.push_back(nest.stores[store].buffer);
  for (int buffer : buffers) {
    if (is_fresh(context_.kernel.buffer(buffer))) continue;
    std::string text = fmt::format("(unsigned long){}", context_.kernel.used(buffer).name);
    if (std::find(pointers.begin(), pointers.end(), text) == pointers.end()) pointers.push_back(std::move(text));
  }
  return pointers.empty() ? std::string() : fmt::format("({}) % 16 == 0", fmt::join(pointers, " | "));
}

void CudaPrinter::in_quick_pack(BodyPrinter& printer, int axis, const Packs& packs) {
  QuickOperations quick(printer.nest());
  std::string i = axis_name(axis), begin = i + "_begin";
  std::string check = alignment_check(printer.nest(), packs);
  code_.print("unsigned rare = {};  // lanes", check.empty() ? 0 : (1u << packs.count) - 1);
  if (!check.empty()) code_.open(fmt::format("if ({})", check));
  packs_are_aligned_ = !check.empty();
  printer.push_scope();
  load_packs(printer, axis, packs, begin);
  declare_packs(printer, packs);
  if (!check.empty()) code_.print("rare = 0;");
  code_.directive("#pragma unroll");
  code_.open(fmt::format("for (int lane = 0; lane < {}; ++lane)", packs.count));
  code_.print("const {} {} = {} + lane;", context_.index_type(), i, begin);
  if (packs.has_rest) code_.print("if ({} >= {}) break;", i, size_text(printer.nest().axes[axis].extent));
  code_.print("bool is_rare = false;");
  printer.spell(
      [&](int node, std::span<const std::string> operands) { return quick.text(context_.kernel, node, operands); });
  printer.set_axis(axis, i);
  printer.print_values();
  print_stores(printer, packs);
  printer.spell({});
  code_.print("if (is_rare) rare |= 1u << lane;");
  code_.close();
  store_packs(printer, axis, packs, begin);
  printer.pop_scope();
  packs_are_aligned_ = false;
  if (!check.empty()) code_.close();
  print_rare_lanes(printer, axis);
}

void CudaPrinter::print_rare_lanes(BodyPrinter& printer, int axis) {
  std::string i = axis_name(axis);
  code_.directive("#pragma unroll 1");
  code_.open("for (int lane = 0; rare != 0; ++lane, rare >>= 1)");
  code_.print("if ((rare & 1) == 0) continue;");
  code_.print("const {0} {1} = {1}_begin + lane;", context_.index_type(), i);
  printer.push_scope();
  printer.read_memory();
  printer.set_axis(axis, i);
  printer.print_values();
  print_stores(printer, Packs{});
  printer.pop_scope();
  code_.close();
}

}  // namespace sinter::codegen
