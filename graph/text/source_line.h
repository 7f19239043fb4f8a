// Makes the source location of a line that some text or file names: what the compiler gives a call, for a call long
// gone.

#pragma once

#include <sinter/graph/error.h>

namespace sinter::graph {

// Equal arguments give locations that compare alike; they stay valid for good.
Here source_line(std::string_view file, uint32_t line, uint32_t column = 0, std::string_view function = {});

// The same location, which stays valid when the library that the line is in is unloaded.
inline Here kept_line(Here where) {
  return source_line(where.file_name(), where.line(), where.column(), where.function_name());
}

}  // namespace sinter::graph
