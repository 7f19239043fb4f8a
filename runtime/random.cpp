// Distributions from random bits.

#include <sinter/runtime/random.h>

#include <sinter/graph/ops/random.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/philox.h>
#include <sinter/runtime/primitives/primitive_table.h>

#include <algorithm>
#include <type_traits>

namespace sinter {

void Generator::seed(uint64_t seed) { set_state({seed, 0}); }
GeneratorState Generator::state() const {
  std::lock_guard lock(mutex_);
  return state_;
}
void Generator::set_state(GeneratorState state) {
  std::lock_guard lock(mutex_);
  state_ = state;
}
GeneratorState Generator::advance(uint64_t blocks) {
  std::lock_guard lock(mutex_);
  GeneratorState before = state_;
  state_.position += blocks;
  return before;
}

Generator& default_generator() {
  static Generator& instance = *new Generator;  // never destroyed, like all that operators use
  return instance;
}
void manual_seed(uint64_t seed, Here here) { apply(op_defs::manual_seed_default, {static_cast<int64_t>(seed)}, here); }

}  // namespace sinter

namespace sinter::runtime {

namespace {

constexpr int64_t chunk_elements = 1024;  // done together; a multiple of what a block serves
constexpr int64_t parallel_chunks = 16;

PhiloxBlock block_at(const GeneratorState& state, uint64_t block) {
  uint64_t counter = state.position + block;
  return philox(state.seed, {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0});
}

uint64_t low_half(const PhiloxBlock& block) { return block[0] | uint64_t{block[1]} << 32; }
uint64_t high_half(const PhiloxBlock& block) { return block[2] | uint64_t{block[3]} << 32; }

// Calls f(begin, end) for the chunks of [0, n), on all threads.
template <class F>
void for_chunks(int64_t n, const F& f) {
  int64_t chunks = (n + chunk_elements - 1) / chunk_elements;
  parallel_for(0, chunks, parallel_chunks, [&](int64_t first, int64_t last) {
    for (int64_t chunk = first; chunk < last; ++chunk)
      f(chunk * chunk_elements, std::min((chunk + 1) * chunk_elements, n));
  });
}

// Calls f(i, bits) with the 32 or 64 random bits of each element of [begin, end).
template <class F>
void for_words(const GeneratorState& state, int64_t begin, int64_t end, const F& f) {
  for (int64_t i = begin; i < end; i += 4) {
    PhiloxBlock block = block_at(state, i / 4);
    for (int64_t k = 0; k < 4 && i + k < end; ++k) f(i + k, block[k]);
  }
}
template <class F>
void for_long_words(const GeneratorState& state, int64_t begin, int64_t end, const F& f) {
  for (int64_t i = begin; i < end; i += 2) {
    PhiloxBlock block = block_at(state, i / 2);
    f(i, low_half(block));
    if (i + 1 < end) f(i + 1, high_half(block));
  }
}

// --- Normal -----------------------------------------------------------------------------------------------------

void call(ScalarOp op, double* out, const double* in, int64_t n) {
  static const PrimitiveTable& table = primitives(detect_isa());
  table.scalar[static_cast<int>(op)][static_cast<int>(DType::f64)](out, in, nullptr, nullptr, n);
}

// Two normal numbers from each pair of uniform ones; `radii` in (0, 1], `angles` in [0, 1).
void box_muller(double* radii, double* angles, double* first, double* second, int64_t pairs) {
  call(ScalarOp::log, radii, radii, pairs);
  for (int64_t i = 0; i < pairs; ++i) radii[i] *= -2.0;
  call(ScalarOp::sqrt, radii, radii, pairs);
  for (int64_t i = 0; i < pairs; ++i) angles[i] *= 6.283185307179586;
  call(ScalarOp::cos, first, angles, pairs);
  call(ScalarOp::sin, second, angles, pairs);
  for (int64_t i = 0; i < pairs; ++i) {
    first[i] *= radii[i];
    second[i] *= radii[i];
  }
}

void fill_normal_chunk(const GeneratorState& state, bool is_wide, double* out, int64_t begin, int64_t end) {
  constexpr int64_t most = chunk_elements / 2;
  double radii[most], angles[most], first[most], second[most];
  int64_t pairs = (end - begin + 1) / 2;
  for (int64_t i = 0; i < pairs; ++i) {
    int64_t element = begin + 2 * i;
    if (is_wide) {
      PhiloxBlock block = block_at(state, element / 2);
      radii[i] = static_cast<double>((low_half(block) >> 11) + 1) * 0x1p-53;
      angles[i] = static_cast<double>(high_half(block) >> 11) * 0x1p-53;
    } else {
      PhiloxBlock block = block_at(state, element / 4);
      int half = static_cast<int>(element % 4);
      radii[i] = (block[half] + 1.0) * 0x1p-32;
      angles[i] = block[half + 1] * 0x1p-32;
    }
  }
  box_muller(radii, angles, first, second, pairs);
  for (int64_t i = 0; i < end - begin; ++i) out[i] = i % 2 == 0 ? first[i / 2] : second[i / 2];
}

// --- Integers ---------------------------------------------------------------------------------------------------

// Lemire, "Fast random integer generation in an interval", 2019. What it throws away is replaced from a counter of the
// element's own, so that other elements do not move.
uint64_t below(uint64_t range, uint64_t bits, const GeneratorState& state, int64_t element) {
  unsigned __int128 product = static_cast<unsigned __int128>(bits) * range;
  uint64_t reject = -range % range;
  for (uint32_t attempt = 1; static_cast<uint64_t>(product) < reject; ++attempt) {
    uint64_t counter = state.position + static_cast<uint64_t>(element);
    PhiloxBlock block =
        philox(state.seed, {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), attempt, 0x72616e64});
    product = static_cast<unsigned __int128>(low_half(block)) * range;
  }
  return static_cast<uint64_t>(product >> 64);
}
uint32_t below(uint32_t range, uint32_t bits, const GeneratorState& state, int64_t element) {
  uint64_t product = uint64_t{bits} * range;
  uint32_t reject = -range % range;
  for (uint32_t attempt = 1; static_cast<uint32_t>(product) < reject; ++attempt) {
    uint64_t counter = state.position + static_cast<uint64_t>(element);
    product = uint64_t{philox(state.seed, {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32),
                                           attempt, 0x72616e64})[0]} *
              range;
  }
  return static_cast<uint32_t>(product >> 32);
}

template <class T, class Number>
T element_of(Number number) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return T(static_cast<float>(number));
  else
    return static_cast<T>(number);
}

bool needs_64_bits(uint64_t range) { return range == 0 || range > uint64_t{1} << 32; }

int64_t integer_or(const OpArgs& args, std::string_view parameter, int64_t absent) {
  return args.op().schema().find(parameter) < 0 ? absent : args.integer(parameter);
}

}  // namespace

uint64_t blocks_of(int64_t n, bool has_64_bits) {
  return static_cast<uint64_t>(has_64_bits ? (n + 1) / 2 : (n + 3) / 4);
}

void fill_uniform(GeneratorState from, void* out, DType dtype, int64_t n) {
  for_chunks(n, [&](int64_t begin, int64_t end) {
    switch (dtype) {
      case DType::f64:
        for_long_words(from, begin, end, [&](int64_t i, uint64_t bits) {
          static_cast<double*>(out)[i] = static_cast<double>(bits >> 11) * 0x1p-53;
        });
        break;
      case DType::f16:
        for_words(from, begin, end, [&](int64_t i, uint32_t bits) {
          static_cast<Half*>(out)[i] = Half(static_cast<float>(bits >> 21) * 0x1p-11f);
        });
        break;
      case DType::bf16:
        for_words(from, begin, end, [&](int64_t i, uint32_t bits) {
          static_cast<BFloat16*>(out)[i] = BFloat16(static_cast<float>(bits >> 24) * 0x1p-8f);
        });
        break;
      default:
        for_words(from, begin, end, [&](int64_t i, uint32_t bits) {
          static_cast<float*>(out)[i] = static_cast<float>(bits >> 8) * 0x1p-24f;
        });
    }
  });
}

void fill_normal(GeneratorState from, void* out, DType dtype, int64_t n) {
  for_chunks(n, [&](int64_t begin, int64_t end) {
    double values[chunk_elements];
    fill_normal_chunk(from, dtype == DType::f64, values, begin, end);
    visit(dtype, [&](auto zero) {
      using T = decltype(zero);
      for (int64_t i = begin; i < end; ++i) static_cast<T*>(out)[i] = element_of<T>(values[i - begin]);
    });
  });
}

void fill_integers(GeneratorState from, void* out, DType dtype, int64_t n, int64_t low, int64_t high) {
  uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto put = [&](int64_t i, uint64_t number) {
      static_cast<T*>(out)[i] = element_of<T>(static_cast<int64_t>(static_cast<uint64_t>(low) + number));
    };
    for_chunks(n, [&](int64_t begin, int64_t end) {
      if (needs_64_bits(range))
        for_long_words(from, begin, end, [&](int64_t i, uint64_t bits) { put(i, below(range, bits, from, i)); });
      else if (range == uint64_t{1} << 32)
        for_words(from, begin, end, [&](int64_t i, uint32_t bits) { put(i, bits); });
      else
        for_words(from, begin, end,
                  [&](int64_t i, uint32_t bits) { put(i, below(static_cast<uint32_t>(range), bits, from, i)); });
    });
  });
}

void fill_random(const OpArgs& args, const Tensor& output) {
  int64_t n = output.numel().constant();
  if (n == 0) return;
  void* out = output.data_ptr();
  DType dtype = output.dtype();
  std::string_view what = args.op().schema().name;
  if (what == "randint") {
    int64_t low = integer_or(args, "low", 0), high = integer_or(args, "high", 1);
    bool is_wide = needs_64_bits(static_cast<uint64_t>(high) - static_cast<uint64_t>(low));
    return fill_integers(default_generator().advance(blocks_of(n, is_wide)), out, dtype, n, low, high);
  }
  GeneratorState from = default_generator().advance(blocks_of(n, dtype == DType::f64));
  if (what.starts_with("randn"))
    fill_normal(from, out, dtype, n);
  else
    fill_uniform(from, out, dtype, n);
}

}  // namespace sinter::runtime
