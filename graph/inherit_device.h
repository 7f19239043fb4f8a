// On which device an op works, and where the ops that it is made of make their tensors.

#pragma once

#include <sinter/graph/op.h>

namespace sinter {

// The CUDA device among the arguments' tensors, or of parameter `device`; the CPU if there is none.
Device device_of(const OpArgs& args);

namespace graph {

// Within a scope, ops that make tensors from nothing and name no device make them where this op's tensors are: a
// decomposition need not say it.
class InheritDevice {
 public:
  explicit InheritDevice(const OpArgs& args);
  explicit InheritDevice(Device device);
  ~InheritDevice();
  InheritDevice(const InheritDevice&) = delete;

 private:
  Device before_;
};
// The inherited device, or the CPU.
Device inherited_device();

}  // namespace graph
}  // namespace sinter
