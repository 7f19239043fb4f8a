// The closest spelling among known names, for messages.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinter {

// By edit distance; empty if there are no names.
std::string nearest_name(std::string_view wanted, std::span<const std::string> names);

}  // namespace sinter
