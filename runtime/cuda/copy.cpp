// Copies of bytes by the driver; conversions and other strides on the source's side, by ordinary ops.

#include <sinter/runtime/cuda/copy.h>

#include <sinter/graph/infer_meta.h>
#include <sinter/graph/ops/copy.h>
#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/current_stream.h>
#include <sinter/runtime/cuda/pending_checks.h>

#include <cstring>

namespace sinter::runtime {

namespace {

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

// One element of the CPU's as the value of a memset: nothing waits for it.
bool set_element(CUdeviceptr to, const void* from, int64_t bytes, CUstream stream) {
  auto read = [&](auto value, int64_t at) {
    std::memcpy(&value, static_cast<const char*>(from) + at, sizeof value);
    return value;
  };
  const Driver& d = driver();
  switch (bytes) {
    case 1: check_cuda(d.cuMemsetD8Async(to, read(uint8_t{}, 0), 1, stream), "cuMemsetD8Async"); return true;
    case 2: check_cuda(d.cuMemsetD16Async(to, read(uint16_t{}, 0), 1, stream), "cuMemsetD16Async"); return true;
    case 4: check_cuda(d.cuMemsetD32Async(to, read(uint32_t{}, 0), 1, stream), "cuMemsetD32Async"); return true;
    case 8:
      check_cuda(d.cuMemsetD32Async(to, read(uint32_t{}, 0), 1, stream), "cuMemsetD32Async");
      check_cuda(d.cuMemsetD32Async(to + 4, read(uint32_t{}, 4), 1, stream), "cuMemsetD32Async");
      return true;
  }
  return false;
}

void upload(void* to, const CudaDevice& device, const void* from, int64_t bytes) {
  make_current(device);
  CUstream stream = current_cuda_stream(device);
  if (set_element(address(to), from, bytes, stream)) return;
  check_cuda(driver().cuMemcpyHtoDAsync(address(to), from, static_cast<size_t>(bytes), stream), "cuMemcpyHtoDAsync");
  check_cuda(driver().cuStreamSynchronize(stream), "cuStreamSynchronize");  // the source may change from here on
}

void download(void* to, const void* from, const CudaDevice& device, int64_t bytes) {
  make_current(device);
  CUstream stream = current_cuda_stream(device);
  check_cuda(driver().cuMemcpyDtoHAsync(to, address(from), static_cast<size_t>(bytes), stream), "cuMemcpyDtoHAsync");
  check_cuda(driver().cuStreamSynchronize(stream), "cuStreamSynchronize");
  raise_failed_checks();
}

// The destination's stream waits for the source's work and does the copy; the source's memory must not be given away
// before that is done.
void copy_to_peer(void* to, const CudaDevice& to_device, const void* from, const CudaDevice& from_device,
                  int64_t bytes) {
  Device source = cuda::device(from_device.index), target = cuda::device(to_device.index);
  cuda::Event ready, done;
  ready.record(cuda::current_stream(source));
  ready.block(cuda::current_stream(target));
  make_current(to_device);
  check_cuda(driver().cuMemcpyPeerAsync(address(to), to_device.context, address(from), from_device.context,
                                        static_cast<size_t>(bytes), current_cuda_stream(to_device)),
             "cuMemcpyPeerAsync");
  done.record(cuda::current_stream(target));
  done.block(cuda::current_stream(source));
}

int64_t bytes_between(const Layout& layout, DType dtype) {
  return (extent_end(layout).constant() - layout.offset.constant()) * byte_size(dtype);
}

}  // namespace

void copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t bytes) {
  if (bytes == 0) return;
  if (to_device.is_cpu() && from_device.is_cpu()) {
    std::memcpy(to, from, static_cast<size_t>(bytes));
  } else if (from_device.is_cpu()) {
    upload(to, cuda_device(to_device), from, bytes);
  } else if (to_device.is_cpu()) {
    download(to, from, cuda_device(from_device), bytes);
  } else if (to_device == from_device) {
    const CudaDevice& device = cuda_device(to_device);
    make_current(device);
    check_cuda(
        driver().cuMemcpyDtoDAsync(address(to), address(from), static_cast<size_t>(bytes), current_cuda_stream(device)),
        "cuMemcpyDtoDAsync");
  } else {
    copy_to_peer(to, cuda_device(to_device), from, cuda_device(from_device), bytes);
  }
}

Tensor moved(const Tensor& tensor, Device device) {
  if (!tensor.defined() || tensor.device() == device) return tensor;
  TensorMeta meta = tensor.meta();
  int64_t bytes = bytes_between(meta.layout, meta.dtype);
  meta.layout.offset = 0;
  meta.device = device;
  Tensor result(meta, new_storage(device, bytes));
  copy_bytes(result.data_ptr(), device, tensor.data_ptr(), tensor.device(), bytes);
  return result;
}

Tensor copy_to_device(const OpArgs& args, Device device) {
  const Tensor& self = args[0].tensor();
  TensorMeta wanted = infer_meta(args)[0];
  bool is_as_wanted = self.dtype() == wanted.dtype && is_dense(self.layout()) &&
                      same_layout({self.sizes(), self.strides(), 0}, wanted.layout);
  Tensor ready = self;
  if (!is_as_wanted)
    ready = apply_one(op_defs::to_copy_default,
                      {self, wanted.dtype, Value(), Value(), Value(), false, args["memory_format"]}, args.here());
  return moved(ready, device);
}

void copy_between_devices(const Tensor& self, const Tensor& source, Here here) {
  Tensor converted = source.dtype() == self.dtype() ? source : source.to(self.dtype(), here);
  bool is_same = is_dense(self.layout()) && self.sizes() == converted.sizes() &&
                 same_layout({self.sizes(), self.strides(), 0}, {converted.sizes(), converted.strides(), 0});
  if (is_same)
    return copy_bytes(self.data_ptr(here), self.device(), converted.data_ptr(here), converted.device(),
                      bytes_between(self.layout(), self.dtype()));
  // Gaps would travel too: what is not dense is copied first.
  if (!is_dense(converted.layout())) converted = sinter::clone(converted, here);
  self.copy_(moved(converted, self.device()), here);
}

}  // namespace sinter::runtime
