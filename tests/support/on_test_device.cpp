// Linked into programs whose tests know nothing of devices: with SINTER_TEST_DEVICE=cuda all their tensors are there.

#include <gtest/gtest.h>
#include <sinter/graph/inherit_device.h>

#include <memory>

#include "support/test_device.h"

namespace sinter::test {
namespace {

// Tensors of the support code, and what a test's function makes from nothing.
class OnTestDevice : public ::testing::Environment {
 public:
  void SetUp() override {
    set_placement(test_device());
    inherited_ = std::make_unique<graph::InheritDevice>(test_device());
  }
  void TearDown() override { inherited_.reset(); }

 private:
  std::unique_ptr<graph::InheritDevice> inherited_;
};

[[maybe_unused]] const auto* const environment = ::testing::AddGlobalTestEnvironment(new OnTestDevice);

}  // namespace
}  // namespace sinter::test
