// Offsets of indexed elements.

#include <sinter/runtime/routines/indexed_walk.h>

#include <sinter/runtime/routines/rows.h>

namespace sinter::runtime {

IndexedWalk::IndexedWalk(Dims before, Dims after, IndexedSide first, IndexedSide second)
    : first_(std::move(first)), second_(std::move(second)) {
  std::vector<Step> outer, inner;
  for (size_t i = 0; i < before.size(); ++i) outer.push_back({before[i], first_.before[i], second_.before[i]});
  for (size_t i = 0; i < after.size(); ++i) {
    Step step{after[i], first_.after[i], second_.after[i]};
    bool joins = !inner.empty() && inner.back().first == step.first * step.size &&
                 inner.back().second == step.second * step.size;
    if (joins) step.size *= inner.back().size, inner.pop_back();
    inner.push_back(step);
  }
  if (!inner.empty()) run_ = inner.back(), inner.pop_back();
  outer_ = offsets_over(outer);
  rest_ = offsets_over(inner);
}

IndexedWalk::Pairs IndexedWalk::offsets_over(const std::vector<Step>& steps) {
  Pairs pairs = {{0, 0}};
  for (const Step& step : steps) {
    Pairs longer;
    longer.reserve(pairs.size() * step.size);
    for (const auto& [first, second] : pairs)
      for (int64_t i = 0; i < step.size; ++i) longer.emplace_back(first + i * step.first, second + i * step.second);
    pairs = std::move(longer);
  }
  return pairs;
}

namespace {

Tensor expanded(const Tensor& tensor, const SymDims& sizes) {
  return seen_as(tensor, *expand_layout(tensor.layout(), sizes));
}

// Each element's distance from the first one, row-major.
template <class Add>
void for_each_offset(const Tensor& tensor, const Add& add) {
  int64_t i = 0;
  for_each_row<1>({&tensor}, /*dim=*/-1, [&](const std::array<int64_t, 1>& offset) { add(i++, offset[0]); });
}

// Where the indices' positions lie in self.
std::vector<int64_t> offsets_in_self(const OpArgs& args, const Tensor& self, const std::vector<Tensor>& index_of_dim,
                                     const IndexedShape& shape) {
  std::vector<int64_t> offsets(numel(shape.index_sizes).constant(), 0);
  bool refuses_negative = args.op().schema().find("wraps") >= 0 && !args.flag("wraps");
  Negative allowed = refuses_negative ? Negative::is_refused : Negative::counts_from_the_end;
  for (int64_t dim : shape.indexed) {
    int64_t size = self.sizes()[dim].constant(), stride = self.strides()[dim].constant();
    Tensor positions = checked_indices(args, index_of_dim[dim], dim, size, allowed);
    const int64_t* data = positions.data_ptr<int64_t>();
    for_each_offset(expanded(positions, shape.index_sizes),
                    [&](int64_t i, int64_t offset) { offsets[i] += data[offset] * stride; });
  }
  return offsets;
}

Dims pick(const SymDims& values, const Dims& dims) {
  Dims picked;
  for (int64_t dim : dims) picked.push_back(values[dim].constant());
  return picked;
}

// The side of a tensor whose dims are those kept before, the indices' and those kept after.
IndexedSide side_of_indexed(const Tensor& tensor, const IndexedShape& shape) {
  size_t before = shape.before.size(), rank = shape.index_sizes.size();
  IndexedSide side;
  Layout middle;
  for (size_t i = 0; i < tensor.sizes().size(); ++i) {
    SymInt stride = tensor.strides()[i];
    if (i < before) {
      side.before.push_back(stride.constant());
    } else if (i < before + rank) {
      middle.sizes.push_back(tensor.sizes()[i]);
      middle.strides.push_back(stride);
    } else {
      side.after.push_back(stride.constant());
    }
  }
  side.offsets.resize(numel(middle.sizes).constant());
  for_each_offset(seen_as(tensor, middle), [&](int64_t i, int64_t offset) { side.offsets[i] = offset; });
  return side;
}

}  // namespace

IndexedWalk walk_indexed(const OpArgs& args, const Tensor& self, const std::vector<Tensor>& indices,
                         const Tensor& indexed) {
  IndexedShape shape = indexed_shape(args, self.layout(), indices);
  if (!expand_layout(indexed.layout(), shape.sizes))
    args.fail(ErrorKind::shape, fmt::format("values of sizes {} do not broadcast to the indexed sizes {}",
                                            to_string(indexed.sizes()), to_string(shape.sizes)));
  IndexedSide first{pick(self.strides(), shape.before), offsets_in_self(args, self, indices, shape),
                    pick(self.strides(), shape.after)};
  IndexedSide second = side_of_indexed(expanded(indexed, shape.sizes), shape);
  return IndexedWalk(pick(self.sizes(), shape.before), pick(self.sizes(), shape.after), std::move(first),
                     std::move(second));
}

}  // namespace sinter::runtime
