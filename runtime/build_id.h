// Which build of the library runs.

#pragma once

#include <string>

namespace sinter::runtime {

// The linker's note, in hexadecimal digits: of libsinter, or of the program that it is linked into. Another for any
// other code; empty where there is none.
const std::string& build_id();

}  // namespace sinter::runtime
