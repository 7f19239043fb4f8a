// Stages that are timed, verified and written out.

#include <sinter/graph/stages.h>

#include <gtest/gtest.h>
#include <sinter/graph/log.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sinter {

// What the stages of these tests work on.
struct Number {
  int value = 0;
};
std::string to_string(const Number& number) { return std::to_string(number.value); }
void verify(const Number& number) {
  if (number.value < 0) throw std::runtime_error("negative");
}

namespace {

bool add_one(Number& number) { return ++number.value, true; }
bool change_nothing(Number&) { return false; }
bool negate(Number& number) { return number.value = -number.value, true; }

class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string_view name) : path_(std::filesystem::temp_directory_path() / name) {
    std::filesystem::remove_all(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_; }
  // `name: text` of each file, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> files;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      std::stringstream text;
      text << file.path().filename().string() << ": " << std::ifstream(file.path()).rdbuf();
      files.push_back(text.str());
    }
    std::sort(files.begin(), files.end());
    return files;
  }

 private:
  std::filesystem::path path_;
};

TEST(Stages, WriteWhatAStageChangedAndNothingElse) {
  TemporaryFolder folder("sinter_stages_test");
  Stages stages(folder.path());
  Number number;
  stages.dump("traced", to_string(number));
  stages.run("add_one", number, add_one);
  stages.run("change_nothing", number, change_nothing);
  stages.run("add_one", number, add_one);
  stages.dump("kernel_add.cpp", "void add();");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"00_traced.txt: 0", "01_add_one.txt: 1", "02_add_one.txt: 2",
                                                      "kernel_add.cpp: void add();"}));
}

TEST(Stages, RememberTheTimeOfEachStage) {
  Stages stages;
  Number number;
  stages.run("add_one", number, add_one);
  stages.run("change_nothing", number, change_nothing);
  int made = stages.time("make", [] { return 7; });
  EXPECT_EQ(made, 7);
  ASSERT_EQ(stages.times().size(), 3u);
  EXPECT_EQ(stages.times()[0].name, "add_one");
  EXPECT_TRUE(stages.times()[0].changed);
  EXPECT_FALSE(stages.times()[1].changed);
  EXPECT_GE(stages.times()[2].milliseconds, 0);
  EXPECT_FALSE(stages.dumps());
}

TEST(Stages, VerifyEachResultIfAskedTo) {
  Number number{1};
  EXPECT_NO_THROW(Stages({}, /*verify=*/false).run("negate", number, negate));
  number.value = 1;
  EXPECT_THROW(Stages({}, /*verify=*/true).run("negate", number, negate), std::runtime_error);
}

TEST(Stages, SayThatADumpCannotBeWritten) {
  TemporaryFolder folder("sinter_stages_test_file");
  std::ofstream(folder.path()) << "a file where a folder should be";
  std::string line;
  set_log_sink([](std::string_view text, void* kept) { *static_cast<std::string*>(kept) = text; }, &line);
  Stages(folder.path()).dump("traced", "0");
  set_log_sink(nullptr, nullptr);
  EXPECT_EQ(line, "warning: SINTER_DUMP: " + folder.path() + "/00_traced.txt can't be written");
}

}  // namespace
}  // namespace sinter
