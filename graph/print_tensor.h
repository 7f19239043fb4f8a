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

// What can be asked of a tensor: `std::cout << x.sizes()` prints [2, 3], a dtype f32, a device cpu.
std::ostream& operator<<(std::ostream& out, const SymDims& sizes);
std::ostream& operator<<(std::ostream& out, SymInt size);
std::ostream& operator<<(std::ostream& out, DType dtype);
std::ostream& operator<<(std::ostream& out, Device device);

}  // namespace sinter
