// What every use of oneDNN needs: its engine, its number of threads, and primitives kept for the next call.

#pragma once

#include <dnnl.hpp>

#include <sinter/graph/error.h>

#include <list>
#include <unordered_map>

namespace sinter::runtime {

// oneDNN takes as many threads as our own loops while this lives.
class DnnlThreads {
 public:
  DnnlThreads();
  ~DnnlThreads();
  DnnlThreads(const DnnlThreads&) = delete;

 private:
  int before_;
};

dnnl::engine& dnnl_engine();
int dnnl_thread_count();

// Runs `body` and turns oneDNN's errors into ours.
template <class Body>
void with_dnnl_errors(Body&& body) {
  try {
    body();
  } catch (const dnnl::error& error) {
    throw Error(ErrorKind::environment, Here::current(),
                fmt::format("oneDNN: {} ({})", error.what(), static_cast<int>(error.status)));
  }
}

struct NumbersHash {
  template <class Numbers>
  size_t operator()(const Numbers& numbers) const {
    uint64_t hash = 0;
    for (int64_t number : numbers) hash = (hash ^ static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
  }
};

// The entries used last, by a key of numbers. Of one thread: a primitive's memory handles belong to one call at a time.
template <class Key, class Entry>
class DnnlCache {
 public:
  template <class Make>
  Entry& find_or_make(const Key& key, Make&& make) {
    auto found = entries_.find(key);
    if (found != entries_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->second;
    }
    if (recent_.size() == capacity) {
      entries_.erase(recent_.back().first);
      recent_.pop_back();
    }
    recent_.emplace_front(key, make());
    entries_[key] = recent_.begin();
    return recent_.front().second;
  }

 private:
  static constexpr size_t capacity = 128;
  std::list<std::pair<Key, Entry>> recent_;
  std::unordered_map<Key, typename std::list<std::pair<Key, Entry>>::iterator, NumbersHash> entries_;
};

}  // namespace sinter::runtime
