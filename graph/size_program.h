// Symbolic sizes as a flat list of instructions: what a call does to turn the sizes of its arguments into numbers.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <sinter/graph/sym_int.h>

namespace sinter::graph {

class SizeProgram {
 public:
  explicit SizeProgram(int symbols = 0) : symbols_(symbols), slots_(symbols) {}

  // The slot that holds the value after a run. Slot k is symbol k.
  int slot_of(SymInt value);
  // The same for a value that slot_of has been asked for.
  int known_slot(SymInt value) const;

  int symbols() const { return symbols_; }
  size_t slots() const { return static_cast<size_t>(slots_); }
  // Fills all slots but the symbols', which the caller has set. A division by 0 gives 0.
  void run(std::span<int64_t> slots) const;

 private:
  enum class Operation : uint8_t { number, add, multiply, floor_div, mod, min, max };
  struct Instruction {
    Operation operation;
    int result = 0, a = 0, b = 0;
    int64_t number = 0;
  };

  int add(Operation operation, int a, int b, int64_t number = 0);
  int slot_of_number(int64_t number);

  int symbols_;
  int slots_;
  std::vector<Instruction> instructions_;
  std::unordered_map<const SymExpr*, int> known_;
  std::unordered_map<int64_t, int> numbers_;
};

}  // namespace sinter::graph
