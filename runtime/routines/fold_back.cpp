// Gradients of ops that repeat elements: each element of the gradient is added to the one that it came from.

#include <sinter/fusion/index_expr.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/pad.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/routines/routine.h>

#include <vector>

namespace sinter::runtime::routines {

namespace {

constexpr int64_t serial_elements = 16384;  // below this, threads are not worth it

// Of each dim of the gradient: by how much an index there moves the place in the row-major result.
using Offsets = std::vector<std::vector<int64_t>>;

template <class T, class Sum>
void add(const T* from, const Layout& layout, const Offsets& offsets, size_t dim, Sum* to) {
  if (dim == offsets.size()) {
    *to += static_cast<Sum>(*from);
    return;
  }
  int64_t stride = layout.strides[dim].constant();
  for (size_t i = 0; i < offsets[dim].size(); ++i)
    add(from + static_cast<int64_t>(i) * stride, layout, offsets, dim + 1, to + offsets[dim][i]);
}

// Row-major sums into a result of any strides.
template <class T, class Sum>
void write(T* to, const Layout& layout, size_t dim, const Sum*& sums) {
  if (dim == layout.sizes.size()) {
    *to = static_cast<T>(*sums++);
    return;
  }
  for (int64_t i = 0; i < layout.sizes[dim].constant(); ++i)
    write(to + i * layout.strides[dim].constant(), layout, dim + 1, sums);
}

// Indices along the first dim never meet in the result if `first_is_apart`.
template <class T, class Sum>
void fold_back(const Tensor& gradient, const Offsets& offsets, const Tensor& result, bool first_is_apart) {
  std::vector<Sum> sums(result.numel().constant(), Sum{0});
  int64_t count = gradient.numel().constant();
  const T* from = gradient.data_ptr<T>();
  if (count > 0 && first_is_apart && !offsets.empty()) {
    Offsets inner(offsets.begin() + 1, offsets.end());
    Layout rest = gradient.layout();
    rest.sizes.erase(rest.sizes.begin());
    rest.strides.erase(rest.strides.begin());
    int64_t rows = static_cast<int64_t>(offsets[0].size()), stride = gradient.strides()[0].constant();
    parallel_for(0, rows, std::max<int64_t>(serial_elements * rows / count, 1), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        add(from + row * stride, rest, inner, 0, sums.data() + offsets[0][row]);
    });
  } else if (count > 0) {
    add(from, gradient.layout(), offsets, 0, sums.data());
  }
  const Sum* next = sums.data();
  write(result.data_ptr<T>(), result.layout(), 0, next);
}

void fold_back_any(const Tensor& gradient, const Offsets& offsets, const Tensor& result, bool first_is_apart) {
  visit(gradient.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, double>)
      fold_back<T, double>(gradient, offsets, result, first_is_apart);
    else if constexpr (std::is_same_v<T, bool> || std::is_integral_v<T>)
      fold_back<T, int64_t>(gradient, offsets, result, first_is_apart);
    else
      fold_back<T, float>(gradient, offsets, result, first_is_apart);
  });
}

void pad_backward(const OpArgs& args, fusion::QuotientKind outside, const Tensor& result) {
  const Tensor& gradient = args[0].tensor();
  PadWidths padding = padding_of(args.dims("padding"), gradient.dim());
  SymDims strides = contiguous_strides(result.sizes());
  Offsets offsets(gradient.dim());
  for (int64_t dim = 0; dim < gradient.dim(); ++dim)
    for (int64_t i = 0; i < gradient.sizes()[dim].constant(); ++i) {
      int64_t at = fusion::evaluate(outside, i - padding.before[dim], result.sizes()[dim].constant());
      offsets[dim].push_back(at * strides[dim].constant());
    }
  fold_back_any(gradient, offsets, result, true);  // the first dim is never padded
}

}  // namespace

#define SINTER_PAD_BACKWARD(name, outside) \
  SINTER_ROUTINE(name) { pad_backward(args, fusion::QuotientKind::outside, results[0]); }
SINTER_PAD_BACKWARD(reflection_pad1d_backward_default, mirror)
SINTER_PAD_BACKWARD(reflection_pad2d_backward_default, mirror)
SINTER_PAD_BACKWARD(reflection_pad3d_backward_default, mirror)
SINTER_PAD_BACKWARD(replication_pad1d_backward_default, clamp)
SINTER_PAD_BACKWARD(replication_pad2d_backward_default, clamp)
SINTER_PAD_BACKWARD(replication_pad3d_backward_default, clamp)
#undef SINTER_PAD_BACKWARD

SINTER_ROUTINE(unfold_backward_default) {
  const Tensor &gradient = args[0].tensor(), &result = results[0];
  int64_t rank = result.dim(), dim = wrap_dim(args, args.integer("dim"), rank), step = args.integer("step");
  SymDims strides = contiguous_strides(result.sizes());
  Offsets offsets(gradient.dim());
  for (int64_t d = 0; d < gradient.dim(); ++d) {
    bool is_inside_window = d == gradient.dim() - 1;
    int64_t along = is_inside_window ? dim : d;
    int64_t by = rank == 0 ? 0 : strides[along].constant() * (!is_inside_window && d == dim ? step : 1);
    for (int64_t i = 0; i < gradient.sizes()[d].constant(); ++i) offsets[d].push_back(i * by);
  }
  fold_back_any(gradient, offsets, result, rank > 0 && dim != 0);
}

}  // namespace sinter::runtime::routines
