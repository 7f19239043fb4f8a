// Runs a program and keeps what it prints.

#pragma once

#include <string>

namespace sinter::test {

struct CommandResult {
  int status = -1;  // what it exited with
  std::string output;
};

// Through the shell; standard error is not kept.
CommandResult run_command(const std::string& command);

// Whether the lines of `expected` are lines of `output`, one after the other; a line `...` stands for any lines.
bool shows(const std::string& output, const std::string& expected);

}  // namespace sinter::test
