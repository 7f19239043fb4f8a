// First fit over free intervals, in execution order.

#include <sinter/fusion/plan_memory.h>

#include <sinter/fusion/access.h>
#include <sinter/graph/data_symbol.h>

#include <algorithm>
#include <map>

namespace sinter::fusion {

namespace {

constexpr int64_t alignment = 64;

SymInt bytes_of(const Buffer& buffer) {
  return ceil_div(extent_end(buffer.layout) * byte_size(buffer.dtype), alignment) * alignment;
}

class Arena {
 public:
  int64_t take(int64_t bytes) {
    if (bytes == 0) return 0;
    for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
      auto [offset, size] = *hole;
      if (size < bytes) continue;
      free_.erase(hole);
      if (size > bytes) free_[offset + bytes] = size - bytes;
      return offset;
    }
    // The last hole grows if it ends where the arena ends.
    int64_t offset = end_;
    if (!free_.empty() && free_.rbegin()->first + free_.rbegin()->second == end_) {
      offset = free_.rbegin()->first;
      free_.erase(std::prev(free_.end()));
    }
    end_ = offset + bytes;
    return offset;
  }

  void give_back(int64_t offset, int64_t bytes) {
    if (bytes == 0) return;
    auto next = free_.lower_bound(offset);
    if (next != free_.end() && next->first == offset + bytes) {
      bytes += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      auto before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += bytes;
        return;
      }
    }
    free_[offset] = bytes;
  }

  int64_t bytes() const { return end_; }

 private:
  std::map<int64_t, int64_t> free_;  // offset -> size
  int64_t end_ = 0;
};

// Of symbolic sizes: places one behind the other, each as large as the first buffer in it; a place that is free again
// goes to a buffer that surely fits.
class SymbolicArena {
 public:
  SymInt take(SymInt bytes) {
    for (Place& place : places_) {
      if (!place.is_free || !is_surely_at_least(place.bytes, bytes)) continue;
      place.is_free = false;
      return place.offset;
    }
    places_.push_back({end_, bytes, false});
    end_ += bytes;
    return places_.back().offset;
  }

  void give_back(SymInt offset, SymInt) {
    for (Place& place : places_)
      if (place.offset.same(offset)) place.is_free = true;
  }

  SymInt bytes() const { return end_; }

 private:
  struct Place {
    SymInt offset, bytes;
    bool is_free;
  };
  std::vector<Place> places_;
  SymInt end_ = 0;
};

int64_t as_bytes(const Arena&, SymInt bytes) { return bytes.constant(); }
SymInt as_bytes(const SymbolicArena&, SymInt bytes) { return bytes; }

// Temporaries that get memory of their own while the program runs: those of calls that make their results, and those
// whose size only data tell.
std::vector<bool> are_placed_late(const Schedule& schedule) {
  std::vector<bool> late;
  for (const Buffer& buffer : schedule.buffers) late.push_back(is_unbacked(bytes_of(buffer)));
  for (const Kernel& kernel : schedule.kernels)
    if (kernel.call && makes_results(*kernel.call))
      for (int buffer : kernel.call->outputs) late[buffer] = true;
  return late;
}

template <class Arena>
SymInt place_buffers(Schedule& schedule, const std::vector<bool>& is_late, Arena arena) {
  std::vector<int> last_use(schedule.buffers.size(), -1);
  for (size_t k = 0; k < schedule.kernels.size(); ++k)
    visit_buffers(schedule.kernels[k], [&](int buffer) { last_use[buffer] = static_cast<int>(k); });

  std::vector<bool> is_placed(schedule.buffers.size(), false);
  for (size_t k = 0; k < schedule.kernels.size(); ++k) {
    std::vector<int> dying;
    visit_buffers(schedule.kernels[k], [&](int id) {
      Buffer& buffer = schedule.buffers[id];
      if (buffer.kind != BufferKind::temporary || is_late[id]) return;
      if (!is_placed[id]) buffer.arena_offset = arena.take(as_bytes(arena, bytes_of(buffer)));
      is_placed[id] = true;
      bool is_noted = std::find(dying.begin(), dying.end(), id) != dying.end();
      if (last_use[id] == static_cast<int>(k) && !is_noted) dying.push_back(id);
    });
    for (int id : dying)
      arena.give_back(as_bytes(arena, schedule.buffers[id].arena_offset),
                      as_bytes(arena, bytes_of(schedule.buffers[id])));
  }
  return arena.bytes();
}

bool has_symbolic_sizes(const Schedule& schedule, const std::vector<bool>& is_late) {
  for (size_t i = 0; i < schedule.buffers.size(); ++i) {
    const Buffer& buffer = schedule.buffers[i];
    if (buffer.kind == BufferKind::temporary && !is_late[i] && !bytes_of(buffer).is_constant()) return true;
  }
  return false;
}

}  // namespace

bool plan_memory(Schedule& schedule) {
  std::vector<bool> is_late = are_placed_late(schedule);
  schedule.arena_bytes = has_symbolic_sizes(schedule, is_late) ? place_buffers(schedule, is_late, SymbolicArena())
                                                               : place_buffers(schedule, is_late, Arena());
  return !schedule.arena_bytes.same(0);
}

}  // namespace sinter::fusion
