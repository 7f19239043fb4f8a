// Runs commands through popen, and compares lines.

#include "support/run_command.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace sinter::test {

CommandResult run_command(const std::string& command) {
  CommandResult result;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return result;
  char bytes[4096];
  while (size_t size = std::fread(bytes, 1, sizeof bytes, pipe)) result.output.append(bytes, size);
  int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

bool shows(const std::string& output, const std::string& expected) {
  std::vector<std::string> actual = lines_of(output), wanted = lines_of(expected);
  auto at = actual.begin();
  for (auto run = wanted.begin(); run != wanted.end();) {
    auto end = std::find(run, wanted.end(), "...");
    // The first run starts the output; one after `...` may start anywhere later.
    auto found =
        run == wanted.begin()
            ? (std::distance(run, end) <= std::distance(at, actual.end()) && std::equal(run, end, at) ? at
                                                                                                      : actual.end())
            : std::search(at, actual.end(), run, end);
    if (found == actual.end() && run != end) return false;
    at = found + std::distance(run, end);
    if (end == wanted.end()) return at == actual.end();
    run = end + 1;
  }
  return true;
}

}  // namespace sinter::test
