// tril_indices, triu_indices: the places of a matrix's triangle, row by row.

#include <sinter/runtime/routines/routine.h>

#include <algorithm>

namespace sinter::runtime::routines {

namespace {

// Row r has its columns from first(r) up to, not including, last(r); above the diagonal of a lower triangle are none.
template <class First, class Last>
void list_places(const OpArgs& args, const Tensor& result, bool begins_late, First first, Last last) {
  int64_t rows = args.integer("row"), columns = args.integer("col"), count = result.sizes()[1].constant();
  if (count == 0) return;  // of however many rows
  int64_t offset = std::clamp(args.integer("offset"), -rows, columns);
  auto list = [&](auto zero) {
    using T = decltype(zero);
    T* row_of = result.data_ptr<T>();
    T* column_of = row_of + count;
    T* end = column_of;
    for (int64_t row = std::max<int64_t>(-offset, 0) * begins_late; row < rows && row_of != end; ++row)
      for (int64_t column = first(row + offset, columns); column < last(row + offset, columns); ++column) {
        *row_of++ = static_cast<T>(row);
        *column_of++ = static_cast<T>(column);
      }
  };
  result.dtype() == DType::i64 ? list(int64_t{}) : list(int32_t{});
}

}  // namespace

SINTER_ROUTINE(tril_indices_default) {
  list_places(
      args, results[0], true, [](int64_t, int64_t) { return int64_t{0}; },
      [](int64_t diagonal, int64_t columns) { return std::clamp<int64_t>(diagonal + 1, 0, columns); });
}

SINTER_ROUTINE(triu_indices_default) {
  list_places(
      args, results[0], false,
      [](int64_t diagonal, int64_t columns) { return std::clamp<int64_t>(diagonal, 0, columns); },
      [](int64_t, int64_t columns) { return columns; });
}

}  // namespace sinter::runtime::routines
