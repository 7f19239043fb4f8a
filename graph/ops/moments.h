// The mean of a tensor over some dims, and the sum of the squared distances from it.

#pragma once

#include <sinter/graph/tensor.h>

namespace sinter {

// Of the tensor's sizes, but 1 in the dims taken over.
struct Moments {
  Tensor mean;
  Tensor squares;
};

// Of values of f32 or f64. Which of the forms of moments.cpp is taken tells the layout alone.
Moments moments(const Tensor& x, const Dims& dims, Here here);

}  // namespace sinter
