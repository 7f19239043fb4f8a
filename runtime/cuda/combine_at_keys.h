// Elements that meet at the places which keys name, combined in the order of their positions: the CPU's order, whatever
// the device's threads do.

#pragma once

#include <sinter/runtime/cuda/index_keys.h>

namespace sinter::runtime {

enum class Meeting : uint8_t { add, multiply, minimum, maximum, mean };

// A contiguous tensor as [outer, places, inner], and values as [outer, keys, inner].
struct KeyedShape {
  int64_t outer = 1, inner = 1;
};

// The last of those that meet stays. `values` of one element go everywhere. Of any type.
void assign_at_keys(const Tensor& target, const IndexKeys& keys, const Tensor& values, KeyedShape shape);

// Of bool, integers, f32 and f64; both of one type. Without `includes_target`, what stood at a named place does not
// count.
void combine_at_keys(const Tensor& target, const IndexKeys& keys, const Tensor& values, KeyedShape shape, Meeting how,
                     bool includes_target = true);

}  // namespace sinter::runtime
