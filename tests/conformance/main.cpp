// sinter_conformance: runs recorded operator calls and programs, and says which give what was recorded.

#include "conformance/case_list.h"
#include "conformance/exceptions.h"
#include "conformance/options.h"
#include "conformance/report.h"
#include "conformance/worker_pool.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

namespace sinter::conformance {

namespace {

Exceptions load_exceptions(const Options& options) {
  if (options.exceptions.empty()) return parse_exceptions(project_exceptions);
  std::ifstream file(options.exceptions);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw std::runtime_error("can't read " + options.exceptions);
  return parse_exceptions(text.str());
}

int process_count(const Options& options) {
  if (options.in_process) return 0;
  if (options.jobs > 0) return options.jobs;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void print_failure(const CaseLine& line, const Judgement& judgement) {
  if (judgement.verdict != Verdict::failed) return;
  fmt::print("{}:{}: {} [{}]\n  {}\n", *line.file, line.line, line.name, hash_of_line(line.text), judgement.reason);
  std::fflush(stdout);
}

// The overloads that a file lists, the first word of each line.
std::set<std::string> load_overloads(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("can't read " + path);
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(' ')));
  return names;
}

// Exactly the listed overloads need what is symbolic as it is.
bool are_as_listed(const std::map<std::string, std::string>& fixed, const Options& options) {
  bool agree = true;
  std::set<std::string> listed = load_overloads(options.fixed);
  for (const auto& [name, what] : fixed) {
    if (listed.contains(name)) continue;
    fmt::print("{} is not listed, and fixes {}\n", name, what);
    agree = false;
  }
  bool runs_all = options.sample == 1 && options.op_glob == "*";
  for (const std::string& name : listed) {
    if (!runs_all || fixed.contains(name)) continue;
    fmt::print("{} is listed, and fixes nothing\n", name);
    agree = false;
  }
  return agree;
}

bool run(const Options& options) {
  CaseList list(options);
  Exceptions exceptions = load_exceptions(options);
  Report report;
  auto judge = [&](size_t i) -> Judgement {
    const CaseLine& line = list.cases()[i];
    Judgement judgement = judge_case(line.text, line.is_special, options.mode, options.device);
    // An exception that passes is none.
    bool is_excepted = judgement.verdict == Verdict::failed && exceptions.contains(hash_of_line(line.text));
    return is_excepted ? Judgement{Verdict::excepted, {}} : judgement;
  };
  std::map<std::string, std::string> fixed;
  auto add = [&](size_t i, Judgement judgement) {
    const CaseLine& line = list.cases()[i];
    report.add(std::string(line.name), judgement.verdict);
    if (options.verbose) print_failure(line, judgement);
    if (judgement.verdict == Verdict::passed && !judgement.reason.empty())
      fixed.try_emplace(std::string(line.name), judgement.reason);
  };
  judge_all(list.cases().size(), {process_count(options), options.limit_seconds}, judge, add);
  print_report(report);
  if (!options.report.empty()) write_report(report, options.report);
  if (!options.fixed.empty() && !are_as_listed(fixed, options)) return false;
  return report.all.failed == 0 && !(options.requires_all && report.all.unsupported > 0);
}

}  // namespace

}  // namespace sinter::conformance

int main(int count, char** arguments) {
  using namespace sinter::conformance;
  try {
    // Workers are many processes already; the bits do not depend on the number of threads.
    setenv("OMP_NUM_THREADS", "1", 0);
    return run(parse_options(count, arguments)) ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}\n\n{}", error.what(), usage());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return 2;
}
