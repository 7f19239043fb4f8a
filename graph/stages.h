// Runs the passes of a pipeline by name: times each, verifies its result in debug builds, and writes what it changed to
// SINTER_DUMP.

#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct StageTime {
  std::string name;
  double milliseconds = 0;
  bool changed = false;
};

class Stages {
 public:
  // Dumps to `dump_directory/<prefix>/NN_name.txt` unless empty.
  explicit Stages(std::string dump_directory = {}, bool verify = default_verify());

  // pass(ir) says whether it changed anything; `to_string(ir)` and `verify(ir)` are found by argument-dependent lookup.
  template <class Ir, class Pass>
  void run(std::string_view name, Ir& ir, Pass&& pass) {
    auto start = std::chrono::steady_clock::now();
    bool changed = pass(ir);
    finish(name, std::chrono::steady_clock::now() - start, changed);
    if (verify_) verify(ir);
    if (changed && dumps()) dump(name, to_string(ir));
  }
  // A step that makes something else: timed only.
  template <class Step>
  auto time(std::string_view name, Step&& step) {
    auto start = std::chrono::steady_clock::now();
    auto result = step();
    finish(name, std::chrono::steady_clock::now() - start, true);
    return result;
  }

  bool dumps() const { return !dump_directory_.empty(); }
  // Writes NN_name.txt (or name as it is, if it has an extension).
  void dump(std::string_view name, std::string_view text);
  const std::vector<StageTime>& times() const { return times_; }

  static bool default_verify();

 private:
  void finish(std::string_view name, std::chrono::steady_clock::duration elapsed, bool changed);

  std::string dump_directory_;
  bool verify_;
  int dumped_ = 0;
  std::vector<StageTime> times_;
};

}  // namespace sinter
