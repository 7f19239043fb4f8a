// check_range: the error of an op whose elements must lie in a range.

#include <sinter/runtime/routines/routine.h>

namespace sinter::runtime::routines {

namespace {

// NaN is in no range.
bool is_within(Scalar value, Scalar least, Scalar most) {
  if (value.is_floating()) return value.to_double() >= least.to_double() && value.to_double() <= most.to_double();
  return value.to_int() >= least.to_int() && value.to_int() <= most.to_int();
}

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  size_t place = text.find(from);
  if (place != std::string::npos) text.replace(place, from.size(), to);
  return text;
}

// The extremes of nothing: no element is both.
bool are_of_nothing(Scalar lowest, Scalar highest) {
  if (lowest.is_floating()) return lowest.to_double() > highest.to_double();
  return lowest.to_int() > highest.to_int();
}

}  // namespace

void check_range_default(const OpArgs& args, Results) {
  Scalar lowest = args[0].tensor().item(args.here()), highest = args[1].tensor().item(args.here());
  if (are_of_nothing(lowest, highest)) return;
  for (Scalar value : {lowest, highest}) {
    if (is_within(value, args.scalar("least"), args.scalar("most"))) continue;
    std::string size = args.scalar("most").is_floating() ? "" : std::to_string(args.scalar("most").to_int() + 1);
    std::string what = replaced(replaced(args["what"].string(), "{}", to_string(value)), "{size}", size);
    throw Error(ErrorKind::argument, args.here(), std::move(what), {}, replaced(args["need"].string(), "{size}", size));
  }
}

}  // namespace sinter::runtime::routines
