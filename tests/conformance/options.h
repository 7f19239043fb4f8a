// The command line of sinter_conformance.

#pragma once

#include "conformance/judge_case.h"

#include <string>
#include <vector>

namespace sinter::conformance {

struct Options {
  std::vector<std::string> paths;  // folders, or single files
  Mode mode = Mode::both;
  Device device;  // where the inputs are
  std::string op_glob = "*";
  std::string only_listed;    // a file that names overloads: run only these
  std::string except_listed;  // or all but these
  std::string report;
  std::string fixed;       // a file: the overloads of which a symbolic run makes something a number, cases, reasons
  std::string exceptions;  // in place of the project's own list
  bool verbose = false;
  bool requires_all = false;  // an unsupported case fails the run
  int sample = 1;             // every n-th case of each operator
  int jobs = 0;               // 0: one for each core
  bool in_process = false;
  double limit_seconds = 60;
};

// Throws std::invalid_argument with what is wrong.
Options parse_options(int count, const char* const* arguments);
std::string_view usage();

}  // namespace sinter::conformance
