// The text of the headers in codegen/prelude/, in the order of printing; the build embeds it.

#pragma once

#include <span>
#include <string_view>

namespace sinter::codegen {

std::span<const std::string_view> prelude_text();

}  // namespace sinter::codegen
