// Integer operations wrap around and never trap, as ATen's; the reference computes in 128 bits.

#include <codegen/prelude_kernels.h>
#include <codegen/prelude_samples.h>
#include <gtest/gtest.h>

namespace {

using Long = __int128;

Long div_floor(Long a, Long b) { return b == 0 ? 0 : a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

template <class T>
Long pow_of(Long base, Long exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
  T r = 1;
  for (Long left = exponent; left > 0; left >>= 1) {
    if (left & 1) r = static_cast<T>(static_cast<uint64_t>(r) * static_cast<uint64_t>(base));
    base = static_cast<T>(static_cast<uint64_t>(base) * static_cast<uint64_t>(base));
  }
  return r;
}

template <class T>
Long shift_right(Long a, Long by) {
  const Long bits = sizeof(T) * 8;
  return by < 0 || by >= bits ? (a < 0 ? -1 : 0) : a >> by;
}

template <class T>
void expect_operation(const std::string& name, Long (*exact)(Long, Long)) {
  std::vector<T> a = samples<T>(5000, false, 1), b = samples<T>(a.size(), true, 2), out(a.size());
  const void* in[] = {a.data(), b.data()};
  find_kernel(*prelude_variants().back(), name).run(in, out.data(), static_cast<long>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(out[i], static_cast<T>(exact(a[i], b[i]))) << name << "(" << +a[i] << ", " << +b[i] << ")";
  }
}

template <class T>
void expect_operations(const std::string& dtype) {
  expect_operation<T>("add_" + dtype, [](Long a, Long b) { return a + b; });
  expect_operation<T>("sub_" + dtype, [](Long a, Long b) { return a - b; });
  expect_operation<T>("mul_" + dtype, [](Long a, Long b) { return a * b; });
  expect_operation<T>("minimum_" + dtype, [](Long a, Long b) { return std::min(a, b); });
  expect_operation<T>("maximum_" + dtype, [](Long a, Long b) { return std::max(a, b); });
  expect_operation<T>("bit_xor_" + dtype, [](Long a, Long b) { return a ^ b; });
  expect_operation<T>("div_trunc_" + dtype, [](Long a, Long b) { return b == 0 ? 0 : a / b; });
  expect_operation<T>("fmod_" + dtype, [](Long a, Long b) { return b == 0 ? 0 : a % b; });
  expect_operation<T>("div_floor_" + dtype, div_floor);
  expect_operation<T>("remainder_" + dtype, [](Long a, Long b) { return b == 0 ? 0 : a - div_floor(a, b) * b; });
  expect_operation<T>("pow_" + dtype, pow_of<T>);
  expect_operation<T>("shift_right_" + dtype, shift_right<T>);
  expect_operation<T>("shift_left_" + dtype, [](Long a, Long by) {
    return by < 0 || by >= Long(sizeof(T) * 8) ? Long(0) : static_cast<Long>(static_cast<unsigned __int128>(a) << by);
  });
}

TEST(PreludeInteger, WrapsAroundAndNeverTraps) {
  expect_operations<uint8_t>("u8");
  expect_operations<int8_t>("i8");
  expect_operations<int16_t>("i16");
  expect_operations<int32_t>("i32");
  expect_operations<int64_t>("i64");
}

}  // namespace
