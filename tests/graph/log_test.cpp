// Topics of the log, and where its lines go.

#include <sinter/graph/log.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sinter {
namespace {

// Keeps the lines that are logged while it lives.
class KeptLog {
 public:
  explicit KeptLog(std::string_view topics) {
    set_log_sink([](std::string_view line, void* self) { static_cast<KeptLog*>(self)->lines_.emplace_back(line); },
                 this);
    set_logs(topics);
  }
  ~KeptLog() {
    set_logs("");
    set_log_sink(nullptr, nullptr);
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

TEST(Log, PrintsOnlyTheTopicsThatAreAskedFor) {
  KeptLog kept("graph,fusion");
  EXPECT_TRUE(logs(LogTopic::fusion));
  EXPECT_FALSE(logs(LogTopic::cache));
  log(LogTopic::fusion, "{} + {} -> yes", "add", "exp");
  log(LogTopic::cache, "add: hit");
  EXPECT_EQ(kept.lines(), (Lines{"fusion: add + exp -> yes"}));
}

TEST(Log, NamesTheTopicOnEachLineOfAText) {
  KeptLog kept("all");
  write_log(LogTopic::graph, "graph():\n    return ()\n");
  write_log(LogTopic::guards, "");
  EXPECT_EQ(kept.lines(), (Lines{"graph: graph():", "graph:     return ()", "guards: "}));
}

TEST(Log, WarnsOfAnUnknownTopicAndNamesTheNearest) {
  KeptLog kept("fusoin,time");
  EXPECT_EQ(kept.lines(), (Lines{"warning: SINTER_LOGS has no topic fusoin; the nearest is fusion"}));
  EXPECT_TRUE(logs(LogTopic::time));
  EXPECT_FALSE(logs(LogTopic::fusion));
}

TEST(Log, ListsItsTopicsWhenAskedForHelp) {
  KeptLog kept("help");
  ASSERT_EQ(kept.lines().size(), all_log_topics().size() + 1);
  EXPECT_EQ(kept.lines()[1], "fusion       which nests were fused, which not, and why");
  EXPECT_EQ(kept.lines().back(), "all          every topic");
}

TEST(Log, ReadsTheEnvironmentAtItsFirstUse) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";  // a fresh process: the log of this one is in use
  std::string path = std::filesystem::temp_directory_path() / "sinter_log_test.txt";
  setenv("SINTER_LOGS", "time", 1);
  setenv("SINTER_LOGS_FILE", path.c_str(), 1);
  EXPECT_EXIT(
      {
        log(LogTopic::time, "trace {} ms", 2);
        log(LogTopic::graph, "not this");
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
  unsetenv("SINTER_LOGS");
  unsetenv("SINTER_LOGS_FILE");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  EXPECT_EQ(text.str(), "time: trace 2 ms\n");
}

TEST(Log, SaysThatItsFileCannotBeOpened) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  setenv("SINTER_LOGS_FILE", "/no/such/folder/log", 1);
  EXPECT_EXIT(
      {
        logs(LogTopic::time);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "warning: SINTER_LOGS_FILE=/no/such/folder/log can't be opened");
  unsetenv("SINTER_LOGS_FILE");
}

}  // namespace
}  // namespace sinter
