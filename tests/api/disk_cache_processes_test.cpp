// The cache on disk between processes: a warm one needs no compiler, and no race, kill or damage makes a result wrong.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sinter/runtime/cpu/compiler_library.h>
#include <sinter/runtime/disk_cache.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <regex>
#include <set>
#include <vector>

#include "support/run_command.h"
#include "support/temporary_folder.h"

extern char** environ;

namespace sinter::test {
namespace {

class DiskCacheProcesses : public testing::Test {
 protected:
  void SetUp() override {
    if (!runtime::loads_without_compiler()) GTEST_SKIP() << "this build has no cache on disk";
  }

  std::string cache() const { return folder_.path + "/cache"; }
  std::string run(const std::string& program, const std::string& variables = "") const {
    return run_command("{ SINTER_CACHE_DIR=" + cache() + " " + variables + " " + program + "; } 2>&1").output;
  }
  std::string probe(const std::string& arguments = "", const std::string& variables = "") const {
    return run(std::string(SINTER_CACHE_PROBE) + " " + arguments, variables);
  }

  TemporaryFolder folder_;
};

// With few kernels, and with so many that the program is stored whole.
TEST_F(DiskCacheProcesses, AWarmProcessNeverLoadsTheCompiler) {
  const std::regex line("values=(\\S+) compiles=(\\d+) disk_hits=(\\d+) compiler=loaded\n");
  for (const char* program : {"2 6", "3 24"}) {
    std::string cold = probe(program), warm = probe(program);
    std::smatch counts;
    ASSERT_TRUE(std::regex_match(cold, counts, line)) << cold;
    EXPECT_NE(counts[2], "0");
    int kernels = std::stoi(counts[2]) + std::stoi(counts[3]);  // the second program has some of the first's
    EXPECT_EQ(warm, fmt::format("values={} compiles=0 disk_hits={} compiler=absent\n", counts[1].str(), kernels));
  }
  int programs = 0;
  for (const runtime::DiskEntry& entry : runtime::DiskCache(cache(), 1 << 30).entries())
    programs += runtime::DiskCache::examine(entry.path).key.find("\nprogram by ") != std::string::npos;
  EXPECT_GE(programs, 1);
}

TEST_F(DiskCacheProcesses, OffAndAnotherFolderCompile) {
  probe();
  EXPECT_NE(run(SINTER_CACHE_PROBE, "SINTER_CACHE_DIR=off").find("disk_hits=0 compiler=loaded"), std::string::npos);
  EXPECT_NE(run(SINTER_CACHE_PROBE, "SINTER_CACHE_DIR=" + folder_.path + "/other").find("disk_hits=0"),
            std::string::npos);
  EXPECT_NE(probe().find("compiles=0"), std::string::npos);
}

TEST_F(DiskCacheProcesses, TheUsersFolderIsTheDefault) {
  std::string home = "env -u SINTER_CACHE_DIR -u XDG_CACHE_HOME HOME=" + folder_.path + " ";
  EXPECT_NE(run(home + SINTER_CACHE_PROBE).find("disk_hits=0"), std::string::npos);
  EXPECT_NE(run(home + SINTER_CACHE_PROBE).find("compiles=0"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_.path + "/.cache/sinter"));
  EXPECT_NE(run(home + "XDG_CACHE_HOME=" + folder_.path + "/xdg " SINTER_CACHE_PROBE).find("disk_hits=0"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_.path + "/xdg/sinter"));
}

// One instruction set's objects are never another's.
TEST_F(DiskCacheProcesses, TheInstructionSetIsPartOfTheKey) {
  std::string widest = probe();
  EXPECT_NE(probe("", "SINTER_ISA=sse42").find("disk_hits=0"), std::string::npos);
  EXPECT_NE(probe("", "SINTER_ISA=sse42").find("compiles=0"), std::string::npos);
}

TEST_F(DiskCacheProcesses, DamagedEntriesAreCompiledAgain) {
  std::string first = probe();
  runtime::DiskCache cache(this->cache(), 1 << 30);
  for (const char* damage : {"truncate -s -100 ", "truncate -s 0 ", "printf rubbish > "}) {
    for (const runtime::DiskEntry& entry : cache.entries()) ASSERT_EQ(run_command(damage + entry.path).status, 0);
    EXPECT_EQ(probe(), first) << damage;
    EXPECT_NE(probe().find("compiles=0"), std::string::npos) << damage;
  }
}

// CASES B105: what an entry was made by is in its key, in clear. One of another version, flag or processor is a miss,
// even under the right name.
TEST_F(DiskCacheProcesses, EntriesThatDifferInAnyWordOfTheirKeyAreCompiledAgain) {
  std::string first = probe();
  runtime::DiskCache cache(this->cache(), 1 << 30);
  auto key_of = [](const runtime::DiskEntry& entry) { return runtime::DiskCache::examine(entry.path).key; };
  std::string key = key_of(cache.entries().at(0)), head = key.substr(0, key.find("\n#"));
  int words = 0;
  for (size_t end = 0; end < head.size(); ++end) {
    if (!std::isspace(static_cast<unsigned char>(head[end + 1])) && end + 1 < head.size()) continue;
    if (std::isspace(static_cast<unsigned char>(head[end]))) continue;
    ++words;
    runtime::DiskEntry sound = cache.entries().at(0);
    std::string other = key_of(sound);
    other[end] ^= 1;
    cache.write(other, "kernel\n\nan object of others");
    for (const runtime::DiskEntry& entry : cache.entries())
      if (key_of(entry) == other) std::filesystem::rename(entry.path, sound.path);
    EXPECT_EQ(probe(), first.substr(0, first.find("compiles=")) + "compiles=1 disk_hits=1 compiler=loaded\n")
        << "at " << head.substr(0, end + 1);
    EXPECT_NE(probe().find("compiles=0"), std::string::npos);
  }
  EXPECT_GE(words, 8) << head;
}

// Sound by its checksum, but no object of ours: the loader refuses it and it is replaced.
TEST_F(DiskCacheProcesses, EntriesThatCantBeLoadedAreCompiledAgain) {
  std::string first = probe();
  runtime::DiskCache cache(this->cache(), 1 << 30);
  for (const runtime::DiskEntry& entry : cache.entries())
    cache.write(runtime::DiskCache::examine(entry.path).key, "kernel\n\nthis is no object");
  EXPECT_EQ(probe(), first);
  EXPECT_NE(probe().find("compiles=0"), std::string::npos);
}

TEST_F(DiskCacheProcesses, AFolderThatCantBeWrittenIsNoError) {
  std::string output = run(SINTER_CACHE_PROBE, "SINTER_CACHE_DIR=/proc/none");
  EXPECT_NE(output.find("the cache on disk is not used: /proc/none"), std::string::npos) << output;
  EXPECT_NE(output.find("compiles=2"), std::string::npos) << output;
}

pid_t start(const std::string& cache, const std::string& output, std::vector<std::string> words = {}) {
  std::vector<std::string> variables = {"SINTER_CACHE_DIR=" + cache, "SINTER_NUM_THREADS=1"};
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  for (char** inherited = environ; *inherited; ++inherited)
    if (!std::string_view(*inherited).starts_with("SINTER_")) environment.push_back(*inherited);
  environment.push_back(nullptr);
  std::string program = SINTER_CACHE_PROBE;
  std::vector<char*> arguments = {program.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = -1;
  if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environment.data()) != 0) child = -1;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

// CASES B102. Some die while they compile or write; all others give the one result, and the cache they leave is good.
TEST_F(DiskCacheProcesses, SixtyFourProcessesRaceOnOneKey) {
  constexpr int count = 64;
  std::mt19937 random(1);
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    children.push_back(start(cache(), folder_.path + "/" + std::to_string(i)));
    ASSERT_GT(children.back(), 0);
  }
  std::set<int> killed;
  for (int i = 0; i < 4; ++i) {
    usleep(random() % 200000);
    int victim = static_cast<int>(random() % count);
    if (kill(children[victim], SIGKILL) == 0) killed.insert(victim);
  }
  std::set<std::string> values;
  for (int i = 0; i < count; ++i) {
    int status = 0;
    ASSERT_EQ(waitpid(children[i], &status, 0), children[i]);
    std::ifstream file(folder_.path + "/" + std::to_string(i));
    std::string output((std::istreambuf_iterator<char>(file)), {});
    if (killed.contains(i)) continue;
    EXPECT_EQ(status, 0) << output;
    values.insert(output.substr(0, output.find(' ')));
  }
  EXPECT_EQ(values.size(), 1u) << testing::PrintToString(values);
  EXPECT_NE(probe().find("compiles=0"), std::string::npos);
  for (const runtime::DiskEntry& entry : runtime::DiskCache(cache(), 1 << 30).entries())
    EXPECT_EQ(runtime::DiskCache::examine(entry.path).fault, "");
}

TEST_F(DiskCacheProcesses, ProcessesRaceOnAStoredProgram) {
  constexpr int count = 8;
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    children.push_back(start(cache(), folder_.path + "/" + std::to_string(i), {"7", "12"}));
    ASSERT_GT(children.back(), 0);
  }
  std::set<std::string> values;
  for (int i = 0; i < count; ++i) {
    int status = 0;
    ASSERT_EQ(waitpid(children[i], &status, 0), children[i]);
    std::ifstream file(folder_.path + "/" + std::to_string(i));
    std::string output((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(status, 0) << output;
    values.insert(output.substr(0, output.find(' ')));
  }
  EXPECT_EQ(values.size(), 1u) << testing::PrintToString(values);
  EXPECT_NE(probe("7 12").find("compiles=0"), std::string::npos);
  for (const runtime::DiskEntry& entry : runtime::DiskCache(cache(), 1 << 30).entries())
    EXPECT_EQ(runtime::DiskCache::examine(entry.path).fault, "");
}

#if defined(SINTER_CLI)

TEST_F(DiskCacheProcesses, TheCommandLineLooksIntoTheCacheAndTidiesIt) {
  probe();
  auto command = [&](const std::string& words) { return run(std::string(SINTER_CLI) + " " + words + "; echo =$?"); };
  run_command("rm $(ls -d " + cache() + "/* | tail -1)");  // of the probe's two kernels
  std::string listed = command("cache ls");
  std::smatch entry;
  ASSERT_TRUE(std::regex_search(listed, entry, std::regex("^([0-9a-f]{32})  +(\\d+) bytes"))) << listed;
  EXPECT_NE(listed.find("1 entries, " + entry[2].str() + " bytes in " + cache()), std::string::npos) << listed;
  std::string why = command("cache why " + entry[1].str().substr(0, 8));
  for (const char* part : {"sound", "sinter 0.", "clang 19.", "extern \"C\" void kernel"})
    EXPECT_NE(why.find(part), std::string::npos) << why;
  EXPECT_EQ(command("cache why 123"), "sinter: there is no entry 123\n=2\n");
  EXPECT_EQ(command("cache verify"), "1 entries, 0 damaged\n=0\n");
  run_command("truncate -s -1 " + cache() + "/" + entry[1].str() + ".entry");
  EXPECT_EQ(command("cache verify"), entry[1].str() + ": it is cut short\n1 entries, 1 damaged\n=1\n");
  EXPECT_EQ(command("cache gc"), "0 entries removed\n=0\n");
  EXPECT_EQ(command("cache gc x"), "sinter: x is no number of MiB\n=2\n");
  EXPECT_EQ(command("cache clear"), "1 entries removed\n=0\n");
  EXPECT_EQ(command("cache ls"), "0 entries, 0 bytes in " + cache() + "\n=0\n");
  EXPECT_NE(command("cache").find("usage: sinter cache COMMAND"), std::string::npos);
}

#endif

}  // namespace
}  // namespace sinter::test
