// Arguments moved to a device, the call there, and the results brought back.

#include "support/on_both_devices.h"

#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {

namespace {

Value placed(const Value& value, Device device) {
  if (value.is_tensor()) return on_device(value.tensor(), device);
  if (!value.is_list()) return value;
  Value::List list;
  for (const Value& element : value.list()) list.push_back(placed(element, device));
  return list;
}

}  // namespace

Values run_on(const char* op, const Values& arguments, Device device) {
  Values there;
  for (const Value& value : arguments) there.push_back(placed(value, device));
  return apply(*find_op(op), there, {}, Here::current());
}

Values expect_the_cpus(const char* op, const Values& arguments) {
  Values here = run_on(op, arguments, cpu), there = run_on(op, arguments, cuda::device(0));
  for (size_t i = 0; i < here.size(); ++i)
    expect_same_bits(on_device(there[i].tensor(), cpu), here[i].tensor(), fmt::format("{}, result {}", op, i));
  cuda::synchronize();
  return here;
}

}  // namespace sinter::test
