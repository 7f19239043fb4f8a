// What a resampling op's name and arguments say, for whoever carries it out.

#pragma once

#include <sinter/graph/op.h>
#include <sinter/runtime/routines/taps.h>

#include <array>

namespace sinter::runtime {

struct Resampling {
  int64_t rank = 2;
  std::array<Sampling, 3> dims;  // from the front
};

// Of an upsample op (its name says rank and filter) or sinter::resample_nearest.
Resampling resampling_of(const OpArgs& args);

// The taps of the last three dims, of which those in front of the rank are of one element, as routines have them:
// `sizes` of the larger or smaller side that is read, `results` of the other. Places are computed in f64 for f64.
using PlaneTaps = std::array<Taps, 3>;
PlaneTaps taps_of(const Resampling& resampling, const std::array<int64_t, 3>& sizes,
                  const std::array<int64_t, 3>& results, DType dtype);

}  // namespace sinter::runtime
