// Matrix products of the reference, by the definition.

#include "reference/evaluate.h"

#include <cmath>

namespace sinter::reference {

namespace {

Array product(const Array& a, const Array& b) {
  int64_t rows = a.sizes[0], inner = a.sizes[1], columns = b.sizes[1];
  Array out{a.dtype, {rows, columns}, {}, false, 16, {}};
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      Number total;
      double magnitude = 0;
      for (int64_t k = 0; k < inner; ++k) {
        const Number &x = a.values[i * inner + k], &y = b.values[k * columns + j];
        total.f += x.f * y.f;
        total.i = static_cast<int64_t>(static_cast<uint64_t>(total.i) +
                                       static_cast<uint64_t>(x.i) * static_cast<uint64_t>(y.i));
        magnitude += std::fabs(x.f * y.f);
      }
      out.values.push_back({round_float(out.dtype, total.f), wrap_integer(out.dtype, total.i)});
      out.scales.push_back(std::isfinite(magnitude) ? magnitude : 0);
    }
  return out;
}

}  // namespace

std::optional<std::vector<Array>> evaluate_matmul(std::string_view name, const Arguments& arguments) {
  if (name != "mm" && name != "matmul") return std::nullopt;
  const Array &a = array(arguments[0]), &b = array(arguments[1]);
  if (a.rank() != 2 || b.rank() != 2) return std::nullopt;
  return {{product(a, b)}};
}

}  // namespace sinter::reference
