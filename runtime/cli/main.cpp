// The command-line program `sinter`: looks into the cache on disk and tidies it.
//
//   sinter cache ls | why KEY | verify | gc [MIB] | clear

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sinter/graph/version.h>
#include <sinter/runtime/disk_cache.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <string_view>
#include <vector>

namespace {

using sinter::runtime::disk_cache;
using sinter::runtime::DiskCache;
using sinter::runtime::DiskEntry;
using Words = std::vector<std::string_view>;

constexpr const char* usage =
    "usage: sinter cache COMMAND\n"
    "\n"
    "  ls         lists the entries, those used most recently first\n"
    "  why KEY    prints what an entry is valid for; KEY: its name in `ls`, or how that begins\n"
    "  verify     checks every entry; fails if one is damaged\n"
    "  gc [MIB]   removes the entries used least recently until MIB (SINTER_CACHE_SIZE) are left\n"
    "  clear      removes all entries\n"
    "\n"
    "The folder is SINTER_CACHE_DIR, or sinter in the user's cache folder.\n";

int fail(std::string_view message) {
  fmt::print(stderr, "sinter: {}\n", message);
  return 2;
}

int list() {
  int64_t bytes = 0;
  std::vector<DiskEntry> entries = disk_cache().entries();
  for (const DiskEntry& entry : entries) {
    bytes += entry.bytes;
    fmt::print("{}  {:>9} bytes  {:%Y-%m-%d %H:%M:%S}\n", entry.name, entry.bytes,
               fmt::localtime(static_cast<std::time_t>(entry.last_used)));
  }
  fmt::print("{} entries, {} bytes in {}\n", entries.size(), bytes, disk_cache().folder());
  return 0;
}

int why(std::string_view wanted) {
  int found = 0;
  for (const DiskEntry& entry : disk_cache().entries()) {
    if (!entry.name.starts_with(wanted)) continue;
    ++found;
    DiskCache::Verdict verdict = DiskCache::examine(entry.path);
    fmt::print("{}: {}, {} bytes of code\n{}\n", entry.name, verdict.fault.empty() ? "sound" : verdict.fault,
               verdict.object_bytes, verdict.key);
  }
  return found > 0 ? 0 : fail(fmt::format("there is no entry {}", wanted));
}

int verify() {
  int damaged = 0;
  std::vector<DiskEntry> entries = disk_cache().entries();
  for (const DiskEntry& entry : entries) {
    DiskCache::Verdict verdict = DiskCache::examine(entry.path);
    if (verdict.fault.empty()) continue;
    ++damaged;
    fmt::print("{}: {}\n", entry.name, verdict.fault);
  }
  fmt::print("{} entries, {} damaged\n", entries.size(), damaged);
  return damaged > 0 ? 1 : 0;
}

int collect(int64_t most_bytes) {
  fmt::print("{} entries removed\n", disk_cache().collect(most_bytes));
  return 0;
}

int collect(const Words& words) {
  if (words.empty()) return collect(disk_cache().most_bytes());
  int64_t mebibytes = 0;
  auto [end, fault] = std::from_chars(words[0].data(), words[0].data() + words[0].size(), mebibytes);
  if (fault != std::errc() || end != words[0].data() + words[0].size() || mebibytes < 0 ||
      mebibytes > (int64_t{1} << 32))
    return fail(fmt::format("{} is no number of MiB", words[0]));
  return collect(mebibytes << 20);
}

int run_cache(const Words& words) {
  if (!disk_cache().is_on()) return fail("there is no cache on disk (SINTER_CACHE_DIR=off, or no home folder)");
  std::string_view command = words.empty() ? std::string_view() : words[0];
  Words rest(words.begin() + std::min<size_t>(1, words.size()), words.end());
  if (command == "ls" && rest.empty()) return list();
  if (command == "why" && rest.size() == 1) return why(rest[0]);
  if (command == "verify" && rest.empty()) return verify();
  if (command == "gc" && rest.size() <= 1) return collect(rest);
  if (command == "clear" && rest.empty()) return collect(0);
  fmt::print(stderr, "{}", usage);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Words words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words[0] == "cache") return run_cache(Words(words.begin() + 1, words.end()));
  if (words.size() == 1 && words[0] == "--version") {
    fmt::print("sinter {}\n", sinter::version());
    return 0;
  }
  bool asks = words.size() == 1 && (words[0] == "--help" || words[0] == "help");
  fmt::print(asks ? stdout : stderr, "{}", usage);
  return asks ? 0 : 2;
}
