// Plain threads that run the parts of a range: what parallel loops use where OpenMP can't be used.
//
// The thread sanitizer does not understand libgomp's own synchronisation; it understands this.

#pragma once

#include <sinter/runtime/parallel.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace sinter::runtime {

class ThreadPool {
 public:
  // The calling thread works too, so a pool of n threads starts n - 1.
  explicit ThreadPool(int thread_count);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Runs [begin, end) in parts of `part` indices, and returns when all are done. One loop at a time has the threads; a
  // second caller runs its own loop alone. `run` must not throw.
  void run(int64_t begin, int64_t end, int64_t part, RangeFunction run, void* context);

  // The pool of the process, as large as get_num_threads() was at its first use.
  static ThreadPool& shared();

 private:
  struct Job {
    int64_t next;
    int64_t end;
    int64_t part;
    RangeFunction run;
    void* context;
    int64_t unfinished;  // parts
  };

  void work();
  // Runs parts of the job, if there is one, until none is left to take. The lock is held but for the parts themselves.
  void help(std::unique_lock<std::mutex>& lock);

  std::mutex one_loop_;  // held for a whole loop
  std::mutex mutex_;     // guards what follows
  std::condition_variable has_work_;
  std::condition_variable is_done_;
  Job* job_ = nullptr;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace sinter::runtime
