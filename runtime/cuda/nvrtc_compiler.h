// CUDA C++ text to machine code, by NVRTC, which is opened at the first compile. Needs no device.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinter::runtime {

// Whether NVRTC can be opened here.
bool has_nvrtc();

// The cubin for an architecture ("sm_90") of a source that includes nothing. What NVRTC refuses is a backend error with
// its log. Contraction of a * b + c is off.
std::vector<char> compile_cuda(std::string_view source, std::string_view architecture,
                               const std::string& file_name = "kernel.cu");

// All that decides a cubin's bytes besides its source, as text: NVRTC's version, architecture, flags.
std::string describe_nvrtc(std::string_view architecture);

// The architecture of a device of that compute capability (90 for 9.0), or the highest below it that NVRTC knows.
std::string best_architecture(int capability);

}  // namespace sinter::runtime
