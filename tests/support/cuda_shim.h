// What generated CUDA needs of its compiler and machine, in plain C++: one block after the other, its threads as
// coroutines that go from barrier to barrier in turn.
//
// A kernel whose threads do not all reach the same barrier aborts the run.

#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#define __device__
#define __global__
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(threads)
#define __shared__ static
#define __align__(bytes) alignas(bytes)

namespace cuda_shim {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

struct Thread {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  const char* waits_at = nullptr;  // a barrier
  bool is_done = false;
  unsigned char slot[8];  // what it offers to a shuffle
};

inline std::vector<Thread> threads;
inline ucontext_t scheduler;
inline size_t current = 0;
inline const std::function<void()>* body = nullptr;
inline std::vector<char> shared_memory;

inline void wait_at(const char* barrier) {
  size_t self = current;
  threads[self].waits_at = barrier;
  swapcontext(&threads[self].context, &scheduler);
  current = self;
}

inline void run_thread() {
  (*body)();
  threads[current].is_done = true;
  swapcontext(&threads[current].context, &scheduler);
}

}  // namespace cuda_shim

inline cuda_shim::Index threadIdx, blockIdx;

inline void __syncthreads() { cuda_shim::wait_at("__syncthreads"); }
inline void __syncwarp() { cuda_shim::wait_at("__syncwarp"); }
template <class T>
T shuffle_from_thread(T value, size_t thread) {
  using namespace cuda_shim;
  std::memcpy(threads[current].slot, &value, sizeof value);
  wait_at("offer");
  T other;
  std::memcpy(&other, threads[thread].slot, sizeof other);
  wait_at("taken");
  return other;
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int by) {
  return shuffle_from_thread(value, cuda_shim::current ^ size_t(by));
}
// Within groups of `width` threads; those that would ask beyond theirs keep their own.
template <class T>
T __shfl_up_sync(unsigned, T value, int by, int width) {
  size_t self = cuda_shim::current, lane = self % size_t(width);
  return shuffle_from_thread(value, lane >= size_t(by) ? self - size_t(by) : self);
}
template <class T>
T __shfl_sync(unsigned, T value, int lane, int width) {
  size_t self = cuda_shim::current;
  return shuffle_from_thread(value, self / size_t(width) * size_t(width) + size_t(lane));
}
inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
inline double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline int __clzll(long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
inline float __int_as_float(int bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline double __longlong_as_double(long long bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

namespace cuda_shim {

// The conversions that the device has as instructions; to nearest even.
inline unsigned short to_bf16(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  if (x != x) return 0x7fff;
  return (unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
inline unsigned short to_f16(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  unsigned short sign = (unsigned short)(bits >> 16 & 0x8000);
  if (x != x) return 0x7fff;
  float a = std::fabs(x);
  if (a >= 65520.0f) return sign | 0x7c00;
  int exponent = a == 0 ? -14 : std::max(std::ilogb(a), -14);
  float steps = std::nearbyint(std::ldexp(a, 10 - exponent));  // of the last place
  return (unsigned short)(sign | (unsigned short)(steps + (float)((exponent + 14) * 1024)));
}
inline float from_f16(unsigned short h) {
  int exponent = h >> 10 & 31, mantissa = h & 1023;
  float a = exponent == 31
                ? (mantissa == 0 ? HUGE_VALF : __builtin_nanf(""))
                : std::ldexp((float)(exponent == 0 ? mantissa : mantissa + 1024), (exponent == 0 ? 1 : exponent) - 25);
  return (h & 0x8000) != 0 ? -a : a;
}

// Results of the special function unit: subnormals are flushed. Inverses are the nearest numbers here, which is what
// the device's are meant for, by one Newton step; powers of two are a unit in the last place off.
inline float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
inline float approximate(float x) {
  if (x != x || x == 0 || std::fabs(x) == HUGE_VALF) return x;
  return flushed(std::nextafter(x, x < 0 ? -HUGE_VALF : HUGE_VALF));
}
inline float larger(float a, float b) { return a != a || b != b ? __builtin_nanf("") : a > b ? a : b; }

inline void run_block(size_t count) {
  if (threads.size() < count) threads.resize(count);
  constexpr size_t stack_bytes = 64 * 1024;
  for (size_t i = 0; i < count; ++i) {
    Thread& thread = threads[i];
    if (!thread.stack) thread.stack.reset(new char[stack_bytes]);
    thread.is_done = false;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = stack_bytes;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, run_thread, 0);
  }
  for (bool any_left = true; any_left;) {
    any_left = false;
    const char* barrier = nullptr;
    for (size_t i = 0; i < count; ++i) {
      if (threads[i].is_done) continue;
      current = i;
      threadIdx.x = unsigned(i);
      threads[i].waits_at = nullptr;
      swapcontext(&scheduler, &threads[i].context);
      if (threads[i].is_done) continue;
      if (barrier && std::strcmp(barrier, threads[i].waits_at) != 0) {
        std::fprintf(stderr, "threads wait at %s and %s\n", barrier, threads[i].waits_at);
        std::abort();
      }
      barrier = threads[i].waits_at;
      any_left = true;
    }
    for (size_t i = 0; any_left && i < count; ++i)
      if (threads[i].is_done) {
        std::fprintf(stderr, "thread %zu ended while others wait at %s\n", i, barrier);
        std::abort();
      }
  }
}

// As a launch has it: pointers and sizes are themselves, of a number there is the address.
template <class P>
P parameter(void* argument) {
  if constexpr (std::is_class_v<P>)
    return *static_cast<P*>(argument);
  else
    return (P)argument;
}

template <class... P, size_t... I>
void run(void (*kernel)(P...), void* const* arguments, long grid, int block, long shared_bytes, bool has_barriers,
         std::index_sequence<I...>) {
  std::function<void()> thread = [&] { kernel(parameter<P>(arguments[I])...); };
  body = &thread;
  for (long b = 0; b < grid; ++b) {
    shared_memory.assign(size_t(shared_bytes) + 64, char(0xa5));
    blockIdx.x = unsigned(b);
    if (has_barriers) {
      run_block(size_t(block));
      continue;
    }
    for (int t = 0; t < block; ++t) {
      threadIdx.x = unsigned(t);
      thread();
    }
  }
}
template <class... P>
void run(void (*kernel)(P...), void* const* arguments, long grid, int block, long shared_bytes, bool has_barriers) {
  run(kernel, arguments, grid, block, shared_bytes, has_barriers, std::index_sequence_for<P...>());
}

// Dynamic shared memory, 16-byte aligned.
inline char* shared_begin() {
  return reinterpret_cast<char*>((reinterpret_cast<size_t>(shared_memory.data()) + 15) / 16 * 16);
}

}  // namespace cuda_shim
