// Each combination of indices of all the window's dims but the largest is tried.

#include <sinter/fusion/lower/window_search.h>

#include <sinter/fusion/access.h>

namespace sinter::fusion {

bool needs_search(const Layout& layout) {
  Layout window = layout;
  for (int64_t dim = window.rank() - 1; dim >= 0; --dim)
    if (window.strides[dim].same(0))
      window.sizes.erase(window.sizes.begin() + dim), window.strides.erase(window.strides.begin() + dim);
  return overlaps_itself(window);
}

namespace {

constexpr int64_t max_searched_elements = 64;

// What the window has at a place: each combination of indices of all dims but the largest is tried, and of several
// elements at one place the last in row-major order stays.
class WindowSearch {
 public:
  WindowSearch(NestBuilder& builder, const graph::Node& node, const Layout& window, const IndexExpr& place)
      : builder_(builder), node_(node), window_(window), rest_(place - IndexExpr(window.offset)) {
    extents_ = extents_of(builder.nest);
    for (int64_t dim = 1; dim < window.rank(); ++dim)
      if (rows(dim) > rows(solved_)) solved_ = dim;
    int64_t tried = 1;
    for (int64_t dim = 0; dim < window.rank(); ++dim)
      if (dim != solved_) tried *= rows(dim);
    if (tried > max_searched_elements)
      throw Error(ErrorKind::unsupported, node.where,
                  "as_strided: the elements that are written lie across each other in memory",
                  {{"sizes", to_string(window.sizes)}, {"strides", to_string(window.strides)}},
                  fmt::format("write at most {} such rows at once", max_searched_elements));
  }

  ScalarExpr value(ScalarExpr before) {
    value_ = before;
    last_ = builder_.scalars.constant(-1, DType::i64);
    Dims tried(window_.rank());
    visit(0, tried);
    return *value_;
  }

 private:
  // An expanded dim has its last element only.
  int64_t rows(int64_t dim) const { return window_.strides[dim].same(0) ? 1 : window_.sizes[dim].constant(); }

  void visit(int64_t dim, Dims& tried) {
    if (dim == window_.rank()) return attempt(tried);
    if (dim == solved_) return visit(dim + 1, tried);
    for (int64_t i = 0; i < rows(dim); ++i) {
      tried[dim] = window_.strides[dim].same(0) ? window_.sizes[dim].constant() - 1 : i;
      visit(dim + 1, tried);
    }
  }

  void attempt(const Dims& tried) {
    IndexExpr rest = rest_, row_major = IndexExpr(0);
    Index index;
    for (int64_t dim = 0; dim < window_.rank(); ++dim) {
      index.push_back(IndexExpr(tried[dim]));
      if (dim != solved_) rest = rest - IndexExpr(SymInt(tried[dim]) * window_.strides[dim]);
    }
    SymInt stride = window_.strides[solved_], size = window_.sizes[solved_];
    index[solved_] = floor_div(rest, stride, extents_);
    for (int64_t dim = 0; dim < window_.rank(); ++dim) row_major = row_major * window_.sizes[dim] + index[dim];
    auto at_least_zero = [&](const IndexExpr& expr) { return builder_.index_value(expr) >= Scalar(0); };
    ScalarExpr number = builder_.index_value(row_major);
    ScalarExpr inside = at_least_zero(rest) & at_least_zero(mod(rest, stride, extents_) * -1) &
                        at_least_zero(IndexExpr(size - 1) - index[solved_]);
    ScalarExpr wins = inside & (number > *last_);
    ScalarExpr loaded =
        builder_.scalars.convert(builder_.load(node_.args[1].output(), index, inside), node_.metas[0].dtype);
    value_ = select(wins, loaded, *value_);
    last_ = select(wins, number, *last_);
  }

  NestBuilder& builder_;
  const graph::Node& node_;
  const Layout& window_;
  IndexExpr rest_;  // from the window's first element to the place
  SymDims extents_;
  int64_t solved_ = 0;
  std::optional<ScalarExpr> value_, last_;
};

}  // namespace

ScalarExpr search_window(NestBuilder& builder, const graph::Node& scatter, const Layout& window, const IndexExpr& place,
                         ScalarExpr before) {
  return WindowSearch(builder, scatter, window, place).value(before);
}

}  // namespace sinter::fusion
