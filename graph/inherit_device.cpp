// The device of a call, and the inherited one of this thread.

#include <sinter/graph/inherit_device.h>

namespace sinter {

namespace {

bool find_cuda(const Value& value, Device& device) {
  if (value.is_tensor()) {
    device = value.tensor().device();
    return !device.is_cpu();
  }
  if (value.is_device()) {
    device = value.device();
    return !device.is_cpu();
  }
  if (!value.is_list()) return false;
  for (const Value& element : value.list())
    if (find_cuda(element, device)) return true;
  return false;
}

}  // namespace

Device device_of(const OpArgs& args) {
  Device device;
  for (const Value& value : args.values())
    if (find_cuda(value, device)) return device;
  return cpu;
}

namespace graph {

namespace {

thread_local Device device_inherited;

}  // namespace

// An op that makes its tensors from nothing leaves it as it is.
InheritDevice::InheritDevice(const OpArgs& args) : before_(device_inherited) {
  Device device = device_of(args);
  if (!device.is_cpu() || !args.tensor_slots().empty()) device_inherited = device;
}
InheritDevice::InheritDevice(Device device) : before_(device_inherited) { device_inherited = device; }
InheritDevice::~InheritDevice() { device_inherited = before_; }
Device inherited_device() { return device_inherited; }

}  // namespace graph
}  // namespace sinter
