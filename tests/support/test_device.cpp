// Copies to the device and back, and comparison with the CPU's results.

#include "support/test_device.h"

#include <sinter/runtime/cuda/allocator.h>
#include <sinter/runtime/cuda/copy.h>

#include <cmath>
#include <cstdlib>

#include "support/same_bits.h"

namespace sinter::test {

namespace {

Device placed_on = cpu;

}  // namespace

Device placement() { return placed_on; }
void set_placement(Device device) { placed_on = device; }

Device test_device() {
  static const Device device = [] {
    const char* name = std::getenv("SINTER_TEST_DEVICE");
    if (!name || !*name) return cpu;
    std::optional<Device> parsed = parse_device(name);
    if (!parsed) throw std::runtime_error(std::string("SINTER_TEST_DEVICE=") + name + ": cpu, cuda or cuda:N");
    return *parsed;
  }();
  return device;
}

Tensor on_device(const Tensor& tensor, Device device) {
  if (!tensor.defined() || tensor.device() == device) return tensor;
  TensorMeta meta = tensor.meta();
  meta.device = device;
  Storage storage;
  if (const StorageImpl* from = tensor.storage().get()) {
    storage = runtime::new_storage(device, from->bytes);
    runtime::copy_bytes(storage->data, device, from->data, tensor.device(), from->bytes);
  }
  return Tensor(meta, storage);
}

double reduction_bound(DType dtype) {
  switch (dtype) {
    case DType::f64: return 0x1p-44;
    case DType::f16: return 0x1p-9;
    case DType::bf16: return 0x1p-6;
    default: return 0x1p-17;
  }
}

void expect_agreement(const Tensor& actual, const Tensor& expected, const std::string& what, double slack) {
  ASSERT_EQ(actual.defined(), expected.defined()) << what;
  if (!expected.defined()) return;
  Tensor fetched = on_device(actual, cpu);
  if (!is_floating(expected.dtype())) return expect_same_bits(fetched, expected, what);
  ASSERT_EQ(name(fetched.dtype()), name(expected.dtype())) << what;
  ASSERT_EQ(to_string(fetched.sizes()), to_string(expected.sizes())) << what;
  std::vector<double> got = elements_of(fetched), want = elements_of(expected);
  double largest = 0;
  for (double value : want)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  int shown = 0;
  for (size_t i = 0; i < want.size() && shown < 3; ++i) {
    bool is_same = got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]));
    if (is_same || std::abs(got[i] - want[i]) <= slack * reduction_bound(expected.dtype()) * largest) continue;
    ADD_FAILURE() << what << ": element " << i << " of " << want.size() << " is " << fmt::format("{}", got[i])
                  << ", the CPU's is " << fmt::format("{}", want[i]);
    ++shown;
  }
}

}  // namespace sinter::test
