// The lines that some topics of the log print within a scope.

#pragma once

#include <sinter/graph/log.h>

#include <mutex>
#include <string>
#include <string_view>

namespace sinter::test {

class LogLines {
 public:
  explicit LogLines(std::string_view topics) {
    set_logs(topics);
    set_log_sink([](std::string_view line, void* self) { static_cast<LogLines*>(self)->add(line); }, this);
  }
  ~LogLines() {
    set_log_sink(nullptr, nullptr);
    set_logs("");
  }
  LogLines(const LogLines&) = delete;

  bool has(std::string_view part) const { return text.find(part) != std::string::npos; }
  // How often it stands there.
  int count(std::string_view part) const {
    int times = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  }

  std::string text;

 private:
  void add(std::string_view line) {
    std::lock_guard lock(mutex_);
    text += std::string(line) + "\n";
  }
  std::mutex mutex_;
};

}  // namespace sinter::test
