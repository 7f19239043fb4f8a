// Each kind of quotient along a row: the first value by division, the next ones by what a step changes.

#include <sinter/runtime/interpreter/index_steps.h>

#include <algorithm>

namespace sinter::runtime {

using fusion::QuotientKind;

namespace {

int64_t quotient_of(int64_t value, int64_t divisor) {
  return fusion::evaluate(QuotientKind::floor_div, value, divisor);
}
int64_t remainder_of(int64_t value, int64_t divisor) { return fusion::evaluate(QuotientKind::mod, value, divisor); }

// A remainder that goes round as its operand takes even steps.
class Round {
 public:
  Round(int64_t start, int64_t step, int64_t period)
      : at_(remainder_of(start, period)), step_(remainder_of(step, period)), period_(period) {}
  int64_t at() const { return at_; }
  // True if it went round.
  bool advance() {
    at_ += step_;
    bool goes_round = at_ >= period_;
    at_ -= goes_round ? period_ : 0;
    return goes_round;
  }

 private:
  int64_t at_, step_, period_;
};

void add_row(int64_t* out, QuotientKind kind, int64_t coef, int64_t divisor, int64_t start, int64_t step,
             int64_t count) {
  switch (kind) {
    case QuotientKind::floor_div: {
      Round rest(start, step, divisor);
      int64_t quotient = quotient_of(start, divisor), by = quotient_of(step, divisor);
      for (int64_t i = 0; i < count; ++i) {
        out[i] += coef * quotient;
        quotient += by + rest.advance();
      }
      return;
    }
    case QuotientKind::mod: {
      Round rest(start, step, divisor);
      for (int64_t i = 0; i < count; ++i, rest.advance()) out[i] += coef * rest.at();
      return;
    }
    case QuotientKind::clamp:
      for (int64_t i = 0; i < count; ++i) out[i] += coef * std::clamp<int64_t>(start + i * step, 0, divisor - 1);
      return;
    case QuotientKind::mirror: {
      int64_t period = std::max<int64_t>(2 * divisor - 2, 1);
      Round phase(start, step, period);
      for (int64_t i = 0; i < count; ++i, phase.advance()) out[i] += coef * std::min(phase.at(), period - phase.at());
      return;
    }
  }
}

}  // namespace

void add_quotients(int64_t* out, QuotientKind kind, int64_t coef, int64_t divisor, int64_t start,
                   std::span<const int64_t> extents, std::span<const int64_t> strides) {
  if (extents.size() <= 1) {
    bool is_point = extents.empty();
    return add_row(out, kind, coef, divisor, start, is_point ? 0 : strides[0], is_point ? 1 : extents[0]);
  }
  int64_t inner = 1;
  for (int64_t extent : extents.subspan(1)) inner *= extent;
  for (int64_t i = 0; i < extents[0]; ++i)
    add_quotients(out + i * inner, kind, coef, divisor, start + i * strides[0], extents.subspan(1), strides.subspan(1));
}

}  // namespace sinter::runtime
