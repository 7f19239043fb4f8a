// Object bytes to machine code that can be called, by the linker of LLVM's ORC (JITLink).
//
// Part of libsinter_compiler; the rest of sinter calls it through compiler_library.h.

#pragma once

#include <sinter/runtime/cpu/compiler_api.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sinter::runtime {

// Linked code in memory that is writable or executable, never both. It goes when the object dies.
class LinkedCode {
 public:
  virtual ~LinkedCode() = default;
  virtual void* find(std::string_view name) const = 0;
};

struct LinkResult {
  std::unique_ptr<LinkedCode> code;  // null on failure
  std::string failure;
};

// Code may refer to `symbols`, to the C library's memory and mathematical functions and to the sanitizers' runtime;
// any other name is a failure that lists the names. Any number of threads may link at once.
LinkResult link_object(std::string_view object, std::span<const CompilerSymbol> symbols);

}  // namespace sinter::runtime
