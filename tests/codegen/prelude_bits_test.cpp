// Every prelude function gives the same bits on every instruction set, with every lane count and both compilers.

#include <codegen/prelude_kernels.h>
#include <codegen/prelude_samples.h>
#include <gtest/gtest.h>

#include <sstream>

namespace {

using Bytes = std::vector<unsigned char>;

template <class T>
Bytes raw(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Bytes input(std::string_view dtype, size_t n, int operand) {
  uint64_t seed = 100 + operand;
  bool second = operand % 2 == 1;
  if (dtype == "f64") return raw(samples<double>(n, second, seed));
  if (dtype == "f32") return raw(samples<float>(n, second, seed));
  if (dtype == "i64") return raw(samples<int64_t>(n, second, seed));
  if (dtype == "i32") return raw(samples<int32_t>(n, second, seed));
  if (dtype == "i8") return raw(samples<int8_t>(n, second, seed));
  if (dtype == "u8") return raw(samples<uint8_t>(n, second, seed));
  if (dtype != "bool") return raw(samples<int16_t>(n, second, seed));
  Bytes bytes = raw(samples<uint8_t>(n, second, seed));
  for (unsigned char& byte : bytes) byte &= 1;
  return bytes;
}

template <class T>
bool same_float(const unsigned char* a, const unsigned char* b) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return std::isnan(x) && std::isnan(y);
}

bool same(std::string_view dtype, const unsigned char* a, const unsigned char* b) {
  if (std::memcmp(a, b, bytes_of(dtype)) == 0) return true;
  if (dtype == "f32") return same_float<float>(a, b);
  return dtype == "f64" && same_float<double>(a, b);
}

Bytes run(const PreludeKernel& kernel, const std::vector<Bytes>& inputs, size_t n) {
  std::vector<const void*> pointers;
  for (const Bytes& bytes : inputs) pointers.push_back(bytes.data());
  Bytes out(n * bytes_of(kernel.to));
  kernel.run(pointers.data(), out.data(), static_cast<long>(n));
  return out;
}

void expect_same_bits(const PreludeKernel& kernel, const std::vector<const PreludeVariant*>& variants) {
  size_t n = kernel.row == 1 ? 20011 : 511, width = bytes_of(kernel.to);
  std::vector<Bytes> inputs;
  std::istringstream dtypes(kernel.from);
  for (std::string dtype; dtypes >> dtype;) inputs.push_back(input(dtype, n * kernel.row, int(inputs.size())));
  Bytes want = run(kernel, inputs, n);
  for (const PreludeVariant* variant : variants) {
    Bytes got = run(find_kernel(*variant, kernel.name), inputs, n);
    size_t wrong = 0;
    while (wrong < n && same(kernel.to, &want[wrong * width], &got[wrong * width])) ++wrong;
    EXPECT_EQ(wrong, n) << kernel.name << " differs between " << variants[0]->name << " and " << variant->name;
  }
}

TEST(PreludeBits, AreTheSameOnEveryInstructionSetLaneCountAndCompiler) {
  std::vector<const PreludeVariant*> variants = prelude_variants();
  for (const PreludeKernel& kernel : std::span(variants[0]->kernels, variants[0]->count)) {
    expect_same_bits(kernel, variants);
  }
}

TEST(PreludeMemory, IsThatOfPlainLoops) {
  for (const PreludeVariant* variant : prelude_variants()) {
    EXPECT_STREQ(variant->check_memory(), nullptr) << variant->name;
  }
}

}  // namespace
