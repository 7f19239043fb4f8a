// The loops, over 32-byte or 64-byte vectors by what the machine has.

#include "bench/limits.h"

#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sinter::bench {

namespace {

#if defined(__x86_64__)

#define SINTER_BENCH_AVX512 __attribute__((target("avx512f")))
#define SINTER_BENCH_AVX2 __attribute__((target("avx2")))

bool has_avx512() {
  static const bool found = __builtin_cpu_supports("avx512f");
  return found;
}

// Elements before the first that is 64-byte aligned.
int64_t head_of(const float* out, int64_t count) {
  int64_t head = static_cast<int64_t>((64 - reinterpret_cast<uintptr_t>(out) % 64) % 64 / 4);
  return head < count ? head : count;
}

SINTER_BENCH_AVX512 void relu_add_mul_512(const float* x, const float* y, float* out, int64_t count) {
  int64_t i = 0, head = head_of(out, count);
  for (; i < head; ++i) out[i] = std::fmax(x[i] + y[i], 0.0f) * 2.0f;
  for (; i + 16 <= count; i += 16) {
    __m512 sum = _mm512_add_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i));
    _mm512_stream_ps(out + i, _mm512_mul_ps(_mm512_max_ps(sum, _mm512_setzero_ps()), _mm512_set1_ps(2.0f)));
  }
  for (; i < count; ++i) out[i] = std::fmax(x[i] + y[i], 0.0f) * 2.0f;
  _mm_sfence();
}

SINTER_BENCH_AVX2 void relu_add_mul_256(const float* x, const float* y, float* out, int64_t count) {
  int64_t i = 0, head = head_of(out, count);
  for (; i < head; ++i) out[i] = std::fmax(x[i] + y[i], 0.0f) * 2.0f;
  for (; i + 8 <= count; i += 8) {
    __m256 sum = _mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i));
    _mm256_stream_ps(out + i, _mm256_mul_ps(_mm256_max_ps(sum, _mm256_setzero_ps()), _mm256_set1_ps(2.0f)));
  }
  for (; i < count; ++i) out[i] = std::fmax(x[i] + y[i], 0.0f) * 2.0f;
  _mm_sfence();
}

SINTER_BENCH_AVX512 void copy_512(const float* x, float* out, int64_t count) {
  int64_t i = 0, head = head_of(out, count);
  for (; i < head; ++i) out[i] = x[i];
  for (; i + 16 <= count; i += 16) _mm512_stream_ps(out + i, _mm512_loadu_ps(x + i));
  for (; i < count; ++i) out[i] = x[i];
  _mm_sfence();
}

SINTER_BENCH_AVX512 void add_512(const float* x, const float* y, float* out, int64_t count) {
  int64_t i = 0, head = head_of(out, count);
  for (; i < head; ++i) out[i] = x[i] + y[i];
  for (; i + 16 <= count; i += 16)
    _mm512_stream_ps(out + i, _mm512_add_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));
  for (; i < count; ++i) out[i] = x[i] + y[i];
  _mm_sfence();
}

SINTER_BENCH_AVX512 void adam_512(const float* const in[4], float* const out[3], int64_t count) {
  for (int64_t i = 0; i + 16 <= count; i += 16) {
    __m512 p = _mm512_loadu_ps(in[0] + i), g = _mm512_loadu_ps(in[1] + i);
    __m512 m = _mm512_add_ps(_mm512_loadu_ps(in[2] + i), g), v = _mm512_add_ps(_mm512_loadu_ps(in[3] + i), g);
    _mm512_stream_ps(out[0] + i, p);
    _mm512_stream_ps(out[1] + i, m);
    _mm512_stream_ps(out[2] + i, v);
  }
  _mm_sfence();
}

SINTER_BENCH_AVX512 float read_512(const float* x, int64_t count) {
  __m512 sums[8];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  int64_t i = 0;
  for (; i + 128 <= count; i += 128)
    for (int k = 0; k < 8; ++k) sums[k] = _mm512_add_ps(sums[k], _mm512_loadu_ps(x + i + 16 * k));
  alignas(64) float lanes[16];
  float total = 0;
  for (int k = 1; k < 8; ++k) sums[0] = _mm512_add_ps(sums[0], sums[k]);
  _mm512_store_ps(lanes, sums[0]);
  for (float lane : lanes) total += lane;
  for (; i < count; ++i) total += x[i];
  return total;
}

#else
bool has_avx512() { return false; }
#endif

}  // namespace

void plain_add(const float* x, const float* y, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] + y[i];
}

void stream_relu_add_mul(const float* x, const float* y, float* out, int64_t count) {
#if defined(__x86_64__)
  if (has_avx512()) return relu_add_mul_512(x, y, out, count);
  if (__builtin_cpu_supports("avx2")) return relu_add_mul_256(x, y, out, count);
#endif
  for (int64_t i = 0; i < count; ++i) out[i] = std::fmax(x[i] + y[i], 0.0f) * 2.0f;
}

float read_all(const float* x, int64_t count) {
#if defined(__x86_64__)
  if (has_avx512()) return read_512(x, count);
#endif
  float sums[64] = {};
  for (int64_t i = 0; i + 64 <= count; i += 64)
    for (int k = 0; k < 64; ++k) sums[k] += x[i + k];
  float total = 0;
  for (float sum : sums) total += sum;
  return total;
}

void stream_copy(const float* x, float* out, int64_t count) {
#if defined(__x86_64__)
  if (has_avx512()) return copy_512(x, out, count);
#endif
  for (int64_t i = 0; i < count; ++i) out[i] = x[i];
}

void stream_add(const float* x, const float* y, float* out, int64_t count) {
#if defined(__x86_64__)
  if (has_avx512()) return add_512(x, y, out, count);
#endif
  plain_add(x, y, out, count);
}

void stream_adam_traffic(const float* const in[4], float* const out[3], int64_t count) {
#if defined(__x86_64__)
  if (has_avx512()) return adam_512(in, out, count);
#endif
  for (int64_t i = 0; i < count; ++i) {
    out[0][i] = in[0][i];
    out[1][i] = in[2][i] + in[1][i];
    out[2][i] = in[3][i] + in[1][i];
  }
}

void libm_gelu(const float* x, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] * 0.5f * (1.0f + std::erf(x[i] * 0.70710678f)) * 2.0f;
}

void libm_gelu_tanh(const float* x, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    float inner = 0.79788456f * (x[i] + 0.044715f * x[i] * x[i] * x[i]);
    out[i] = 0.5f * x[i] * (1.0f + std::tanh(inner));
  }
}

void libm_black_scholes(const float* const in[5], float* out, int64_t count) {
  auto cdf = [](float z) { return 0.5f * (1.0f + std::erf(z * 0.70710678f)); };
  for (int64_t i = 0; i < count; ++i) {
    float s = in[0][i], k = in[1][i], t = in[2][i], r = in[3][i], v = in[4][i];
    float d1 = (std::log(s / k) + (r + 0.5f * v * v) * t) / (v * std::sqrt(t)), d2 = d1 - v * std::sqrt(t);
    out[i] = s * cdf(d1) - k * std::exp(-r * t) * cdf(d2);
  }
}

}  // namespace sinter::bench
