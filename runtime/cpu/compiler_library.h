// Compiles and loads generated C++ by way of libsinter_compiler, which is opened at the first use.
//
// A program that never compiles never loads clang and LLVM.

#pragma once

#include <sinter/runtime/cpu/compiler_api.h>
#include <sinter/runtime/cpu/object_loader.h>
#include <sinter/runtime/cpu_features.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::runtime {

// What generated code is built for; with the source it decides every byte of the object.
struct CompileTarget {
  Isa isa = detect_isa();
  int optimize = 3;
};

// All that decides an object's bytes besides the source, as text: compiler, processor target, flags. Opens no library.
std::string describe(const CompileTarget& target);
// The process ends, and nothing can be compiled any more.
bool compiler_has_gone();

// The object for a source that includes nothing. What clang refuses is a backend error with its diagnostics.
std::vector<char> compile_cpp(std::string_view source, const CompileTarget& target,
                              const std::string& file_name = "kernel.cpp");

// The assembly text of the same code, for people to read.
std::string assembly_of(std::string_view source, const CompileTarget& target,
                        const std::string& file_name = "kernel.cpp");

// Machine code of one object, shared by its copies and unmapped with the last.
class LoadedCode {
 public:
  LoadedCode() = default;

  // The function of that name; its absence is an internal error.
  void* find(const std::string& name) const;
  explicit operator bool() const { return code_ != nullptr; }

 private:
  friend LoadedCode load_object(std::span<const char>, std::span<const CompilerSymbol>);
  friend LoadedCode load_cached_object(std::span<const char>, std::string&);
  std::shared_ptr<const CodeImage> code_;
};

// `symbols`: names that the code may refer to besides the C library's memory and mathematical functions.
LoadedCode load_object(std::span<const char> object, std::span<const CompilerSymbol> symbols = {});

// The same for an object of which nothing is known but its bytes; opens no compiler. Empty where it can't be loaded.
LoadedCode load_cached_object(std::span<const char> object, std::string& failure);
// There is a loader of our own for what this build generates.
bool loads_without_compiler();

// Opens the first library of the list that there is; none is an environment error that names each with its reason.
const CompilerApi& open_compiler(const std::vector<std::string>& candidates);

}  // namespace sinter::runtime
