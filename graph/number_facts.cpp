// Questions about numbers, and which of them a compilation asked.

#include <sinter/graph/number_facts.h>

#include <sinter/graph/scalar.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/sym_expr.h>

#include <algorithm>

namespace sinter::graph {

namespace {

bool fits(Scalar value, DType dtype) {
  if (dtype == DType::i64) return !value.is_floating() || (value.to_double() >= -0x1p63 && value.to_double() < 0x1p63);
  double number = value.to_double();
  int bits = static_cast<int>(byte_size(dtype)) * 8;
  double top = is_signed(dtype) ? static_cast<double>((int64_t{1} << (bits - 1)) - 1) : 255.0;
  double bottom = is_signed(dtype) ? -top - 1 : 0.0;
  return number > bottom - 1 && number < top + 1;
}

bool takes_any(DType dtype) { return dtype == DType::boolean || is_floating(dtype); }

bool is_special(double exponent) {
  constexpr double special[] = {0, 1, 2, 3, 0.5, -0.5, -1, -2};
  return std::ranges::find(special, exponent) != std::end(special);
}

}  // namespace

bool answer(NumberQuestion question, Scalar value, DType dtype) {
  switch (question) {
    case NumberQuestion::fits: return takes_any(dtype) || fits(value, dtype);
    case NumberQuestion::fills: {
      if (takes_any(dtype)) return true;
      bool wraps = dtype == DType::u8 && !value.is_floating() && value.to_double() < 0;
      return fits(wraps ? Scalar(-value.to_double()) : value, dtype);
    }
    case NumberQuestion::is_negative: return value.is_floating() ? value.to_double() < 0 : value.to_int() < 0;
    case NumberQuestion::is_zero: {
      ScalarDag dag;
      ScalarBuilder builder(dag);
      return !constant_value(dag.nodes[static_cast<size_t>(builder.constant(value, dtype).id)]).to_bool();
    }
    case NumberQuestion::is_special: return is_special(value.to_double());
  }
  return false;
}

namespace {

// What kind and type say alone.
bool is_surely_so(NumberQuestion question, Scalar value, DType dtype) {
  if (question != NumberQuestion::fits && question != NumberQuestion::fills) return false;
  return takes_any(dtype) || value.is_boolean() || (dtype == DType::i64 && !value.is_floating());
}

bool is_between(int64_t low, SymInt size, int64_t high, Here here) {
  return !is_less(size, low, here) && !is_less(high, size, here);
}

// Of a size: by its relations to the numbers that the answer depends on.
bool ask_of_size(NumberQuestion question, SymInt size, DType dtype, Here here) {
  bool is_narrow = !takes_any(dtype) && dtype != DType::i64;
  int64_t top = is_narrow ? (int64_t{1} << (8 * byte_size(dtype) - 1)) - 1 : 0;
  switch (question) {
    case NumberQuestion::fits:
      return is_signed(dtype) ? is_between(-top - 1, size, top, here) : is_between(0, size, 255, here);
    case NumberQuestion::fills:
      return is_signed(dtype) ? is_between(-top - 1, size, top, here) : is_between(-255, size, 255, here);
    case NumberQuestion::is_negative: return is_less(size, 0, here);
    case NumberQuestion::is_zero:  // a number that a narrow type does not hold may wrap to 0
      if (is_narrow && !ask_of_size(NumberQuestion::fits, size, dtype, here))
        return answer(question, size.constant(), dtype);
      return is_equal(size, 0, here);
    case NumberQuestion::is_special:
      for (int64_t special : {0, 1, 2, 3, -1, -2})
        if (is_equal(size, special, here)) return true;
      return false;
  }
  return false;
}

}  // namespace

bool ask(NumberQuestion question, Scalar value, DType dtype, Here here) {
  if (is_surely_so(question, value, dtype)) return true;
  if (value.is_symbolic()) return ask_of_size(question, value.size(), dtype, here);
  if (!value.is_traced()) return answer(question, value, dtype);
  const TracedNumber& number = value.traced_number();
  // A graph without a compilation, as a text gives it: nothing will run by this answer.
  check_owner(number, here);
  ShapeFacts* facts = active_shape_facts();
  return facts ? facts->numbers.ask(question, number, dtype, here) : answer(question, number.example, dtype);
}

void check_owner(const TracedNumber& number, Here here) {
  const ShapeFacts* facts = active_shape_facts();
  if (number.owner == 0 || (facts && facts->owner() == number.owner)) return;
  throw Error(
      ErrorKind::trace, users_line(here),
      facts ? "a number of another trace is used in this one" : "a number of a finished trace is used outside of it",
      {}, "keep numbers that a traced function was given inside that function, or return them");
}

Scalar fixed_number(const TracedNumber& number, Here here) {
  check_owner(number, here);
  ShapeFacts* facts = active_shape_facts();
  if (!facts)
    throw Error(ErrorKind::trace, here, "a number of a finished trace is used outside of it", {},
                "keep numbers that a traced function was given inside that function, or return them");
  facts->numbers.fix(number, here);
  return number.example;
}

int NumberFacts::add_result(const std::vector<int>& depends_on, std::vector<SymInt> sizes) {
  int id = arguments() + static_cast<int>(computed_.size());
  Origins origins{{}, std::move(sizes)};
  for (int other : depends_on) {
    Origins theirs = origins_of(other);
    for (int argument : theirs.arguments)
      if (std::ranges::find(origins.arguments, argument) == origins.arguments.end())
        origins.arguments.push_back(argument);
    origins.sizes.insert(origins.sizes.end(), theirs.sizes.begin(), theirs.sizes.end());
  }
  computed_[id] = std::move(origins);
  return id;
}

NumberFacts::Origins NumberFacts::origins_of(int id) const {
  auto found = computed_.find(id);
  return found == computed_.end() ? Origins{{id}, {}} : found->second;
}

bool NumberFacts::is_fixed(int argument) const {
  return std::ranges::any_of(guards_, [&](const NumberGuard& g) { return g.is_value && g.number == argument; });
}

std::string NumberFacts::identity() const {
  std::string text;
  for (const std::string& source : sources_) text += fmt::format("number {}\n", source);
  for (const auto& [id, origins] : computed_) {
    text += fmt::format("{} of", id);
    for (int argument : origins.arguments) text += fmt::format(" {}", argument);
    for (SymInt size : origins.sizes) text += fmt::format(" {}", sinter::to_string(size));
    text += '\n';
  }
  for (const NumberGuard& guard : guards_)
    text += fmt::format("{} {} {} {} {} {}:{}\n", guard.number, guard.is_value, static_cast<int>(guard.question),
                        static_cast<int>(guard.dtype), guard.holds, guard.where.file_name(), guard.where.line());
  return text;
}

namespace {

[[noreturn]] void fail_for_data(SymInt size, Here where) {
  std::vector<ErrorNote> notes;
  visit_symbols(size, [&](int symbol) {
    const std::string& made_by = active_shape_facts()->symbols().at(static_cast<size_t>(symbol)).made_by;
    if (!made_by.empty()) notes.push_back({"number", "from " + made_by});
  });
  throw Error(ErrorKind::trace, users_line(where),
              "item: a traced function has no data, so nothing can be decided by a value", std::move(notes),
              "use where(condition, a, b) in place of a branch on data");
}

}  // namespace

void NumberFacts::fix(const TracedNumber& number, Here where) {
  Origins origins = origins_of(number.id);
  for (SymInt size : origins.sizes) {
    if (is_unbacked(size)) fail_for_data(size, where);
    static_cast<void>(size.constant());
  }
  for (int argument : origins.arguments)
    if (!is_fixed(argument)) guards_.push_back({.number = argument, .is_value = true, .where = users_line(where)});
}

bool NumberFacts::ask(NumberQuestion question, const TracedNumber& number, DType dtype, Here where) {
  bool holds = answer(question, number.example, dtype);
  if (computed_.contains(number.id)) {
    fix(number, where);
    return holds;
  }
  bool is_known = is_fixed(number.id) || std::ranges::any_of(guards_, [&](const NumberGuard& g) {
                    return !g.is_value && g.number == number.id && g.question == question && g.dtype == dtype;
                  });
  if (!is_known) guards_.push_back({number.id, false, question, dtype, holds, users_line(where)});
  return holds;
}

std::string to_string(const NumberGuard& guard, const std::string& source) {
  std::string_view type = name(guard.dtype), no = guard.holds ? "" : "not ";
  switch (guard.question) {
    case NumberQuestion::fits:
    case NumberQuestion::fills:
      return fmt::format("{} {} into {}", source, guard.holds ? "fits" : "does not fit", type);
    case NumberQuestion::is_negative: return fmt::format("{} {} 0", source, guard.holds ? "<" : ">=");
    case NumberQuestion::is_zero: return fmt::format("{} is {}0 in {}", source, no, type);
    case NumberQuestion::is_special: return fmt::format("{} is {}an exponent with a formula of its own", source, no);
  }
  return source;
}

}  // namespace sinter::graph
