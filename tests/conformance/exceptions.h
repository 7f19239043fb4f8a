// The recorded cases that are believed to be wrong, each with its reason.
//
// One a line: `aten::op.overload HASH reason`; lines that start with # are comments.

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sinter::conformance {

// By the hash of the case's line.
using Exceptions = std::map<std::string, std::string, std::less<>>;

// The text of tests/conformance_exceptions.txt, from the build.
extern const char* const project_exceptions;

// Throws std::runtime_error for a line without a reason.
Exceptions parse_exceptions(std::string_view text);

}  // namespace sinter::conformance
