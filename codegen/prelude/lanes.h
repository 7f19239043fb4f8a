// The first n lanes of a vector, from and to memory of which nothing else is touched: by masks where the instruction
// set has them.
//
// Rows seldom end where a vector does, and a call of memcpy at each end costs more than the other work of a short row.
// A count that stands in the text as a number is an int: copying so many elements is a few instructions.

#pragma once

#include <sinter/codegen/prelude/vectors.h>

namespace {

// Of n lanes that are left, those of one part.
// piece: lanes_of_part
inline long lanes_of_part(long n, long most) { return n < 0 ? 0 : n < most ? n : most; }
// Elements of 1 byte: what one instruction takes.
// piece: part_1
#ifdef __AVX512F__
typedef char part_1 __attribute__((vector_size(16)));
#ifdef __clang__
typedef part_1 part_1_in_memory;
#else
typedef char part_1_in_memory;
#endif
inline part_1 load_part_1(const char* p, long n) {
  return __builtin_ia32_loaddquqi128_mask((const part_1_in_memory*)p, part_1{}, (unsigned short)((1u << n) - 1));
}
inline void store_part_1(char* p, part_1 v, long n) {
  __builtin_ia32_storedquqi128_mask((part_1_in_memory*)p, v, (unsigned short)((1u << n) - 1));
}
#endif
// piece: load_lanes_1
template <class V>
inline V load_lanes_1(const void* p, auto n) {
  V v = {};
#ifdef __AVX512F__
  if constexpr (sizeof(n) == sizeof(long) && sizeof(V) == sizeof(part_1)) {
    part_1 part = load_part_1((const char*)p, n);
    __builtin_memcpy(&v, &part, sizeof part);
  } else if constexpr (sizeof(n) == sizeof(long) && sizeof(V) % sizeof(part_1) == 0) {
    constexpr long lanes = sizeof(part_1);
    for (long k = 0; k < N; k += lanes) {
      part_1 part = load_part_1((const char*)p + k, lanes_of_part(n - k, lanes));
      __builtin_memcpy((char*)&v + k, &part, sizeof part);
    }
  } else
#endif
    __builtin_memcpy(&v, p, n);
  return v;
}
// piece: store_lanes_1
template <class V>
inline void store_lanes_1(void* p, V v, auto n) {
#ifdef __AVX512F__
  part_1 part;
  if constexpr (sizeof(n) == sizeof(long) && sizeof(V) == sizeof part) {
    __builtin_memcpy(&part, &v, sizeof part);
    store_part_1((char*)p, part, n);
  } else if constexpr (sizeof(n) == sizeof(long) && sizeof(V) % sizeof part == 0) {
    constexpr long lanes = sizeof(part_1);
    for (long k = 0; k < N; k += lanes) {
      __builtin_memcpy(&part, (const char*)&v + k, sizeof part);
      store_part_1((char*)p + k, part, lanes_of_part(n - k, lanes));
    }
  } else
#endif
    __builtin_memcpy(p, &v, n);
}
// Elements of 2 bytes: what one instruction takes.
// piece: part_2
#ifdef __AVX512F__
typedef short part_2 __attribute__((vector_size(32)));
#ifdef __clang__
typedef part_2 part_2_in_memory;
#else
typedef short part_2_in_memory;
#endif
inline part_2 load_part_2(const short* p, long n) {
  return __builtin_ia32_loaddquhi256_mask((const part_2_in_memory*)p, part_2{}, (unsigned short)((1u << n) - 1));
}
inline void store_part_2(short* p, part_2 v, long n) {
  __builtin_ia32_storedquhi256_mask((part_2_in_memory*)p, v, (unsigned short)((1u << n) - 1));
}
#endif
// piece: load_lanes_2
template <class V>
inline V load_lanes_2(const void* p, auto n) {
  V v = {};
#ifdef __AVX512F__
  if constexpr (sizeof(n) == sizeof(long) && sizeof(V) == sizeof(part_2)) {
    part_2 part = load_part_2((const short*)p, n);
    __builtin_memcpy(&v, &part, sizeof part);
  } else if constexpr (sizeof(n) == sizeof(long) && sizeof(V) % sizeof(part_2) == 0) {
    constexpr long lanes = sizeof(part_2) / 2;
    for (long k = 0; k < N; k += lanes) {
      part_2 part = load_part_2((const short*)p + k, lanes_of_part(n - k, lanes));
      __builtin_memcpy((char*)&v + 2 * k, &part, sizeof part);
    }
  } else
#endif
    __builtin_memcpy(&v, p, 2 * n);
  return v;
}
// piece: store_lanes_2
template <class V>
inline void store_lanes_2(void* p, V v, auto n) {
#ifdef __AVX512F__
  part_2 part;
  if constexpr (sizeof(n) == sizeof(long) && sizeof(V) == sizeof part) {
    __builtin_memcpy(&part, &v, sizeof part);
    store_part_2((short*)p, part, n);
  } else if constexpr (sizeof(n) == sizeof(long) && sizeof(V) % sizeof part == 0) {
    constexpr long lanes = sizeof(part_2) / 2;
    for (long k = 0; k < N; k += lanes) {
      __builtin_memcpy(&part, (const char*)&v + 2 * k, sizeof part);
      store_part_2((short*)p + k, part, lanes_of_part(n - k, lanes));
    }
  } else
#endif
    __builtin_memcpy(p, &v, 2 * n);
}
// Elements of 4 bytes: what one instruction takes.
// piece: part_4
#if defined(__AVX512F__)
typedef int part_4 __attribute__((vector_size(64)));
inline part_4 load_part_4(const int* p, long n) {
  return __builtin_ia32_loaddqusi512_mask(p, part_4{}, (unsigned short)((1u << n) - 1));
}
inline void store_part_4(int* p, part_4 v, long n) {
  __builtin_ia32_storedqusi512_mask(p, v, (unsigned short)((1u << n) - 1));
}
#elif defined(__AVX2__)
typedef int part_4 __attribute__((vector_size(32)));
inline part_4 load_part_4(const int* p, long n) {
  return __builtin_ia32_maskloadd256((const part_4*)p, part_4{0, 1, 2, 3, 4, 5, 6, 7} < (int)n);
}
inline void store_part_4(int* p, part_4 v, long n) {
  __builtin_ia32_maskstored256((part_4*)p, part_4{0, 1, 2, 3, 4, 5, 6, 7} < (int)n, v);
}
#endif
// piece: load_lanes_4
template <class V>
inline V load_lanes_4(const void* p, auto n) {
  V v = {};
#ifdef __AVX2__
  if constexpr (sizeof(n) == sizeof(long) && sizeof(V) == sizeof(part_4)) {
    part_4 part = load_part_4((const int*)p, n);
    __builtin_memcpy(&v, &part, sizeof part);
  } else if constexpr (sizeof(n) == sizeof(long) && sizeof(V) % sizeof(part_4) == 0) {
    constexpr long lanes = sizeof(part_4) / 4;
    for (long k = 0; k < N; k += lanes) {
      part_4 part = load_part_4((const int*)p + k, lanes_of_part(n - k, lanes));
      __builtin_memcpy((char*)&v + 4 * k, &part, sizeof part);
    }
  } else
#endif
    __builtin_memcpy(&v, p, 4 * n);
  return v;
}
// piece: store_lanes_4
template <class V>
inline void store_lanes_4(void* p, V v, auto n) {
#ifdef __AVX2__
  part_4 part;
  if constexpr (sizeof(n) == sizeof(long) && sizeof(V) == sizeof part) {
    __builtin_memcpy(&part, &v, sizeof part);
    store_part_4((int*)p, part, n);
  } else if constexpr (sizeof(n) == sizeof(long) && sizeof(V) % sizeof part == 0) {
    constexpr long lanes = sizeof(part_4) / 4;
    for (long k = 0; k < N; k += lanes) {
      __builtin_memcpy(&part, (const char*)&v + 4 * k, sizeof part);
      store_part_4((int*)p + k, part, lanes_of_part(n - k, lanes));
    }
  } else
#endif
    __builtin_memcpy(p, &v, 4 * n);
}
// Elements of 8 bytes: what one instruction takes.
// piece: part_8
#if defined(__AVX512F__)
typedef long long part_8 __attribute__((vector_size(64)));
inline part_8 load_part_8(const long long* p, long n) {
  return __builtin_ia32_loaddqudi512_mask(p, part_8{}, (unsigned char)((1u << n) - 1));
}
inline void store_part_8(long long* p, part_8 v, long n) {
  __builtin_ia32_storedqudi512_mask(p, v, (unsigned char)((1u << n) - 1));
}
#elif defined(__AVX2__)
typedef long long part_8 __attribute__((vector_size(32)));
inline part_8 load_part_8(const long long* p, long n) {
  return __builtin_ia32_maskloadq256((const part_8*)p, part_8{0, 1, 2, 3} < n);
}
inline void store_part_8(long long* p, part_8 v, long n) {
  __builtin_ia32_maskstoreq256((part_8*)p, part_8{0, 1, 2, 3} < n, v);
}
#endif
// piece: load_lanes_8
template <class V>
inline V load_lanes_8(const void* p, auto n) {
  V v = {};
#ifdef __AVX2__
  if constexpr (sizeof(n) == sizeof(long) && sizeof(V) == sizeof(part_8)) {
    part_8 part = load_part_8((const long long*)p, n);
    __builtin_memcpy(&v, &part, sizeof part);
  } else if constexpr (sizeof(n) == sizeof(long) && sizeof(V) % sizeof(part_8) == 0) {
    constexpr long lanes = sizeof(part_8) / 8;
    for (long k = 0; k < N; k += lanes) {
      part_8 part = load_part_8((const long long*)p + k, lanes_of_part(n - k, lanes));
      __builtin_memcpy((char*)&v + 8 * k, &part, sizeof part);
    }
  } else
#endif
    __builtin_memcpy(&v, p, 8 * n);
  return v;
}
// piece: store_lanes_8
template <class V>
inline void store_lanes_8(void* p, V v, auto n) {
#ifdef __AVX2__
  part_8 part;
  if constexpr (sizeof(n) == sizeof(long) && sizeof(V) == sizeof part) {
    __builtin_memcpy(&part, &v, sizeof part);
    store_part_8((long long*)p, part, n);
  } else if constexpr (sizeof(n) == sizeof(long) && sizeof(V) % sizeof part == 0) {
    constexpr long lanes = sizeof(part_8) / 8;
    for (long k = 0; k < N; k += lanes) {
      __builtin_memcpy(&part, (const char*)&v + 8 * k, sizeof part);
      store_part_8((long long*)p + k, part, lanes_of_part(n - k, lanes));
    }
  } else
#endif
    __builtin_memcpy(p, &v, 8 * n);
}
// end of pieces

}  // namespace
