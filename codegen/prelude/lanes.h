// The first n lanes of a vector, from and to memory of which nothing else is touched: by masks where the instruction
// set has them.
//
// Rows seldom end where a vector does, and a call of memcpy at each end costs more than the other work of a short row.
// A count that is known when the code is compiled needs no call: the copy is a few instructions.

#pragma once

#include <sinter/codegen/prelude/vectors.h>

namespace {

// A mask of as many of sixteen lanes.
// piece: first_lanes
inline unsigned first_lanes(long n) { return n <= 0 ? 0u : n >= 16 ? 0xffffu : (1u << n) - 1; }
// Elements of 1 byte: what one instruction takes.
// piece: part_1
typedef char part_1 __attribute__((vector_size(16)));
#ifdef __clang__
typedef part_1 part_1_in_memory;
#else
typedef char part_1_in_memory;
#endif
// piece: load_lanes_1
template <class V>
inline V load_lanes_1(const void* p, long n) {
  V v = {};
#ifdef __AVX512F__
  if (sizeof(V) % sizeof(part_1) == 0 && !__builtin_constant_p(n)) {
    for (long k = 0; k < N; k += 16) {
      part_1 part = __builtin_ia32_loaddquqi128_mask((const part_1_in_memory*)((const char*)p + k), part_1{},
                                                     (unsigned short)first_lanes(n - k));
      __builtin_memcpy((char*)&v + k, &part, sizeof part);
    }
    return v;
  }
#endif
  __builtin_memcpy(&v, p, n);
  return v;
}
// piece: store_lanes_1
template <class V>
inline void store_lanes_1(void* p, V v, long n) {
#ifdef __AVX512F__
  if (sizeof(V) % sizeof(part_1) == 0 && !__builtin_constant_p(n)) {
    for (long k = 0; k < N; k += 16) {
      part_1 part;
      __builtin_memcpy(&part, (const char*)&v + k, sizeof part);
      __builtin_ia32_storedquqi128_mask((part_1_in_memory*)((char*)p + k), part, (unsigned short)first_lanes(n - k));
    }
    return;
  }
#endif
  __builtin_memcpy(p, &v, n);
}
// Elements of 2 bytes: what one instruction takes.
// piece: part_2
typedef short part_2 __attribute__((vector_size(32)));
#ifdef __clang__
typedef part_2 part_2_in_memory;
#else
typedef short part_2_in_memory;
#endif
// piece: load_lanes_2
template <class V>
inline V load_lanes_2(const void* p, long n) {
  V v = {};
#ifdef __AVX512F__
  if (sizeof(V) % sizeof(part_2) == 0 && !__builtin_constant_p(n)) {
    for (long k = 0; k < N; k += 16) {
      part_2 part = __builtin_ia32_loaddquhi256_mask((const part_2_in_memory*)((const short*)p + k), part_2{},
                                                     (unsigned short)first_lanes(n - k));
      __builtin_memcpy((char*)&v + 2 * k, &part, sizeof part);
    }
    return v;
  }
#endif
  __builtin_memcpy(&v, p, 2 * n);
  return v;
}
// piece: store_lanes_2
template <class V>
inline void store_lanes_2(void* p, V v, long n) {
#ifdef __AVX512F__
  if (sizeof(V) % sizeof(part_2) == 0 && !__builtin_constant_p(n)) {
    for (long k = 0; k < N; k += 16) {
      part_2 part;
      __builtin_memcpy(&part, (const char*)&v + 2 * k, sizeof part);
      __builtin_ia32_storedquhi256_mask((part_2_in_memory*)((short*)p + k), part, (unsigned short)first_lanes(n - k));
    }
    return;
  }
#endif
  __builtin_memcpy(p, &v, 2 * n);
}
// Elements of 4 bytes: what one instruction takes.
// piece: part_4
typedef int part_4 __attribute__((vector_size(64)));
// piece: load_lanes_4
template <class V>
inline V load_lanes_4(const void* p, long n) {
  V v = {};
#ifdef __AVX512F__
  if (sizeof(V) % sizeof(part_4) == 0 && !__builtin_constant_p(n)) {
    for (long k = 0; k < N; k += 16) {
      part_4 part = __builtin_ia32_loaddqusi512_mask((const int*)p + k, part_4{}, (unsigned short)first_lanes(n - k));
      __builtin_memcpy((char*)&v + 4 * k, &part, sizeof part);
    }
    return v;
  }
#endif
  __builtin_memcpy(&v, p, 4 * n);
  return v;
}
// piece: store_lanes_4
template <class V>
inline void store_lanes_4(void* p, V v, long n) {
#ifdef __AVX512F__
  if (sizeof(V) % sizeof(part_4) == 0 && !__builtin_constant_p(n)) {
    for (long k = 0; k < N; k += 16) {
      part_4 part;
      __builtin_memcpy(&part, (const char*)&v + 4 * k, sizeof part);
      __builtin_ia32_storedqusi512_mask((int*)p + k, part, (unsigned short)first_lanes(n - k));
    }
    return;
  }
#endif
  __builtin_memcpy(p, &v, 4 * n);
}
// Elements of 8 bytes: what one instruction takes.
// piece: part_8
typedef long long part_8 __attribute__((vector_size(64)));
// piece: load_lanes_8
template <class V>
inline V load_lanes_8(const void* p, long n) {
  V v = {};
#ifdef __AVX512F__
  if (sizeof(V) % sizeof(part_8) == 0 && !__builtin_constant_p(n)) {
    for (long k = 0; k < N; k += 8) {
      part_8 part =
          __builtin_ia32_loaddqudi512_mask((const long long*)p + k, part_8{}, (unsigned char)first_lanes(n - k));
      __builtin_memcpy((char*)&v + 8 * k, &part, sizeof part);
    }
    return v;
  }
#endif
  __builtin_memcpy(&v, p, 8 * n);
  return v;
}
// piece: store_lanes_8
template <class V>
inline void store_lanes_8(void* p, V v, long n) {
#ifdef __AVX512F__
  if (sizeof(V) % sizeof(part_8) == 0 && !__builtin_constant_p(n)) {
    for (long k = 0; k < N; k += 8) {
      part_8 part;
      __builtin_memcpy(&part, (const char*)&v + 8 * k, sizeof part);
      __builtin_ia32_storedqudi512_mask((long long*)p + k, part, (unsigned char)first_lanes(n - k));
    }
    return;
  }
#endif
  __builtin_memcpy(p, &v, 8 * n);
}
// end of pieces

}  // namespace
