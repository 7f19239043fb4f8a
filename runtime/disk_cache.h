// Compiled objects on disk, shared by all processes of a user.
//
// An entry is one file, named by a hash of its key; it holds the key in clear, the object, and a checksum of both. It
// is written under a temporary name, synced and renamed, so that a reader sees a whole entry or none, whatever is
// killed when. What is damaged, foreign or of another format is a miss and is replaced. A folder that others could
// write is not used: its objects are executed.

#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::runtime {

// What a look into the folder finds.
struct DiskEntry {
  std::string path;
  std::string name;       // the hash, in hexadecimal digits: what a person calls it by
  int64_t bytes = 0;      // of the file
  int64_t last_used = 0;  // seconds since 1970
};

struct DiskCacheStats {
  int64_t hits = 0;
  int64_t misses = 0;
  int64_t damaged = 0;  // of the misses: entries that were there and could not be trusted
  int64_t writes = 0;
};

class DiskCache {
 public:
  // Uses no more than `most_bytes` for long: entries used least recently go first. An empty path: no cache.
  DiskCache(std::string folder, int64_t most_bytes);

  bool is_on() const { return !folder_.empty(); }
  const std::string& folder() const { return folder_; }

  std::optional<std::vector<char>> read(std::string_view key);
  // A failure (no space, no permission) is logged once and is no error.
  void write(std::string_view key, std::string_view object);
  // Forgets an entry whose object turned out to be of no use.
  void remove(std::string_view key);

  // --- For people and tests ---
  DiskCacheStats stats() const;
  std::vector<DiskEntry> entries() const;  // most recently used first
  // The key of an entry, or why it can't be trusted.
  struct Verdict {
    std::string key;
    std::string fault;  // empty: it is sound
    int64_t object_bytes = 0;
  };
  static Verdict examine(const std::string& path);
  // Removes entries until `most_bytes` are left, and what interrupted writers left; returns how many entries went.
  int64_t collect(int64_t most_bytes);
  int64_t most_bytes() const { return most_bytes_; }

 private:
  bool prepare();  // makes and checks the folder, once; false: it can't be used
  int make_folder() const;
  const char* why_not_trusted() const;  // the folder; null if it is
  int replace(const std::string& path, std::string_view bytes) const;
  std::string path_of(std::string_view key) const;
  void refuse(const std::string& why);

  std::string folder_;
  int64_t most_bytes_;
  std::once_flag prepared_;
  bool usable_ = false;
  mutable std::mutex mutex_;  // of what follows
  DiskCacheStats stats_;
  int64_t written_bytes_ = 0;  // since the last collection
  bool write_failed_ = false;
};

// That of the process: SINTER_CACHE_DIR (`off`: none), else the user's cache folder (XDG_CACHE_HOME, ~/.cache);
// SINTER_CACHE_SIZE bounds it, in MiB (1024).
DiskCache& disk_cache();

}  // namespace sinter::runtime
