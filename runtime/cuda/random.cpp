// A thread takes one block of Philox. Normal numbers: the kernel draws the uniform ones that they are made of, and a
// compiled function makes them, so that their logarithms and sines are everyone's.

#include <sinter/runtime/cuda/random.h>

#include <sinter/graph/inherit_device.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/load_kernel.h>
#include <sinter/runtime/random.h>

#include <array>

namespace sinter::runtime {

namespace {

constexpr int threads = 256;

constexpr const char* philox_text = R"(
typedef unsigned long long u64;
struct Block { unsigned x[4]; };
__device__ inline Block philox(u64 key, u64 counter, unsigned c2, unsigned c3) {
  unsigned c0 = (unsigned)counter, c1 = (unsigned)(counter >> 32), k0 = (unsigned)key, k1 = (unsigned)(key >> 32);
  for (int round = 0; round < 10; ++round) {
    u64 p0 = (u64)0xD2511F53u * c0, p1 = (u64)0xCD9E8D57u * c2;
    unsigned n0 = (unsigned)(p1 >> 32) ^ c1 ^ k0, n2 = (unsigned)(p0 >> 32) ^ c3 ^ k1;
    c0 = n0; c1 = (unsigned)p1; c2 = n2; c3 = (unsigned)p0;
    k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
  }
  return Block{{c0, c1, c2, c3}};
}
__device__ inline u64 low_half(Block b) { return b.x[0] | (u64)b.x[1] << 32; }
__device__ inline u64 high_half(Block b) { return b.x[2] | (u64)b.x[3] << 32; }
)";

// Uniform numbers: NUMBER makes one of 32 bits, or of 64 where a block serves two elements.
constexpr const char* uniform_text = R"(
extern "C" __global__ void __launch_bounds__(256) draw(T* out, const long seed, const long position, const long n) {
  long at = (long)blockIdx.x * 256 + threadIdx.x;
  long first = at * PER_BLOCK;
  if (first >= n) return;
  Block b = philox(seed, position + at, 0, 0);
  for (int k = 0; k < PER_BLOCK && first + k < n; ++k) {
#if PER_BLOCK == 2
    u64 bits = k == 0 ? low_half(b) : high_half(b);
#else
    unsigned bits = b.x[k];
#endif
    out[first + k] = narrow(NUMBER);
  }
}
)";

// What the pairs of normal numbers are made of: radii in (0, 1], angles in [0, 1). A thread has a pair.
constexpr const char* pairs_text = R"(
extern "C" __global__ void __launch_bounds__(256) draw(double* radii, double* angles, const long seed,
                                                       const long position, const long pairs) {
  long at = (long)blockIdx.x * 256 + threadIdx.x;
  if (at >= pairs) return;
#if PER_BLOCK == 2
  Block b = philox(seed, position + at, 0, 0);
  radii[at] = (double)((low_half(b) >> 11) + 1) * 0x1p-53;
  angles[at] = (double)(high_half(b) >> 11) * 0x1p-53;
#else
  Block b = philox(seed, position + at / 2, 0, 0);
  bool second = at % 2;
  radii[at] = ((second ? b.x[2] : b.x[0]) + 1.0) * 0x1p-32;
  angles[at] = (second ? b.x[3] : b.x[1]) * 0x1p-32;
#endif
}
)";

// Lemire's method; what it throws away is replaced from a counter of the element's own, as the CPU does.
constexpr const char* integers_text = R"(
#if PER_BLOCK == 2
__device__ inline u64 below(u64 range, u64 bits, u64 seed, u64 counter) {
  u64 low = bits * range, high = __umul64hi(bits, range), reject = (0 - range) % range;
  for (unsigned attempt = 1; low < reject; ++attempt) {
    u64 again = low_half(philox(seed, counter, attempt, 0x72616e64u));
    low = again * range;
    high = __umul64hi(again, range);
  }
  return high;
}
#else
__device__ inline u64 below(unsigned range, unsigned bits, u64 seed, u64 counter) {
  if (range == 0) return bits;  // of 2^32 numbers
  u64 product = (u64)bits * range;
  unsigned reject = (0u - range) % range;
  for (unsigned attempt = 1; (unsigned)product < reject; ++attempt)
    product = (u64)philox(seed, counter, attempt, 0x72616e64u).x[0] * range;
  return product >> 32;
}
#endif
extern "C" __global__ void __launch_bounds__(256) draw(T* out, const long seed, const long position, const long n,
                                                       const long low, const long range) {
  long at = (long)blockIdx.x * 256 + threadIdx.x;
  long first = at * PER_BLOCK;
  if (first >= n) return;
  Block b = philox(seed, position + at, 0, 0);
  for (int k = 0; k < PER_BLOCK && first + k < n; ++k) {
    u64 counter = (u64)position + (u64)(first + k);
#if PER_BLOCK == 2
    u64 number = below((u64)range, k == 0 ? low_half(b) : high_half(b), seed, counter);
#else
    u64 number = below((unsigned)range, b.x[k], seed, counter);
#endif
    long value = (long)((u64)low + number);
    out[first + k] = NARROW_INTEGER;
  }
}
)";

std::string definition(std::string_view name, std::string_view text) {
  return fmt::format("#define {} {}\n", name, text);
}

// As many random bits as the type has.
std::string_view uniform_number(DType dtype) {
  switch (dtype) {
    case DType::f64: return "(double)(bits >> 11) * 0x1p-53";
    case DType::f16: return "(float)(bits >> 21) * 0x1p-11f";
    case DType::bf16: return "(float)(bits >> 24) * 0x1p-8f";
    default: return "(float)(bits >> 8) * 0x1p-24f";
  }
}

// Launches the kernel of that text with one thread an item.
void run(const CudaDevice& device, const char* name, std::string text, std::span<void*> addresses,
         std::span<int64_t> numbers, int64_t items) {
  codegen::KernelSource source;
  source.name = name;
  source.text = std::move(text);
  source.launches.push_back({.function = "draw", .block = threads});
  std::array<int64_t, 1> blocks = {(items + threads - 1) / threads};
  auto kernel = load_cuda_kernel(source, device);
  make_current(device);
  launch(*kernel, addresses, current_cuda_stream(device), {numbers, blocks});
}

Tensor new_flat(DType dtype, int64_t n, const CudaDevice& device) {
  return Tensor({dtype, cuda::device(device.index), contiguous_layout({n})},
                new_cuda_storage(device, n * byte_size(dtype)));
}

// The dense memory of a tensor, as a row.
Tensor as_row(const Tensor& tensor) {
  TensorMeta meta = tensor.meta();
  meta.layout.sizes = {tensor.numel()};
  meta.layout.strides = {1};
  return Tensor(std::move(meta), tensor.storage());
}

// --- Normal -----------------------------------------------------------------------------------------------------

Tensor box_muller(const Tensor& radii, const Tensor& angles) {
  Tensor length = sqrt(log(radii) * -2.0), angle = angles * 6.283185307179586;
  return stack({cos(angle) * length, sin(angle) * length}, 1).to(f64);
}

void fill_normal(const CudaDevice& device, GeneratorState from, const Tensor& output) {
  static const auto& pairs_to_normal = *new auto(compile(box_muller));
  bool is_wide = output.dtype() == DType::f64;
  int64_t n = output.numel().constant(), pairs = (n + 1) / 2;
  Tensor radii = new_flat(DType::f64, pairs, device), angles = new_flat(DType::f64, pairs, device);
  std::array<void*, 2> addresses = {radii.data_ptr(), angles.data_ptr()};
  std::array<int64_t, 3> numbers = {static_cast<int64_t>(from.seed), static_cast<int64_t>(from.position), pairs};
  run(device, "cuda_draw_pairs", definition("PER_BLOCK", is_wide ? "2" : "4") + philox_text + pairs_text, addresses,
      numbers, pairs);
  Tensor normal = pairs_to_normal(radii, angles).view({2 * pairs}).slice(0, 0, n);
  as_row(output).copy_(is_wide ? normal : normal.to(f32));  // f16 and bf16 by way of f32, as on the CPU
}

// --- The others -------------------------------------------------------------------------------------------------

void fill_uniform(const CudaDevice& device, GeneratorState from, const Tensor& output) {
  DType dtype = output.dtype();
  int64_t n = output.numel().constant();
  std::array<void*, 1> addresses = {output.data_ptr()};
  std::array<int64_t, 3> numbers = {static_cast<int64_t>(from.seed), static_cast<int64_t>(from.position), n};
  bool is_wide = dtype == DType::f64;
  run(device, "cuda_draw_uniform",
      definition("PER_BLOCK", is_wide ? "2" : "4") + definition("NUMBER", uniform_number(dtype)) + element_text(dtype) +
          philox_text + uniform_text,
      addresses, numbers, static_cast<int64_t>(blocks_of(n, is_wide)));
}

bool needs_64_bits(uint64_t range) { return range == 0 || range > uint64_t{1} << 32; }

void fill_integers(const CudaDevice& device, int64_t low, int64_t high, const Tensor& output) {
  uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  bool is_wide = needs_64_bits(range);
  int64_t n = output.numel().constant();
  GeneratorState from = default_generator().advance(blocks_of(n, is_wide));
  DType dtype = output.dtype();
  std::array<void*, 1> addresses = {output.data_ptr()};
  std::array<int64_t, 5> numbers = {static_cast<int64_t>(from.seed), static_cast<int64_t>(from.position), n, low,
                                    static_cast<int64_t>(range)};
  run(device, "cuda_draw_integers",
      definition("PER_BLOCK", is_wide ? "2" : "4") +
          definition("NARROW_INTEGER", dtype == DType::boolean ? "value != 0" : "narrow((A)value)") +
          element_text(dtype) + philox_text + integers_text,
      addresses, numbers, static_cast<int64_t>(blocks_of(n, is_wide)));
}

int64_t integer_or(const OpArgs& args, std::string_view parameter, int64_t absent) {
  return args.op().schema().find(parameter) < 0 ? absent : args.integer(parameter);
}

}  // namespace

void fill_random_on_cuda(const OpArgs& args, const Tensor& output) {
  int64_t n = output.numel().constant();
  if (n == 0) return;
  graph::InheritDevice inherit(output.device());
  const CudaDevice& device = cuda_device(output.device());
  std::string_view what = args.op().schema().name;
  if (what == "randint") return fill_integers(device, integer_or(args, "low", 0), integer_or(args, "high", 1), output);
  GeneratorState from = default_generator().advance(blocks_of(n, output.dtype() == DType::f64));
  if (what.starts_with("randn"))
    fill_normal(device, from, output);
  else
    fill_uniform(device, from, output);
}

}  // namespace sinter::runtime
