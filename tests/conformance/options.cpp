// Reads the command line.

#include "conformance/options.h"

#include <functional>
#include <map>
#include <stdexcept>

namespace sinter::conformance {

namespace {

Mode parse_mode(const std::string& text) {
  if (text == "eager") return Mode::eager;
  if (text == "compiled") return Mode::compiled;
  if (text == "both") return Mode::both;
  if (text == "symbolic") return Mode::symbolic;
  throw std::invalid_argument("--mode=" + text + ": eager, compiled, both or symbolic");
}

Device parse_device_option(const std::string& text) {
  if (std::optional<Device> device = parse_device(text)) return *device;
  throw std::invalid_argument("--device=" + text + ": cpu, cuda or cuda:N");
}

int parse_count(const std::string& text) {
  int count = std::stoi(text);
  if (count < 1) throw std::invalid_argument(text + ": at least 1");
  return count;
}

}  // namespace

std::string_view usage() {
  return R"(sinter_conformance DIR... [--mode=eager|compiled|both|symbolic] [--op=GLOB] [--device=cpu|cuda] [--report=FILE] [--verbose]

Runs the recorded cases (*.jsonl) below each DIR, eager and compiled, and compares with the record.

  --mode=MODE        eager, compiled or both (default: both, and both must be equal); symbolic: both, the latter with
                     symbolic sizes, and with numbers as arguments
  --fixed=FILE       of a symbolic run: the overloads whose code may need sizes or numbers as they are, and must, each
                     with the hash of a case that shows it, and the reason
  --device=cuda      inputs on a CUDA device; reductions and library calls may differ from eager by the case's tolerance
  --op=GLOB          only overloads and programs of this name, e.g. 'aten::add*'
  --only=FILE        only the overloads that FILE lists
  --except=FILE      all but these
  --sample=N         only every N-th case of each overload
  --report=FILE      writes the counts as JSON
  --exceptions=FILE  cases that may fail, in place of the project's own list
  --require-all      fails on an unsupported case too
  --verbose          the first difference of each failing case
  --jobs=N           processes (default: one for each core)
  --in-process       no processes: a crash ends the run (for debuggers)
  --limit=SECONDS    that one case may take (default: 60)
)";
}

Options parse_options(int count, const char* const* arguments) {
  Options options;
  const std::map<std::string, std::function<void(const std::string&)>> readers = {
      {"--mode", [&](const std::string& text) { options.mode = parse_mode(text); }},
      {"--op", [&](const std::string& text) { options.op_glob = text; }},
      {"--device", [&](const std::string& text) { options.device = parse_device_option(text); }},
      {"--only", [&](const std::string& text) { options.only_listed = text; }},
      {"--except", [&](const std::string& text) { options.except_listed = text; }},
      {"--sample", [&](const std::string& text) { options.sample = parse_count(text); }},
      {"--report", [&](const std::string& text) { options.report = text; }},
      {"--fixed", [&](const std::string& text) { options.fixed = text; }},
      {"--exceptions", [&](const std::string& text) { options.exceptions = text; }},
      {"--require-all", [&](const std::string&) { options.requires_all = true; }},
      {"--verbose", [&](const std::string&) { options.verbose = true; }},
      {"--jobs", [&](const std::string& text) { options.jobs = parse_count(text); }},
      {"--in-process", [&](const std::string&) { options.in_process = true; }},
      {"--limit", [&](const std::string& text) { options.limit_seconds = std::stod(text); }},
  };
  for (int i = 1; i < count; ++i) {
    std::string argument = arguments[i];
    if (!argument.starts_with("--")) {
      options.paths.push_back(argument);
      continue;
    }
    size_t equals = argument.find('=');
    auto reader = readers.find(argument.substr(0, equals));
    if (reader == readers.end()) throw std::invalid_argument("unknown option " + argument);
    reader->second(equals == std::string::npos ? "" : argument.substr(equals + 1));
  }
  if (options.paths.empty()) throw std::invalid_argument("no folder with recorded cases is given");
  return options;
}

}  // namespace sinter::conformance
