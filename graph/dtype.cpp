// Names, sizes and promotion of element types; conversions of the two half types.

#include <sinter/graph/dtype.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace sinter {

namespace {

struct Row {
  DType dtype;
  std::string_view name;
  int64_t bytes;
};

constexpr std::array<Row, 10> rows = {{
    {DType::boolean, "bool", 1},
    {DType::u8, "u8", 1},
    {DType::i8, "i8", 1},
    {DType::i16, "i16", 2},
    {DType::i32, "i32", 4},
    {DType::i64, "i64", 8},
    {DType::f16, "f16", 2},
    {DType::bf16, "bf16", 2},
    {DType::f32, "f32", 4},
    {DType::f64, "f64", 8},
}};

const Row& row(DType dtype) { return rows[static_cast<size_t>(dtype)]; }

// bool < integers < floating: the category that decides before the width does.
int category(DType dtype) { return dtype == DType::boolean ? 0 : is_integer(dtype) ? 1 : 2; }

}  // namespace

std::string_view name(DType dtype) { return row(dtype).name; }

std::optional<DType> parse_dtype(std::string_view text) {
  for (const Row& r : rows)
    if (r.name == text) return r.dtype;
  return std::nullopt;
}

int64_t byte_size(DType dtype) { return row(dtype).bytes; }

bool is_floating(DType dtype) { return dtype >= DType::f16; }
bool is_integer(DType dtype) { return dtype > DType::boolean && dtype < DType::f16; }
bool is_integral_or_bool(DType dtype) { return !is_floating(dtype); }
bool is_signed(DType dtype) { return dtype != DType::boolean && dtype != DType::u8; }
bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

DType compute_type(DType dtype) { return is_half(dtype) ? DType::f32 : dtype; }
DType sum_type(DType dtype) { return is_floating(dtype) ? dtype : DType::i64; }

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);
  if (a == DType::u8 && b == DType::i8) return DType::i16;
  if (a == DType::f16 && b == DType::bf16) return DType::f32;
  return b;
}

DType result_type(std::span<const TypedOperand> operands) {
  // The promoted type of each rank; a lower rank only counts where its category is above all higher ranks' one.
  std::optional<DType> by_rank[3];
  for (const TypedOperand& operand : operands) {
    auto& slot = by_rank[static_cast<int>(operand.rank)];
    DType dtype = operand.dtype;
    if (operand.rank == Rank::number && is_floating(dtype)) dtype = default_dtype;
    slot = slot ? promote(*slot, dtype) : dtype;
  }
  std::optional<DType> result = by_rank[static_cast<int>(Rank::dense)];
  for (Rank rank : {Rank::zero_dim, Rank::number}) {
    const auto& other = by_rank[static_cast<int>(rank)];
    if (!other) continue;
    if (!result)
      result = other;
    else if (category(*other) > category(*result))
      result = promote(*result, *other);
  }
  return result.value_or(default_dtype);
}

Half::Half(float value) {
  uint32_t x = std::bit_cast<uint32_t>(value);
  uint32_t sign = (x >> 16) & 0x8000u;
  x &= 0x7fffffffu;
  if (x > 0x7f800000u) {
    bits = static_cast<uint16_t>(sign | 0x7e00u);
  } else if (x >= 0x477ff000u) {  // rounds to 2^16 or above: infinity
    bits = static_cast<uint16_t>(sign | 0x7c00u);
  } else if (x < 0x38800000u) {  // subnormal result: let a float addition do the rounding at 2^-24
    float shifted = std::bit_cast<float>(x) + 0.5f;
    bits = static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  } else {
    uint32_t odd = (x >> 13) & 1;
    bits = static_cast<uint16_t>(sign | ((x - 0x38000000u + 0xfffu + odd) >> 13));
  }
}

Half::operator float() const {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  float value = static_cast<float>(magnitude) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
}

BFloat16::BFloat16(float value) {
  uint32_t x = std::bit_cast<uint32_t>(value);
  if ((x & 0x7fffffffu) > 0x7f800000u)
    bits = static_cast<uint16_t>(((x >> 16) & 0x8000u) | 0x7fc0u);
  else
    bits = static_cast<uint16_t>((x + 0x7fffu + ((x >> 16) & 1)) >> 16);
}

BFloat16::operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

}  // namespace sinter
