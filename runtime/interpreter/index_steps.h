// Quotients and remainders of positions that grow by even steps: without a division for each.

#pragma once

#include <cstdint>
#include <span>

#include <sinter/fusion/index_expr.h>

namespace sinter::runtime {

// Adds coef * quotient(start + sum of stride * coordinate) to each point of a box, the last axis fastest.
void add_quotients(int64_t* out, fusion::QuotientKind kind, int64_t coef, int64_t divisor, int64_t start,
                   std::span<const int64_t> extents, std::span<const int64_t> strides);

}  // namespace sinter::runtime
