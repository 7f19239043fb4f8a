// Runs the user's function once on fake tensors: the graph, what it relies on, and how its results come about.

#pragma once

#include <sinter/graph/graph.h>
#include <sinter/graph/guard.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/runtime/flat_arguments.h>
#include <sinter/runtime/options.h>
#include <sinter/runtime/size_policy.h>

#include <memory>

namespace sinter::runtime {

// What a run of the user's function on fake tensors returned.
struct TracedResults {
  std::vector<Tensor> tensors;
  std::shared_ptr<const void> shape;    // the result with its tensors undefined: its structure and its numbers
  std::vector<Tensor> arguments_after;  // handles that the function left in its arguments
  bool has_symbolic_numbers = false;    // among the result's
  std::vector<int> data_symbols;        // in these: sizes that only data tell
};

// One call of a compiled function, seen without its types.
class CallSite {
 public:
  virtual void name_arguments(NameArguments& names, const Options& options) const = 0;
  // Calls the function on copies of the arguments with these tensors, and numbers unless there are none, in place of
  // their own.
  virtual TracedResults trace(std::span<const Tensor> fakes, std::span<const Scalar> numbers, Here where) = 0;
  // Makes the call's result of its structure and its tensors. Numbers in it that are symbolic sizes have the values
  // that `symbols` give them.
  virtual void take_results(const void* shape, std::span<Tensor> tensors, std::span<const int64_t> symbols) = 0;
  // Calls the function as it is.
  virtual void call_uncompiled() = 0;

 protected:
  ~CallSite() = default;
};

// Where a tensor that the caller gets comes from.
struct ResultSource {
  enum class Kind : uint8_t { undefined, program, argument, captured, earlier_result };
  Kind kind = Kind::undefined;
  int index = 0;
};

// An argument whose handle the function changed.
struct Rebinding {
  int argument = 0;
  ResultSource source;
  bool is_new_tensor = false;  // assigned by reference; else the tensor itself got another layout (t_)
};

// A size that only data tell, and that is among the numbers of the result: where a call finds it.
struct NumberSource {
  int symbol = 0;
  int program_result = 0;
  int dim = -1;  // whose size it is; -1: the value of a zero-dim tensor
};

struct TracedCall {
  graph::Graph graph;  // its results are those that the program computes
  std::vector<Tensor> captured;
  std::vector<int> input_arguments;  // which flattened tensor each placeholder is
  std::vector<int> input_numbers;    // which word is the value of each placeholder after these
  std::vector<ResultSource> results;
  std::vector<Rebinding> rebindings;
  std::shared_ptr<const void> shape;
  bool has_symbolic_numbers = false;  // in the result's structure
  std::vector<NumberSource> numbers;
  std::vector<graph::Guard> guards;
  std::shared_ptr<graph::ShapeFacts> shapes;  // what is known of symbolic sizes; passes may still add to it
  NameArguments names;
};

// With the dims that are to be symbolic. Its shape facts must be active while the graph is compiled.
TracedCall trace_call(const FlatArguments& arguments, CallSite& site, const Options& options, Here where,
                      std::span<const SymbolicDim> symbolic);

// A size that is declared dynamic and turned out to be a number is an error.
void check_declarations(const TracedCall& call, Here where);

}  // namespace sinter::runtime
