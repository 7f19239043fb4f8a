// Guards as text.

#include <sinter/graph/guard.h>

namespace sinter::graph {

int64_t guard_code(Device device) {
  return static_cast<int64_t>(device.type) << 8 | static_cast<uint8_t>(device.index);
}

std::string guard_value(GuardKind kind, int64_t code) {
  switch (kind) {
    case GuardKind::dtype: return std::string(name(static_cast<DType>(code)));
    case GuardKind::device:
      return to_string(Device{static_cast<DeviceType>(code >> 8), static_cast<int8_t>(code & 0xff)});
    case GuardKind::defined: return code ? "defined" : "undefined";
    default: return std::to_string(code);
  }
}

namespace {

std::string question(const Guard& guard) {
  switch (guard.kind) {
    case GuardKind::dtype: return guard.subject + ".dtype()";
    case GuardKind::device: return guard.subject + ".device()";
    case GuardKind::rank: return guard.subject + ".dim()";
    case GuardKind::symbol:
    case GuardKind::size: return fmt::format("{}.size({})", guard.subject, guard.dim);
    case GuardKind::stride: return fmt::format("{}.stride({})", guard.subject, guard.dim);
    case GuardKind::offset: return guard.subject + ".storage_offset()";
    case GuardKind::storage: return guard.subject + ".storage().bytes";
    default: return guard.subject;
  }
}

}  // namespace

std::string to_string(const Guard& guard) {
  switch (guard.kind) {
    case GuardKind::disjoint: return guard.subject + " overlaps no other tensor";
    case GuardKind::distance: return fmt::format("{} == {}", guard.subject, guard.readable);
    case GuardKind::defined: return fmt::format("{} is {}", guard.subject, guard.readable);
    case GuardKind::storage: return fmt::format("{} >= {}", question(guard), guard.readable);
    case GuardKind::unused: return guard.subject + " is not used";
    case GuardKind::symbol: return fmt::format("{} {}", question(guard), guard.readable);
    case GuardKind::same_tensor:
    case GuardKind::same_storage:
    case GuardKind::number:
    case GuardKind::relation: return guard.subject;
    default: return fmt::format("{} == {}", question(guard), guard.readable);
  }
}

std::string to_string(std::span<const Guard> guards) {
  std::string text;
  for (const Guard& guard : guards) {
    text += to_string(guard);
    if (guard.where.line() != 0) text += fmt::format("  # {}", short_location(guard.where));
    text += '\n';
  }
  return text;
}

}  // namespace sinter::graph
