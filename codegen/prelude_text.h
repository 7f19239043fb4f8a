// The text of the headers in codegen/prelude/, in the order of printing; the build embeds it.

#pragma once

#include <span>
#include <string_view>

namespace sinter::codegen {

std::span<const std::string_view> prelude_text();

// Those of CUDA: the headers in prelude/cuda/ between the others, whose pieces they stand in for.
std::span<const std::string_view> cuda_prelude_text();

}  // namespace sinter::codegen
