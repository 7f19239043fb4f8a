// Prints counts, and writes them as JSON.

#include "conformance/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace sinter::conformance {

namespace {

std::string to_string(const Counts& counts) {
  return fmt::format("{} passed, {} failed, {} unsupported", counts.passed, counts.failed, counts.unsupported);
}

nlohmann::json to_json(const Counts& counts) {
  return {{"passed", counts.passed}, {"failed", counts.failed}, {"unsupported", counts.unsupported}};
}

}  // namespace

void Counts::add(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: ++passed; break;
    case Verdict::failed: ++failed; break;
    case Verdict::unsupported: ++unsupported; break;
    case Verdict::excepted: ++excepted; break;
  }
}

void Report::add(const std::string& name, Verdict verdict) {
  all.add(verdict);
  ops[name].add(verdict);
}

void print_report(const Report& report) {
  for (const auto& [name, counts] : report.ops)
    if (counts.failed > 0) fmt::print("{}  {}\n", name, to_string(counts));
  if (report.all.excepted > 0) fmt::print("{} excepted (tests/conformance_exceptions.txt)\n", report.all.excepted);
  fmt::print("{}\n", to_string(report.all));
}

void write_report(const Report& report, const std::string& path) {
  nlohmann::json json = to_json(report.all);
  json["excepted"] = report.all.excepted;
  json["ops"] = nlohmann::json::object();
  for (const auto& [name, counts] : report.ops) json["ops"][name] = to_json(counts);
  std::ofstream file(path);
  if (!(file << json.dump(1) << '\n')) throw std::runtime_error("can't write " + path);
}

}  // namespace sinter::conformance
