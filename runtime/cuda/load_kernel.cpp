// The in-memory cache of CUDA kernels, and their launch.

#include <sinter/runtime/cuda/load_kernel.h>

#include <sinter/graph/log.h>
#include <sinter/graph/version.h>
#include <sinter/runtime/cpu_features.h>
#include <sinter/runtime/cuda/nvrtc_compiler.h>
#include <sinter/runtime/disk_cache.h>
#include <sinter/runtime/load_each.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <set>
#include <unordered_map>

namespace sinter::runtime {

namespace {

using KernelPointer = std::shared_ptr<const LoadedCudaKernel>;

constexpr int64_t shared_without_asking = 48 * 1024;
constexpr size_t most_kernels = 2000;

// Names in messages outlive what they name.
const char* lasting(const std::string& name) {
  static std::mutex& mutex = *new std::mutex;
  static std::set<std::string>& names = *new std::set<std::string>;
  std::lock_guard lock(mutex);
  return names.insert(name).first->c_str();
}

LoadedCudaKernel::Launch prepare(CUmodule module, const codegen::CudaLaunch& launch) {
  LoadedCudaKernel::Launch prepared;
  prepared.name = lasting(launch.function);
  for (int i = 0; i < 3; ++i) prepared.grid[i] = static_cast<unsigned>(launch.grid[i].hint());
  prepared.block = static_cast<unsigned>(launch.block);
  prepared.shared_bytes = static_cast<unsigned>(launch.shared_bytes);
  check_cuda(driver().cuModuleGetFunction(&prepared.function, module, launch.function.c_str()), "cuModuleGetFunction");
  if (launch.shared_bytes > shared_without_asking)
    check_cuda(driver().cuFuncSetAttribute(prepared.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                           static_cast<int>(launch.shared_bytes)),
               "cuFuncSetAttribute");
  return prepared;
}

// Everything that decides whether a cubin may be used again, in clear.
std::string disk_key(const codegen::KernelSource& source, const CudaDevice& device) {
  int driver_version = device.context ? driver().version : 0;
  return fmt::format("sinter {} cuda driver {}\n{}\n{}", version(), driver_version, describe_nvrtc(device.architecture),
                     source.text);
}

// Null for a device that is not here.
CUmodule load_module(const std::vector<char>& cubin, const CudaDevice& device) {
  if (!device.context) return nullptr;
  make_current(device);
  CUmodule module = nullptr;
  check_cuda(driver().cuModuleLoadData(&module, cubin.data()), "cuModuleLoadData");
  return module;
}

CUmodule compile_or_find_module(const codegen::KernelSource& source, const CudaDevice& device) {
  std::string key = disk_cache().is_on() ? disk_key(source, device) : "";
  if (!key.empty()) {
    if (std::optional<std::vector<char>> found = disk_cache().read(key)) {
      try {
        return load_module(*found, device);
      } catch (const Error& error) {
        log(LogTopic::cache, "an entry on disk can't be loaded: {}", error.message());
        disk_cache().remove(key);
      }
    }
  }
  std::vector<char> cubin = compile_cuda(source.text, device.architecture, source.name + ".cu");
  CUmodule module = load_module(cubin, device);
  if (!key.empty()) disk_cache().write(key, {cubin.data(), cubin.size()});
  return module;
}

KernelPointer compile(const codegen::KernelSource& source, const CudaDevice& device) {
  auto start = std::chrono::steady_clock::now();
  if (logs(LogTopic::output_code)) write_log(LogTopic::output_code, source.text);
  CUmodule module = compile_or_find_module(source, device);
  if (!module) return std::make_shared<LoadedCudaKernel>();
  auto kernel = std::make_shared<LoadedCudaKernel>();
  kernel->module = module;
  kernel->context = device.context;
  for (const codegen::CudaLaunch& launch : source.launches) kernel->launches.push_back(prepare(module, launch));
  if (logs(LogTopic::time)) {
    std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    log(LogTopic::time, "compile {}: {:.2f} ms", source.name, elapsed.count());
  }
  return kernel;
}

// The text may not show how often a kernel is launched.
std::string key_of(const codegen::KernelSource& source, const CudaDevice& device) {
  std::string key = fmt::format("{} {}\n", device.index, device.architecture);
  for (const codegen::CudaLaunch& launch : source.launches)
    key += fmt::format("{} {} {} {} {} {}\n", launch.function, to_string(launch.grid[0]), to_string(launch.grid[1]),
                       to_string(launch.grid[2]), launch.block, launch.shared_bytes);
  return key + source.text;
}

std::atomic<int64_t> launches_made = 0;

class KernelCache {
 public:
  KernelPointer find_or_compile(const codegen::KernelSource& source, const CudaDevice& device) {
    std::string key = key_of(source, device);
    std::promise<KernelPointer> promise;
    std::vector<KernelPointer> given_up;  // unloaded behind the lock
    {
      std::unique_lock lock(mutex_);
      if (auto found = kernels_.find(key); found != kernels_.end()) {
        std::shared_future<KernelPointer> future = found->second;
        ++hits_;
        lock.unlock();
        if (logs(LogTopic::cache)) log(LogTopic::cache, "{}: hit", source.name);
        return future.get();
      }
      if (kernels_.size() >= most_kernels) given_up = give_up_unused();
      kernels_.emplace(key, promise.get_future().share());
      ++compiles_;
    }
    if (logs(LogTopic::cache)) log(LogTopic::cache, "{}: miss", source.name);
    try {
      KernelPointer kernel = compile(source, device);
      promise.set_value(kernel);
      return kernel;
    } catch (...) {
      promise.set_exception(std::current_exception());  // those who wait fail as well; the next to ask tries again
      std::lock_guard lock(mutex_);
      kernels_.erase(key);
      throw;
    }
  }

  CudaKernelStats stats() {
    std::lock_guard lock(mutex_);
    return {compiles_, hits_, launches_made};
  }

 private:
  // Those that are held here alone.
  std::vector<KernelPointer> give_up_unused() {
    std::vector<KernelPointer> unused;
    std::erase_if(kernels_, [&](const auto& entry) {
      if (entry.second.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
      try {
        if (entry.second.get().use_count() != 1) return false;
        unused.push_back(entry.second.get());
        return true;
      } catch (...) {
        return false;  // a failed one goes by itself
      }
    });
    return unused;
  }

  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_future<KernelPointer>> kernels_;
  int64_t compiles_ = 0;
  int64_t hits_ = 0;
};

// Never destroyed: compiled functions with static lifetime may still run while the process ends.
KernelCache& cache() {
  static KernelCache& instance = *new KernelCache;
  return instance;
}

}  // namespace

// The driver waits for launches of it that still run.
LoadedCudaKernel::~LoadedCudaKernel() {
  if (!module) return;
  driver().cuCtxSetCurrent(context);
  driver().cuModuleUnload(module);
}

KernelPointer load_cuda_kernel(const codegen::KernelSource& source, const CudaDevice& device) {
  return cache().find_or_compile(source, device);
}

std::vector<KernelPointer> load_cuda_kernels(std::span<const codegen::KernelSource> sources, const CudaDevice& device) {
  return load_each(sources, [&](const codegen::KernelSource& source) { return load_cuda_kernel(source, device); });
}

void launch(const LoadedCudaKernel& kernel, std::span<void*> addresses, CUstream stream, LaunchSizes sizes) {
  SmallVector<void*, 40> parameters;
  for (size_t i = 0; i < addresses.size(); ++i)
    parameters.push_back(i < sizes.by_value.size() && sizes.by_value[i] ? addresses[i] : &addresses[i]);
  for (int64_t& symbol : sizes.symbols) parameters.push_back(&symbol);
  for (size_t i = 0; i < kernel.launches.size(); ++i) {
    const LoadedCudaKernel::Launch& launch = kernel.launches[i];
    unsigned blocks = sizes.blocks.empty() ? launch.grid[0] : static_cast<unsigned>(sizes.blocks[i]);
    if (blocks == 0) continue;
    note_launch(launch.name);
    launches_made.fetch_add(1, std::memory_order_relaxed);
    CUresult result = driver().cuLaunchKernel(launch.function, blocks, launch.grid[1], launch.grid[2], launch.block, 1,
                                              1, launch.shared_bytes, stream, parameters.data(), nullptr);
    if (result != CUDA_SUCCESS) [[unlikely]]
      check_cuda(result, fmt::format("the launch of {}", launch.name));
  }
}

CudaKernelStats cuda_kernel_stats() { return cache().stats(); }

}  // namespace sinter::runtime
