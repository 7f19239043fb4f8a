// Where a tensor lives: the CPU, or one of the CUDA devices.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

enum class DeviceType : uint8_t { cpu, cuda };

struct Device {
  DeviceType type = DeviceType::cpu;
  int8_t index = 0;
  constexpr bool operator==(const Device&) const = default;
  constexpr bool is_cpu() const { return type == DeviceType::cpu; }
};

inline constexpr Device cpu{};

// "cpu" or "cuda:1".
std::string to_string(Device device);
std::optional<Device> parse_device(std::string_view text);

}  // namespace sinter
