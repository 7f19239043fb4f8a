// The naive reference: what a call of a foundation operator gives, by plain loops over logical indices.
//
// In-place operators give the value that is then written. Strides, memory and aliasing are the tests' own business.

#pragma once

#include "reference/array.h"

#include <sinter/graph/value.h>

#include <optional>
#include <string_view>
#include <variant>

namespace sinter::reference {

// An array (a number in a tensor slot too), a list of arrays, or any other argument as it is.
using Argument = std::variant<Value, Array, std::vector<Array>>;
// In schema order, defaults included.
using Arguments = std::vector<Argument>;

// Nothing if the reference does not know the operator. `op` is a qualified name.
std::optional<std::vector<Array>> evaluate(std::string_view op, const Arguments& arguments);

// By family; each gives nothing for operators of another.
std::optional<std::vector<Array>> evaluate_pointwise(std::string_view name, const Arguments& arguments);
std::optional<std::vector<Array>> evaluate_reduction(std::string_view name, const Arguments& arguments);
std::optional<std::vector<Array>> evaluate_norm(std::string_view name, const Arguments& arguments);
std::optional<std::vector<Array>> evaluate_view(std::string_view name, const Arguments& arguments);
std::optional<std::vector<Array>> evaluate_matmul(std::string_view name, const Arguments& arguments);

const Array& array(const Argument& argument);
std::vector<int64_t> integers(const Argument& argument);
bool is_none(const Argument& argument);
// Counts from the end where negative.
int64_t wrapped_dim(int64_t dim, int64_t rank);

}  // namespace sinter::reference
