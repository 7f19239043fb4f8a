// What a user says about CUDA devices: which there are, which is current, on which stream work goes, when it is done.
//
//   if (cuda::is_available()) { Tensor x = randn({1000}).to(cuda::device(0)); ... cuda::synchronize(); }
//
// As in PyTorch, the current device and streams are a thread's own; work of one stream runs in order.

#pragma once

#include <sinter/graph/device.h>
#include <sinter/graph/error.h>

#include <cstdint>
#include <optional>

namespace sinter::cuda {

bool is_available();
int device_count();
// cuda:index
constexpr Device device(int index) { return {DeviceType::cuda, static_cast<int8_t>(index)}; }

Device current_device();
void set_device(Device device, Here here = Here::current());

// A queue of work on one device. Streams that sinter makes live as long as the process.
class Stream {
 public:
  // A stream made elsewhere: `handle` is a cudaStream_t, null the device's default stream.
  Stream(Device device, void* handle) : device_(device), handle_(handle) {}

  Device device() const { return device_; }
  void* handle() const { return handle_; }
  // Waits until all work so far is done.
  void synchronize() const;
  bool is_idle() const;
  bool operator==(const Stream&) const = default;

 private:
  Device device_;
  void* handle_;
};

Stream default_stream(std::optional<Device> device = {});
// One of a few streams of the device, in turn.
Stream get_stream_from_pool(std::optional<Device> device = {});
Stream current_stream(std::optional<Device> device = {});
// Work on the stream's device goes to it from now on, on this thread.
void set_stream(Stream stream);

// Waits until all work on the device is done; the current device if none is given. An error that a kernel left behind
// is thrown here at the latest.
void synchronize(std::optional<Device> device = {});

// Another current device or stream within a scope.
class DeviceGuard {
 public:
  explicit DeviceGuard(Device device) : before_(current_device()) { set_device(device); }
  DeviceGuard(const DeviceGuard&) = delete;
  ~DeviceGuard();

 private:
  Device before_;
};
class StreamGuard {
 public:
  explicit StreamGuard(Stream stream) : device_before_(current_device()), before_(current_stream(stream.device())) {
    set_device(stream.device());
    set_stream(stream);
  }
  StreamGuard(const StreamGuard&) = delete;
  ~StreamGuard();

 private:
  Device device_before_;
  Stream before_;
};

// A point in a stream's work.
class Event {
 public:
  explicit Event(bool enable_timing = false) : enables_timing_(enable_timing) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();

  // The point is after all work that the stream has now; the current stream if none is given.
  void record(std::optional<Stream> stream = {});
  // The stream's later work waits for the point.
  void block(Stream stream) const;
  void synchronize() const;
  bool query() const;
  // Milliseconds from this point to that; both measure time and are passed.
  double elapsed_time(const Event& end) const;

 private:
  void* handle_ = nullptr;
  bool enables_timing_;
  Device device_;
};

struct MemoryStats {
  int64_t current_bytes = 0;  // that tensors hold
  int64_t peak_bytes = 0;
  int64_t cached_bytes = 0;  // free, kept for later
  int64_t allocations = 0;
};
MemoryStats memory_stats(std::optional<Device> device = {});
// Gives free memory back to the driver.
void empty_cache();

}  // namespace sinter::cuda
