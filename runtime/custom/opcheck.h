// Checks that an operator is what it says: that it writes what its schema says, that its fake function gives what it
// gives, and that compiled code with it does what eager does.

#pragma once

#include <sinter/runtime/custom/custom_op.h>

namespace sinter {

struct OpCheckOptions {
  bool needs_fake = true;  // else what needs a fake function is skipped where there is none
  uint64_t seed = 0;       // of the strides and sizes that are tried besides the samples' own
};

enum class OpCheckOutcome : uint8_t { passed, failed, skipped };

struct OpCheckFinding {
  std::string check;   // "schema", "fake", "compiled", "dynamic", "strides"
  std::string sample;  // "sample 0", "sample 0 with other strides", "sample 0 with other sizes"
  OpCheckOutcome outcome = OpCheckOutcome::passed;
  std::string detail;
};

struct OpCheckReport {
  std::string op;
  std::vector<OpCheckFinding> findings;
  bool ok() const;  // none failed
};
// A line for each finding.
std::string to_string(const OpCheckReport& report);

// Each sample is the op's positional arguments, on the CPU. They are copied, and not written.
OpCheckReport opcheck(const OpDef& op, const std::vector<Values>& samples, OpCheckOptions options = {});
inline OpCheckReport opcheck(const CustomOp& op, const std::vector<Values>& samples, OpCheckOptions options = {}) {
  return opcheck(op.def(), samples, options);
}
inline OpCheckReport opcheck(const OpHandle& op, const std::vector<Values>& samples, OpCheckOptions options = {}) {
  return opcheck(op.def(), samples, options);
}

}  // namespace sinter
