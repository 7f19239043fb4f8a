// Loads and stores of generated code: whole vectors, the first n lanes, one value in all lanes, strided, gathered.
//
// Lanes from n on load as zero, and nothing outside the n elements is touched. No alignment is needed, but by `stream`.

#pragma once

#include <sinter/codegen/prelude/lanes.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: splat_bool
inline b32v splat_bool(bool x) { return b32v{i32v{} - (int)x}; }
// piece: lane0_bool
inline bool lane0(b32v v) { return v.bits[0] != 0; }
// piece: mask_of_bytes
inline b32v mask_of_bytes(u8v x) { return b32v{__builtin_convertvector((i8v)(x != 0), i32v)}; }
// piece: bytes_of_mask
inline u8v bytes_of_mask(b32v m) { return __builtin_convertvector(m.bits & 1, u8v); }
// piece: load_bool
inline b32v load(const bool8* p) {
  u8v v;
  __builtin_memcpy(&v, p, sizeof v);
  return mask_of_bytes(v);
}
// piece: store_bool
inline void store(bool8* p, b32v m) {
  u8v v = bytes_of_mask(m);
  __builtin_memcpy(p, &v, sizeof v);
}
// piece: load_n_bool
inline b32v load_n(const bool8* p, auto n) { return mask_of_bytes(load_lanes_1<u8v>(p, n)); }
// piece: store_n_bool
inline void store_n(bool8* p, b32v m, auto n) { store_lanes_1(p, bytes_of_mask(m), n); }
// piece: load_splat_bool
inline b32v load_splat(const bool8* p) { return splat_bool(p->byte != 0); }
// piece: load_strided_bool needs: load_bool
inline b32v load_strided(const bool8* p, long stride, long n) {
  bool8 lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_bool needs: store_bool
inline void store_strided(bool8* p, b32v v, long stride, long n) {
  bool8 lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_bool needs: load_bool
inline b32v gather(const bool8* p, i64v index, long n) {
  bool8 lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_bool
inline void stream(bool8* p, b32v m) {
#ifdef __clang__
  __builtin_nontemporal_store(bytes_of_mask(m), (u8v*)p);
#else
  *(u8v*)p = bytes_of_mask(m);
#endif
}
// piece: splat_u8
inline u8v splat_u8(unsigned char x) { return u8v{} + x; }
// piece: lane0_u8
inline unsigned char lane0(u8v v) { return v[0]; }
// piece: load_u8
inline u8v load(const unsigned char* p) {
  u8v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_u8
inline void store(unsigned char* p, u8v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_u8
inline u8v load_n(const unsigned char* p, auto n) { return load_lanes_1<u8v>(p, n); }
// piece: store_n_u8
inline void store_n(unsigned char* p, u8v v, auto n) { store_lanes_1(p, v, n); }
// piece: load_splat_u8
inline u8v load_splat(const unsigned char* p) { return splat_u8(*p); }
// piece: load_strided_u8 needs: load_u8
inline u8v load_strided(const unsigned char* p, long stride, long n) {
  unsigned char lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_u8 needs: store_u8
inline void store_strided(unsigned char* p, u8v v, long stride, long n) {
  unsigned char lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_u8 needs: load_u8
inline u8v gather(const unsigned char* p, i64v index, long n) {
  unsigned char lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_u8
inline void stream(unsigned char* p, u8v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v, (u8v*)p);
#else
  *(u8v*)p = v;
#endif
}
// piece: splat_i8
inline i8v splat_i8(signed char x) { return i8v{} + x; }
// piece: lane0_i8
inline signed char lane0(i8v v) { return v[0]; }
// piece: load_i8
inline i8v load(const signed char* p) {
  i8v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_i8
inline void store(signed char* p, i8v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_i8
inline i8v load_n(const signed char* p, auto n) { return load_lanes_1<i8v>(p, n); }
// piece: store_n_i8
inline void store_n(signed char* p, i8v v, auto n) { store_lanes_1(p, v, n); }
// piece: load_splat_i8
inline i8v load_splat(const signed char* p) { return splat_i8(*p); }
// piece: load_strided_i8 needs: load_i8
inline i8v load_strided(const signed char* p, long stride, long n) {
  signed char lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_i8 needs: store_i8
inline void store_strided(signed char* p, i8v v, long stride, long n) {
  signed char lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_i8 needs: load_i8
inline i8v gather(const signed char* p, i64v index, long n) {
  signed char lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_i8
inline void stream(signed char* p, i8v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v, (i8v*)p);
#else
  *(i8v*)p = v;
#endif
}
// piece: splat_i16
inline i16v splat_i16(short x) { return i16v{} + x; }
// piece: lane0_i16
inline short lane0(i16v v) { return v[0]; }
// piece: load_i16
inline i16v load(const short* p) {
  i16v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_i16
inline void store(short* p, i16v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_i16
inline i16v load_n(const short* p, auto n) { return load_lanes_2<i16v>(p, n); }
// piece: store_n_i16
inline void store_n(short* p, i16v v, auto n) { store_lanes_2(p, v, n); }
// piece: load_splat_i16
inline i16v load_splat(const short* p) { return splat_i16(*p); }
// piece: load_strided_i16 needs: load_i16
inline i16v load_strided(const short* p, long stride, long n) {
  short lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_i16 needs: store_i16
inline void store_strided(short* p, i16v v, long stride, long n) {
  short lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_i16 needs: load_i16
inline i16v gather(const short* p, i64v index, long n) {
  short lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_i16
inline void stream(short* p, i16v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v, (i16v*)p);
#else
  *(i16v*)p = v;
#endif
}
// piece: splat_i32
inline i32v splat_i32(int x) { return i32v{} + x; }
// piece: lane0_i32
inline int lane0(i32v v) { return v[0]; }
// piece: load_i32
inline i32v load(const int* p) {
  i32v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_i32
inline void store(int* p, i32v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_i32
inline i32v load_n(const int* p, auto n) { return load_lanes_4<i32v>(p, n); }
// piece: store_n_i32
inline void store_n(int* p, i32v v, auto n) { store_lanes_4(p, v, n); }
// piece: load_splat_i32
inline i32v load_splat(const int* p) { return splat_i32(*p); }
// piece: load_strided_i32 needs: load_i32
inline i32v load_strided(const int* p, long stride, long n) {
  int lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_i32 needs: store_i32
inline void store_strided(int* p, i32v v, long stride, long n) {
  int lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_i32 needs: load_i32
inline i32v gather(const int* p, i64v index, long n) {
  int lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_i32
inline void stream(int* p, i32v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v, (i32v*)p);
#else
  *(i32v*)p = v;
#endif
}
// piece: splat_i64
inline i64v splat_i64(long x) { return i64v{} + x; }
// piece: lane0_i64
inline long lane0(i64v v) { return v[0]; }
// piece: load_i64
inline i64v load(const long* p) {
  i64v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_i64
inline void store(long* p, i64v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_i64
inline i64v load_n(const long* p, auto n) { return load_lanes_8<i64v>(p, n); }
// piece: store_n_i64
inline void store_n(long* p, i64v v, auto n) { store_lanes_8(p, v, n); }
// piece: load_splat_i64
inline i64v load_splat(const long* p) { return splat_i64(*p); }
// piece: load_strided_i64 needs: load_i64
inline i64v load_strided(const long* p, long stride, long n) {
  long lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_i64 needs: store_i64
inline void store_strided(long* p, i64v v, long stride, long n) {
  long lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_i64 needs: load_i64
inline i64v gather(const long* p, i64v index, long n) {
  long lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_i64
inline void stream(long* p, i64v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v, (i64v*)p);
#else
  *(i64v*)p = v;
#endif
}
// piece: splat_f16
inline f16v splat_f16(f16 x) { return f16v{u16v{} + x.bits}; }
// piece: lane0_f16
inline f16 lane0(f16v v) { return f16{v.bits[0]}; }
// piece: load_f16
inline f16v load(const f16* p) {
  f16v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_f16
inline void store(f16* p, f16v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_f16
inline f16v load_n(const f16* p, auto n) { return load_lanes_2<f16v>(p, n); }
// piece: store_n_f16
inline void store_n(f16* p, f16v v, auto n) { store_lanes_2(p, v, n); }
// piece: load_splat_f16
inline f16v load_splat(const f16* p) { return splat_f16(*p); }
// piece: load_strided_f16 needs: load_f16
inline f16v load_strided(const f16* p, long stride, long n) {
  f16 lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_f16 needs: store_f16
inline void store_strided(f16* p, f16v v, long stride, long n) {
  f16 lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_f16 needs: load_f16
inline f16v gather(const f16* p, i64v index, long n) {
  f16 lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_f16
inline void stream(f16* p, f16v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v.bits, (u16v*)p);
#else
  *(u16v*)p = v.bits;
#endif
}
// piece: splat_bf16
inline bf16v splat_bf16(bf16 x) { return bf16v{u16v{} + x.bits}; }
// piece: lane0_bf16
inline bf16 lane0(bf16v v) { return bf16{v.bits[0]}; }
// piece: load_bf16
inline bf16v load(const bf16* p) {
  bf16v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_bf16
inline void store(bf16* p, bf16v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_bf16
inline bf16v load_n(const bf16* p, auto n) { return load_lanes_2<bf16v>(p, n); }
// piece: store_n_bf16
inline void store_n(bf16* p, bf16v v, auto n) { store_lanes_2(p, v, n); }
// piece: load_splat_bf16
inline bf16v load_splat(const bf16* p) { return splat_bf16(*p); }
// piece: load_strided_bf16 needs: load_bf16
inline bf16v load_strided(const bf16* p, long stride, long n) {
  bf16 lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_bf16 needs: store_bf16
inline void store_strided(bf16* p, bf16v v, long stride, long n) {
  bf16 lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_bf16 needs: load_bf16
inline bf16v gather(const bf16* p, i64v index, long n) {
  bf16 lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_bf16
inline void stream(bf16* p, bf16v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v.bits, (u16v*)p);
#else
  *(u16v*)p = v.bits;
#endif
}
// piece: splat_f32
inline f32v splat_f32(float x) { return x - f32v{}; }
// piece: lane0_f32
inline float lane0(f32v v) { return v[0]; }
// piece: load_f32
inline f32v load(const float* p) {
  f32v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_f32
inline void store(float* p, f32v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_f32
inline f32v load_n(const float* p, auto n) { return load_lanes_4<f32v>(p, n); }
// piece: store_n_f32
inline void store_n(float* p, f32v v, auto n) { store_lanes_4(p, v, n); }
// piece: load_splat_f32
inline f32v load_splat(const float* p) { return splat_f32(*p); }
// piece: load_strided_f32 needs: load_f32
inline f32v load_strided(const float* p, long stride, long n) {
  float lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_f32 needs: store_f32
inline void store_strided(float* p, f32v v, long stride, long n) {
  float lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_f32 needs: load_f32
inline f32v gather(const float* p, i64v index, long n) {
  float lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_f32
inline void stream(float* p, f32v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v, (f32v*)p);
#else
  *(f32v*)p = v;
#endif
}
// piece: splat_f64
inline f64v splat_f64(double x) { return x - f64v{}; }
// piece: lane0_f64
inline double lane0(f64v v) { return v[0]; }
// piece: load_f64
inline f64v load(const double* p) {
  f64v v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// piece: store_f64
inline void store(double* p, f64v v) { __builtin_memcpy(p, &v, sizeof v); }
// piece: load_n_f64
inline f64v load_n(const double* p, auto n) { return load_lanes_8<f64v>(p, n); }
// piece: store_n_f64
inline void store_n(double* p, f64v v, auto n) { store_lanes_8(p, v, n); }
// piece: load_splat_f64
inline f64v load_splat(const double* p) { return splat_f64(*p); }
// piece: load_strided_f64 needs: load_f64
inline f64v load_strided(const double* p, long stride, long n) {
  double lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[i * stride];
  return load(lanes);
}
// piece: store_strided_f64 needs: store_f64
inline void store_strided(double* p, f64v v, long stride, long n) {
  double lanes[N];
  store(lanes, v);
  for (long i = 0; i < n; ++i) p[i * stride] = lanes[i];
}
// piece: gather_f64 needs: load_f64
inline f64v gather(const double* p, i64v index, long n) {
  double lanes[N] = {};
  for (long i = 0; i < n; ++i) lanes[i] = p[index[i]];
  return load(lanes);
}
// piece: stream_f64
inline void stream(double* p, f64v v) {
#ifdef __clang__
  __builtin_nontemporal_store(v, (f64v*)p);
#else
  *(f64v*)p = v;
#endif
}
// piece: iota_i64
inline i64v iota_i64(long start) {
  i64v v;
  for (int i = 0; i < N; ++i) v[i] = i;
  return v + start;
}
// end of pieces

}  // namespace
