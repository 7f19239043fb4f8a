// NVRTC, where the machine has it: whether generated CUDA compiles, without a GPU.

#pragma once

#include <string>

namespace sinter::test {

// Why there is no NVRTC here; empty if there is.
std::string nvrtc_missing();

struct NvrtcResult {
  bool compiled = false;
  std::string log;  // the compiler's messages
  size_t code_bytes = 0;
};

// For sm_90, with the options that generated source is meant for.
NvrtcResult compile_with_nvrtc(const std::string& source);

}  // namespace sinter::test
