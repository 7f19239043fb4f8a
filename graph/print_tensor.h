// Tensors as text: values aligned, long dims elided, then type and sizes.

#pragma once

#include <iosfwd>
#include <string>

#include <sinter/graph/tensor.h>

namespace sinter {

// [[ 1.0000, -2.5000],
//  [10.0000,  3.0000]] f32[2, 2]
std::string to_string(const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace sinter
