// Promotes pairs of dtypes, then operands by their weight.

#include "reference/promotion.h"

#include <optional>

namespace sinter::reference {

namespace {

int category(DType dtype) { return is_floating(dtype) ? 2 : dtype == DType::boolean ? 0 : 1; }

int width(DType dtype) { return static_cast<int>(byte_size(dtype)); }

// The dtype of the operands of one weight, or nothing.
std::optional<DType> type_of(const std::vector<const Array*>& operands, int weight) {
  std::optional<DType> type;
  for (const Array* operand : operands) {
    int own = operand->is_number ? 0 : operand->sizes.empty() ? 1 : 2;
    if (own != weight) continue;
    DType dtype = operand->is_number && is_floating(operand->dtype) ? DType::f32 : operand->dtype;
    type = type ? promote_pair(*type, dtype) : dtype;
  }
  return type;
}

std::optional<DType> combine(std::optional<DType> heavy, std::optional<DType> light) {
  if (!heavy || !light) return heavy ? heavy : light;
  return category(*light) > category(*heavy) ? promote_pair(*heavy, *light) : heavy;
}

}  // namespace

DType promote_pair(DType a, DType b) {
  if (a == b) return a;
  if (category(a) != category(b)) return category(a) > category(b) ? a : b;
  if (category(a) == 2) return width(a) == width(b) ? DType::f32 : width(a) > width(b) ? a : b;
  // Two different integers: u8 needs a signed type that is wider than it.
  if (a == DType::u8 || b == DType::u8) {
    DType other = a == DType::u8 ? b : a;
    return other == DType::i8 ? DType::i16 : other;
  }
  return width(a) > width(b) ? a : b;
}

DType common_type(const std::vector<const Array*>& operands) {
  return *combine(combine(type_of(operands, 2), type_of(operands, 1)), type_of(operands, 0));
}

}  // namespace sinter::reference
