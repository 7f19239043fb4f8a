// Loads and stores of generated CUDA: one element, or a pack of neighbours in one access of up to 16 bytes.
//
// The pieces stand in for those of the same names in ../memory.h and ../access.h.

#pragma once

#include <sinter/codegen/prelude/cuda/lane.h>
#include <sinter/codegen/prelude/vectors.h>

namespace {

// piece: splat_bool
inline b32v splat_bool(bool x) { return b32v{i32v(-(int)x)}; }
// piece: lane0_bool
inline bool lane0(b32v v) { return v.bits.x != 0; }
// piece: load_bool
inline b32v load(const bool8* p) { return b32v{i32v(-(int)(p->byte != 0))}; }
// piece: load_splat_bool needs: load_bool
inline b32v load_splat(const bool8* p) { return load(p); }
// piece: store_bool
inline void store(bool8* p, b32v v) { p->byte = (unsigned char)(v.bits.x & 1); }
// piece: store_n_bool needs: store_bool
inline void store_n(bool8* p, b32v v, long) { store(p, v); }
// piece: splat_u8
inline u8v splat_u8(unsigned char x) { return x; }
// piece: lane0_u8
inline unsigned char lane0(u8v v) { return v.x; }
// piece: load_u8
inline u8v load(const unsigned char* p) { return *p; }
// piece: load_splat_u8 needs: load_u8
inline u8v load_splat(const unsigned char* p) { return load(p); }
// piece: store_u8
inline void store(unsigned char* p, u8v v) { *p = v.x; }
// piece: store_n_u8 needs: store_u8
inline void store_n(unsigned char* p, u8v v, long) { store(p, v); }
// piece: splat_i8
inline i8v splat_i8(signed char x) { return x; }
// piece: lane0_i8
inline signed char lane0(i8v v) { return v.x; }
// piece: load_i8
inline i8v load(const signed char* p) { return *p; }
// piece: load_splat_i8 needs: load_i8
inline i8v load_splat(const signed char* p) { return load(p); }
// piece: store_i8
inline void store(signed char* p, i8v v) { *p = v.x; }
// piece: store_n_i8 needs: store_i8
inline void store_n(signed char* p, i8v v, long) { store(p, v); }
// piece: splat_i16
inline i16v splat_i16(short x) { return x; }
// piece: lane0_i16
inline short lane0(i16v v) { return v.x; }
// piece: load_i16
inline i16v load(const short* p) { return *p; }
// piece: load_splat_i16 needs: load_i16
inline i16v load_splat(const short* p) { return load(p); }
// piece: store_i16
inline void store(short* p, i16v v) { *p = v.x; }
// piece: store_n_i16 needs: store_i16
inline void store_n(short* p, i16v v, long) { store(p, v); }
// piece: splat_i32
inline i32v splat_i32(int x) { return x; }
// piece: lane0_i32
inline int lane0(i32v v) { return v.x; }
// piece: load_i32
inline i32v load(const int* p) { return *p; }
// piece: load_splat_i32 needs: load_i32
inline i32v load_splat(const int* p) { return load(p); }
// piece: store_i32
inline void store(int* p, i32v v) { *p = v.x; }
// piece: store_n_i32 needs: store_i32
inline void store_n(int* p, i32v v, long) { store(p, v); }
// piece: splat_i64
inline i64v splat_i64(long x) { return x; }
// piece: lane0_i64
inline long lane0(i64v v) { return v.x; }
// piece: load_i64
inline i64v load(const long* p) { return *p; }
// piece: load_splat_i64 needs: load_i64
inline i64v load_splat(const long* p) { return load(p); }
// piece: store_i64
inline void store(long* p, i64v v) { *p = v.x; }
// piece: store_n_i64 needs: store_i64
inline void store_n(long* p, i64v v, long) { store(p, v); }
// piece: splat_f16
inline f16v splat_f16(f16 x) { return f16v{u16v(x.bits)}; }
// piece: load_f16
inline f16v load(const f16* p) { return f16v{u16v(p->bits)}; }
// piece: load_splat_f16 needs: load_f16
inline f16v load_splat(const f16* p) { return load(p); }
// piece: store_f16
inline void store(f16* p, f16v v) { p->bits = v.bits.x; }
// piece: store_n_f16 needs: store_f16
inline void store_n(f16* p, f16v v, long) { store(p, v); }
// piece: splat_bf16
inline bf16v splat_bf16(bf16 x) { return bf16v{u16v(x.bits)}; }
// piece: load_bf16
inline bf16v load(const bf16* p) { return bf16v{u16v(p->bits)}; }
// piece: load_splat_bf16 needs: load_bf16
inline bf16v load_splat(const bf16* p) { return load(p); }
// piece: store_bf16
inline void store(bf16* p, bf16v v) { p->bits = v.bits.x; }
// piece: store_n_bf16 needs: store_bf16
inline void store_n(bf16* p, bf16v v, long) { store(p, v); }
// piece: splat_f32
inline f32v splat_f32(float x) { return x; }
// piece: lane0_f32
inline float lane0(f32v v) { return v.x; }
// piece: load_f32
inline f32v load(const float* p) { return *p; }
// piece: load_splat_f32 needs: load_f32
inline f32v load_splat(const float* p) { return load(p); }
// piece: store_f32
inline void store(float* p, f32v v) { *p = v.x; }
// piece: store_n_f32 needs: store_f32
inline void store_n(float* p, f32v v, long) { store(p, v); }
// piece: splat_f64
inline f64v splat_f64(double x) { return x; }
// piece: lane0_f64
inline double lane0(f64v v) { return v.x; }
// piece: load_f64
inline f64v load(const double* p) { return *p; }
// piece: load_splat_f64 needs: load_f64
inline f64v load_splat(const double* p) { return load(p); }
// piece: store_f64
inline void store(double* p, f64v v) { *p = v.x; }
// piece: store_n_f64 needs: store_f64
inline void store_n(double* p, f64v v, long) { store(p, v); }
// Neighbours in memory that one instruction moves.
// piece: Pack
template <class T, int Count>
struct alignas(sizeof(T) * Count) Pack {
  T at[Count];
};
// piece: load_pack
template <int Count, class T>
inline Pack<T, Count> load_pack(const T* p) {
  return *(const Pack<T, Count>*)p;
}
// piece: store_pack
template <class T, int Count>
inline void store_pack(T* p, const Pack<T, Count>& pack) {
  *(Pack<T, Count>*)p = pack;
}
// The first n of a pack, from memory that may begin anywhere: an argument's, or the end of a row.
// piece: load_pack_n
template <int Count, class T>
inline Pack<T, Count> load_pack_n(const T* p, long n) {
  if (n >= Count && (unsigned long)p % sizeof(Pack<T, Count>) == 0) return *(const Pack<T, Count>*)p;
  Pack<T, Count> pack;
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    if (i < n) pack.at[i] = p[i];
  }
  return pack;
}
// piece: store_pack_n
template <class T, int Count>
inline void store_pack_n(T* p, const Pack<T, Count>& pack, long n) {
  if (n >= Count && (unsigned long)p % sizeof(Pack<T, Count>) == 0) {
    *(Pack<T, Count>*)p = pack;
    return;
  }
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    if (i < n) p[i] = pack.at[i];
  }
}
// Index arithmetic in either width.
// piece: div_down
template <class Int, class Size>
inline Int div_down(Int a, Size b) {
  return (Int)((a >= 0 ? a : a - b + 1) / b);
}
// piece: mod_down
template <class Int, class Size>
inline Int mod_down(Int a, Size b) {
  Int r = (Int)(a % b);
  return (Int)(r < 0 ? r + b : r);
}
// piece: clamp_index
template <class Int, class Size>
inline Int clamp_index(Int a, Size n) {
  return (Int)(a < 0 ? 0 : a < n ? a : n - 1);
}
// piece: mirror_index
template <class Int, class Size>
inline Int mirror_index(Int a, Size n) {
  Int r = a < 0 ? -a : a;
  if (r >= n) r = mod_down(r, 2 * n - 2);
  return (Int)(r < n ? r : 2 * n - 2 - r);
}
// end of pieces

}  // namespace
