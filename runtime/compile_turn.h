// Whose turn it is to make an entry of a compiled function: one thread's at a time, while the others wait.
//
// They don't wait for ever: the user's function, while it is traced, may itself wait for a thread that calls it.

#pragma once

#include <sinter/runtime/fork.h>
#include <sinter/runtime/trace_call.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace sinter::runtime {

class CompileTurn {
 public:
  // Returns once it is this thread's turn; false if the thread whose turn it is has been in the user's function for a
  // second.
  bool begin();
  void end();
  bool is_mine() const { return holder_.load() == std::this_thread::get_id(); }
  bool has_waiters() const;

  // In this scope the user's function runs.
  class UsersCode {
   public:
    explicit UsersCode(CompileTurn& turn) : turn_(turn) { turn_.note_users_code(std::chrono::steady_clock::now()); }
    ~UsersCode() { turn_.note_users_code({}); }
    UsersCode(const UsersCode&) = delete;

   private:
    CompileTurn& turn_;
  };

 private:
  using Time = std::chrono::steady_clock::time_point;
  void note_users_code(std::optional<Time> since);
  void forget_threads_before_fork() const;

  mutable std::atomic<int> process_ = fork_depth.load();  // whose threads the rest speaks of
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::atomic<std::thread::id> holder_;
  mutable std::optional<Time> users_code_since_;
  mutable int waiters_ = 0;
};

// A call site that says when the user's function runs.
class WatchedSite final : public CallSite {
 public:
  WatchedSite(CallSite& site, CompileTurn& turn) : site_(site), turn_(turn) {}

  void name_arguments(NameArguments& names, const Options& options) const override {
    site_.name_arguments(names, options);
  }
  TracedResults trace(std::span<const Tensor> fakes, std::span<const Scalar> numbers, Here where) override {
    CompileTurn::UsersCode runs(turn_);
    return site_.trace(fakes, numbers, where);
  }
  void take_results(const void* shape, std::span<Tensor> tensors, std::span<const int64_t> symbols) override {
    site_.take_results(shape, tensors, symbols);
  }
  void call_uncompiled() override { site_.call_uncompiled(); }

 private:
  CallSite& site_;
  CompileTurn& turn_;
};

}  // namespace sinter::runtime
