// The random generator of the CPU, and the ops that draw from it.
//
// A generator is a seed and a position in the sequence of blocks of 128 random bits that Philox makes of the seed. Each
// call takes the blocks after those of the call before: one for 4 elements, or for 2 where an element needs 64 bits
// (f64, and integers from a range above 2^32). So numbers depend on the seed and on the calls made, never on threads.

#pragma once

#include <sinter/graph/graph.h>

#include <cstdint>
#include <mutex>
#include <vector>

namespace sinter {

struct GeneratorState {
  uint64_t seed = 67280421310721;  // PyTorch's default
  uint64_t position = 0;           // blocks used up
  bool operator==(const GeneratorState&) const = default;
};

class Generator {
 public:
  void seed(uint64_t seed);
  GeneratorState state() const;
  void set_state(GeneratorState state);
  // Takes the next blocks: gives the state before.
  GeneratorState advance(uint64_t blocks);

 private:
  mutable std::mutex mutex_;
  GeneratorState state_;
};

// What rand, randn and randint draw from.
Generator& default_generator();
// In a traced function: at that place of each call.
void manual_seed(uint64_t seed, Here here = Here::current());

}  // namespace sinter

namespace sinter::runtime {

// Runs an op of Structured::random: fills the dense memory of `output` from the default generator.
void fill_random(const OpArgs& args, const Tensor& output);

// Uniform in [0, 1), as many random bits as the type has: 24 of an f32, 53 of an f64, 11 of an f16, 8 of a bf16.
void fill_uniform(GeneratorState from, void* out, DType dtype, int64_t n);
// Normal with mean 0 and variance 1, by the method of Box and Muller.
void fill_normal(GeneratorState from, void* out, DType dtype, int64_t n);
// Integers in [low, high), each as likely as any other.
void fill_integers(GeneratorState from, void* out, DType dtype, int64_t n, int64_t low, int64_t high);

// Blocks that n elements take.
uint64_t blocks_of(int64_t n, bool has_64_bits);

}  // namespace sinter::runtime
