// Square roots, rounding and fma as single instructions, all rounded as IEEE says.
//
// The pieces stand in for those of the same names in ../arithmetic.h and ../fma.h.

#pragma once

#include <sinter/codegen/prelude/cuda/lane.h>

namespace {

// piece: sqrt_f32
inline f32v sqrt(f32v x) { return __fsqrt_rn(x.x); }
// piece: round_f32
inline f32v round(f32v x) { return ::rintf(x.x); }
// piece: floor_f32
inline f32v floor(f32v x) { return ::floorf(x.x); }
// piece: ceil_f32
inline f32v ceil(f32v x) { return ::ceilf(x.x); }
// piece: trunc_f32
inline f32v trunc(f32v x) { return ::truncf(x.x); }
// piece: fma_f32
inline f32v fma(f32v a, f32v b, f32v c) { return __fmaf_rn(a.x, b.x, c.x); }
// piece: sqrt_f64
inline f64v sqrt(f64v x) { return __dsqrt_rn(x.x); }
// piece: round_f64
inline f64v round(f64v x) { return ::rint(x.x); }
// piece: floor_f64
inline f64v floor(f64v x) { return ::floor(x.x); }
// piece: ceil_f64
inline f64v ceil(f64v x) { return ::ceil(x.x); }
// piece: trunc_f64
inline f64v trunc(f64v x) { return ::trunc(x.x); }
// piece: fma_f64
inline f64v fma(f64v a, f64v b, f64v c) { return __fma_rn(a.x, b.x, c.x); }
// end of pieces

}  // namespace
