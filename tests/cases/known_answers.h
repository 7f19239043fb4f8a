// Runs small functions with known answers in every way: eager and compiled, at lengths around the vector width, in
// every layout, alone, fused and with the value also returned.

#pragma once

#include <sinter/graph/op.h>

#include <functional>
#include <string>
#include <vector>

namespace sinter::test {

using Tensors = std::vector<Tensor>;
using Function = std::function<Tensors(Tensors)>;

// A call by name of an operator with one result.
template <class... Args>
Tensor op(std::string_view name, Args&&... args) {
  return ops(name)(std::forward<Args>(args)...)[0].tensor();
}

// A dense tensor with these values, given as double whatever the dtype.
Tensor make(DType dtype, std::vector<int64_t> sizes, const std::vector<double>& values);
Tensor make(DType dtype, const std::vector<double>& values);
Tensor scalar(DType dtype, double value);
// first, first + 1, ...
Tensor count_up(DType dtype, std::vector<int64_t> sizes, double first = 0);

std::vector<double> values_of(const Tensor& tensor);
std::vector<int64_t> sizes_of(const Tensor& tensor);
std::vector<int64_t> strides_of(const Tensor& tensor);

// The same values in other memory: dims stored in reverse order; every second element from an offset.
enum class Placement { dense, transposed, sliced };
inline constexpr Placement all_placements[] = {Placement::dense, Placement::transposed, Placement::sliced};
Tensor placed(const Tensor& dense, Placement placement);

// Equal bits (any NaN is any other), or within `ulps` units in the last place of the dtype (the sign of zero is then
// free).
void expect_values(const Tensor& got, const std::vector<double>& want, double ulps = 0);

// Calls `check(results, inputs)` after an eager call and after a first and a second compiled call, each on fresh
// inputs.
void in_both_modes(const std::function<Tensors()>& make_inputs, const Function& function,
                   const std::function<void(const Tensors& results, const Tensors& inputs)>& check);

// What both modes do to inputs that the function only reads: nothing.
void expect_results(const Tensors& inputs, const Function& function, const std::vector<std::vector<double>>& want,
                    double ulps = 0);

struct PointwiseAnswer {
  std::function<Tensor(Tensors)> function;
  std::vector<DType> input_dtypes;
  std::vector<std::vector<double>> inputs;  // repeated to every length
  DType dtype = DType::f32;
  std::vector<double> want;
  double ulps = 0;
};
// At lengths 1, 3, 7, 8, 9, 15, 16, 17, 31, 33 and 1000 (as [8, 125]), in every placement: alone; at some lengths fused
// between negations too, and with the value returned beside its negation (where nothing is bool).
void expect_pointwise(const PointwiseAnswer& answer);

// Expects an Error of the kind in both modes, and inputs as before.
void expect_error(const std::function<Tensors()>& make_inputs, const Function& function, ErrorKind kind,
                  std::string_view message_part = {});

}  // namespace sinter::test
