// Hand-written loops that say what the machine can do: the limits that benchmark rows stand beside.

#pragma once

#include <cstdint>

namespace sinter::bench {

// out = relu(x + y) * 2 with streaming stores.
void stream_relu_add_mul(const float* x, const float* y, float* out, int64_t count);
void plain_add(const float* x, const float* y, float* out, int64_t count);
// Reads and adds all up; several accumulators.
float read_all(const float* x, int64_t count);
// Copies with streaming stores: one read and one write an element, nothing else.
void stream_copy(const float* x, float* out, int64_t count);
// Reads two arrays, writes one, streaming.
void stream_add(const float* x, const float* y, float* out, int64_t count);
// Reads four arrays, writes three, streaming.
void stream_adam_traffic(const float* const in[4], float* const out[3], int64_t count);

// Loops over libm, as one would write them without a compiler like this.
void libm_gelu(const float* x, float* out, int64_t count);
void libm_gelu_tanh(const float* x, float* out, int64_t count);
void libm_black_scholes(const float* const in[5], float* out, int64_t count);

}  // namespace sinter::bench
