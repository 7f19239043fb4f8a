// The entries of one compiled function, without the types of its arguments: lookup, compile on a miss, run.
//
// Any number of threads may call it. A call that finds its entry takes no lock.

#pragma once

#include <sinter/graph/ops/change_handle.h>
#include <sinter/runtime/backend.h>
#include <sinter/runtime/check_guards.h>
#include <sinter/runtime/compile_turn.h>
#include <sinter/runtime/custom/custom_versions.h>
#include <sinter/runtime/readers.h>
#include <sinter/runtime/trace_call.h>

#include <exception>
#include <map>

namespace sinter {

// Counts of one compiled function.
struct CallStats {
  int64_t compiles = 0;  // entries made
  int64_t entries = 0;   // that it holds now
  int64_t evictions = 0;
};

// Which entry of a compiled function a call would run, or why none.
struct CallExplanation {
  int entry = -1;                   // counted from 0 in the order in which they were made; -1: none
  std::vector<std::string> misses;  // for each entry that would not run, the guard that fails
  std::string advice;               // what would have spared the compile; may be empty
};
std::string to_string(const CallExplanation& explanation);

namespace runtime {

// Guards and what runs when they hold. It never changes once it is in use.
struct Entry {
  TracedCall call;  // its graph has moved into the executable
  FlatGuards guards;
  CustomVersions custom_ops;  // that the graph uses; once one of them changes, the entry is out of date
  std::shared_ptr<const Executable> executable;
  std::vector<const Tensor*> captured;
  std::vector<Layout> captured_layouts;           // those it was compiled for
  mutable std::atomic<int64_t> layouts_seen = 0;  // `layouts_changed` when they were last looked at
  std::string graph_text;
  std::vector<StageTime> stages;
  size_t program_results = 0;
  // Twice the compiles of its function at that time; odd if it was called since, not made, then.
  mutable std::atomic<int64_t> last_used = 0;

  // The captured tensors are laid out as they were.
  bool captured_hold() const {
    return layouts_seen.load(std::memory_order_relaxed) == layouts_changed.load(std::memory_order_relaxed) ||
           look_at_captured();
  }
  bool look_at_captured() const;
};

// Compiles one call: THE LIST, in compile.cpp.
std::unique_ptr<Entry> compile_entry(const FlatArguments& arguments, CallSite& site, const Options& options,
                                     std::span<const SymbolicDim> symbolic, Here where);

class CompiledFunction {
 public:
  CompiledFunction(Options options, Here where);
  ~CompiledFunction();  // waits for the calls that run
  CompiledFunction(const CompiledFunction&) = delete;
  CompiledFunction& operator=(const CompiledFunction&) = delete;

  void call(const FlatArguments& arguments, CallSite& site);
  // If this thread is in a call of this function: `release(owner)` is called at its end.
  bool goes_after_call(void* owner, void (*release)(void*)) const;
  // The entry that a call with these arguments would run, compiled if there is none.
  std::shared_ptr<const Entry> entry_for(const FlatArguments& arguments, CallSite& site);
  CallExplanation explain_call(const FlatArguments& arguments, CallSite& site) const;
  // From now on a call that no entry fits is an error.
  void set_no_recompile(bool frozen) { is_frozen_ = frozen; }

  const Options& options() const { return options_; }
  CallStats stats() const;

 private:
  using Entries = std::vector<std::shared_ptr<const Entry>>;
  // The last compile that failed while others waited for it, and what its arguments were like.
  struct Failure {
    int64_t number = 0;
    std::exception_ptr error;
    std::vector<uint64_t> arguments;
  };

  static const std::shared_ptr<const Entry>* find(const Entries& entries, const FlatArguments& arguments);
  // Null: the call is to run uncompiled.
  std::shared_ptr<const Entry> find_or_compile(const FlatArguments& arguments, CallSite& site);
  std::shared_ptr<const Entry> compile_miss(const FlatArguments& arguments, CallSite& site);
  std::vector<std::string> misses(const Entries& entries, const FlatArguments& arguments, CallSite& site) const;
  std::string advice(const Entries& entries, const FlatArguments& arguments, CallSite& site) const;
  void log_miss(const FlatArguments& arguments, CallSite& site);
  bool is_at_limit() const;
  void publish(std::unique_ptr<const Entries> fresh);
  void touch(const Entry& entry) const;

  Options options_;
  Here where_;
  mutable Readers readers_;
  std::atomic<const Entries*> current_;
  std::atomic<int64_t> compiles_ = 0;
  std::atomic<int64_t> evictions_ = 0;
  std::atomic<bool> is_frozen_ = false;

  std::atomic<int64_t> failures_ = 0;

  CompileTurn turn_;  // guards what follows
  std::unique_ptr<const Entries> entries_;
  SizePolicy sizes_;
  std::map<int, int> number_misses_;  // by word: compiles that a plain number caused
  bool has_logged_limit_ = false;
  Failure failure_;
  std::vector<Retired<std::unique_ptr<const Entries>>> retired_;
};

}  // namespace runtime
}  // namespace sinter
