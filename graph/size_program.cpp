// Compilation of expressions to instructions, each expression once.

#include <sinter/graph/size_program.h>

#include <sinter/graph/sym_expr.h>

#include <algorithm>

namespace sinter::graph {

using Factor = SymExpr::Factor;

namespace {

// In place of a slot: the instruction's own number.
constexpr int own_number = -1;

}  // namespace

int SizeProgram::add(Operation operation, int a, int b, int64_t number) {
  instructions_.push_back({operation, slots_, a, b, number});
  return slots_++;
}

int SizeProgram::slot_of_number(int64_t number) {
  auto [entry, is_new] = numbers_.try_emplace(number, 0);
  if (is_new) entry->second = add(Operation::number, 0, 0, number);
  return entry->second;
}

int SizeProgram::slot_of(SymInt value) {
  if (value.is_constant()) return slot_of_number(value.hint());
  if (int symbol = symbol_number(value); symbol >= 0) {
    SINTER_CHECK(symbol < symbols_, "{} is no symbol of {} that a call sets", to_string(value), symbols_);
    return symbol;
  }
  if (auto found = known_.find(value.expr()); found != known_.end()) return found->second;
  auto slot_of_factor = [&](const Factor& factor) {
    switch (factor.kind) {
      case Factor::Kind::symbol: return slot_of(symbol_of(factor, 0));
      case Factor::Kind::floor_div: return add(Operation::floor_div, slot_of(factor.a), slot_of(factor.b));
      case Factor::Kind::mod: return add(Operation::mod, slot_of(factor.a), slot_of(factor.b));
      case Factor::Kind::min: return add(Operation::min, slot_of(factor.a), slot_of(factor.b));
      case Factor::Kind::max: return add(Operation::max, slot_of(factor.a), slot_of(factor.b));
    }
    __builtin_unreachable();
  };
  int sum = -1;
  for (const auto& [product, coef] : value.expr()->terms) {
    int term = -1;
    for (const Factor* factor : product) {
      int slot = slot_of_factor(*factor);
      term = term < 0 ? slot : add(Operation::multiply, term, slot);
    }
    if (coef != 1) term = add(Operation::multiply, term, own_number, coef);
    sum = sum < 0 ? term : add(Operation::add, sum, term);
  }
  if (int64_t constant = value.expr()->constant) sum = add(Operation::add, sum, own_number, constant);
  known_[value.expr()] = sum;
  return sum;
}

int SizeProgram::known_slot(SymInt value) const {
  if (value.is_constant()) return numbers_.at(value.hint());
  int symbol = symbol_number(value);
  return symbol >= 0 ? symbol : known_.at(value.expr());
}

void SizeProgram::run(std::span<int64_t> slots) const {
  auto floor_quotient = [](int64_t a, int64_t b) { return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0)); };
  for (const Instruction& step : instructions_) {
    int64_t a = slots[step.a], b = step.b == own_number ? step.number : slots[step.b];
    int64_t& result = slots[step.result];
    switch (step.operation) {
      case Operation::number: result = step.number; break;
      case Operation::add: result = static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); break;
      case Operation::multiply:
        result = static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
        break;
      case Operation::floor_div: result = floor_quotient(a, b); break;
      case Operation::mod: result = a - floor_quotient(a, b) * b; break;
      case Operation::min: result = std::min(a, b); break;
      case Operation::max: result = std::max(a, b); break;
    }
  }
}

}  // namespace sinter::graph
