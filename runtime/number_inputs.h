// The Scalar arguments of one call as the programs' inputs that they are: zero-dim tensors, in memory that a thread
// uses again for the numbers of its next call.

#pragma once

#include <sinter/runtime/flat_arguments.h>

namespace sinter::runtime {

class NumberInputs {
 public:
  NumberInputs();
  ~NumberInputs();
  NumberInputs(const NumberInputs&) = delete;
  NumberInputs& operator=(const NumberInputs&) = delete;

  // The number whose value is that word. The tensor holds it as long as this object lives.
  const Tensor* add(const FlatArguments& arguments, int word);

 private:
  size_t first_;  // calls within calls stand on each other
};

// What such a tensor holds.
Scalar number_in(const Tensor& tensor);
Scalar number_at(const void* data, DType dtype);

}  // namespace sinter::runtime
