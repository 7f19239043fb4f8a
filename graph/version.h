// The library's own version, as in its JSON and its cache keys.

#pragma once

#include <string_view>

namespace sinter {

// "major.minor.patch", from the one place that holds it: project(VERSION) in CMakeLists.txt.
std::string_view version();

}  // namespace sinter
