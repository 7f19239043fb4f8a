// Entries on disk: whole or not there, trusted only when sound, private, and bounded in size.

#include <sinter/runtime/disk_cache.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sinter/graph/log.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "support/temporary_folder.h"

namespace sinter::runtime {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

std::string text_of(const std::optional<std::vector<char>>& bytes) {
  return bytes ? std::string(bytes->begin(), bytes->end()) : "none";
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}
void replace_contents(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

struct Warnings {
  Warnings() {
    set_log_sink(
        [](std::string_view line, void* self) { static_cast<Warnings*>(self)->text += std::string(line) + "\n"; },
        this);
  }
  ~Warnings() { set_log_sink(nullptr, nullptr); }
  std::string text;
};

TEST(DiskCache, GivesBackWhatAnotherInstanceWrote) {
  TemporaryFolder folder;
  DiskCache writer(folder.path + "/deep/cache", 1 << 20), reader(folder.path + "/deep/cache", 1 << 20);
  EXPECT_EQ(text_of(writer.read("key")), "none");
  std::string object("bytes\0of\nany kind", 17);
  writer.write("key", object);
  EXPECT_EQ(text_of(reader.read("key")), object);
  EXPECT_EQ(text_of(reader.read("another key")), "none");
  EXPECT_EQ(writer.stats().misses, 1);
  EXPECT_EQ(writer.stats().writes, 1);
  EXPECT_EQ(reader.stats().hits, 1);
  EXPECT_EQ(reader.stats().damaged, 0);
  writer.remove("key");
  EXPECT_EQ(text_of(reader.read("key")), "none");
}

TEST(DiskCache, FolderAndFilesArePrivate) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  cache.write("key", "object");
  struct stat status;
  ASSERT_EQ(stat(cache.folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(cache.entries().at(0).path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(DiskCache, AFolderThatOthersCanWriteIsRefusedWithAReason) {
  TemporaryFolder folder;
  ASSERT_EQ(chmod(folder.path.c_str(), 0777), 0);
  Warnings warnings;
  DiskCache cache(folder.path, 1 << 20);
  cache.write("key", "object");
  EXPECT_EQ(text_of(cache.read("key")), "none");
  EXPECT_TRUE(fs::is_empty(folder.path));
  EXPECT_NE(warnings.text.find("the cache on disk is not used: " + folder.path +
                               " can be written by other users (chmod go-w)"),
            std::string::npos)
      << warnings.text;
}

TEST(DiskCache, APathThatIsAFileIsRefused) {
  TemporaryFolder folder;
  replace_contents(folder.path + "/file", "x");
  Warnings warnings;
  DiskCache cache(folder.path + "/file", 1 << 20);
  cache.write("key", "object");
  EXPECT_NE(warnings.text.find("is no folder"), std::string::npos) << warnings.text;
}

// Whatever happens to the file, the entry is a miss, and is as new after the next write.
TEST(DiskCache, DamagedEntriesAreMissesAndAreReplaced) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  cache.write("the key", "the object");
  std::string path = cache.entries().at(0).path, sound = contents(path);
  std::vector<std::string> damaged = {"", "rubbish", sound + "x", "sinter cache entry 2\n" + sound.substr(21)};
  for (size_t i = 0; i < sound.size(); ++i) {
    damaged.push_back(sound.substr(0, i));
    damaged.push_back(sound);
    damaged.back()[i] = static_cast<char>(damaged.back()[i] ^ 0x20);
  }
  for (const std::string& bytes : damaged) {
    replace_contents(path, bytes);
    int64_t before = cache.stats().damaged;
    EXPECT_EQ(text_of(cache.read("the key")), "none") << bytes;
    EXPECT_EQ(cache.stats().damaged, before + 1);
    EXPECT_NE(DiskCache::examine(path).fault, "") << bytes;
  }
  cache.write("the key", "the object");
  EXPECT_EQ(text_of(cache.read("the key")), "the object");
  EXPECT_EQ(DiskCache::examine(path).fault, "");
  EXPECT_EQ(DiskCache::examine(path).key, "the key");
}

TEST(DiskCache, AnotherKeysEntryUnderThisNameIsAMiss) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  cache.write("one", "first object");
  std::string one = cache.entries().at(0).path, bytes = contents(one);
  cache.remove("one");
  cache.write("two", "second object");
  std::string two = cache.entries().at(0).path;
  replace_contents(two, bytes);
  EXPECT_EQ(text_of(cache.read("two")), "none");
  EXPECT_EQ(DiskCache::examine(two).fault, "its name is not the hash of its key");
}

TEST(DiskCache, EntriesUsedLeastRecentlyGoFirst) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  std::string object(1000, 'x');
  for (int i = 0; i < 10; ++i) cache.write(std::to_string(i), object);
  int64_t size = cache.entries().at(0).bytes;
  timespec old[] = {{1000, 0}, {1000, 0}};
  for (const DiskEntry& entry : cache.entries()) {
    int age = std::stoi(DiskCache::examine(entry.path).key);
    old[1].tv_sec = 1000 + age;
    utimensat(AT_FDCWD, entry.path.c_str(), old, 0);
  }
  EXPECT_EQ(text_of(cache.read("0")), object);  // used now
  EXPECT_EQ(cache.collect(3 * size), 7);
  std::vector<std::string> kept;
  for (const DiskEntry& entry : cache.entries()) kept.push_back(DiskCache::examine(entry.path).key);
  EXPECT_EQ(kept, (std::vector<std::string>{"0", "9", "8"}));
}

TEST(DiskCache, WritingKeepsTheFolderBelowItsSize) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 64 << 10);
  std::string object(4096, 'x');
  for (int i = 0; i < 100; ++i) cache.write(std::to_string(i), object);
  int64_t bytes = 0;
  for (const DiskEntry& entry : cache.entries()) bytes += entry.bytes;
  EXPECT_LE(bytes, (64 << 10) + (64 << 10) / 16 + 2 * 4300);
  EXPECT_GT(bytes, 32 << 10);
}

TEST(DiskCache, WhatADeadWriterLeftIsRemovedAndALivingOnesKept) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  cache.write("key", "object");
  std::string dead = cache.folder() + "/a.entry.1.0.tmp", living = cache.folder() + "/b.entry.2.0.tmp";
  replace_contents(dead, "half");
  replace_contents(living, "half");
  timespec old[] = {{1000, 0}, {1000, 0}};
  utimensat(AT_FDCWD, dead.c_str(), old, 0);
  cache.collect(cache.most_bytes());
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(living));
  EXPECT_EQ(cache.entries().size(), 1u);
}

TEST(DiskCache, ThreadsWriteAndReadOneKey) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  std::string object(100000, 'x');
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          cache.write("key", object);
          auto read = cache.read("key");
          wrong += !read || text_of(read) != object;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(DiskCache, WithoutAFolderThereIsNone) {
  DiskCache cache("", 1 << 20);
  EXPECT_FALSE(cache.is_on());
  cache.write("key", "object");
  EXPECT_EQ(text_of(cache.read("key")), "none");
  EXPECT_TRUE(cache.entries().empty());
}

// What stands in an entry's place and is no entry, whatever it is: a miss, and replaced.
TEST(DiskCache, ThingsInPlaceOfAnEntryAreReplaced) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  cache.write("key", "object");
  std::string path = cache.entries().at(0).path;
  std::vector<std::function<void()>> others = {
      [&] { ASSERT_EQ(mkfifo(path.c_str(), 0600), 0); },  // nobody will ever write into it
      [&] { ASSERT_EQ(mkdir(path.c_str(), 0700), 0); },
      [&] { ASSERT_EQ(symlink("/nowhere", path.c_str()), 0); },
      [&] {
        replace_contents(path, "");
        ASSERT_EQ(truncate(path.c_str(), off_t{1} << 42), 0);  // more than memory holds
      },
  };
  for (size_t i = 0; i < others.size(); ++i) {
    fs::remove(path);
    others[i]();
    EXPECT_EQ(text_of(cache.read("key")), "none") << i;
    cache.write("key", "object");
    EXPECT_EQ(text_of(cache.read("key")), "object") << i;
  }
}

TEST(DiskCache, AFolderIsPrivateHoweverItsNameIsWritten) {
  TemporaryFolder folder;
  mode_t before = umask(002);
  for (const char* name : {"/plain", "/slash/", "/slashes//", "/a/b//c/"}) {
    DiskCache cache(folder.path + name, 1 << 20);
    cache.write("key", "object");
    EXPECT_EQ(text_of(cache.read("key")), "object") << name;
    EXPECT_EQ(fs::status(folder.path + name).permissions(), fs::perms::owner_all) << name;
  }
  umask(before);
}

TEST(DiskCache, ARelativeFolderStaysWhereItWas) {
  TemporaryFolder folder;
  fs::path before = fs::current_path();
  fs::current_path(folder.path);
  DiskCache cache("own", 1 << 20);
  cache.write("one", "object");
  fs::create_directory("elsewhere");
  fs::current_path("elsewhere");
  cache.write("two", "object");
  EXPECT_EQ(text_of(cache.read("one")), "object");
  EXPECT_EQ(text_of(cache.read("two")), "object");
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(folder.path + "/own"));
}

// What a clock that was years ahead left is not the last to go.
TEST(DiskCache, EntriesOfAClockThatWasWrongGoFirst) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  cache.write("of the future", std::string(1000, 'x'));
  std::string path = cache.entries().at(0).path;
  fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::hours(20000));
  replace_contents(path + ".1.1.tmp", "unfinished");
  fs::last_write_time(path + ".1.1.tmp", fs::file_time_type::clock::now() + std::chrono::hours(20000));
  cache.write("of now", std::string(1000, 'x'));
  EXPECT_EQ(cache.collect(1500), 1);
  EXPECT_EQ(text_of(cache.read("of the future")), "none");
  EXPECT_EQ(text_of(cache.read("of now")).size(), 1000u);
  EXPECT_FALSE(fs::exists(path + ".1.1.tmp"));
}

TEST(DiskCache, AFolderThatWasTakenAwayIsMadeAgain) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  cache.write("one", "object");
  fs::remove_all(folder.path + "/cache");
  EXPECT_EQ(text_of(cache.read("one")), "none");
  cache.write("two", "object");
  EXPECT_EQ(text_of(cache.read("two")), "object");
}

// A process of a container has the number of one before it, whose unfinished file may still be there.
TEST(DiskCache, NoOtherWritersNameIsInTheWay) {
  TemporaryFolder folder;
  DiskCache cache(folder.path + "/cache", 1 << 20);
  cache.write("key", "object");
  std::string path = cache.entries().at(0).path;
  fs::remove(path);
  for (int i = 0; i < 64; ++i) replace_contents(fmt::format("{}.{}.{}.tmp", path, getpid(), i), "unfinished");
  cache.write("key", "object");
  EXPECT_EQ(text_of(cache.read("key")), "object");
}

// The signal of a file that grows too large would end the process.
TEST(DiskCache, ALimitOfFileSizesLosesTheEntryAlone) {
  TemporaryFolder folder;
  Warnings warnings;
  pid_t child = fork();
  if (child == 0) {
    rlimit limit = {64, 64};
    setrlimit(RLIMIT_FSIZE, &limit);
    DiskCache(folder.path + "/cache", 1 << 20).write("key", std::string(1000, 'x'));
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(DiskCache(folder.path + "/cache", 1 << 20).entries().empty());
}

}  // namespace
}  // namespace sinter::runtime
