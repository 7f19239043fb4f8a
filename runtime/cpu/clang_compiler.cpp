// Runs clang's front end and LLVM's passes on one source in memory.

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/Sanitizers.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <pthread.h>
#include <sinter/runtime/cpu/clang_compiler.h>

#include <mutex>
#include <vector>

namespace sinter::runtime {
namespace {

// Enough for clang's recursion on long expressions, whatever the stack of the thread that calls us.
constexpr size_t stack_bytes = 8 << 20;

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

// The arguments of clang's front end (`clang -cc1`), which are fewer and plainer than the driver's.
std::vector<std::string> front_end_arguments(const char* file_name, const CompilerTarget& target) {
  std::vector<std::string> arguments = {
      "-triple", llvm::sys::getProcessTriple(), "-emit-obj", "-x", "c++", "-std=c++20", "-target-cpu", target.cpu,
      "-O" + std::to_string(target.optimize), "-ffp-contract=off",
      // The code is linked next to nothing it calls: position-independent, reached through the linker's stubs.
      "-mrelocation-model", "pic", "-pic-level", "2", "-mframe-pointer=none",
      // Costs time and changes nothing: checking LLVM's own output, names of its values.
      "-disable-llvm-verifier", "-discard-value-names", "-nostdsysteminc", "-nobuiltininc", "-main-file-name",
      file_name, "-w"};
  if (target.optimize >= 2) arguments.insert(arguments.end(), {"-vectorize-loops", "-vectorize-slp"});
  if (target.vector_bits != 0) arguments.push_back("-mprefer-vector-width=" + std::to_string(target.vector_bits));
  arguments.push_back(file_name);
  return arguments;
}

// The front end proper knows no groups ("undefined"): the driver expands them, so we do. What needs run-time type
// information is left out, for generated code has none.
clang::SanitizerMask sanitizers_of(llvm::StringRef names) {
  clang::SanitizerMask mask;
  llvm::SmallVector<llvm::StringRef, 2> parts;
  names.split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) mask |= clang::expandSanitizerGroups(clang::parseSanitizerValue(part, true));
  return mask & ~(clang::SanitizerKind::Vptr | clang::SanitizerKind::Function | clang::SanitizerKind::ObjCCast);
}

// Marks every loop so that LLVM does not unroll it by a count known only at run time: the loops are written as wide as
// they should be, and unrolling their tails took a third of a small kernel's compile time.
struct KeepLoopsRolled : llvm::PassInfoMixin<KeepLoopsRolled> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    llvm::LLVMContext& context = module.getContext();
    llvm::Metadata* mark = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.runtime.disable"));
    for (llvm::Function& function : module) {
      for (llvm::BasicBlock& block : function) {
        llvm::Instruction* branch = block.getTerminator();
        llvm::MDNode* loop = branch->getMetadata(llvm::LLVMContext::MD_loop);
        if (loop == nullptr) continue;
        llvm::SmallVector<llvm::Metadata*, 4> properties(loop->op_begin(), loop->op_end());
        properties.push_back(mark);
        llvm::MDNode* marked = llvm::MDNode::getDistinct(context, properties);
        marked->replaceOperandWith(0, marked);  // a loop's identity is its reference to itself
        branch->setMetadata(llvm::LLVMContext::MD_loop, marked);
      }
    }
    return llvm::PreservedAnalyses::all();
  }
};

void keep_loops_rolled(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(KeepLoopsRolled()); });
}

ClangResult compile_here(std::string_view source, const char* file_name, const CompilerTarget& target) {
  initialize_llvm();
  ClangResult result = {false, {}};
  std::string text;
  llvm::raw_string_ostream text_stream(text);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  options->ShowCarets = true;
  auto printer = std::make_unique<clang::TextDiagnosticPrinter>(text_stream, options.get());
  clang::DiagnosticsEngine diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options, printer.get(),
                                       false);

  std::vector<std::string> arguments = front_end_arguments(file_name, target);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, diagnostics)) return {false, text};

  invocation->getLangOpts().Sanitize.Mask = sanitizers_of(target.sanitizers);
  invocation->getCodeGenOpts().PassBuilderCallbacks.emplace_back(keep_loops_rolled);
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile(file_name, 0, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(source.data(), source.size())));

  clang::CompilerInstance instance;
  instance.setVerboseOutputStream(llvm::nulls());  // it would count errors on the process's own stderr
  instance.setInvocation(invocation);
  instance.createDiagnostics(printer.get(), false);
  instance.createFileManager(files);
  llvm::SmallVector<char, 0> object;
  instance.setOutputStream(std::make_unique<llvm::raw_svector_ostream>(object));
  std::unique_ptr<clang::CodeGenAction> action;
  if (target.as_assembly != 0)
    action = std::make_unique<clang::EmitAssemblyAction>();
  else
    action = std::make_unique<clang::EmitObjAction>();
  if (!instance.ExecuteAction(*action)) return {false, text};
  result.succeeded = true;
  result.bytes.assign(object.begin(), object.end());
  return result;
}

}  // namespace

// A thread with a stack of its own; the caller's, if no thread is to be had (llvm::thread would end the process).
ClangResult clang_compile(std::string_view source, const char* file_name, const CompilerTarget& target) {
  struct Call {
    std::string_view source;
    const char* file_name;
    const CompilerTarget& target;
    ClangResult result;
  } call{source, file_name, target, {}};
  auto run = [](void* self) -> void* {
    Call& call = *static_cast<Call*>(self);
    call.result = compile_here(call.source, call.file_name, call.target);
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t worker;
  bool has_thread = pthread_create(&worker, &attributes, run, &call) == 0;
  pthread_attr_destroy(&attributes);
  if (has_thread)
    pthread_join(worker, nullptr);
  else
    run(&call);
  return std::move(call.result);
}

const char* clang_description() { return "clang " LLVM_VERSION_STRING; }

}  // namespace sinter::runtime
