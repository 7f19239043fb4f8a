// Programs by identity: what the native backend makes of a graph is made once in a process, whatever function asks. A
// lambda that is created again in a loop, or a function that is compiled twice, costs a trace.
//
// The identity is the graph's text with the lines of its ops, what is known of its sizes, and the target; the data of
// captured tensors is read at each call and is no part of it. Lines belong to it because errors of a running program,
// explanations and generated sources name them: equal code of other lines is scheduled anew, and shares its kernels.

#pragma once

#include <sinter/graph/shape_facts.h>
#include <sinter/runtime/backend.h>
#include <sinter/runtime/made_once.h>

#include <map>

namespace sinter::runtime {

// Of numbers that are arguments it has the kinds, and the values where the trace fixed some; else these only matter
// where the passes asked for them. So it is with symbolic sizes, whose values in the example are left out.
std::string program_identity(const graph::Graph& graph, const graph::ShapeFacts* facts, const Options& options);

// These values, as text: the passes may have decided by them.
std::string size_examples(const graph::Graph& graph, const graph::ShapeFacts* facts);

// The values in the example of the numbers that are arguments, by their ids; and as text.
using NumberExamples = std::map<int, Scalar>;
NumberExamples number_examples(const graph::Graph& graph);
std::string to_string(const NumberExamples& examples);
// Whether what a compilation asked of numbers is answered in the same way for these. A value that it fixed is not
// known.
bool answers_hold(std::span<const graph::NumberGuard> asked, const NumberExamples& examples);

struct ProgramCacheStats {
  int64_t makes = 0;
  int64_t hits = 0;
  int64_t evictions = 0;
  int64_t programs = 0;  // that are in the cache now
  int64_t bytes = 0;     // of their texts
};

class ProgramCache {
 public:
  struct Made {
    std::shared_ptr<const Executable> executable;
    int64_t bytes = 0;  // of its texts
  };
  using Make = std::function<Made()>;

  // Keeps programs whose texts (sources and identities) take so many bytes; used least recently, out first.
  explicit ProgramCache(int64_t most_bytes) : programs_(most_bytes) {}

  // `facts`, where there are any, become what they were after the program was made: the decisions that it relies on.
  std::shared_ptr<const Executable> find_or_make(const std::string& identity, graph::ShapeFacts* facts,
                                                 const Options& options, const Make& make);
  ProgramCacheStats stats() const;
  void clear() { programs_.clear(); }

 private:
  struct Program {
    std::shared_ptr<const Executable> executable;
    graph::ShapeFacts facts;
  };

  MadeOnce<std::shared_ptr<const Program>> programs_;
  std::atomic<int64_t> makes_ = 0;
};

// That of the process.
ProgramCache& program_cache();

}  // namespace sinter::runtime
