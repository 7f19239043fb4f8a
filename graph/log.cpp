// Topics, and where their lines go. SINTER_LOGS and SINTER_LOGS_FILE are read at the first use.

#include <sinter/graph/log.h>

#include <sinter/graph/nearest_name.h>

#include <array>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace sinter {

namespace {

constexpr std::array<LogTopicInfo, 7> topics = {{
    {LogTopic::graph, "graph", "the captured graph, and the graph after its passes"},
    {LogTopic::fusion, "fusion", "which nests were fused, which not, and why"},
    {LogTopic::output_code, "output_code", "the generated source of every kernel"},
    {LogTopic::guards, "guards", "what a compiled entry relies on"},
    {LogTopic::recompiles, "recompiles", "the guard that failed, expected and actual"},
    {LogTopic::cache, "cache", "hits and misses of the kernel caches"},
    {LogTopic::time, "time", "how long each stage took"},
}};

struct Log {
  std::atomic<uint32_t> enabled = 0;
  std::mutex mutex;
  std::FILE* file = stderr;
  void (*sink)(std::string_view, void*) = nullptr;
  void* sink_context = nullptr;

  Log() {
    if (const char* path = std::getenv("SINTER_LOGS_FILE"); path && *path) {
      if (std::FILE* opened = std::fopen(path, "a")) {
        file = opened;
      } else {
        write(fmt::format("warning: SINTER_LOGS_FILE={} can't be opened; the log goes to stderr", path));
      }
    }
    if (const char* text = std::getenv("SINTER_LOGS")) enable(text);
  }

  void write(std::string_view line) {
    std::lock_guard lock(mutex);
    if (sink) return sink(line, sink_context);
    fmt::print(file, "{}\n", line);
    std::fflush(file);
  }

  void help() {
    for (const LogTopicInfo& topic : topics) write(fmt::format("{:<12} {}", topic.name, topic.what));
    write(fmt::format("{:<12} every topic", "all"));
  }

  void enable(std::string_view text) {
    uint32_t bits = 0;
    while (!text.empty()) {
      size_t comma = text.find(',');
      std::string_view word = text.substr(0, comma);
      text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
      bits |= bits_of(trimmed(word));
    }
    enabled = bits;
  }

  static std::string_view trimmed(std::string_view word) {
    size_t first = word.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return word.substr(first, word.find_last_not_of(" \t") + 1 - first);
  }

  static std::string lower_case(std::string_view word) {
    std::string lower(word);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
  }

  uint32_t bits_of(std::string_view word) {
    if (word.empty()) return 0;
    if (word == "all") return ~0u;
    if (word == "help") return help(), 0;
    std::vector<std::string> names = {"all", "help"};
    for (const LogTopicInfo& topic : topics) {
      if (topic.name == word) return 1u << static_cast<int>(topic.topic);
      names.emplace_back(topic.name);
    }
    write(fmt::format("warning: SINTER_LOGS has no topic {}; the nearest is {}", word,
                      nearest_name(lower_case(word), names)));
    return 0;
  }
};

Log& the_log() {
  static auto* instance = new Log;  // never destroyed: static destructors may still log
  return *instance;
}

}  // namespace

std::span<const LogTopicInfo> all_log_topics() { return topics; }

bool logs(LogTopic topic) {
  return (the_log().enabled.load(std::memory_order_relaxed) >> static_cast<int>(topic)) & 1u;
}

void write_log(LogTopic topic, std::string_view text) {
  if (!logs(topic)) return;
  std::string_view name = topics[static_cast<size_t>(topic)].name;
  while (true) {
    size_t end = text.find('\n');
    the_log().write(fmt::format("{}: {}", name, text.substr(0, end)));
    if (end == std::string_view::npos || end + 1 == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

void set_logs(std::string_view text) { the_log().enable(text); }

void set_log_sink(void (*sink)(std::string_view line, void* context), void* context) {
  std::lock_guard lock(the_log().mutex);
  the_log().sink = sink;
  the_log().sink_context = context;
}

void warn(std::string_view text) { the_log().write(fmt::format("warning: {}", text)); }

}  // namespace sinter
