// Stands for Polly, a loop optimiser that Debian builds into clang and that generated code has no use for.
//
// clang's static libraries ask for this function; Debian has no static library that holds it.

#include <llvm/Passes/PassPlugin.h>

llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "none", [](llvm::PassBuilder&) {}};
}
