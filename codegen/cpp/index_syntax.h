// Index expressions as C++, and how they move from lane to lane of a vector.

#pragma once

#include <sinter/codegen/cpp/size_syntax.h>
#include <sinter/fusion/index_expr.h>

#include <optional>
#include <string>
#include <vector>

namespace sinter::codegen {

// What an index expression may refer to: the C++ of each axis, by axis number, and their extents; who names symbolic
// sizes.
struct AxisScope {
  std::vector<std::string> text;
  std::vector<SymInt> extents;
  SizeNames* sizes = nullptr;
};

// The variable of an axis: `i2`.
std::string axis_name(int axis);

// `512 * i0 + i1 / 4`. Pieces that it calls are added to `use`.
std::string index_text(const fusion::IndexExpr& expr, const AxisScope& scope, PreludeUse& use);
// `pointer + index`, or only `pointer`.
std::string address_text(std::string_view pointer, const fusion::IndexExpr& expr, const AxisScope& scope,
                         PreludeUse& use);

// By how much the expression grows from one lane to the next if lanes lie along `axis`, where that is one size. With
// `aligned`, vectors start at multiples of `lanes`: then quotients can be uniform in a vector too.
std::optional<SymInt> lane_slope(const fusion::IndexExpr& expr, int axis, int lanes, bool aligned);

// The slope is that number, whatever symbolic sizes are.
inline bool is_number(std::optional<SymInt> slope, int64_t number) { return slope && slope->same(number); }

// From one lane to the next the expression never grows by more than 1: n lanes that span n - 1 are consecutive.
bool steps_at_most_one(const fusion::IndexExpr& expr, int axis);

// The expression is a multiple of `lanes` at the start of each vector along `axis`.
bool starts_aligned(const fusion::IndexExpr& expr, int axis, int lanes);

}  // namespace sinter::codegen
