// Streams and events over the driver's.

#include <sinter/runtime/cuda/stream.h>

#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/pending_checks.h>

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace sinter {

using runtime::check_cuda;
using runtime::cuda_device;
using runtime::CUevent;
using runtime::CUstream;
using runtime::driver;
using runtime::make_current;

namespace {

thread_local Device current{DeviceType::cuda, 0};
// Of each device; those that a thread never set are the default stream.
thread_local std::vector<CUstream> streams;

constexpr size_t pooled_streams = 32;
struct StreamPool {
  std::mutex mutex;
  std::array<std::vector<CUstream>, 128> made;
  std::array<size_t, 128> next{};
};
StreamPool& stream_pool() {
  static StreamPool& instance = *new StreamPool;
  return instance;
}

CUstream handle_of(const cuda::Stream& stream) { return static_cast<CUstream>(stream.handle()); }

}  // namespace

namespace runtime {

CUstream current_cuda_stream(const CudaDevice& device) {
  auto index = static_cast<size_t>(device.index);
  return index < streams.size() ? streams[index] : nullptr;
}

}  // namespace runtime

namespace cuda {

bool is_available() { return device_count() > 0; }
int device_count() { return runtime::cuda_device_count(); }

Device current_device() { return current; }
void set_device(Device device, Here here) {
  make_current(cuda_device(device, here));
  current = device;
}

void Stream::synchronize() const {
  make_current(cuda_device(device_));
  check_cuda(driver().cuStreamSynchronize(handle_of(*this)), "cuStreamSynchronize");
  runtime::raise_failed_checks();
}
bool Stream::is_idle() const {
  make_current(cuda_device(device_));
  runtime::CUresult result = driver().cuStreamQuery(handle_of(*this));
  if (result == runtime::CUDA_ERROR_NOT_READY) return false;
  check_cuda(result, "cuStreamQuery");
  return true;
}

Stream default_stream(std::optional<Device> device) { return {device.value_or(current), nullptr}; }

Stream get_stream_from_pool(std::optional<Device> wanted) {
  Device device = wanted.value_or(current);
  const runtime::CudaDevice& opened = cuda_device(device);
  auto index = static_cast<size_t>(device.index);
  std::lock_guard lock(stream_pool().mutex);
  std::vector<CUstream>& made = stream_pool().made[index];
  size_t next = stream_pool().next[index]++ % pooled_streams;
  if (next == made.size()) {
    make_current(opened);
    CUstream stream = nullptr;
    check_cuda(driver().cuStreamCreate(&stream, runtime::CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    made.push_back(stream);
  }
  return {device, made[next]};
}

Stream current_stream(std::optional<Device> device) {
  Device wanted = device.value_or(current);
  return {wanted, runtime::current_cuda_stream(cuda_device(wanted))};
}

void set_stream(Stream stream) {
  auto index = static_cast<size_t>(cuda_device(stream.device()).index);
  if (streams.size() <= index) streams.resize(index + 1, nullptr);
  streams[index] = handle_of(stream);
}

void synchronize(std::optional<Device> device) {
  make_current(cuda_device(device.value_or(current)));
  check_cuda(driver().cuCtxSynchronize(), "cuCtxSynchronize");
  runtime::raise_failed_checks();
}

// What was current before can be made so again: no error to fear here.
DeviceGuard::~DeviceGuard() { current = before_; }
StreamGuard::~StreamGuard() {
  streams[static_cast<size_t>(before_.device().index)] = handle_of(before_);
  current = device_before_;
}

Event::~Event() {
  if (handle_) driver().cuEventDestroy(static_cast<CUevent>(handle_));
}

void Event::record(std::optional<Stream> wanted) {
  Stream stream = wanted ? *wanted : current_stream();
  make_current(cuda_device(stream.device()));
  if (!handle_) {
    CUevent made = nullptr;
    check_cuda(
        driver().cuEventCreate(&made, enables_timing_ ? runtime::CU_EVENT_DEFAULT : runtime::CU_EVENT_DISABLE_TIMING),
        "cuEventCreate");
    handle_ = made;
    device_ = stream.device();
  }
  if (!(device_ == stream.device()))
    throw Error(
        ErrorKind::argument, Here::current(),
        fmt::format("cuda: an event of {} can't be recorded on {}", to_string(device_), to_string(stream.device())));
  check_cuda(driver().cuEventRecord(static_cast<CUevent>(handle_), handle_of(stream)), "cuEventRecord");
}

void Event::block(Stream stream) const {
  if (!handle_) return;
  make_current(cuda_device(stream.device()));
  check_cuda(driver().cuStreamWaitEvent(handle_of(stream), static_cast<CUevent>(handle_), 0), "cuStreamWaitEvent");
}

void Event::synchronize() const {
  if (handle_) check_cuda(driver().cuEventSynchronize(static_cast<CUevent>(handle_)), "cuEventSynchronize");
}

bool Event::query() const {
  if (!handle_) return true;
  runtime::CUresult result = driver().cuEventQuery(static_cast<CUevent>(handle_));
  if (result == runtime::CUDA_ERROR_NOT_READY) return false;
  check_cuda(result, "cuEventQuery");
  return true;
}

double Event::elapsed_time(const Event& end) const {
  if (!handle_ || !end.handle_ || !enables_timing_ || !end.enables_timing_)
    throw Error(ErrorKind::argument, Here::current(), "cuda: an event measures no time, or was not recorded", {},
                "need Event(/*enable_timing=*/true) and record() of both");
  float milliseconds = 0;
  check_cuda(
      driver().cuEventElapsedTime(&milliseconds, static_cast<CUevent>(handle_), static_cast<CUevent>(end.handle_)),
      "cuEventElapsedTime");
  return milliseconds;
}

}  // namespace cuda
}  // namespace sinter
