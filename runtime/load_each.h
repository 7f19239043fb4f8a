// Loads many kernels on the cores there are.

#pragma once

#include <sinter/runtime/cpu_features.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

namespace sinter::runtime {

// load(source) of each, in their order; several at once. The first exception that one throws is thrown at the end.
template <class Source, class Load>
auto load_each(std::span<const Source> sources, const Load& load) {
  std::vector<decltype(load(sources[0]))> loaded(sources.size());
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  auto work = [&] {
    for (size_t i = next++; i < sources.size(); i = next++) {
      try {
        loaded[i] = load(sources[i]);
      } catch (...) {
        std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  // Threads of our own: the parallel loop's may be busy with the caller's kernels.
  size_t workers = std::min<size_t>(sources.size(), static_cast<size_t>(available_cores()));
  {
    std::vector<std::jthread> threads;
    try {
      for (size_t i = 1; i < workers; ++i) threads.emplace_back(work);
    } catch (const std::system_error&) {
      // No more threads are to be had: those there are do it.
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return loaded;
}

}  // namespace sinter::runtime
