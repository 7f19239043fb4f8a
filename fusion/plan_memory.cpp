// First fit over free intervals, in execution order.

#include <sinter/fusion/plan_memory.h>

#include <sinter/fusion/access.h>

#include <algorithm>
#include <map>

namespace sinter::fusion {

namespace {

constexpr int64_t alignment = 64;

int64_t bytes_of(const Buffer& buffer) {
  int64_t bytes = extent_end(buffer.layout).hint() * byte_size(buffer.dtype);
  return (bytes + alignment - 1) / alignment * alignment;
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

}  // namespace

bool plan_memory(Schedule& schedule) {
  std::vector<int> last_use(schedule.buffers.size(), -1);
  for (size_t k = 0; k < schedule.kernels.size(); ++k)
    visit_buffers(schedule.kernels[k], [&](int buffer) { last_use[buffer] = static_cast<int>(k); });

  Arena arena;
  std::vector<bool> is_placed(schedule.buffers.size(), false);
  for (size_t k = 0; k < schedule.kernels.size(); ++k) {
    std::vector<int> dying;
    visit_buffers(schedule.kernels[k], [&](int id) {
      Buffer& buffer = schedule.buffers[id];
      if (buffer.kind != BufferKind::temporary) return;
      if (!is_placed[id]) buffer.arena_offset = arena.take(bytes_of(buffer));
      is_placed[id] = true;
      bool is_noted = std::find(dying.begin(), dying.end(), id) != dying.end();
      if (last_use[id] == static_cast<int>(k) && !is_noted) dying.push_back(id);
    });
    for (int id : dying) arena.give_back(schedule.buffers[id].arena_offset, bytes_of(schedule.buffers[id]));
  }
  schedule.arena_bytes = arena.bytes();
  return schedule.arena_bytes != 0;
}

}  // namespace sinter::fusion
