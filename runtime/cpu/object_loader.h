// Maps the objects that clang writes for generated code, without LLVM: what a warm disk cache needs.
//
// Relocatable ELF for x86-64, position-independent, of code that throws nothing and has no constructors.

#pragma once

#include <sinter/runtime/cpu/compiler_api.h>

#include <memory>
#include <span>
#include <string>

namespace sinter::runtime {

// Machine code in memory that is writable or executable, never both; unmapped with the object.
class CodeImage {
 public:
  virtual ~CodeImage() = default;
  // Null if it defines no such function.
  virtual void* find(const std::string& name) const = 0;
};

struct MapResult {
  std::unique_ptr<CodeImage> image;  // null on failure
  std::string failure;
};

// Never reads outside of `object`, whatever it holds. Code may refer to `symbols` and to process_functions.h.
MapResult map_object(std::span<const char> object, std::span<const CompilerSymbol> symbols);

}  // namespace sinter::runtime
