// The one exported symbol of libsinter_compiler: clang_compiler and orc_loader behind a table of plain functions.

#include <sinter/runtime/cpu/clang_compiler.h>
#include <sinter/runtime/cpu/orc_loader.h>

namespace sinter::runtime {
namespace {

bool compile(const char* source, size_t size, const char* file_name, const CompilerTarget* target,
             const CompilerSink* sink) {
  ClangResult result = clang_compile({source, size}, file_name, *target);
  (result.succeeded ? sink->take : sink->fail)(sink->context, result.bytes.data(), result.bytes.size());
  return result.succeeded;
}

void* load(const char* object, size_t size, const CompilerSymbol* symbols, size_t symbol_count,
           const CompilerSink* sink) {
  LinkResult result = link_object({object, size}, {symbols, symbol_count});
  if (!result.code) sink->fail(sink->context, result.failure.data(), result.failure.size());
  return result.code.release();
}

void* find(const void* loaded, const char* name) { return static_cast<const LinkedCode*>(loaded)->find(name); }

void unload(void* loaded) { delete static_cast<LinkedCode*>(loaded); }

constexpr CompilerApi api = {compiler_api_version, clang_description, compile, load, find, unload};

}  // namespace
}  // namespace sinter::runtime

extern "C" __attribute__((visibility("default"))) const sinter::runtime::CompilerApi* sinter_compiler_api() {
  return &sinter::runtime::api;
}
