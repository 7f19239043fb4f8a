// Reads names and arguments of resampling ops.

#include <sinter/runtime/routines/resampling.h>

#include <sinter/graph/ops/all_ops.h>

namespace sinter::runtime {

namespace {

Filter filter_in(const std::string& name) {
  if (name.find("exact") != std::string::npos) return Filter::nearest_exact;
  if (name.find("nearest") != std::string::npos) return Filter::nearest;
  return name.find("cubic") != std::string::npos ? Filter::cubic : Filter::linear;
}

std::optional<double> scale_of(const Value& value) {
  if (value.is_none()) return std::nullopt;
  return value.scalar().to_double();
}

Resampling nearest_of(const OpArgs& args) {
  Resampling r;
  r.rank = static_cast<int64_t>(args.dims("output_size").size());
  for (int64_t i = 0; i < r.rank; ++i) {
    r.dims[i].filter = args.flag("exact") ? Filter::nearest_exact : Filter::nearest;
    r.dims[i].scale = scale_of(args["scales"].list()[i]);
  }
  return r;
}

}  // namespace

// The scales of an upsample op are its last arguments.
Resampling resampling_of(const OpArgs& args) {
  if (&args.op() == &op_defs::resample_nearest_default) return nearest_of(args);
  const Schema& schema = args.op().schema();
  Resampling r;
  r.rank = schema.name[schema.name.find_first_of("123")] - '0';
  for (int64_t i = 0; i < r.rank; ++i) {
    Sampling& dim = r.dims[i];
    dim.filter = filter_in(schema.name);
    dim.antialias = schema.name.find("_aa") != std::string::npos;
    dim.align_corners = schema.find("align_corners") >= 0 && args.flag("align_corners");
    dim.scale = scale_of(args[static_cast<int>(args.values().size()) - static_cast<int>(r.rank - i)]);
  }
  return r;
}

PlaneTaps taps_of(const Resampling& r, const std::array<int64_t, 3>& sizes, const std::array<int64_t, 3>& results,
                  DType dtype) {
  PlaneTaps taps;
  for (int64_t i = 0; i < 3; ++i) {
    int64_t dim = i - (3 - r.rank);
    if (dim < 0)
      taps[i] = make_taps({.filter = Filter::nearest}, 1, 1, false);
    else
      taps[i] = make_taps(r.dims[dim], sizes[i], results[i], dtype == DType::f64);
  }
  return taps;
}

}  // namespace sinter::runtime
