// The log: topics chosen by SINTER_LOGS, lines to stderr or SINTER_LOGS_FILE. The only place of the library that
// prints.
//
//   if (logs(LogTopic::fusion)) log(LogTopic::fusion, "add_3 + exp_4 -> no: different domains {} vs {}", a, b);

#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinter {

enum class LogTopic : uint8_t { graph, fusion, output_code, guards, recompiles, cache, time };

struct LogTopicInfo {
  LogTopic topic;
  std::string_view name;
  std::string_view what;
};
std::span<const LogTopicInfo> all_log_topics();

bool logs(LogTopic topic);
// Prints `topic: line`, each line of a text on its own.
void write_log(LogTopic topic, std::string_view text);
template <class... Args>
void log(LogTopic topic, fmt::format_string<Args...> format, Args&&... args) {
  if (logs(topic)) write_log(topic, fmt::format(format, std::forward<Args>(args)...));
}

// As SINTER_LOGS would: "graph,fusion", "all", "help". An unknown topic is warned of, with the nearest one.
void set_logs(std::string_view topics);
// Lines go here instead (tests); null restores.
void set_log_sink(void (*sink)(std::string_view line, void* context), void* context);
void warn(std::string_view text);

}  // namespace sinter
