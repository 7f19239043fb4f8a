// Counts of a run, by operator and in all.

#pragma once

#include "conformance/judge_case.h"

#include <map>
#include <string>

namespace sinter::conformance {

struct Counts {
  int passed = 0;
  int failed = 0;
  int unsupported = 0;
  int excepted = 0;

  void add(Verdict verdict);
};

struct Report {
  Counts all;
  std::map<std::string, Counts> ops;  // programs too

  void add(const std::string& name, Verdict verdict);
};

// A line for each operator with a failure, then the sums.
void print_report(const Report& report);
// Throws std::runtime_error where the file can't be written.
void write_report(const Report& report, const std::string& path);

}  // namespace sinter::conformance
