// The sizes of one compiled graph: numbers where they are fixed, else what a call computes from its arguments' sizes,
// and from what its data turn out to be.

#pragma once

#include <sinter/graph/size_program.h>
#include <sinter/graph/tensor.h>

#include <span>
#include <vector>

namespace sinter::runtime {

// The values of all symbols and expressions at one call. Empty where there are none.
using SizeValues = SmallVector<int64_t, 64>;

// A number, or a place among the values.
struct Amount {
  int64_t number = 0;
  int slot = -1;
  int64_t in(const SizeValues& values) const { return slot < 0 ? number : values[slot]; }
};

struct LayoutAmounts {
  SmallVector<Amount, 6> sizes, strides;
  Amount offset;
  Layout in(const SizeValues& values) const;
};

class ProgramSizes {
 public:
  ProgramSizes() = default;
  // `inputs`: as they were traced. Their sizes tell the symbols.
  // `data_symbols`: one more than the largest number of a symbol that only data tell.
  explicit ProgramSizes(std::span<const TensorMeta> inputs, int data_symbols = 0);

  bool is_static() const { return sources_.empty() && !has_data_; }
  Amount amount(SymInt size);
  LayoutAmounts amounts(const Layout& layout);
  // What amount() has been asked for, at a call.
  int64_t number(SymInt size, const SizeValues& values) const;

  // From the arguments of a call.
  void bind(std::span<const Tensor* const> inputs, SizeValues& values) const;
  // A size that data tell, once they have.
  void give(int symbol, int64_t value, SizeValues& values) const;

 private:
  struct Source {
    int symbol, input, dim;
    int64_t multiple_of;
    bool is_used;  // what nothing asks for is not read
  };
  std::vector<Source> sources_;  // of all symbols
  bool has_data_ = false;        // some symbols only data tell
  graph::SizeProgram program_;
};

}  // namespace sinter::runtime
