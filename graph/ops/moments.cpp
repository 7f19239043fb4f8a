// Moments in one pass over memory, where two would read it twice.
//
// Values c = x - k about a shift k have the sums S1 and S2 of themselves and their squares, and about the mean the
// squares are S2 - S1^2/n. That cancels where k is far from the mean; k is the mean of an eighth of the values, from
// which the mean cannot be farther than makes S2 nine times the result (Cauchy), so at most three bits are lost, and
// none where the values do not drift. Columns are taken in blocks of 64 rows, each about a k of its own, and block
// moments are combined as in T. Chan, G. Golub, R. LeVeque, "Algorithms for computing the sample variance" (1983),
// here with what differs from the mean kept apart from it, so that large means cost nothing.

#include <sinter/graph/ops/moments.h>

#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/ops.h>

#include <algorithm>
#include <limits>

namespace sinter {

namespace {

constexpr int64_t block_rows = 64;
constexpr int64_t sampled_rows = block_rows / 8;
constexpr int64_t least_rows = 4 * block_rows;
constexpr int64_t least_columns = 64;
constexpr int64_t least_row = 32 * 1024;  // a shorter one is read twice while it is in cache
constexpr double infinity = std::numeric_limits<double>::infinity();

// --- Layouts ----------------------------------------------------------------------------------------------------

// The tensor in its memory order: what is kept, what is taken over, what is kept.
struct Lines {
  Dims order;
  SymInt outer = 1, length = 1, inner = 1;
};

std::optional<Lines> lines_of(const Tensor& x, const Dims& dims) {
  Lines lines;
  lines.order = stride_order(x.layout());
  Layout ordered;
  for (int64_t dim : lines.order) {
    ordered.sizes.push_back(x.layout().sizes[dim]);
    ordered.strides.push_back(x.layout().strides[dim]);
  }
  if (dims.empty() || !is_contiguous(ordered)) return {};
  SymInt* part = &lines.outer;
  for (int64_t dim : lines.order) {
    bool is_taken = std::find(dims.begin(), dims.end(), dim) != dims.end();
    if (is_taken && part == &lines.outer) part = &lines.length;
    if (!is_taken && part == &lines.length) part = &lines.inner;
    if (is_taken && part == &lines.inner) return {};
    *part *= x.sizes()[dim];
  }
  return lines;
}

// Of results for each of outer and inner: the tensor's sizes, 1 where it was taken over, in the tensor's order of dims.
Tensor kept_dims(const Tensor& result, const Tensor& x, const Dims& dims, const Lines& lines, Here here) {
  SymDims sizes;
  for (int64_t dim : lines.order)
    sizes.push_back(std::find(dims.begin(), dims.end(), dim) != dims.end() ? SymInt(1) : x.sizes()[dim]);
  Dims back(lines.order.size(), 0);
  for (size_t i = 0; i < lines.order.size(); ++i) back[lines.order[i]] = static_cast<int64_t>(i);
  return result.view(sizes, here).permute(back, here);
}

// --- Sums about a shift -----------------------------------------------------------------------------------------

struct ShiftedSums {
  Tensor shift;
  Tensor values;   // of c
  Tensor squares;  // of c^2
  SymInt count;
};

// Along `dim`, which is kept with size 1; the shift is the mean of the first `sampled`.
ShiftedSums shifted_sums(const Tensor& x, int64_t dim, SymInt sampled, Here here) {
  Tensor shift = mean(narrow(x, dim, 0, sampled, here), Dims{dim}, true, {}, here);
  shift = where(abs(shift, here) < infinity, shift, 0.0, here);  // infinite values are to have an infinite mean
  Tensor shifted = x - shift;
  return {shift, sum(shifted, Dims{dim}, true, {}, here), sum(shifted * shifted, Dims{dim}, true, {}, here),
          x.sizes()[dim]};
}

// Of the squared distances from the mean of these values alone; infinite where the squares are.
Tensor squares_about_own_mean(const ShiftedSums& sums, Here here) {
  Tensor squares = sums.squares - sums.values * (sums.values / floating_count(sums.count));
  return where(sums.squares < infinity, clamp_min(squares, 0.0, here), sums.squares, here);
}

// --- Rows: one shift for each -----------------------------------------------------------------------------------

Moments row_moments(const Tensor& rows, Here here) {
  ShiftedSums sums = shifted_sums(rows, 1, floor_div(rows.sizes()[1], 8), here);
  Tensor offset = sums.values / floating_count(sums.count);
  // The last difference is NaN where a value is infinite.
  return {sums.shift + offset, squares_about_own_mean(sums, here) + (offset - offset)};
}

// --- Columns: one shift for each block of rows ------------------------------------------------------------------

// The mean as a value of the tensor's own size and what it is above that: large ones are not rounded.
struct Centre {
  Tensor origin, offset;
};

Tensor squares_about(const Centre& centre, const ShiftedSums& sums, Here here) {
  SymInt count = sums.count;
  Tensor distance = (sums.shift - centre.origin) - centre.offset + sums.values / floating_count(count);
  return squares_about_own_mean(sums, here) + distance * distance * floating_count(count);
}

// What the values are above `origin`, in all.
Tensor total_above(const Tensor& origin, const ShiftedSums& sums) {
  return (sums.shift - origin) * floating_count(sums.count) + sums.values;
}

// Of [outer, length, inner]; results have length 1.
Moments column_moments(const Tensor& x, Here here) {
  SymInt outer = x.sizes()[0], length = x.sizes()[1], inner = x.sizes()[2];
  SymInt blocks = floor_div(length, block_rows), rest = length - blocks * block_rows;
  bool has_rest = !(rest == 0);
  Tensor whole = has_rest ? narrow(x, 1, 0, blocks * block_rows, here) : x;
  ShiftedSums sums = shifted_sums(whole.view({outer, blocks, block_rows, inner}, here), 2, sampled_rows, here);
  Centre centre;
  centre.origin = narrow(sums.shift, 1, 0, 1, here);
  Tensor above = sum(total_above(centre.origin, sums), Dims{1}, true, {}, here);
  if (!has_rest) {
    centre.offset = above / floating_count(length);
    return {centre.origin + centre.offset, sum(squares_about(centre, sums, here), Dims{1}, true, {}, here)};
  }
  Tensor tail = narrow(x, 1, blocks * block_rows, rest, here).view({outer, 1, rest, inner}, here);
  ShiftedSums tail_sums = shifted_sums(tail, 2, rest, here);
  centre.offset = (above + total_above(centre.origin, tail_sums)) / floating_count(length);
  Tensor squares = sum(squares_about(centre, sums, here), Dims{1}, true, {}, here);
  return {centre.origin + centre.offset, squares + squares_about(centre, tail_sums, here)};
}

Moments in_two_passes(const Tensor& x, const Dims& dims, Here here) {
  Tensor average = mean(x, dims, true, {}, here);
  Tensor centred = x - average;
  return {average, sum(centred * centred, dims, true, {}, here)};
}

}  // namespace

Moments moments(const Tensor& x, const Dims& dims, Here here) {
  // A GPU keeps rows in its registers, and its generator joins the two sums of two passes by itself.
  std::optional<Lines> lines = x.device().is_cpu() ? lines_of(x, dims) : std::nullopt;
  if (!lines) return in_two_passes(x, dims, here);
  bool are_rows = lines->inner.same(1) && lines->length >= least_row;
  bool are_columns = !are_rows && lines->inner >= least_columns && lines->length >= least_rows;
  if (!are_rows && !are_columns) return in_two_passes(x, dims, here);
  Tensor ordered = x.permute(lines->order, here);
  Moments found = are_rows ? row_moments(ordered.view({lines->outer, lines->length}, here), here)
                           : column_moments(ordered.view({lines->outer, lines->length, lines->inner}, here), here);
  return {kept_dims(found.mean, x, dims, *lines, here), kept_dims(found.squares, x, dims, *lines, here)};
}

}  // namespace sinter
