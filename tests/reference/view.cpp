// Views, joins and creation of the reference: where each result element comes from.

#include "reference/evaluate.h"
#include "reference/promotion.h"

#include <functional>
#include <limits>

namespace sinter::reference {

namespace {

// The result element at an index is the input's at source(index).
Array pick(const Array& x, const std::vector<int64_t>& sizes,
           const std::function<std::vector<int64_t>(const std::vector<int64_t>&)>& source) {
  Array out{x.dtype, sizes, {}, false, 0, {}};
  if (element_count(sizes) == 0) return out;
  std::vector<int64_t> index(sizes.size());
  do out.values.push_back(x.values[flat_index(source(index), x.sizes)]);
  while (advance(index, sizes));
  return out;
}

int64_t integer(const Argument& argument) { return std::get<Value>(argument).scalar().to_int(); }

Array permute(const Array& x, const std::vector<int64_t>& dims) {
  std::vector<int64_t> sizes;
  for (int64_t dim : dims) sizes.push_back(x.sizes[wrapped_dim(dim, x.rank())]);
  return pick(x, sizes, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> source(index.size());
    for (size_t i = 0; i < index.size(); ++i) source[wrapped_dim(dims[i], x.rank())] = index[i];
    return source;
  });
}

Array transpose(const Array& x, int64_t a, int64_t b) {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < x.rank(); ++dim) dims.push_back(dim);
  if (!dims.empty()) std::swap(dims[wrapped_dim(a, x.rank())], dims[wrapped_dim(b, x.rank())]);
  return permute(x, dims);
}

Array select(const Array& x, int64_t dim, int64_t at) {
  dim = wrapped_dim(dim, x.rank());
  if (at < 0) at += x.sizes[dim];
  std::vector<int64_t> sizes = x.sizes;
  sizes.erase(sizes.begin() + dim);
  return pick(x, sizes, [&](std::vector<int64_t> index) {
    index.insert(index.begin() + dim, at);
    return index;
  });
}

Array slice(const Array& x, int64_t dim, int64_t start, int64_t end, int64_t step) {
  dim = wrapped_dim(dim, x.rank());
  int64_t size = x.sizes[dim];
  auto bounded = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  start = bounded(start);
  end = std::max(bounded(end), start);
  std::vector<int64_t> sizes = x.sizes;
  sizes[dim] = (end - start + step - 1) / step;
  return pick(x, sizes, [&](std::vector<int64_t> index) {
    index[dim] = start + index[dim] * step;
    return index;
  });
}

Array expand(const Array& x, std::vector<int64_t> sizes) {
  size_t shift = sizes.size() - x.sizes.size();
  for (size_t dim = 0; dim < x.sizes.size(); ++dim)
    if (sizes[dim + shift] == -1) sizes[dim + shift] = x.sizes[dim];
  return pick(x, sizes, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> source(index.begin() + static_cast<int64_t>(shift), index.end());
    for (size_t dim = 0; dim < source.size(); ++dim)
      if (x.sizes[dim] == 1) source[dim] = 0;
    return source;
  });
}

Array with_sizes(Array x, std::vector<int64_t> sizes) {
  int64_t known = 1;
  for (int64_t size : sizes)
    if (size != -1) known *= size;
  for (int64_t& size : sizes)
    if (size == -1) size = static_cast<int64_t>(x.values.size()) / known;
  x.sizes = std::move(sizes);
  return x;
}

Array unsqueeze(Array x, int64_t dim) {
  x.sizes.insert(x.sizes.begin() + (dim < 0 ? dim + x.rank() + 1 : dim), 1);
  return x;
}

Array squeeze(Array x, const std::vector<int64_t>& dims) {
  std::vector<int64_t> sizes;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    bool is_chosen = dims.empty();
    for (int64_t chosen : dims) is_chosen |= wrapped_dim(chosen, x.rank()) == dim;
    if (!is_chosen || x.sizes[dim] != 1) sizes.push_back(x.sizes[dim]);
  }
  x.sizes = std::move(sizes);
  return x;
}

Array cat(std::vector<Array> parts, int64_t dim) {
  DType type = parts[0].dtype;
  std::vector<const Array*> operands;
  for (const Array& part : parts) operands.push_back(&part);
  type = common_type(operands);
  dim = wrapped_dim(dim, parts[0].rank());
  Array out{type, parts[0].sizes, {}, false, 0, {}};
  out.sizes[dim] = 0;
  for (Array& part : parts) {
    part = convert(part, type);
    out.sizes[dim] += part.sizes[dim];
  }
  if (element_count(out.sizes) == 0) return out;
  std::vector<int64_t> index(out.sizes.size());
  do {
    std::vector<int64_t> source = index;
    size_t part = 0;
    while (source[dim] >= parts[part].sizes[dim]) source[dim] -= parts[part++].sizes[dim];
    out.values.push_back(parts[part].values[flat_index(source, parts[part].sizes)]);
  } while (advance(index, out.sizes));
  return out;
}

}  // namespace

std::optional<std::vector<Array>> evaluate_view(std::string_view name, const Arguments& arguments) {
  if (name == "cat" || name == "stack") {
    auto parts = std::get<std::vector<Array>>(arguments[0]);
    int64_t dim = integer(arguments[1]);
    if (name == "stack") {
      dim = dim < 0 ? dim + parts[0].rank() + 1 : dim;
      for (Array& part : parts) part = unsqueeze(part, dim);
    }
    return {{cat(std::move(parts), dim)}};
  }
  if (!std::holds_alternative<Array>(arguments[0])) return std::nullopt;
  const Array& x = array(arguments[0]);
  if (name == "permute") return {{permute(x, integers(arguments[1]))}};
  if (name == "transpose") return {{transpose(x, integer(arguments[1]), integer(arguments[2]))}};
  if (name == "t") return {{x.rank() < 2 ? x : transpose(x, 0, 1)}};
  if (name == "select") return {{select(x, integer(arguments[1]), integer(arguments[2]))}};
  if (name == "slice") {
    int64_t start = is_none(arguments[2]) ? 0 : integer(arguments[2]);
    int64_t end = is_none(arguments[3]) ? std::numeric_limits<int64_t>::max() : integer(arguments[3]);
    return {{slice(x, integer(arguments[1]), start, end, integer(arguments[4]))}};
  }
  if (name == "expand") return {{expand(x, integers(arguments[1]))}};
  if (name == "view" || name == "reshape") return {{with_sizes(x, integers(arguments[1]))}};
  if (name == "unsqueeze") return {{unsqueeze(x, integer(arguments[1]))}};
  if (name == "squeeze") return {{squeeze(x, arguments.size() > 1 ? integers(arguments[1]) : std::vector<int64_t>())}};
  return std::nullopt;
}

}  // namespace sinter::reference
