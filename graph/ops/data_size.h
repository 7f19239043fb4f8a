// Sizes that only data tell: symbols for them, numbers of tensors used as sizes, and what the user knows of them.

#pragma once

#include <sinter/graph/ops/declare.h>
#include <sinter/graph/size_proof.h>

// clang-format off
#define SINTER_DATA_SIZE_OPS(OP) \
  OP(check_sizes_default) \
  OP(item_default)
// clang-format on

SINTER_DECLARE_OPS(SINTER_DATA_SIZE_OPS)

namespace sinter {

// An op whose results only data size: runtime/routines makes them. `meta` is for traces, and names sizes by the
// functions below.
constexpr OpDef sized_by_data(std::string_view signature, Metas (*meta)(const OpArgs&)) {
  return {.signature = signature, .meta = meta, .library = Library::sizing_routine, .may_fail_on_data = true};
}

// A size of a traced op's result that only data tell, within a range. A trace error where nothing keeps account of it.
SymInt size_from_data(const OpArgs& args, SizeRange range);
// From 0 to `most`.
SymInt count_from_data(const OpArgs& args, SymInt most);

// In a trace: the arguments with which an op is recorded in place of these, once what their data decide has become ops
// of its own. Empty: these.
Values lifted_arguments(const OpArgs& args);
// Of index and index_put: positions in place of masks.
Values with_positions(const OpArgs& args);
// The same but for self[mask] = number, which needs none.
Values with_positions_unless_filled(const OpArgs& args);
// Of one_hot: the number of classes, where the data tell it.
Values with_class_count(const OpArgs& args);

// The number in an integer or bool tensor of one element, in a trace: a symbol.
SymInt symbolic_item(const Tensor& tensor, Here here);

// Says of a size that only data tell that it is from min to max: comparisons that this answers are answered, and the
// program checks it. Of a number it is checked at once. Returns the size.
SymInt check_size(SymInt size, int64_t min = 0, int64_t max = SizeRange::no_high, Here here = Here::current());
// In the fake function of a custom op: a size of its result that only the real function tells, within a range.
SymInt new_unknown_size(int64_t min = 0, int64_t max = SizeRange::no_high, Here here = Here::current());

// Within a scope, unknown sizes are those of this op's results.
class NameSizesAfter {
 public:
  explicit NameSizesAfter(std::string_view op);
  ~NameSizesAfter();
  NameSizesAfter(const NameSizesAfter&) = delete;

 private:
  std::string_view before_;
};

}  // namespace sinter
