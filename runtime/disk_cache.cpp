// Entries as files: how they are named, written, trusted and thrown out.

#include <sinter/runtime/disk_cache.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sinter/graph/log.h>
#include <sinter/runtime/options.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace sinter::runtime {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "sinter cache entry 1\n";
constexpr std::string_view suffix = ".entry", temporary_suffix = ".tmp";
// Far more than a program takes; a file that claims to be larger is damaged.
constexpr int64_t most_entry_bytes = int64_t{1} << 30;
// A writer that has not renamed its file by then is dead.
constexpr int64_t longest_write_seconds = 3600;

// 128 bits that differ for texts that differ, whoever did not choose them to collide: two multiply-and-fold chains.
struct Digest {
  uint64_t first = 0x9e3779b97f4a7c15u, second = 0xc2b2ae3d27d4eb4fu;

  static uint64_t folded(uint64_t a, uint64_t b) {
    auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  void take(std::string_view bytes) {
    take_word(bytes.size());
    for (size_t i = 0; i < bytes.size(); i += 8) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min<size_t>(8, bytes.size() - i));
      take_word(word);
    }
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", folded(first, second | 1), second); }

 private:
  void take_word(uint64_t word) {
    first = folded(first ^ word, 0xa0761d6478bd642fu) + 0xe7037ed1a0b428dbu;
    second = folded(second ^ word ^ first, 0x8ebc6af09c88c6e3u) + 0x589965cc75374cc3u;
  }
};

std::string digest_of(std::string_view a, std::string_view b = {}) {
  Digest digest;
  digest.take(a);
  digest.take(b);
  return digest.text();
}

// A file descriptor that closes itself.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

std::optional<std::string> read_file(const std::string& path) {
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe in its place has no end
  struct stat status;
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (status.st_size > most_entry_bytes) return "larger than any entry";
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t have = 0;
  while (have < bytes.size()) {
    ssize_t got = ::read(file.get(), bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return true;
}

// Whether the process may write a file of that size: one beyond its limit would end it by a signal.
bool may_write(size_t bytes) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

// --- The format: magic, digest, sizes of key and object in a line; key; object -------------------------------------

std::string entry_bytes(std::string_view key, std::string_view object) {
  std::string bytes = fmt::format("{}{} {} {}\n", magic, digest_of(key, object), key.size(), object.size());
  bytes += key;
  bytes += object;
  return bytes;
}

struct ParsedEntry {
  std::string_view key, object;
  std::string fault;
};

ParsedEntry parse_entry(std::string_view bytes) {
  ParsedEntry entry;
  if (!bytes.starts_with(magic)) {
    entry.fault = bytes.empty() ? "it is empty" : "it is of another format";
    return entry;
  }
  std::string_view rest = bytes.substr(magic.size());
  size_t end = rest.find('\n');
  char digest[33] = {};
  size_t key_size = 0, object_size = 0;
  std::string line(rest.substr(0, std::min<size_t>(end, 128)));
  if (end == std::string_view::npos ||
      std::sscanf(line.c_str(), "%32s %zu %zu", digest, &key_size, &object_size) != 3) {
    entry.fault = "its head is damaged";
    return entry;
  }
  rest.remove_prefix(end + 1);
  if (key_size > rest.size() || rest.size() - key_size != object_size) {
    entry.fault = "it is cut short";
    return entry;
  }
  entry.key = rest.substr(0, key_size);
  entry.object = rest.substr(key_size);
  if (digest_of(entry.key, entry.object) != digest) entry.fault = "its checksum is wrong";
  return entry;
}

int64_t now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

namespace {

// Where it is now, whatever folder the process works in later.
std::string absolute(std::string folder) {
  if (folder.empty()) return folder;
  std::error_code fault;
  fs::path path = fs::absolute(folder, fault);
  if (fault) return folder;
  return path.has_filename() ? path.string() : path.parent_path().string();
}

}  // namespace

DiskCache::DiskCache(std::string folder, int64_t most_bytes)
    : folder_(absolute(std::move(folder))), most_bytes_(most_bytes) {}

// 0, or the fault. Folders on the way are made private as well.
int DiskCache::make_folder() const {
  for (size_t end = folder_.find('/', 1); end != std::string::npos; end = folder_.find('/', end + 1))
    mkdir(folder_.substr(0, end).c_str(), 0700);
  return mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST ? errno : 0;
}

void DiskCache::refuse(const std::string& why) {
  warn(fmt::format("the cache on disk is not used: {} {}", folder_, why));
}

bool DiskCache::prepare() {
  if (!is_on()) return false;
  std::call_once(prepared_, [&] {
    if (int fault = make_folder()) return refuse(std::strerror(fault));
    if (const char* why = why_not_trusted()) return refuse(why);
    usable_ = true;
  });
  return usable_;
}

const char* DiskCache::why_not_trusted() const {
  struct stat status;
  if (stat(folder_.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return "is no folder";
  if (status.st_uid != geteuid()) return "belongs to another user";
  if (status.st_mode & (S_IWGRP | S_IWOTH)) return "can be written by other users (chmod go-w)";
  return nullptr;
}

std::string DiskCache::path_of(std::string_view key) const {
  return fmt::format("{}/{}{}", folder_, digest_of(key), suffix);
}

std::optional<std::vector<char>> DiskCache::read(std::string_view key) {
  if (!prepare()) return std::nullopt;
  std::string path = path_of(key);
  std::optional<std::string> bytes = read_file(path);
  std::string fault;
  if (bytes) {
    ParsedEntry entry = parse_entry(*bytes);
    if (entry.fault.empty() && entry.key != key) entry.fault = "it is of another key with the same hash";
    if (entry.fault.empty()) {
      utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // used now
      std::lock_guard lock(mutex_);
      ++stats_.hits;
      return std::vector<char>(entry.object.begin(), entry.object.end());
    }
    fault = entry.fault;
  }
  if (!fault.empty()) log(LogTopic::cache, "{} is not used: {}", path, fault);
  std::lock_guard lock(mutex_);
  ++stats_.misses;
  stats_.damaged += !fault.empty();
  return std::nullopt;
}

// 0, or the fault.
int DiskCache::replace(const std::string& path, std::string_view bytes) const {
  if (!may_write(bytes.size())) return EFBIG;
  // A name that no other writer has, not even one with the same number in another container.
  static std::atomic<int> written = 0;
  auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  std::string temporary = fmt::format("{}.{}.{}.{:x}{}", path, getpid(), written++, ticks, temporary_suffix);
  auto make = [&] { return open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); };
  int fault = 0;
  {
    int descriptor = make();
    bool is_gone = descriptor < 0 && errno == ENOENT;  // somebody took the folder away
    if (is_gone && make_folder() == 0 && !why_not_trusted()) descriptor = make();
    File file(descriptor);
    bool is_whole = file && write_all(file.get(), bytes) && fsync(file.get()) == 0;
    if (!is_whole) fault = errno;
  }
  if (fault == 0 && rename(temporary.c_str(), path.c_str()) != 0) {
    rmdir(path.c_str());  // the one thing that a file can't replace
    if (rename(temporary.c_str(), path.c_str()) != 0) fault = errno;
  }
  if (fault != 0) unlink(temporary.c_str());
  return fault;
}

void DiskCache::write(std::string_view key, std::string_view object) {
  if (!prepare()) return;
  std::string path = path_of(key);
  std::string bytes = entry_bytes(key, object);
  if (int fault = replace(path, bytes)) {
    std::lock_guard lock(mutex_);
    if (!write_failed_) warn(fmt::format("an entry of the cache on disk is lost: {}: {}", path, std::strerror(fault)));
    write_failed_ = true;
    return;
  }
  bool is_time = false;
  {
    std::lock_guard lock(mutex_);
    is_time = stats_.writes++ == 0;
    written_bytes_ += static_cast<int64_t>(bytes.size());
    if (written_bytes_ > most_bytes_ / 16) is_time = true;
    if (is_time) written_bytes_ = 0;
  }
  if (is_time) collect(most_bytes_);
}

void DiskCache::remove(std::string_view key) {
  if (prepare()) unlink(path_of(key).c_str());
}

DiskCacheStats DiskCache::stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

std::vector<DiskEntry> DiskCache::entries() const {
  std::vector<DiskEntry> found;
  if (!is_on()) return found;
  std::error_code fault;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, fault)) {
    std::string name = file.path().filename().string();
    struct stat status;
    if (!name.ends_with(suffix) || stat(file.path().c_str(), &status) != 0) continue;
    name.resize(name.size() - suffix.size());
    // Used at a time that is yet to come: by a clock that was wrong. It must not stay for ever.
    int64_t last_used = status.st_mtime > now() + longest_write_seconds ? 0 : status.st_mtime;
    found.push_back({file.path().string(), std::move(name), status.st_size, last_used});
  }
  std::ranges::sort(found, {}, [](const DiskEntry& entry) { return std::pair(-entry.last_used, entry.name); });
  return found;
}

DiskCache::Verdict DiskCache::examine(const std::string& path) {
  std::optional<std::string> bytes = read_file(path);
  if (!bytes) return {{}, std::strerror(errno)};
  ParsedEntry entry = parse_entry(*bytes);
  Verdict verdict{std::string(entry.key), entry.fault, static_cast<int64_t>(entry.object.size())};
  if (verdict.fault.empty() && fs::path(path).stem().string() != digest_of(entry.key))
    verdict.fault = "its name is not the hash of its key";
  return verdict;
}

int64_t DiskCache::collect(int64_t most_bytes) {
  if (!prepare()) return 0;
  int64_t kept = 0, removed = 0;
  for (const DiskEntry& entry : entries()) {
    kept += entry.bytes;
    if (kept > most_bytes && unlink(entry.path.c_str()) == 0) ++removed;
  }
  std::error_code fault;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, fault)) {
    struct stat status;
    if (file.path().extension() != temporary_suffix || stat(file.path().c_str(), &status) != 0) continue;
    if (std::abs(now() - status.st_mtime) > longest_write_seconds) unlink(file.path().c_str());
  }
  if (removed > 0) log(LogTopic::cache, "{}: {} entries used least recently were removed", folder_, removed);
  return removed;
}

namespace {

std::string user_folder() {
  const Environment& chosen = environment();
  if (chosen.cache_directory == "off") return {};
  if (!chosen.cache_directory.empty()) return chosen.cache_directory;
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder == '/')
    return fmt::format("{}/sinter", folder);
  if (const char* home = std::getenv("HOME"); home && *home == '/') return fmt::format("{}/.cache/sinter", home);
  return {};
}

}  // namespace

// Never destroyed: compiled functions with static lifetime may still compile while the process ends.
DiskCache& disk_cache() {
  static DiskCache& instance = *new DiskCache(user_folder(), environment().cache_mebibytes << 20);
  return instance;
}

}  // namespace sinter::runtime
