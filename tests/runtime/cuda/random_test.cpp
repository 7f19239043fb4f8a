// The device draws the CPU's numbers.

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {

namespace {

// The same draws on both devices, with the generator at the same place before and after.
void expect_same_draws(const std::string& op, const Values& arguments, DType dtype) {
  auto draw = [&](Device device) {
    manual_seed(7);
    NamedValues keywords = {{"dtype", Value(dtype)}, {"device", Value(device)}};
    Tensor drawn = ops(op).call(arguments, keywords)[0].tensor();
    return std::pair(drawn, default_generator().state());
  };
  auto [there, state_there] = draw(cuda::device(0));
  auto [here, state_here] = draw(cpu);
  EXPECT_TRUE(state_there == state_here) << op;
  EXPECT_EQ(elements_of(there), elements_of(here)) << op << " " << name(dtype);
}

TEST(CudaRandom, UniformAndNormalNumbers) {
  SINTER_NEEDS_CUDA();
  for (DType dtype : {f32, f64, f16, bf16})
    for (int64_t n : {1, 2, 3, 4, 1023, 4098}) {
      expect_same_draws("aten::rand", {Dims{n}}, dtype);
      expect_same_draws("aten::randn", {Dims{n}}, dtype);
    }
}

TEST(CudaRandom, Integers) {
  SINTER_NEEDS_CUDA();
  for (int64_t high : {int64_t{10}, int64_t{1} << 31, int64_t{3} << 30, int64_t{1} << 32, int64_t{5} << 60})
    expect_same_draws("aten::randint", {high, Dims{1001}}, i64);
  for (DType dtype : {u8, i8, i16, i32, f32, f16, bf16, f64})
    expect_same_draws("aten::randint.low", {int64_t{-3}, int64_t{100}, Dims{77}}, dtype);
}

}  // namespace
}  // namespace sinter::test
