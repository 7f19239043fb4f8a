// Hands out parts under one lock: simple enough to trust, since loops here are few and long.

#include <sinter/runtime/thread_pool.h>

#include <algorithm>

namespace sinter::runtime {

ThreadPool::ThreadPool(int thread_count) {
  for (int i = 1; i < thread_count; ++i) threads_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

ThreadPool& ThreadPool::shared() {
  static ThreadPool pool(get_num_threads());
  return pool;
}

void ThreadPool::run(int64_t begin, int64_t end, int64_t part, RangeFunction run, void* context) {
  if (begin >= end) return;
  std::unique_lock loop(one_loop_, std::try_to_lock);
  if (!loop.owns_lock()) return run(context, begin, end);

  Job job = {begin, end, part, run, context, (end - begin - 1) / part + 1};
  std::unique_lock lock(mutex_);
  job_ = &job;
  has_work_.notify_all();
  help(lock);
  is_done_.wait(lock, [&] { return job.unfinished == 0; });
  job_ = nullptr;
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    help(lock);
    has_work_.wait(lock, [this] { return stopping_ || (job_ != nullptr && job_->next < job_->end); });
  }
}

void ThreadPool::help(std::unique_lock<std::mutex>& lock) {
  while (job_ != nullptr && job_->next < job_->end) {
    Job& job = *job_;
    int64_t from = job.next;
    job.next = std::min(from + job.part, job.end);
    int64_t to = job.next;
    lock.unlock();
    job.run(job.context, from, to);
    lock.lock();
    if (--job.unfinished == 0) is_done_.notify_all();
  }
}

}  // namespace sinter::runtime
