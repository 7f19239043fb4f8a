// Decides whether a case passes: eager, compiled, or both ways and equal.

#pragma once

#include <sinter/graph/device.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::conformance {

enum class Mode : uint8_t { eager, compiled, both, symbolic };
enum class Verdict : uint8_t { passed, failed, unsupported, excepted };

struct Judgement {
  Verdict verdict = Verdict::passed;
  std::string reason;  // of a failure, or what is not supported; of a passed symbolic run, what became a number
};

Judgement judge_case(std::string_view line, bool is_special, Mode mode, Device device);

}  // namespace sinter::conformance
