// Checks of dim arguments.

#include <sinter/graph/ops/dims.h>

#include <numeric>

namespace sinter {

int64_t wrap_dim(const OpArgs& args, int64_t dim, int64_t rank) {
  int64_t range = std::max<int64_t>(rank, 1);
  if (dim < -range || dim >= range)
    args.fail(ErrorKind::argument, fmt::format("dim {} is out of range for a tensor of rank {}", dim, rank),
              fmt::format("need {} <= dim < {}", -range, range));
  return dim < 0 ? dim + range : dim;
}

Dims wrap_dims(const OpArgs& args, const Dims& dims, int64_t rank) {
  Dims wrapped;
  for (int64_t dim : dims) {
    int64_t positive = wrap_dim(args, dim, rank);
    if (std::find(wrapped.begin(), wrapped.end(), positive) != wrapped.end())
      args.fail(ErrorKind::argument, fmt::format("dim {} is given twice", positive));
    wrapped.push_back(positive);
  }
  return wrapped;
}

namespace {

// As ATen's bitset of dims.
constexpr int64_t max_reduced_rank = 64;

Dims given_dims(const OpArgs& args) {
  if (args.op().schema().find("dim") < 0) return {};
  const Value& dim = args["dim"];
  if (dim.is_none()) return {};
  if (dim.is_list()) return args.dims("dim");
  return {dim.sym_int().constant()};
}

}  // namespace

Dims reduced_dims(const OpArgs& args) {
  int64_t rank = args.meta(0).layout.rank();
  if (rank > max_reduced_rank)
    args.fail(ErrorKind::argument, fmt::format("a tensor of rank {} cannot be reduced", rank),
              fmt::format("need at most {} dims", max_reduced_rank));
  Dims dims = wrap_dims(args, given_dims(args), rank);
  if (rank == 0) return {};
  if (dims.empty()) {
    dims.assign(rank, 0);
    std::iota(dims.begin(), dims.end(), 0);
  }
  return dims;
}

SymInt reduced_count(const SymDims& sizes, const Dims& dims) {
  SymInt count = 1;
  for (int64_t dim : dims) count *= sizes[dim];
  return count;
}

Scalar floating_count(SymInt count) {
  if (count.is_constant()) return static_cast<double>(count.constant());
  return count;
}

SymDims leading(const SymDims& sizes, int64_t count) { return SymDims(sizes.begin(), sizes.begin() + count); }

SymDims joined(SymDims sizes, const SymDims& more) {
  for (SymInt size : more) sizes.push_back(size);
  return sizes;
}

}  // namespace sinter
