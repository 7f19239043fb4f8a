// check_range: the error of an op whose elements must lie in a range.

#include <sinter/runtime/routines/routine.h>

namespace sinter::runtime::routines {

namespace {

// NaN is in no range.
bool is_within(Scalar value, Scalar least, Scalar most) {
  if (value.is_floating()) return value.to_double() >= least.to_double() && value.to_double() <= most.to_double();
  return value.to_int() >= least.to_int() && value.to_int() <= most.to_int();
}

std::string with_value(std::string text, Scalar value) {
  size_t place = text.find("{}");
  if (place != std::string::npos) text.replace(place, 2, to_string(value));
  return text;
}

}  // namespace

void check_range_default(const OpArgs& args, Results) {
  for (std::string_view extreme : {"lowest", "highest"}) {
    Scalar value = args[extreme].tensor().item(args.here());
    if (is_within(value, args.scalar("least"), args.scalar("most"))) continue;
    throw Error(ErrorKind::argument, args.here(), with_value(args["what"].string(), value), {}, args["need"].string());
  }
}

}  // namespace sinter::runtime::routines
