// Opening devices.

#include <sinter/runtime/cuda/device.h>

#include <sinter/codegen/generate_program.h>
#include <sinter/graph/trace.h>
#include <sinter/runtime/cuda/nvrtc_compiler.h>
#include <sinter/runtime/options.h>

#include <array>
#include <atomic>
#include <charconv>
#include <memory>
#include <mutex>

namespace sinter::runtime {

namespace {

constexpr int most_devices = 128;

int attribute(CUdevice device, int which) {
  int value = 0;
  check_cuda(driver().cuDeviceGetAttribute(&value, which, device), "cuDeviceGetAttribute");
  return value;
}

// Freed memory stays in the pool: giving it back to the system at each synchronisation would cost more than all else.
void retain_memory(CudaDevice& device) {
  if (attribute(device.handle, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) == 0)
    throw Error(ErrorKind::environment, graph::effective_location(Here::current()),
                fmt::format("cuda: cuda:{} ({}) has no stream-ordered memory pools", device.index, device.name));
  check_cuda(driver().cuDeviceGetDefaultMemPool(&device.pool, device.handle), "cuDeviceGetDefaultMemPool");
  uint64_t threshold = UINT64_MAX;
  check_cuda(driver().cuMemPoolSetAttribute(device.pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold),
             "cuMemPoolSetAttribute");
}

std::unique_ptr<CudaDevice> open_device(int index) {
  auto device = std::make_unique<CudaDevice>();
  device->index = index;
  check_cuda(driver().cuDeviceGet(&device->handle, index), "cuDeviceGet");
  char name[256] = {};
  check_cuda(driver().cuDeviceGetName(name, sizeof name, device->handle), "cuDeviceGetName");
  device->name = name;
  device->capability = 10 * attribute(device->handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                       attribute(device->handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  device->multiprocessors = attribute(device->handle, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  device->l2_bytes = attribute(device->handle, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  device->shared_bytes = attribute(device->handle, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  check_cuda(driver().cuDevicePrimaryCtxRetain(&device->context, device->handle), "cuDevicePrimaryCtxRetain");
  make_current(*device);
  retain_memory(*device);
  const std::string& chosen = environment().cuda_arch;
  device->architecture = chosen.empty() ? best_architecture(device->capability) : chosen;
  return device;
}

// What SINTER_CUDA_ARCH names: sm_90a is of capability 90.
const CudaDevice& absent_device() {
  static const CudaDevice& device = *new CudaDevice([] {
    const std::string& architecture = environment().cuda_arch;
    codegen::CudaTarget usual;
    CudaDevice absent;
    absent.name = "none";
    absent.architecture = architecture;
    std::from_chars(architecture.data() + std::min<size_t>(architecture.size(), 3),
                    architecture.data() + architecture.size(), absent.capability);
    absent.multiprocessors = usual.multiprocessors;
    absent.shared_bytes = usual.shared_bytes;
    return absent;
  }());
  return device;
}

struct Devices {
  std::mutex mutex;
  std::array<std::atomic<const CudaDevice*>, most_devices> opened{};
};
Devices& devices() {
  static Devices& instance = *new Devices;
  return instance;
}

}  // namespace

int cuda_device_count() {
  const Driver* driver = find_driver();
  int count = 0;
  if (!driver || driver->cuDeviceGetCount(&count) != CUDA_SUCCESS) return 0;
  return std::min(count, most_devices);
}

const CudaDevice& cuda_device(Device device, Here where) {
  SINTER_CHECK(!device.is_cpu(), "the CPU is no CUDA device");
  std::atomic<const CudaDevice*>& slot = devices().opened[static_cast<size_t>(device.index)];
  if (const CudaDevice* opened = slot.load(std::memory_order_acquire)) return *opened;
  int count = cuda_device_count();
  if (count == 0 && device.index == 0 && !environment().cuda_arch.empty()) return absent_device();
  driver(where);
  if (device.index >= count)
    throw Error(ErrorKind::environment, graph::effective_location(where),
                fmt::format("cuda: there is no device {}", to_string(device)), {},
                count == 0 ? "the driver sees no device"
                           : fmt::format("the driver sees {} device{}", count, count == 1 ? "" : "s"));
  std::lock_guard lock(devices().mutex);
  if (const CudaDevice* opened = slot.load(std::memory_order_acquire)) return *opened;
  const CudaDevice* opened = open_device(device.index).release();
  slot.store(opened, std::memory_order_release);
  return *opened;
}

void make_current(const CudaDevice& device) {
  if (!device.context) [[unlikely]]
    throw Error(ErrorKind::environment, graph::effective_location(Here::current()),
                "cuda: this machine has no CUDA device", {},
                "SINTER_CUDA_ARCH lets programs be generated and compiled for cuda:0, not run");
  check_cuda(driver().cuCtxSetCurrent(device.context), "cuCtxSetCurrent");
}

}  // namespace sinter::runtime
