// Which places of a device tensor indices name, as one number for each index.

#pragma once

#include <sinter/graph/op.h>

namespace sinter::runtime {

// The places that positions, in row-major order, name among `places` of them: i32 or i64, by how many there are.
//
// Made by adding up one index after the other. An index out of range is an error where the host next waits
// (pending_checks.h); until then it names a place at the end of its dim, so that nothing is written elsewhere.
class IndexKeys {
 public:
  IndexKeys(Device device, int64_t count, int64_t places);

  // An index tensor of `count` elements along a dim of `size` elements, `step` places apart; counts from the end if
  // `wraps`. `what` is the error of an index that is out of range, which it calls {}.
  void add(const OpArgs& args, const Tensor& index, int64_t size, int64_t step, bool wraps, std::string_view what);
  // The place of element (i0, i1, ...) of `sizes`: i0 * steps[0] + ...; at most 8 dims.
  void add_places(const Dims& sizes, const Dims& steps);

  const Tensor& keys() const { return keys_; }
  int64_t count() const { return count_; }
  int64_t places() const { return places_; }

 private:
  Tensor keys_;
  int64_t count_, places_;
  bool is_started_ = false;
};

// The most dims that add_places takes.
inline constexpr int64_t most_key_dims = 8;

// "index {} is out of range for dim 1 of size 5"; dim < 0: of a whole tensor.
std::string out_of_range_text(const OpArgs& args, int64_t dim, int64_t size);

}  // namespace sinter::runtime
