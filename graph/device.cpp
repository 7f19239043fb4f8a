// Text form of devices.

#include <sinter/graph/device.h>

#include <charconv>

namespace sinter {

std::string to_string(Device device) { return device.is_cpu() ? "cpu" : "cuda:" + std::to_string(device.index); }

std::optional<Device> parse_device(std::string_view text) {
  if (text == "cpu") return cpu;
  if (!text.starts_with("cuda")) return std::nullopt;
  text.remove_prefix(4);
  if (text.empty()) return Device{DeviceType::cuda, 0};
  if (text[0] != ':') return std::nullopt;
  int index = 0;
  auto [end, code] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
  if (code != std::errc{} || end != text.data() + text.size() || index < 0 || index > 127) return std::nullopt;
  return Device{DeviceType::cuda, static_cast<int8_t>(index)};
}

}  // namespace sinter
