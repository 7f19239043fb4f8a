// Every primitive exists, and gives the same bits on every instruction set.

#include <gtest/gtest.h>
#include <sinter/runtime/primitives/primitive_table.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace sinter::runtime {
namespace {

constexpr int64_t most = 200;  // elements of a block

std::vector<Isa> supported() {
  std::vector<Isa> isas;
  for (Isa isa : {Isa::generic, Isa::sse42, Isa::avx2, Isa::avx512})
    if (is_supported(isa)) isas.push_back(isa);
  return isas;
}

bool is_floating_only(ScalarOp op) {
  return (op >= ScalarOp::sqrt && op <= ScalarOp::is_nan) || (op >= ScalarOp::atan2 && op <= ScalarOp::nextafter) ||
         op == ScalarOp::div || op == ScalarOp::fma;
}

bool is_integer_only(ScalarOp op) {
  return op == ScalarOp::bit_not || (op >= ScalarOp::gcd && op <= ScalarOp::shift_right);
}

bool is_legal(ScalarOp op, DType type) {
  if (op == ScalarOp::select) return true;
  if (is_half(type)) return false;
  bool is_shift = op == ScalarOp::shift_left || op == ScalarOp::shift_right;
  if (type == DType::boolean)
    return (is_integer_only(op) && !is_shift && op != ScalarOp::gcd) || op == ScalarOp::add || op == ScalarOp::mul ||
           op == ScalarOp::minimum || op == ScalarOp::maximum || (op >= ScalarOp::eq && op <= ScalarOp::ge);
  return is_floating(type) ? !is_integer_only(op) : !is_floating_only(op);
}

std::vector<uint64_t> operands(DType type, int seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> bytes(most);
  for (int64_t i = 0; i < most; ++i) {
    visit(type, [&](auto zero) {
      using T = decltype(zero);
      T value;
      if constexpr (std::is_same_v<T, bool>)
        value = random() & 1;
      else if constexpr (std::is_integral_v<T>)
        value = static_cast<T>(random() >> (random() % 64));
      else
        value = static_cast<T>(static_cast<float>(
            std::ldexp(static_cast<double>(random() % 2001) - 1000, static_cast<int>(random() % 12) - 8)));
      std::memcpy(reinterpret_cast<char*>(bytes.data()) + i * sizeof(T), &value, sizeof(T));
    });
  }
  return bytes;
}

TEST(PrimitiveTable, HasEveryOperationAndConversion) {
  for (Isa isa : supported()) {
    const PrimitiveTable& table = primitives(isa);
    for (const ScalarOpInfo& row : all_scalar_ops()) {
      if (row.op <= ScalarOp::convert) continue;
      for (DType type : all_dtypes) {
        bool exists = table.scalar[static_cast<int>(row.op)][static_cast<int>(type)] != nullptr;
        EXPECT_TRUE(exists || !is_legal(row.op, type)) << name(isa) << " " << row.name << " " << name(type);
      }
    }
    for (DType from : all_dtypes)
      for (DType to : all_dtypes)
        EXPECT_TRUE(table.convert[static_cast<int>(from)][static_cast<int>(to)])
            << name(isa) << " " << name(from) << " to " << name(to);
  }
}

TEST(PrimitiveTable, GivesTheSameBitsOnEveryInstructionSet) {
  const PrimitiveTable& first = primitives(Isa::generic);
  for (Isa isa : supported())
    for (const ScalarOpInfo& row : all_scalar_ops())
      for (DType type : all_dtypes) {
        if (row.op <= ScalarOp::convert || !is_legal(row.op, type)) continue;
        int op = static_cast<int>(row.op), column = static_cast<int>(type);
        auto a = operands(row.op == ScalarOp::select ? DType::boolean : type, 1), b = operands(type, 2),
             c = operands(type, 3);
        for (int64_t n : {1, 2, 7, 8, 16, 17, 63, 64, 100, 199}) {
          std::vector<uint64_t> want(most), got(most);
          first.scalar[op][column](want.data(), a.data(), b.data(), c.data(), n);
          primitives(isa).scalar[op][column](got.data(), a.data(), b.data(), c.data(), n);
          if (is_floating(type) && !row.gives_bool) {  // the sign of a NaN is not defined
            for (int64_t i = 0; i < n; ++i) {
              auto is_nan = [&](std::vector<uint64_t>& block) {
                return type == DType::f64   ? std::isnan(reinterpret_cast<double*>(block.data())[i])
                       : type == DType::f32 ? std::isnan(reinterpret_cast<float*>(block.data())[i])
                                            : false;
              };
              if (!is_nan(want) || !is_nan(got)) continue;
              int64_t width = byte_size(type);
              std::memset(reinterpret_cast<char*>(want.data()) + i * width, 0, width);
              std::memset(reinterpret_cast<char*>(got.data()) + i * width, 0, width);
            }
          }
          ASSERT_EQ(want, got) << name(isa) << " " << row.name << " " << name(type) << " " << n;
        }
      }
}

TEST(PrimitiveTable, ResultsMayReplaceOperands) {
  for (Isa isa : supported()) {
    std::vector<float> a(37, 2), b(37, 3);
    primitives(isa).scalar[static_cast<int>(ScalarOp::mul)][static_cast<int>(DType::f32)](a.data(), a.data(), b.data(),
                                                                                          nullptr, 37);
    EXPECT_EQ(a, std::vector<float>(37, 6));
  }
}

TEST(PrimitiveTable, ReducesTheSameOnEveryInstructionSet) {
  const PrimitiveTable& first = primitives(Isa::generic);
  for (Isa isa : supported())
    for (int kind = 1; kind < reduction_kind_count; ++kind)
      for (DType type : all_dtypes) {
        const ReductionPrimitives& want = first.reduction[kind][static_cast<int>(type)];
        const ReductionPrimitives& got = primitives(isa).reduction[kind][static_cast<int>(type)];
        ASSERT_EQ(want.combine == nullptr, got.combine == nullptr);
        if (!want.combine) continue;
        auto values = operands(type, 5);
        for (int64_t n : {0, 1, 5, 16, 31, 64, 65, 150}) {
          uint64_t w = 0, g = 0;
          want.rows(&w, values.data(), 1, n);
          got.rows(&g, values.data(), 1, n);
          ASSERT_EQ(w, g) << name(isa) << " " << kind << " " << name(type) << " " << n;
          uint64_t lanes[64];
          got.fill_identity(lanes, type == DType::f64 || type == DType::i64 ? 32 : 64);
          int64_t head = n / 3;
          got.lanes(lanes, values.data(), head, 0);
          got.lanes(lanes, reinterpret_cast<char*>(values.data()) + head * byte_size(type), n - head,
                    head % (type == DType::f64 || type == DType::i64 ? 32 : 64));
          uint64_t halved = 0;
          got.halve(&halved, lanes);
          ASSERT_EQ(w, halved) << name(isa) << " " << kind << " " << name(type) << " " << n;
        }
      }
}

}  // namespace
}  // namespace sinter::runtime
