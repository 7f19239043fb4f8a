// Copies scalar bodies from one nest into another: with other axes, and with loads replaced by the values they would
// read.

#pragma once

#include <functional>

#include <sinter/fusion/schedule.h>

namespace sinter::fusion {

// A nest that receives bodies. The nest must outlive it and not move.
class Graft {
 public:
  explicit Graft(Nest& to);

  // Gives the value that a load reads, or nothing to keep the load. The index is in the receiving nest's axes.
  using LoadValue = std::function<std::optional<int>(const Load& load, int mask)>;

  // Copies the DAG under each of `roots` of `from`, whose axis k is axes[k] in the receiving nest, and gives the
  // copies' numbers; each copy goes on naming its origin. Where `mask` is given, loads touch memory only where it
  // holds.
  std::vector<int> copy(const Nest& from, std::span<const int> roots, std::span<const IndexExpr> axes, int mask = -1,
                        const LoadValue& load_value = {});

  // The same for the values of all stores of a nest with the receiving nest's axes, in their order.
  std::vector<int> copy_stored(const Nest& from, const LoadValue& load_value = {});

  // The value converted to the buffer's type.
  int convert(int value, DType dtype);

  // What a load with this mask gives in whose place `value` stands: 0 where the mask is false.
  int masked(int value, int mask);

 private:
  int add_load(const Load& load, DType dtype, int mask, int offset);
  int both(int a, int b);
  void shorten(ScalarNode& choice) const;
  void note_origin(const Nest& from, size_t node);

  Nest& to_;
  ScalarBuilder scalars_;
  std::unordered_map<std::string, int> load_rows_, index_rows_;
};

// The 0 that a masked load gives where its mask is false.
ScalarExpr zero_of(ScalarBuilder& scalars, DType dtype);

// Puts a nest's origins in the order of the graph.
void sort_origins(Nest& nest);

// Drops what no store uses from a body.
void remove_dead_values(Nest& nest);

}  // namespace sinter::fusion
