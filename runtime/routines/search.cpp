// Searches in sorted sequences and membership. Numbers are compared in the common type of both sides, as i64 or f64,
// which hold all others exactly.

#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/types.h>
#include <sinter/runtime/routines/indices.h>
#include <sinter/runtime/routines/routine.h>

#include <algorithm>
#include <cmath>

namespace sinter::runtime::routines {

namespace {

DType exact_type(DType dtype) { return is_floating(dtype) ? DType::f64 : DType::i64; }

DType common_type_of(const OpArgs& args) {
  TypedOperand operands[] = {args.typed(0), args.typed(1)};
  return result_type(operands);
}

template <class F>
void visit_exact(DType dtype, F&& f) {
  is_floating(dtype) ? f(double{}) : f(int64_t{});
}

// The sequence at position k, through the order that sorts it if there is one.
template <class T>
struct Sequence {
  const T* values;
  const int64_t* order;
  int64_t size;
  T operator[](int64_t k) const { return values[order ? order[k] : k]; }
};

// The first position whose element is not before the value: not less (left), or greater (right). A NaN is after all.
template <class T>
int64_t place(const Sequence<T>& sequence, T value, bool right) {
  int64_t low = 0, high = sequence.size;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    bool is_after = right ? sequence[middle] > value : sequence[middle] >= value;
    is_after ? high = middle : low = middle + 1;
  }
  return low;
}

void check_sorter(const OpArgs& args, const Tensor& sorter, int64_t size) {
  const int64_t* order = sorter.data_ptr<int64_t>();
  for (int64_t i = 0, count = count_of(sorter); i < count; ++i)
    if (order[i] < 0 || order[i] >= size)
      args.fail(ErrorKind::argument, fmt::format("the sorter has index {} for a sequence of size {}", order[i], size));
}

void write_position(const Tensor& result, int64_t i, int64_t position) {
  if (result.dtype() == DType::i32)
    result.data_ptr<int32_t>()[i] = static_cast<int32_t>(position);
  else
    result.data_ptr<int64_t>()[i] = position;
}

// sequences: one, or as many rows as values have.
void search(const OpArgs& args, const Tensor& sequences, const Tensor& values, const Tensor& sorter, bool right,
            const Tensor& result) {
  int64_t count = count_of(values);
  if (count == 0) return;
  int64_t size = sequences.sizes()[sequences.dim() - 1].constant();
  bool one_for_all = sequences.dim() == 1;
  int64_t per_sequence = one_for_all ? count : values.sizes()[values.dim() - 1].constant();
  Tensor order = sorter.defined() ? contiguous(sorter) : Tensor();
  if (order.defined()) check_sorter(args, order, size);
  DType common = common_type_of(args), dtype = exact_type(common);
  Tensor among = dense(sequences.to(common), dtype), wanted = dense(values.to(common), dtype);
  visit_exact(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* data = wanted.data_ptr<T>();
    for (int64_t i = 0; i < count; ++i) {
      int64_t start = i / per_sequence * size;
      Sequence<T> sequence{among.data_ptr<T>() + start, order.defined() ? order.data_ptr<int64_t>() + start : nullptr,
                           size};
      write_position(result, i, place(sequence, data[i], right));
    }
  });
}

template <class T>
void write_membership(const Tensor& elements, const Tensor& among, bool invert, bool* out) {
  const T* begin = among.data_ptr<T>();
  std::vector<T> sorted(begin, begin + count_of(among));
  std::erase_if(sorted, [](T value) { return value != value; });
  std::sort(sorted.begin(), sorted.end());
  const T* data = elements.data_ptr<T>();
  for (int64_t i = 0, count = count_of(elements); i < count; ++i)
    out[i] = (data[i] == data[i] && std::binary_search(sorted.begin(), sorted.end(), data[i])) != invert;
}

}  // namespace

SINTER_ROUTINE(searchsorted_tensor) {
  bool right = args.flag("right") || (!args["side"].is_none() && args["side"].string() == "right");
  Tensor sorter = args["sorter"].is_none() ? Tensor() : args["sorter"].tensor();
  search(args, args.tensor(0), args.tensor(1), sorter, right, results[0]);
}

SINTER_ROUTINE(bucketize_tensor) { search(args, args.tensor(1), args.tensor(0), {}, args.flag("right"), results[0]); }

SINTER_ROUTINE(isin_tensor_tensor) {
  DType common = common_type_of(args), dtype = exact_type(common);
  Tensor elements = dense(args.tensor(0).to(common), dtype), among = dense(args.tensor(1).to(common), dtype);
  bool* out = results[0].data_ptr<bool>();
  visit_exact(dtype, [&](auto zero) { write_membership<decltype(zero)>(elements, among, args.flag("invert"), out); });
}

}  // namespace sinter::runtime::routines
