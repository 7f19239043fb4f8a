// sinter_cuda_bench [NAME...]: each row's time by device events, beside a copy kernel that moves as many bytes in the
// same run; then a small call from submit to return, and a first call.

#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/load_kernel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "bench/cuda/rows.h"

namespace sinter::bench {

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Microseconds of one call: `calls` of them between two events, the median of several rounds.
double device_us(const std::function<void()>& call) {
  for (int i = 0; i < 3; ++i) call();
  cuda::synchronize();
  auto round = [&](int calls) {
    cuda::Event start(true), end(true);
    start.record();
    for (int i = 0; i < calls; ++i) call();
    end.record();
    end.synchronize();
    return start.elapsed_time(end) * 1e3 / calls;
  };
  int calls = static_cast<int>(std::clamp(5000.0 / round(1), 1.0, 100.0));
  std::vector<double> rounds;
  for (int i = 0; i < 15; ++i) rounds.push_back(round(calls));
  return median(rounds);
}

// A grid-stride copy of 16 bytes a thread and step: what moving these bytes takes at least.
class CopyKernel {
 public:
  explicit CopyKernel(double bytes) : half_(static_cast<int64_t>(bytes / 2) / 16 * 16) {
    from_ = empty_on_device(half_);
    to_ = empty_on_device(half_);
    codegen::KernelSource source;
    source.name = "copy_bytes";
    source.text = R"(extern "C" __global__ void copy_bytes(const float4* from, float4* to) {
  long count = )" +
                  std::to_string(half_ / 16) +
                  R"(L;
  for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (long)gridDim.x * blockDim.x)
    __stcs(to + i, __ldcs(from + i));
}
)";
    int64_t blocks = std::min<int64_t>((half_ / 16 + 255) / 256, int64_t{1} << 20);
    source.launches.push_back({.function = "copy_bytes", .grid = {blocks, 1, 1}, .block = 256});
    kernel_ = runtime::load_cuda_kernel(source, runtime::cuda_device(cuda::device(0)));
  }
  void operator()() const {
    void* addresses[] = {from_.data_ptr(), to_.data_ptr()};
    runtime::launch(*kernel_, addresses, nullptr);
  }

 private:
  static Tensor empty_on_device(int64_t bytes) {
    return ops("aten::zeros")
        .call({Dims{bytes}}, {{"dtype", Value(u8)}, {"device", Value(cuda::device(0))}})[0]
        .tensor();
  }
  int64_t half_;
  Tensor from_, to_;
  std::shared_ptr<const runtime::LoadedCudaKernel> kernel_;
};

double host_us(const std::function<void()>& call) {
  std::vector<double> rounds;
  for (int i = 0; i < 20; ++i) {
    auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 100; ++k) call();
    rounds.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / 100);
    cuda::synchronize();
  }
  return median(rounds);
}

void run(const NamedRow& named) {
  CudaRow row = named.make();
  double ours = device_us(row.call);
  std::printf("%-18s %10.1f us", row.name.c_str(), ours);
  if (row.bytes > 0) {
    double limit = device_us(CopyKernel(row.bytes));
    std::printf("   copy %10.1f us   %5.1f %% of the copy   %6.0f GB/s", limit, 100 * limit / ours,
                row.bytes / ours * 1e-3);
  }
  if (row.flops > 0) std::printf("   %6.1f TFLOP/s", row.flops / ours * 1e-6);
  if (row.goal_us > 0) std::printf("   goal %.0f us", row.goal_us);
  if (row.name == "relu_add_mul_1k") std::printf("   submit to return %.2f us", host_us(row.call));
  std::printf("\n");
  std::fflush(stdout);
}

void run_first_call() {
  Tensor x = zeros({1000}).to(cuda::device(0));
  auto start = std::chrono::steady_clock::now();
  compile([](const Tensor& x) { return relu(x + 1) * 2.0; })(x);
  cuda::synchronize();
  std::printf("first_call         %10.1f us\n",
              std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace

}  // namespace sinter::bench

int main(int argc, char** argv) {
  using namespace sinter::bench;
  if (!sinter::cuda::is_available()) {
    std::printf("no CUDA device\n");
    return 0;
  }
  bool everything = argc == 1;
  if (everything || std::strcmp(argv[1], "first_call") == 0) run_first_call();
  for (const NamedRow& row : cuda_rows()) {
    bool is_named = std::any_of(argv + 1, argv + argc, [&](const char* name) { return row.name == name; });
    if (!everything && !is_named) continue;
    try {
      run(row);
    } catch (const std::exception& error) {
      std::printf("%-18s %s\n", row.name.c_str(), error.what());
    }
  }
  return 0;
}
