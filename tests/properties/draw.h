// One call under construction: its operator's parameters, and those set so far.
//
// A plan (properties/plans) sets what depends on one another, such as the sizes of a convolution; `complete` sets the
// rest by the parameter's type and name.

#pragma once

#include "properties/pool.h"

#include <functional>
#include <string_view>

namespace sinter::test {

// Which dtypes an argument may have.
enum class Types { any, floating, integral, decimal, matrix };

// Thrown by a plan for which nothing fits; another call is drawn.
struct NothingFits {};

class Draw {
 public:
  Draw(Pool& pool, const OpDef& op) : pool(pool), random(pool.random()), op(op), schema(op.schema()) {}

  // --- What is called ---
  bool has(std::string_view parameter) const { return schema.find(parameter) >= 0; }
  bool is_set(std::string_view parameter) const;
  const Parameter& parameter(std::string_view name) const { return schema.parameters[schema.find(name)]; }

  // --- Setting; of a parameter that the op does not have: nothing ---
  void set(std::string_view parameter, const Known& known);
  void set(std::string_view parameter, Value value) { set_operand(parameter, {std::move(value)}); }
  void set(std::string_view parameter, const Sizes& sizes) { set(parameter, Value(Dims(sizes.begin(), sizes.end()))); }
  void set(std::string_view parameter, const std::vector<Known>& tensors);
  void set_operand(std::string_view parameter, Operand operand);
  // Sets the op's first tensor parameter.
  void set_first(const Known& known);

  // --- Values ---
  DType dtype(Types types);
  // One of the program's values, or a new input; of the first parameter if that is written: one that may be.
  Known any(Types types = Types::any, int64_t least_rank = 0, int64_t most_rank = 9);
  std::optional<Known> find(const std::function<bool(const Known&)>& fits);
  // Of exactly these sizes.
  Known tensor(DType dtype, const Sizes& sizes);
  Known tensor(DType dtype, const Sizes& sizes, const std::function<double()>& element);
  Known tensor(DType dtype, const Sizes& sizes, const std::vector<double>& elements);
  // Integers in [low, high), mostly i64.
  Known indices(const Sizes& sizes, int64_t low, int64_t high);
  // That broadcasts with the sizes (without growing them, if asked).
  Known broadcasting(const Known& with, bool fits_inside);
  // A call of its own.
  std::vector<Known> call(std::string op, const std::vector<Operand>& positional,
                          std::vector<std::pair<std::string, Operand>> keywords = {});

  // --- Numbers ---
  int64_t dim(int64_t rank) { return rank == 0 ? random.between(-1, 0) : random.between(-rank, rank - 1); }
  Sizes distinct_dims(int64_t rank, int64_t count);
  Sizes small_sizes(int64_t least_rank, int64_t most_rank, int64_t most = 5);
  Value number();
  bool flag() { return random.chance(0.5); }

  // Sets what is still missing, and gives the call.
  Call complete();

  Pool& pool;
  RandomSource& random;
  const OpDef& op;
  const Schema& schema;

 private:
  std::optional<Operand> make(const Parameter& parameter);
  std::optional<Operand> make_tensor(const Parameter& parameter);
  std::optional<Operand> make_dims(const Parameter& parameter);
  Operand make_list(const Parameter& parameter);
  Operand make_integer(const Parameter& parameter);
  bool writes_first() const { return !schema.parameters.empty() && schema.parameters[0].is_written; }
  bool may_be_written(const Known& known) const;
  bool goes_wild(const Known& known);

  std::map<std::string, Operand, std::less<>> set_;
  std::optional<Known> first_;  // the first tensor that was set; what the rest should go with
};

inline Operand operand(Value value) { return {std::move(value)}; }
inline Operand operand(const Known& known) { return known.operand; }
inline Operand operand(const Sizes& sizes) { return {Value(Dims(sizes.begin(), sizes.end()))}; }
inline Operand operand(int64_t number) { return {Value(number)}; }
inline Operand operand(bool flag) { return {Value(flag)}; }

}  // namespace sinter::test
