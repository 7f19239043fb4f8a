// Makes inputs: dense, permuted, sliced with offset and step, expanded, empty, and views of one another.

#include "properties/random_input.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace sinter::test {

namespace {

using Sizes = std::vector<int64_t>;

Sizes random_sizes(RandomSource& random) {
  if (random.chance(0.1)) return {random.pick({int64_t{255}, int64_t{1000}, int64_t{1025}})};
  Sizes sizes(random.between(0, 4));
  int64_t count = 1;
  for (int64_t& size : sizes) {
    size = random.chance(0.02) ? 0 : random.pick({1, 2, 3, 5, 7, 8, 9, 16, 17, 33});
    if (count * size > 3000) size = 2;
    count *= std::max<int64_t>(size, 1);
  }
  return sizes;
}

Sizes large_sizes(RandomSource& random) {
  switch (random.below(4)) {
    case 0: return {random.between(60000, 300000)};
    case 1: return {random.between(3, 300), random.between(300, 1000)};
    case 2: return {random.between(20000, 60000), random.between(1, 9)};
    default: return {random.between(10, 60), random.between(10, 60), random.between(10, 60)};
  }
}

// Sizes that broadcast with the base's.
Sizes related_sizes(const Sizes& base, RandomSource& random) {
  Sizes sizes = base;
  if (random.chance(0.3))
    sizes.erase(sizes.begin(), sizes.begin() + random.below(static_cast<int64_t>(sizes.size()) + 1));
  for (int64_t& size : sizes)
    if (random.chance(0.2)) size = 1;
  return sizes;
}

double random_float(RandomSource& random, bool has_specials) {
  double infinity = std::numeric_limits<double>::infinity();
  if (has_specials && random.chance(0.05))
    return random.pick({0.0, -0.0, 1.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 0.5, 1.5});
  return (random.unit() + random.unit() + random.unit() - 1.5) * 4;
}

int64_t random_integer(RandomSource& random) {
  if (random.chance(0.02)) return static_cast<int64_t>(random.bits());
  return random.between(-20, 20);
}

void store_random(DType dtype, std::byte* at, RandomSource& random, bool has_specials) {
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    T value;
    if constexpr (std::is_same_v<T, bool>)
      value = random.chance(0.5);
    else if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(random_integer(random));
    else
      value = static_cast<T>(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(
          random_float(random, has_specials)));
    std::memcpy(at, &value, sizeof value);
  });
}

}  // namespace

Placed random_layout(const std::vector<int64_t>& sizes, RandomSource& random, bool may_expand) {
  auto rank = static_cast<int64_t>(sizes.size());
  std::vector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (random.chance(0.4))
    for (int64_t i = rank - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  bool is_sliced = random.chance(0.3), is_expanded = may_expand && random.chance(0.15);
  Layout layout{SymDims(sizes.begin(), sizes.end()), SymDims(sizes.size()), 0};
  int64_t stride = is_sliced && random.chance(0.5) ? 2 : 1;
  for (int64_t i = rank; i-- > 0;) {
    int64_t dim = order[i];
    bool repeats = is_expanded && random.chance(0.5);
    layout.strides[dim] = repeats ? 0 : stride;
    if (!repeats) stride *= std::max<int64_t>(sizes[dim], 1) + (is_sliced ? random.below(3) : 0);
  }
  int64_t offset = is_sliced ? random.below(9) : 0;
  layout.offset = offset;
  return {layout, offset + stride + 1};
}

std::vector<std::byte> random_storage(DType dtype, int64_t elements, RandomSource& random) {
  std::vector<std::byte> bytes(elements * byte_size(dtype));
  bool has_specials = random.chance(0.3);
  for (int64_t i = 0; i < elements; ++i) store_random(dtype, &bytes[i * byte_size(dtype)], random, has_specials);
  return bytes;
}

DType random_dtype(RandomSource& random) {
  return random.chance(0.5) ? f32 : random.pick({boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64});
}

void store_element(DType dtype, std::byte* at, double value) {
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    T element;
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      element = static_cast<T>(static_cast<float>(value));
    else
      element = static_cast<T>(value);
    std::memcpy(at, &element, sizeof element);
  });
}

void add_random_inputs(RandomProgram& program, RandomSource& random, ProgramSize size) {
  Sizes base = size == ProgramSize::large ? large_sizes(random) : random_sizes(random);
  DType main_dtype = random_dtype(random);
  int64_t count = random.between(1, 4);
  for (int64_t i = 0; i < count; ++i) {
    DType dtype = random.chance(0.7) ? main_dtype : random_dtype(random);
    Placed placed = random_layout(i == 0 ? base : related_sizes(base, random), random, true);
    auto storage = static_cast<int>(program.storages.size());
    // Some inputs overlap an earlier one.
    bool shares = i > 0 && random.chance(0.1) &&
                  static_cast<int64_t>(program.storages.back().size()) >=
                      placed.elements * byte_size(program.inputs.back().meta.dtype);
    if (shares) {
      dtype = program.inputs.back().meta.dtype;
      storage = program.inputs.back().storage;
    } else {
      program.storages.push_back(random_storage(dtype, placed.elements, random));
    }
    program.inputs.push_back({{dtype, cpu, placed.layout}, storage});
  }
}

}  // namespace sinter::test
