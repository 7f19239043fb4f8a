// What a machine can check of the rules of the tree: includes, top comments, file sizes, a test for each pass.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = SINTER_SOURCE_DIR;
const std::array<std::string, 4> layers = {"graph", "fusion", "codegen", "runtime"};  // lowest first

struct SourceFile {
  std::string path;  // from the root
  std::vector<std::string> lines;

  std::string folder() const { return path.substr(0, path.find('/')); }
  bool is_header() const { return path.ends_with(".h"); }
};

SourceFile read(const fs::path& path) {
  SourceFile file = {fs::relative(path, root).string(), {}};
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

// Every header and source of the project, tests and samples included.
const std::vector<SourceFile>& all_files() {
  static const std::vector<SourceFile> files = [] {
    std::vector<SourceFile> found;
    if (fs::exists(root / "sinter.h")) found.push_back(read(root / "sinter.h"));
    for (const char* folder : {"graph", "fusion", "codegen", "runtime", "tests", "samples", "cmake"}) {
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        std::string extension = entry.path().extension().string();
        if (extension == ".h" || extension == ".cpp") found.push_back(read(entry.path()));
      }
    }
    return found;
  }();
  return files;
}

struct Include {
  std::string target;  // without brackets or quotes
  bool quoted;
};

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex pattern("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"].*");
  std::vector<Include> includes;
  std::smatch match;
  for (const std::string& line : file.lines) {
    if (std::regex_match(line, match, pattern)) includes.push_back({match[2], match[1] == "\""});
  }
  return includes;
}

int height(const std::string& folder) {
  return static_cast<int>(std::find(layers.begin(), layers.end(), folder) - layers.begin());
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](auto& prefix) { return text.starts_with(prefix); });
}

TEST(Layout, TheTreeIsWhereTheTestLooks) { EXPECT_GT(all_files().size(), 20u) << root; }

TEST(Layout, OurHeadersAreIncludedByTheirWholePath) {
  for (const SourceFile& file : all_files()) {
    for (const Include& include : includes_of(file)) {
      if (include.quoted) {
        EXPECT_TRUE(file.path.starts_with("tests/")) << file.path << ": \"" << include.target << '"';
        EXPECT_TRUE(fs::exists(root / "tests" / include.target)) << file.path << ": \"" << include.target << '"';
      } else if (include.target.starts_with("sinter/")) {
        EXPECT_TRUE(fs::exists(root / include.target.substr(7))) << file.path << ": <" << include.target << '>';
      }
    }
  }
}

TEST(Layout, NoLayerIncludesOneAbove) {
  for (const SourceFile& file : all_files()) {
    if (height(file.folder()) == static_cast<int>(layers.size())) continue;
    for (const Include& include : includes_of(file)) {
      if (!include.target.starts_with("sinter/")) continue;
      std::string rest = include.target.substr(7);
      EXPECT_LE(height(rest.substr(0, rest.find('/'))), height(file.folder())) << file.path << ": " << include.target;
    }
  }
}

TEST(Layout, SamplesIncludeOnlyThePublicHeader) {
  for (const SourceFile& file : all_files()) {
    if (file.folder() != "samples") continue;
    for (const Include& include : includes_of(file)) {
      if (include.target.starts_with("sinter/")) {
        EXPECT_EQ(include.target, "sinter/sinter.h") << file.path;
      }
    }
  }
}

TEST(Layout, EachExternalLibraryIsFencedInItsFiles) {
  struct Fence {
    std::string library;  // how its includes start
    std::vector<std::string> files;
  };
  const std::vector<Fence> fences = {
      {"clang/", {"runtime/cpu/clang_compiler.cpp"}},
      {"llvm/", {"runtime/cpu/clang_compiler.cpp", "runtime/cpu/orc_loader.cpp", "cmake/no_polly.cpp"}},
      {"dnnl", {"runtime/cpu/dnnl_session.h", "runtime/cpu/convolve_with_dnnl.cpp", "tests/bench/"}},
      {"cblas", {"runtime/cpu/multiply_with_openblas.cpp", "runtime/cpu/factorise_with_lapack.cpp"}},
      {"nlohmann/", {"graph/text/json.cpp", "tests/"}},
      {"omp.h", {}},
  };
  for (const SourceFile& file : all_files()) {
    for (const Include& include : includes_of(file)) {
      for (const Fence& fence : fences) {
        if (include.target.starts_with(fence.library)) {
          EXPECT_TRUE(starts_with_any(file.path, fence.files)) << file.path << ": <" << include.target << '>';
        }
      }
    }
  }
}

TEST(Layout, EachFileStartsWithASentenceAboutIt) {
  for (const SourceFile& file : all_files()) {
    ASSERT_FALSE(file.lines.empty()) << file.path;
    const std::string& first = file.lines[0];
    EXPECT_TRUE(first.starts_with("// ") && first.size() > 15) << file.path << ": " << first;
    // A name there goes stale; a file says what it does.
    EXPECT_EQ(first.find(fs::path(file.path).filename().string()), std::string::npos) << file.path << ": " << first;
  }
}

// Text that generated code prints is no header: it is never included.
bool is_included_once(const SourceFile& file) {
  return file.path.starts_with("codegen/prelude/") ||
         std::find(file.lines.begin(), file.lines.end(), "#pragma once") != file.lines.end();
}

TEST(Layout, EachHeaderIsIncludedOnce) {
  for (const SourceFile& file : all_files()) {
    if (file.is_header()) {
      EXPECT_TRUE(is_included_once(file)) << file.path << ": no #pragma once";
    }
  }
}

TEST(Layout, NoFileIsLongerThan600Lines) {
  for (const SourceFile& file : all_files()) EXPECT_LE(file.lines.size(), 600u) << file.path;
}

TEST(Layout, NoSampleIsLongerThan100Lines) {
  for (const SourceFile& file : all_files()) {
    if (file.folder() == "samples" && file.path != "samples/explain.cpp" && file.path != "samples/demo.cpp") {
      EXPECT_LT(file.lines.size(), 100u) << file.path;
    }
  }
}

// A pass says in its header what comes before and after it.
bool is_pass(const SourceFile& file) {
  return file.is_header() && std::any_of(file.lines.begin(), file.lines.end(),
                                         [](const std::string& line) { return line.starts_with("// After:"); });
}

TEST(Layout, EachPassHasATestOfItsName) {
  for (const SourceFile& file : all_files()) {
    if (!is_pass(file)) continue;
    fs::path test = root / "tests" / file.path;
    test.replace_filename(test.stem().string() + "_test.cpp");
    EXPECT_TRUE(fs::exists(test)) << file.path << " has no " << fs::relative(test, root).string();
  }
}

TEST(Layout, EachPassSaysWhatItTakesGivesAndKeeps) {
  for (const SourceFile& file : all_files()) {
    if (!is_pass(file)) continue;
    for (const char* label : {"// In:", "// Out:", "// Keeps:"}) {
      EXPECT_TRUE(std::any_of(file.lines.begin(), file.lines.end(),
                              [&](const std::string& line) { return line.starts_with(label); }))
          << file.path << ": no " << label;
    }
  }
}

// A formatter that joins a marker to the comment before it takes the piece out of the library without a word.
TEST(Layout, EachMarkerOfAPieceBeginsItsLine) {
  const std::regex marker("// piece: \\w+( needs:( \\w+)+)?|// end of pieces");
  int markers = 0;
  for (const SourceFile& file : all_files()) {
    if (!file.path.starts_with("codegen/prelude/")) continue;
    for (const std::string& line : file.lines) {
      // What the format's own description quotes is no marker.
      if (line.find("`// ") != std::string::npos) continue;
      if (line.find("piece: ") == std::string::npos && line.find("end of pieces") == std::string::npos) continue;
      ++markers;
      EXPECT_TRUE(std::regex_match(line, marker)) << file.path << ": " << line;
    }
  }
  EXPECT_GT(markers, 100);
}

TEST(Layout, NamesAreSnakeCase) {
  const std::regex pattern("[a-z0-9_/]+\\.(h|cpp)");
  for (const SourceFile& file : all_files()) EXPECT_TRUE(std::regex_match(file.path, pattern)) << file.path;
}

TEST(Layout, NothingIsLeftForLater) {
  const std::regex pattern(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X|HA"
      "CK)\\b");
  for (const SourceFile& file : all_files()) {
    for (const std::string& line : file.lines)
      EXPECT_FALSE(std::regex_search(line, pattern)) << file.path << ": " << line;
  }
}

TEST(Layout, NoFolderIsNamedAfterNoIdea) {
  const std::set<std::string> empty_names = {"common", "util", "utils", "helper", "helpers", "misc", "detail"};
  for (const SourceFile& file : all_files()) {
    for (const fs::path& part : fs::path(file.path)) {
      EXPECT_FALSE(empty_names.contains(part.stem().string())) << file.path;
    }
  }
}

}  // namespace
