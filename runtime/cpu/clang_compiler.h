// C++ text to an object file in memory, by clang inside this process.
//
// Part of libsinter_compiler; the rest of sinter calls it through compiler_library.h.

#pragma once

#include <sinter/runtime/cpu/compiler_api.h>

#include <string>
#include <string_view>

namespace sinter::runtime {

struct ClangResult {
  bool succeeded;
  std::string bytes;  // the object, or clang's diagnostics
};

// Touches no file and starts no process: the source must include nothing. Any number of threads may compile at once.
ClangResult clang_compile(std::string_view source, const char* file_name, const CompilerTarget& target);

const char* clang_description();

}  // namespace sinter::runtime
