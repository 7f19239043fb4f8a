// Parses the list of exceptions.

#include "conformance/exceptions.h"

#include <sstream>
#include <stdexcept>

namespace sinter::conformance {

Exceptions parse_exceptions(std::string_view text) {
  Exceptions exceptions;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string op, hash, reason;
    words >> op >> hash >> std::ws;
    std::getline(words, reason);
    if (hash.size() != 16 || reason.empty())
      throw std::runtime_error("an exception needs op, hash and reason: " + line);
    exceptions[hash] = op + ": " + reason;
  }
  return exceptions;
}

}  // namespace sinter::conformance
