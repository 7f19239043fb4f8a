// A kernel takes the numbers to page-locked memory (a copy would make the stream wait for another engine and back), an
// event behind it; the list of what is under way is looked at when the host waits.

#include <sinter/runtime/cuda/pending_checks.h>

#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/check_range.h>
#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/load_kernel.h>
#include <sinter/runtime/routines/routine.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

namespace sinter::runtime {

namespace {

constexpr size_t number_bytes = 8;
constexpr size_t slots_at_once = 64;

struct Check {
  Values values;  // of check_range; the two numbers are on the device
  Here here;
  char* slot = nullptr;  // room for both numbers
  CUevent done = nullptr;
};

struct Checks {
  std::mutex mutex;
  std::deque<Check> pending;
  std::vector<char*> free_slots;
  std::vector<CUevent> free_events;
  std::atomic<size_t> count = 0;
};
Checks& checks() {
  static Checks& instance = *new Checks;
  return instance;
}

// With the lock held.
char* take_slot() {
  std::vector<char*>& free = checks().free_slots;
  if (free.empty()) {
    void* block = nullptr;
    check_cuda(driver().cuMemAllocHost(&block, 2 * number_bytes * slots_at_once), "cuMemAllocHost");
    for (size_t i = 0; i < slots_at_once; ++i) free.push_back(static_cast<char*>(block) + 2 * number_bytes * i);
  }
  char* slot = free.back();
  free.pop_back();
  return slot;
}

CUevent take_event() {
  std::vector<CUevent>& free = checks().free_events;
  CUevent event = nullptr;
  if (free.empty()) {
    check_cuda(driver().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    return event;
  }
  event = free.back();
  free.pop_back();
  return event;
}

// Of numbers of this size.
std::shared_ptr<const LoadedCudaKernel> sending_kernel(int64_t bytes, const CudaDevice& device) {
  codegen::KernelSource source;
  source.name = "send_numbers";
  source.text = fmt::format(
      R"(extern "C" __global__ void send_numbers(const char* first, const char* second, char* slot) {{
  if (threadIdx.x >= {0}) return;
  slot[threadIdx.x] = first[threadIdx.x];
  slot[threadIdx.x + {1}] = second[threadIdx.x];
}}
)",
      bytes, number_bytes);
  source.launches.push_back({.function = "send_numbers", .grid = {1, 1, 1}, .block = 32});
  return load_cuda_kernel(source, device);
}

Tensor number_at(const char* slot, const Tensor& like) {
  int64_t bytes = byte_size(like.dtype());
  Tensor number({like.dtype(), cpu, {}}, new_host_storage(bytes));
  std::memcpy(number.data_ptr(), slot, static_cast<size_t>(bytes));
  return number;
}

void judge(Check check, const char* slot_copy) {
  graph::InheritDevice inherit(cpu);
  for (size_t i : {0, 1})
    if (!check.values[i].tensor().device().is_cpu())
      check.values[i] = number_at(slot_copy + i * number_bytes, check.values[i].tensor());
  OpArgs args(op_defs::check_range_default, check.values, check.here);
  find_routine(args.op())(args, {});
}

}  // namespace

void check_range_later(const OpArgs& args) {
  const CudaDevice& device = cuda_device(device_of(args));
  make_current(device);
  CUstream stream = current_cuda_stream(device);
  std::lock_guard lock(checks().mutex);
  Check check{Values(args.values().begin(), args.values().end()), args.here(), take_slot(), take_event()};
  std::vector<void*> addresses;
  int64_t bytes = 0;
  for (size_t i : {0, 1}) {
    const Tensor& number = check.values[i].tensor();
    if (number.device().is_cpu()) continue;
    bytes = byte_size(number.dtype());
    addresses.push_back(number.data_ptr());
    // The program may reuse the memory from here on: only the type is needed of it.
    check.values[i] = Tensor({number.dtype(), number.device(), {}}, Storage());
  }
  if (!addresses.empty()) {
    if (addresses.size() == 1) addresses.push_back(addresses[0]);
    addresses.push_back(check.slot);
    launch(*sending_kernel(bytes, device), addresses, stream);
  }
  check_cuda(driver().cuEventRecord(check.done, stream), "cuEventRecord");
  checks().pending.push_back(std::move(check));
  ++checks().count;
}

void raise_failed_checks() {
  if (checks().count.load(std::memory_order_relaxed) == 0) return;
  std::unique_lock lock(checks().mutex);
  while (!checks().pending.empty()) {
    CUresult result = driver().cuEventQuery(checks().pending.front().done);
    if (result == CUDA_ERROR_NOT_READY) return;
    check_cuda(result, "cuEventQuery");
    Check check = std::move(checks().pending.front());
    checks().pending.pop_front();
    --checks().count;
    char numbers[2 * number_bytes];
    std::memcpy(numbers, check.slot, sizeof numbers);
    checks().free_slots.push_back(check.slot);
    checks().free_events.push_back(check.done);
    lock.unlock();
    judge(std::move(check), numbers);
    lock.lock();
  }
}

}  // namespace sinter::runtime
