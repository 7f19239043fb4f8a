// Things by key, each made once: threads that want the same one wait for the thread that makes it. Those used least
// recently go first. Safe to use from any number of threads.

#pragma once

#include <cstdint>
#include <future>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

namespace sinter::runtime {

template <class T>
class MadeOnce {
 public:
  struct Made {
    T thing;
    int64_t weight = 1;
  };

  // Keeps things of this weight in all, and always the last one.
  explicit MadeOnce(int64_t most_weight) : most_weight_(most_weight) {}

  // `make` gives a Made. What it throws is thrown to those who wait too; the next to ask tries again.
  template <class Make>
  T find_or_make(const std::string& key, bool& is_found, Make&& make) {
    std::promise<T> promise;
    int64_t number = 0;
    {
      std::unique_lock lock(mutex_);
      auto found = slots_.find(key);
      is_found = found != slots_.end();
      if (is_found) {
        recent_.splice(recent_.begin(), recent_, found->second.place);
        ++hits_;
        std::shared_future<T> future = found->second.thing;
        lock.unlock();
        return future.get();
      }
      number = next_number_++;
      found = slots_.emplace(key, Slot{promise.get_future().share(), {}, number}).first;
      recent_.push_front(&found->first);
      found->second.place = recent_.begin();
    }
    try {
      Made made = make();
      promise.set_value(made.thing);
      weigh(key, number, made.weight);
      return std::move(made.thing);
    } catch (...) {
      promise.set_exception(std::current_exception());
      std::lock_guard lock(mutex_);
      if (auto found = slots_.find(key); found != slots_.end() && found->second.number == number) forget(found);
      throw;
    }
  }

  int64_t hits() const { return locked(hits_); }
  int64_t weight() const { return locked(weight_); }
  int64_t evictions() const { return locked(evictions_); }
  int64_t size() const {
    std::lock_guard lock(mutex_);
    return static_cast<int64_t>(slots_.size());
  }

  // Forgets all; what is in use stays alive.
  void clear() {
    std::lock_guard lock(mutex_);
    slots_.clear();
    recent_.clear();
    weight_ = 0;
  }

 private:
  struct Slot {
    std::shared_future<T> thing;
    std::list<const std::string*>::iterator place;
    int64_t number;  // tells it from a later one of the same key
    int64_t weight = 0;
  };
  using Slots = std::unordered_map<std::string, Slot>;

  int64_t locked(const int64_t& value) const {
    std::lock_guard lock(mutex_);
    return value;
  }

  // Once it is made: notes what it weighs, and makes room.
  void weigh(const std::string& key, int64_t number, int64_t weight) {
    std::lock_guard lock(mutex_);
    auto found = slots_.find(key);
    if (found == slots_.end() || found->second.number != number) return;
    weight_ += found->second.weight = weight;
    while (weight_ > most_weight_ && slots_.size() > 1) {
      auto oldest = slots_.find(*recent_.back());
      if (oldest == found) break;
      forget(oldest);
      ++evictions_;
    }
  }

  void forget(typename Slots::iterator slot) {
    weight_ -= slot->second.weight;
    recent_.erase(slot->second.place);
    slots_.erase(slot);
  }

  const int64_t most_weight_;
  mutable std::mutex mutex_;
  Slots slots_;
  std::list<const std::string*> recent_;  // most recently used first
  int64_t weight_ = 0, hits_ = 0, evictions_ = 0, next_number_ = 0;
};

}  // namespace sinter::runtime
