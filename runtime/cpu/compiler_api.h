// The table of functions between libsinter and libsinter_compiler: plain types only, so that either side may be built
// alone.

#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::runtime {

// Grows by one with every change of this file; both sides must agree.
inline constexpr uint32_t compiler_api_version = 2;

// Everything that decides the bytes of an object, besides the source.
struct CompilerTarget {
  const char* cpu;         // clang's name for the instruction set: "x86-64-v3"
  uint32_t vector_bits;    // widest vector register to use; 0 leaves it to clang
  uint32_t optimize;       // 0 to 3
  const char* sanitizers;  // as after -fsanitize=; "" for none
  uint32_t as_assembly;    // 1: the result is assembly text, for people to read
};

// Receives a result, or the text of a failure, before the call returns; the memory is the caller's of it.
struct CompilerSink {
  void* context;
  void (*take)(void* context, const char* bytes, size_t size);
  void (*fail)(void* context, const char* text, size_t size);
};

// A name that loaded code may refer to, besides those that the loader knows (memcpy, libm).
struct CompilerSymbol {
  const char* name;
  const void* address;
};

struct CompilerApi {
  uint32_t version;
  const char* (*description)();  // "clang 19.1.7": part of what a cached object is valid for
  // The object is position-independent ELF. `file_name` stands in diagnostics only.
  bool (*compile)(const char* source, size_t size, const char* file_name, const CompilerTarget* target,
                  const CompilerSink* sink);
  // Null on failure. The code stays executable until `unload`.
  void* (*load)(const char* object, size_t size, const CompilerSymbol* symbols, size_t symbol_count,
                const CompilerSink* sink);
  // Null if the object defines no such function.
  void* (*find)(const void* loaded, const char* name);
  void (*unload)(void* loaded);
};

// The one symbol that libsinter_compiler exports.
using CompilerEntry = const CompilerApi* (*)();
inline constexpr const char* compiler_entry_name = "sinter_compiler_api";

}  // namespace sinter::runtime
