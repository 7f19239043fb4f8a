// The printed prelude: only what is used, with its needs, in an order that compiles.

#include <gtest/gtest.h>
#include <sinter/codegen/prelude_text.h>
#include <sinter/codegen/print_prelude.h>
#include <sinter/runtime/cpu/compiler_library.h>

#include <algorithm>

namespace {

using namespace sinter::codegen;

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(PrintPrelude, PrintsOnlyWhatASmallKernelUses) {
  PreludeUse use;
  use.pieces = {"load_f32", "load_n_f32", "add_f32", "maximum_f32", "mul_f32", "splat_f32", "store_f32", "store_n_f32"};
  std::string text = print_prelude(16, use);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 90);
  EXPECT_TRUE(contains(text, "enum { N = 16 };"));
  EXPECT_TRUE(contains(text, "typedef float f32v"));
  EXPECT_TRUE(contains(text, "inline f32v add(f32v a, f32v b) { return a + b; }"));
  EXPECT_FALSE(contains(text, "i64v"));
  EXPECT_FALSE(contains(text, "piece:"));
  EXPECT_FALSE(contains(text, "#include"));
}

TEST(PrintPrelude, PutsAPieceOutOfLineOnRequest) {
  std::string text = print_prelude(8, {{"erf_f32"}, {"erf_f32"}});
  EXPECT_TRUE(contains(text, "__attribute__((noinline)) f32v erf(f32v x) {"));
  EXPECT_TRUE(contains(text, "inline f32v fma(f32v a, f32v b, f32v c) {"));
}

TEST(PrintPrelude, KnowsItsPieces) {
  EXPECT_TRUE(has_piece("to_f16_from_i64"));
  EXPECT_TRUE(has_piece("halve_add_f64"));
  EXPECT_FALSE(has_piece("exp_i32"));
}

std::vector<std::string> all_pieces() {
  constexpr std::string_view marker = "\n// piece: ";
  std::vector<std::string> names;
  for (std::string_view text : prelude_text()) {
    for (size_t at = text.find(marker); at != text.npos; at = text.find(marker, at)) {
      at += marker.size();
      names.emplace_back(text.substr(at, text.find_first_of(" \n", at) - at));
    }
  }
  return names;
}

TEST(PrintPrelude, EveryPieceCompilesWithWhatItNeeds) {
  for (const std::string& name : all_pieces()) {
    sinter::runtime::CompileTarget target{.optimize = 0};
    EXPECT_NO_THROW(sinter::runtime::compile_cpp(print_prelude(16, {{name}, {}}), target)) << name;
  }
}

}  // namespace
