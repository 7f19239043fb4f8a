// Two kernels: a block takes a row of neighbours, tile by tile; or a thread takes a line that crosses rows. f16 and
// bf16 are summed in f32 and rounded once for each result.

#include <sinter/runtime/cuda/scan.h>

#include <sinter/graph/ops/ops.h>
#include <sinter/graph/ops/scan.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/element_text.h>
#include <sinter/runtime/cuda/load_kernel.h>

namespace sinter::runtime {

namespace {

constexpr int threads = 256;

constexpr const char* kernels = R"(
struct alignas(sizeof(T) > 4 ? 16 : 4 * sizeof(T)) Pack { T x[4]; };

extern "C" __global__ void __launch_bounds__(256) scan_rows(const T* in, T* out) {
  __shared__ A warps[8];
  in += (long)blockIdx.x * SIZE;
  out += (long)blockIdx.x * SIZE;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  A carry = IDENTITY;
  for (long base = 0; base < SIZE; base += 1024) {
    long at = base + 4 * threadIdx.x;
    A v[4];
    if (PACKED && at < SIZE) {
      Pack p = *(const Pack*)(in + at);
      for (int k = 0; k < 4; ++k) v[k] = widen(p.x[k]);
    } else {
      for (int k = 0; k < 4; ++k) v[k] = at + k < SIZE ? widen(in[at + k]) : (A)IDENTITY;
    }
    for (int k = 1; k < 4; ++k) v[k] = v[k - 1] OP v[k];
    A sum = v[3];
    for (int by = 1; by < 32; by *= 2) {
      A other = __shfl_up_sync(0xffffffffu, sum, by);
      if (lane >= by) sum = other OP sum;
    }
    if (lane == 31) warps[warp] = sum;
    A before = __shfl_up_sync(0xffffffffu, sum, 1);
    __syncthreads();
    A start = carry;
    for (int w = 0; w < 8; ++w) {
      if (w == warp) start = carry;
      carry = carry OP warps[w];
    }
    __syncthreads();
    if (lane > 0) start = start OP before;
    for (int k = 0; k < 4; ++k) v[k] = start OP v[k];
    if (PACKED && at < SIZE) {
      Pack p;
      for (int k = 0; k < 4; ++k) p.x[k] = narrow(v[k]);
      *(Pack*)(out + at) = p;
    } else {
      for (int k = 0; k < 4; ++k)
        if (at + k < SIZE) out[at + k] = narrow(v[k]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) scan_lines(const T* in, T* out) {
  long line = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= LINES) return;
  long at = line / INNER * INNER * SIZE + line % INNER;
  A sum = IDENTITY;
  for (long i = 0; i < SIZE; ++i, at += INNER) {
    sum = sum OP widen(in[at]);
    out[at] = narrow(sum);
  }
}
)";

codegen::KernelSource source_for(std::string_view op, DType dtype, int64_t outer, int64_t size, int64_t inner) {
  codegen::KernelSource source;
  // Products one after the other: a part of a row may overflow where 0 comes before it.
  bool is_product = op == "cumprod", by_rows = inner == 1 && !is_product;
  source.name = fmt::format("cuda_{}", op);
  source.text = element_text(dtype) +
                fmt::format(
                    "#define OP {}\n#define IDENTITY {}\n#define SIZE {}L\n#define INNER {}L\n#define LINES {}L\n"
                    "#define PACKED {}\n",
                    is_product ? "*" : "+", is_product ? 1 : 0, size, inner, outer * inner, size % 4 == 0) +
                kernels;
  codegen::CudaLaunch launch;
  launch.function = by_rows ? "scan_rows" : "scan_lines";
  launch.grid[0] = by_rows ? outer : (outer * inner + threads - 1) / threads;
  launch.block = threads;
  source.launches.push_back(launch);
  return source;
}

}  // namespace

bool scan_on_cuda(const OpArgs& args, std::span<const Tensor> outputs) {
  const OpDef& op = args.op();
  bool is_scan = &op == &op_defs::cumsum_default || &op == &op_defs::cumprod_default;
  if (!is_scan || outputs[0].dtype() == DType::boolean) return false;
  const Tensor& out = outputs[0];
  if (out.numel() == 0) return true;
  Tensor in = args[0].tensor().to(out.dtype(), args.here()).contiguous(args.here());
  if (reinterpret_cast<uintptr_t>(in.data_ptr()) % 16 != 0) in = in.clone(args.here());
  int64_t rank = out.dim(), dim = args.integer("dim");
  if (dim < 0) dim += rank;
  int64_t outer = 1, size = rank == 0 ? 1 : out.sizes()[dim].constant(), inner = 1;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim) (i < dim ? outer : inner) *= out.sizes()[i].constant();
  bool is_direct = out.is_contiguous() && reinterpret_cast<uintptr_t>(out.data_ptr()) % 16 == 0;
  Tensor target = is_direct ? out : empty_like(in);
  const CudaDevice& device = cuda_device(out.device());
  auto kernel = load_cuda_kernel(source_for(op.schema().name, out.dtype(), outer, size, inner), device);
  make_current(device);
  void* addresses[] = {in.data_ptr(), target.data_ptr()};
  launch(*kernel, addresses, current_cuda_stream(device));
  if (!is_direct) out.copy_(target, args.here());
  return true;
}

}  // namespace sinter::runtime
