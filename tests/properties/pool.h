// A program under construction: its values as real tensors, and every call made eager and traced at once.
//
// A call joins the program if both accept it. What only the data decide (an index out of range) may be refused eager
// alone; any other disagreement is a fault.

#pragma once

#include "properties/random_program.h"
#include "properties/random_source.h"

#include <map>
#include <optional>
#include <stdexcept>

namespace sinter::test {

using Sizes = std::vector<int64_t>;

// A value of the program.
struct Known {
  Operand operand;
  Tensor tensor;

  DType dtype() const { return tensor.dtype(); }
  int64_t rank() const { return tensor.dim(); }
  int64_t size(int64_t dim) const { return tensor.sizes()[dim < 0 ? dim + rank() : dim].constant(); }
  int64_t count() const { return tensor.numel().constant(); }
  Sizes sizes() const;
};

struct DrawCount {
  int64_t accepted = 0;
  int64_t refused = 0;
  int64_t eager_only = 0;    // accepted eager; tracing says that it needs data
  std::string last_refusal;  // the message
};
using DrawCounts = std::map<std::string, DrawCount>;

// Eager and traced disagree about a call.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Pool {
 public:
  Pool(uint64_t seed, DrawCounts& counts);

  RandomSource& random() { return random_; }
  const std::vector<Known>& values() const { return values_; }

  // New inputs, in any layout: of random elements, or of these in row-major order.
  Known fresh(DType dtype, const Sizes& sizes);
  Known fresh(DType dtype, const Sizes& sizes, const std::vector<double>& elements);

  // The results, lists flattened, or nothing if the call is refused.
  std::optional<std::vector<Known>> call(const Call& call);
  size_t call_count() const { return program_.calls.size(); }

  RandomProgram take();

 private:
  Known add_input(DType dtype, const Layout& layout, std::vector<std::byte> contents);
  Known know_input(const TensorMeta& meta, const Tensor& tensor, int64_t storage);
  void run_traced(const Call& call);
  std::vector<Known> add_results();
  bool asks_for_sign_of_nan(const Call& call) const;
  // Eager state as the accepted calls leave it.
  void replay();

  RandomSource random_;
  RandomProgram program_;
  DrawCounts& counts_;
  graph::Trace trace_;
  CallSequence eager_, traced_;
  std::vector<Known> values_;
  int input_count_ = 0;
};

// Row-major elements, as double.
std::vector<double> elements_of(const Known& known);
std::string to_string(const Call& call);

}  // namespace sinter::test
