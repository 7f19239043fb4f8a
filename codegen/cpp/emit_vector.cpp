// Loops along the vector axis: whole vectors, then what is left of one.

#include <sinter/codegen/cpp/kernel_printer.h>

namespace sinter::codegen {

namespace {

// A loop over all of a symbolic extent is one over a part that is known at run time only.
VectorLoop with_known_extent(VectorLoop loop, const std::string& extent, int64_t step) {
  loop.is_whole = false;
  loop.end = extent;
  loop.ends_aligned = is_multiple(loop.extent, step);
  return loop;
}

}  // namespace

void KernelPrinter::print_vector_loop(const VectorLoop& given, const InsideVector& inside) {
  if (given.strip > 1) return print_strip_loop(given, inside);
  if (given.line) return print_line_loop(given, inside);
  if (given.is_whole && !given.extent.is_constant()) {  // in a block: other nests have loops of that name
    code_.open("");
    print_vector_loop(with_known_extent(given, context_.size_text(given.extent), context_.lanes), inside);
    return code_.close();
  }
  const VectorLoop& loop = given;
  std::string i = axis_name(loop.axis);
  int lanes = context_.lanes;
  VectorPlace place{loop.axis, LaneCount::all, "N", loop.aligned, 1};
  int64_t extent = loop.is_whole ? loop.extent.constant() : 0, rest = extent % lanes;
  std::string end = loop.is_whole ? fmt::format("{}", extent) : loop.end;
  if (loop.is_whole ? rest == 0 : loop.ends_aligned) {
    code_.open(fmt::format("for (long {0} = {1}; {0} < {2}; {0} += N)", i, loop.begin, end));
    inside(place, i);
    return code_.close();
  }
  VectorPlace partial = place;
  if (loop.is_whole && extent < lanes) {
    code_.open("");
    code_.print("const long {} = 0;", i);
    partial.kind = LaneCount::some;
    partial.count = end;
    inside(partial, i);
    return code_.close();
  }
  if (loop.merges_tail) {
    context_.need("at_most");
    code_.open(fmt::format("for (long {0} = {1}; {0} < {2}; {0} += N)", i, loop.begin, end));
    code_.print("const long n = at_most(N, {} - {});", end, i);
    partial.kind = LaneCount::up_to;
    partial.count = "n";
    inside(partial, i);
    return code_.close();
  }
  partial.kind = LaneCount::some;
  if (loop.is_whole) {
    code_.open(fmt::format("for (long {0} = 0; {0} < {1}; {0} += N)", i, extent - rest));
    inside(place, i);
    code_.close();
    code_.open("");
    code_.print("const long {} = {};", i, extent - rest);
    partial.count = fmt::format("{}", rest);
  } else {
    code_.print("long {} = {};", i, loop.begin);
    code_.open(fmt::format("for (; {0} + N <= {1}; {0} += N)", i, end));
    inside(place, i);
    code_.close();
    code_.open(fmt::format("if ({} < {})", i, end));
    code_.print("const long n = {} - {};", end, i);
    partial.count = "n";
  }
  inside(partial, i);
  code_.close();
}

// Strips, then the vectors that are left one at a time.
void KernelPrinter::print_strip_loop(const VectorLoop& loop, const InsideVector& inside) {
  int64_t step = int64_t{loop.strip} * context_.lanes;
  if (loop.is_whole && !loop.extent.is_constant()) {
    code_.open("");
    print_strip_loop(with_known_extent(loop, context_.size_text(loop.extent), step), inside);
    return code_.close();
  }
  std::string i = axis_name(loop.axis);
  int64_t extent = loop.is_whole ? loop.extent.constant() : 0, rest_begin = extent / step * step;
  std::string end = loop.is_whole ? fmt::format("{}", extent) : loop.end;
  VectorPlace place{loop.axis, LaneCount::all, "N", loop.aligned, loop.strip};
  bool has_rest = loop.is_whole ? extent % step != 0 : !loop.ends_aligned;
  std::string strip = i + "_strip";
  if (is_long_strip(loop.strip)) return print_long_strips(loop, strip, end, inside);
  auto print_strips = [&](const std::string& head) {
    code_.open(head);
    inside(place, strip);
    code_.close();
  };
  if (!has_rest)
    return print_strips(
        fmt::format("for (long {0} = {1}; {0} < {2}; {0} += {3} * N)", strip, loop.begin, end, loop.strip));
  VectorLoop rest = loop;
  rest.strip = 1;
  rest.merges_tail = true;
  rest.is_whole = false;
  rest.ends_aligned = loop.is_whole && extent % context_.lanes == 0;
  rest.end = end;
  if (loop.is_whole && rest_begin == 0) {
    rest.begin = "0";
  } else {
    code_.print("long {} = {};", strip, loop.begin);
    print_strips(fmt::format("for (; {0} + {3} * N <= {2}; {0} += {3} * N)", strip, loop.begin, end, loop.strip));
    rest.begin = strip;
  }
  print_vector_loop(rest, inside);
}

// As many whole vectors as there are, up to the strip's length; then what is left of one.
void KernelPrinter::print_long_strips(const VectorLoop& loop, const std::string& strip, const std::string& end,
                                      const InsideVector& inside) {
  context_.need("at_most");
  VectorPlace place{loop.axis, LaneCount::all, "N", loop.aligned, loop.strip};
  bool has_rest = !is_multiple(loop.extent, context_.lanes);
  std::string longest = longest_strip(loop.strip);
  if (has_rest) code_.print("long {} = {};", strip, loop.begin);
  std::string start = has_rest ? "" : fmt::format("long {} = {}", strip, loop.begin);
  code_.open(fmt::format("for ({1}; {0} + N <= {2};)", strip, start, end));
  code_.print("const long vectors = at_most({}, ({} - {}) / N);", longest, end, strip);
  inside(place, strip);
  code_.print("{} += vectors * N;", strip);
  code_.close();
  if (!has_rest) return;
  VectorLoop rest = loop;
  rest.strip = 1;
  rest.merges_tail = true;
  rest.is_whole = rest.ends_aligned = false;
  rest.begin = strip;
  rest.end = end;
  print_vector_loop(rest, inside);
}

void KernelPrinter::in_strip(BodyPrinter& printer, const Inside& inside) {
  if (strip_.strip == 1) return inside();
  std::string i = axis_name(strip_.axis);
  code_.directive(is_long_strip(strip_.strip) ? "#pragma GCC unroll 1" : "#pragma GCC unroll 8");
  code_.open(fmt::format("for (long s = 0; s < {}; ++s)", strip_count()));
  code_.print("const long {} = {} + s * N;", i, strip_base_);
  printer.push_scope();
  printer.set_vector(strip_, i);
  printer.print_values();
  inside();
  printer.pop_scope();
  code_.close();
}

void KernelPrinter::in_vectors(BodyPrinter& printer, const VectorLoop& loop, const Inside& inside) {
  print_vector_loop(loop, [&](const VectorPlace& place, const std::string& text) {
    printer.push_scope();
    if (place.strip == 1) {
      printer.set_vector(place, text);
      printer.print_values();
      print_prefetch(printer);
    } else {
      strip_ = place;
      strip_base_ = text;
    }
    inside();
    strip_ = {};
    printer.pop_scope();
  });
}

}  // namespace sinter::codegen
