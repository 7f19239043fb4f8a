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

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw std::runtime_error("can't read " + path);
  return text.str();
}

Exceptions load_exceptions(const Options& options) {
  return parse_exceptions(options.exceptions.empty() ? project_exceptions : text_of(options.exceptions));
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

// What the overloads fix, each with the first of its cases that shows it.
struct Fixed {
  std::map<std::string, std::string> first;  // by overload: the case and what it fixes
  std::set<std::string, std::less<>> cases;  // by hash
};

// Exactly the listed overloads need what is symbolic as it is: no other does, and each of these in its case.
bool are_as_listed(const Fixed& fixed, const Exceptions& listed) {
  bool agree = true;
  std::set<std::string> names;
  for (const auto& [hash, reason] : listed) {
    std::string name = reason.substr(0, reason.find(": "));
    names.insert(name);
    if (fixed.cases.contains(hash)) continue;
    fmt::print("{} is listed with case {}, which fixes nothing\n", name, hash);
    agree = false;
  }
  for (const auto& [name, what] : fixed.first) {
    if (names.contains(name)) continue;
    fmt::print("{} {} is not listed\n", name, what);
    agree = false;
  }
  return agree;
}

bool run(const Options& options) {
  Exceptions exceptions = load_exceptions(options), listed;
  if (!options.fixed.empty()) listed = parse_exceptions(text_of(options.fixed));
  CaseList list(options, listed);
  Report report;
  auto judge = [&](size_t i) -> Judgement {
    const CaseLine& line = list.cases()[i];
    Judgement judgement = judge_case(line.text, line.is_special, options.mode, options.device);
    // An exception that passes is none.
    bool is_excepted = judgement.verdict == Verdict::failed && exceptions.contains(hash_of_line(line.text));
    return is_excepted ? Judgement{Verdict::excepted, {}} : judgement;
  };
  Fixed fixed;
  auto add = [&](size_t i, Judgement judgement) {
    const CaseLine& line = list.cases()[i];
    report.add(std::string(line.name), judgement.verdict);
    if (options.verbose) print_failure(line, judgement);
    if (judgement.verdict != Verdict::passed || judgement.reason.empty()) return;
    std::string hash = hash_of_line(line.text);
    fixed.first.try_emplace(std::string(line.name), hash + " " + judgement.reason);
    fixed.cases.insert(std::move(hash));
  };
  judge_all(list.cases().size(), {process_count(options), options.limit_seconds}, judge, add);
  print_report(report);
  if (!options.report.empty()) write_report(report, options.report);
  if (!options.fixed.empty() && !are_as_listed(fixed, listed)) return false;
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
