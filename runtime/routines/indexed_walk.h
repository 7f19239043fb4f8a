// A loop over the elements that an index list names: runs of memory on two sides that move together.

#pragma once

#include <sinter/graph/ops/index_arguments.h>
#include <sinter/runtime/routines/indices.h>

#include <vector>

namespace sinter::runtime {

// How a side's elements lie in memory: in dims before the indices, at each position of the indices, in dims after them.
struct IndexedSide {
  Dims before;                   // strides
  std::vector<int64_t> offsets;  // of each position, row-major
  Dims after;                    // strides
};

// A run of elements: where it starts on each side, and its steps there.
struct ElementRun {
  int64_t first_offset, second_offset;
  int64_t count;
  int64_t first_stride, second_stride;
};

class IndexedWalk {
 public:
  // The sizes of self in the dims kept; the side that self's indices name, and the side in a tensor of the indexed
  // sizes.
  IndexedWalk(Dims before, Dims after, IndexedSide first, IndexedSide second);

  int64_t position_count() const { return static_cast<int64_t>(first_.offsets.size()); }
  // Calls body(run) for all elements of positions [begin, end).
  template <class Body>
  void for_each_run(int64_t begin, int64_t end, const Body& body) const {
    for_each_outer([&](int64_t first, int64_t second) {
      for (int64_t i = begin; i < end; ++i)
        for (const auto& [a, b] : rest_)
          body(ElementRun{first + first_.offsets[i] + a, second + second_.offsets[i] + b, run_.size, run_.first,
                          run_.second});
    });
  }

 private:
  struct Step {
    int64_t size, first, second;
  };
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;

  static Pairs offsets_over(const std::vector<Step>& steps);
  template <class Body>
  void for_each_outer(const Body& body) const {
    for (const auto& [first, second] : outer_) body(first, second);
  }

  IndexedSide first_, second_;
  Pairs outer_, rest_;  // offsets of the dims before, and of the dims after but the last
  Step run_{1, 1, 1};
};

// The walk over self[indices] (first side) and a tensor that has the indexed sizes, or broadcasts to them (second).
IndexedWalk walk_indexed(const OpArgs& args, const Tensor& self, const std::vector<Tensor>& indices,
                         const Tensor& indexed);

}  // namespace sinter::runtime
