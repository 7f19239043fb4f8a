// Programs on disk: the plan of a compiled graph and the objects of its kernels in one entry, so that a process that
// finds it goes from the trace to the first call without scheduling, code generation or a file for each kernel.
//
// The key is the program's identity (program_cache.h) with all that decides objects; where passes fixed numbers that
// are arguments, or an entry is there whose questions about them are answered otherwise, also with their values. Not
// stored: programs of few kernels, which are scheduled sooner than another file is written, and those with custom
// operators, whose code is in the process.

#pragma once

#include <sinter/graph/shape_facts.h>
#include <sinter/runtime/archive.h>
#include <sinter/runtime/cpu/compiler_library.h>
#include <sinter/runtime/program_cache.h>
#include <sinter/runtime/run_program.h>

namespace sinter::runtime {

// The place of one graph's program on disk, and what it is written and read with. Made before the passes run.
class StoredProgram {
 public:
  // `facts`: those of the compilation, or null. `graph`: as traced. `identity`: program_identity.
  StoredProgram(const graph::Graph& graph, const graph::ShapeFacts* facts, const CompileTarget& target,
                std::string_view identity);

  struct Loaded {
    codegen::Program program;  // without sources
    std::vector<std::shared_ptr<const LoadedKernel>> kernels;
    Here where;
    std::vector<graph::ShapeGuard> decisions;  // that the passes took
    std::vector<graph::NumberGuard> numbers;   // what they asked of numbers
    bool may_begin_anew = false;
    int64_t bytes = 0;  // on disk
  };
  // What an earlier process wrote; nothing if there is none that can be trusted.
  std::optional<Loaded> load();
  // A failure is no error. `facts`: as the passes left them.
  void store(const LoadedProgram& program, const graph::ShapeFacts* facts) const;

 private:
  std::optional<Loaded> load(const std::string& key);
  // The decisions and answers that a program relies on are this example's.
  bool is_for_example(const std::vector<graph::ShapeGuard>& decisions, const std::vector<graph::NumberGuard>& asked,
                      const std::vector<int64_t>& symbols) const;

  CompileTarget target_;
  std::string key_;  // empty: not stored
  NumberExamples numbers_;
  std::string examples_;       // of sizes and numbers; empty: there are none
  bool needs_values_ = false;  // these belong to the key
  ArchiveContext context_;
  size_t known_decisions_ = 0, known_numbers_ = 0;
};

struct StoredProgramStats {
  int64_t loads = 0;
  int64_t stores = 0;
};
StoredProgramStats stored_program_stats();

}  // namespace sinter::runtime
