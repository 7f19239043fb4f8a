// Drives JITLink over one object at a time, without an ORC session: there is nothing to share between kernels.

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Shared/ExecutorSymbolDef.h>
#include <llvm/Support/Process.h>
#include <sinter/runtime/cpu/orc_loader.h>
#include <sinter/runtime/cpu/process_functions.h>

#include <map>
#include <optional>

namespace sinter::runtime {
namespace {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;

class JitLinkedCode final : public LinkedCode {
 public:
  explicit JitLinkedCode(size_t page_size) : memory_(page_size) {}

  ~JitLinkedCode() override {
    if (!allocation_) return;
    memory_.deallocate(std::move(allocation_),
                       [](llvm::Error error) { llvm::consumeError(std::move(error)); });  // unmapping can't be retried
  }

  void* find(std::string_view name) const override {
    auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second;
  }

  jitlink::JITLinkMemoryManager& memory() { return memory_; }
  void add(llvm::StringRef name, orc::ExecutorAddr address) { functions_[name.str()] = address.toPtr<void*>(); }
  void keep(jitlink::JITLinkMemoryManager::FinalizedAlloc allocation) { allocation_ = std::move(allocation); }

 private:
  jitlink::InProcessMemoryManager memory_;
  jitlink::JITLinkMemoryManager::FinalizedAlloc allocation_;
  std::map<std::string, void*, std::less<>> functions_;
};

// What JITLink asks while it links one object; it does all in the calling thread.
class Linking final : public jitlink::JITLinkContext {
 public:
  Linking(JitLinkedCode& code, std::span<const CompilerSymbol> symbols, std::string& failure)
      : JITLinkContext(nullptr), code_(code), symbols_(symbols), failure_(failure) {}

  jitlink::JITLinkMemoryManager& getMemoryManager() override { return code_.memory(); }

  void notifyFailed(llvm::Error error) override { failure_ = llvm::toString(std::move(error)); }

  void lookup(const LookupMap& wanted, std::unique_ptr<jitlink::JITLinkAsyncLookupContinuation> then) override {
    jitlink::AsyncLookupResult found;
    std::string missing;
    for (const auto& [name, flags] : wanted) {
      const void* address = address_of(name);
      if (address != nullptr) {
        found[name] = {orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
      } else if (flags == jitlink::SymbolLookupFlags::RequiredSymbol) {
        missing += (missing.empty() ? "" : ", ") + name.str();
      } else {
        found[name] = {orc::ExecutorAddr(), llvm::JITSymbolFlags::Weak};
      }
    }
    if (missing.empty()) {
      then->run(std::move(found));
    } else {
      then->run(llvm::createStringError(llvm::inconvertibleErrorCode(), "code refers to unknown names: " + missing));
    }
  }

  llvm::Error notifyResolved(jitlink::LinkGraph& graph) override {
    for (jitlink::Symbol* symbol : graph.defined_symbols()) {
      if (is_entry(*symbol)) code_.add(symbol->getName(), symbol->getAddress());
    }
    return llvm::Error::success();
  }

  void notifyFinalized(jitlink::JITLinkMemoryManager::FinalizedAlloc allocation) override {
    code_.keep(std::move(allocation));
  }

  bool shouldAddDefaultTargetPasses(const llvm::Triple&) const override { return true; }

  // Keeps what a caller can find and what that needs; a sanitizer's start-up code, which nobody runs, is dropped.
  jitlink::LinkGraphPassFunction getMarkLivePass(const llvm::Triple&) const override {
    return [](jitlink::LinkGraph& graph) {
      for (jitlink::Symbol* symbol : graph.defined_symbols()) symbol->setLive(is_entry(*symbol));
      return llvm::Error::success();
    };
  }

 private:
  static bool is_entry(const jitlink::Symbol& symbol) {
    return symbol.hasName() && symbol.isCallable() && symbol.getScope() == jitlink::Scope::Default;
  }

  const void* address_of(llvm::StringRef name) const {
    for (const CompilerSymbol& symbol : symbols_) {
      if (name == symbol.name) return symbol.address;
    }
    return process_function(std::string_view(name.data(), name.size()));
  }

  JitLinkedCode& code_;
  std::span<const CompilerSymbol> symbols_;
  std::string& failure_;
};

}  // namespace

LinkResult link_object(std::string_view object, std::span<const CompilerSymbol> symbols) {
  LinkResult result;
  auto graph = jitlink::createLinkGraphFromObject(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "kernel"));
  if (!graph) {
    result.failure = llvm::toString(graph.takeError());
    return result;
  }
  auto code = std::make_unique<JitLinkedCode>(llvm::sys::Process::getPageSizeEstimate());
  jitlink::link(std::move(*graph), std::make_unique<Linking>(*code, symbols, result.failure));
  if (result.failure.empty()) result.code = std::move(code);
  return result;
}

}  // namespace sinter::runtime
