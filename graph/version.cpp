// Gives the version that the build compiled in.

#include <sinter/graph/version.h>

namespace sinter {

std::string_view version() { return SINTER_VERSION; }

}  // namespace sinter
