// What a compilation relies on of the numbers that are inputs of its function: their values, where an op needed one, or
// the answer to a question about one.

#pragma once

#include <map>
#include <string>
#include <vector>

#include <sinter/graph/number.h>

namespace sinter::graph {

enum class NumberQuestion : uint8_t {
  fits,         // into an integer type
  fills,        // it: a negative integer may wrap in u8
  is_negative,  // below 0
  is_zero,      // once it is converted to the type
  is_special,   // an exponent for which pow has a formula of its own
};

// Of a number whose value is known.
bool answer(NumberQuestion question, Scalar value, DType dtype);
// The same; of an input of the function, as the example answers, which the entry then relies on.
bool ask(NumberQuestion question, Scalar value, DType dtype, Here here);

// Throws if the number belongs to another compilation than the one in progress.
void check_owner(const TracedNumber& number, Here here);

// The value of a traced number, which the entry then relies on.
Scalar fixed_number(const TracedNumber& number, Here here);

struct NumberGuard {
  int number = 0;  // an argument, by its id
  bool is_value = false;
  NumberQuestion question = NumberQuestion::fits;
  DType dtype = DType::i64;
  bool holds = true;
  Here where;
};

class NumberFacts {
 public:
  // Arguments are numbers 0, 1, ...; others are computed from those that they depend on, and from sizes.
  void add_argument(std::string source) { sources_.push_back(std::move(source)); }
  int add_result(const std::vector<int>& depends_on, std::vector<SymInt> sizes);

  void fix(const TracedNumber& number, Here where);
  bool ask(NumberQuestion question, const TracedNumber& number, DType dtype, Here where);

  // All of it as text: equal texts answer alike.
  std::string identity() const;

  bool is_fixed(int argument) const;
  const std::vector<NumberGuard>& guards() const { return guards_; }
  const std::string& source(int argument) const { return sources_[static_cast<size_t>(argument)]; }
  int arguments() const { return static_cast<int>(sources_.size()); }

 private:
  struct Origins {
    std::vector<int> arguments;
    std::vector<SymInt> sizes;
  };
  Origins origins_of(int id) const;

  std::vector<std::string> sources_;
  std::map<int, Origins> computed_;
  std::vector<NumberGuard> guards_;
};

// `lr does not fit into u8`, for a log.
std::string to_string(const NumberGuard& guard, const std::string& source);

}  // namespace sinter::graph
