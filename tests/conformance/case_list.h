// Which cases run: the lines of the files below the given folders, chosen by name, list and sample.

#pragma once

#include "conformance/exceptions.h"
#include "conformance/options.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::conformance {

struct CaseLine {
  std::string_view text;
  std::string_view name;  // overload or program
  const std::string* file = nullptr;
  int line = 0;
  bool is_special = false;
};

// FNV-1a of a case's line, in hexadecimal: how an exception names its case.
std::string hash_of_line(std::string_view line);

class CaseList {
 public:
  // `always`: cases that run whatever the sample is. Throws std::runtime_error where a file can't be read.
  explicit CaseList(const Options& options, const Exceptions& always = {});

  const std::vector<CaseLine>& cases() const { return cases_; }

 private:
  void add_file(const std::string& path, const Options& options, const Exceptions& always);
  bool is_chosen(const CaseLine& line, const Options& options, const Exceptions& always);

  std::map<std::string, std::string> files_;  // path -> contents
  std::set<std::string, std::less<>> only_, except_;
  std::map<std::string, int, std::less<>> seen_;
  std::vector<CaseLine> cases_;
};

}  // namespace sinter::conformance
