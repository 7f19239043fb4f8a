// What must hold for every program: eager agrees with the naive reference, compiled with eager bit for bit, and the
// graph's text reads back. Each check gives the first difference in words, or nothing.

#pragma once

#include "properties/random_program.h"

#include <sinter/runtime/options.h>

#include <functional>

namespace sinter::test {

// Runs the calls one by one. Each must give what the reference makes of the values that it was given, and write nowhere
// else. Counts the calls that the reference knows.
std::string difference_from_reference(const RandomProgram& program, int* compared = nullptr);

// The same of the writes alone, for calls that the reference does not know.
std::string stray_write_of(const RandomProgram& program);

// Results, their layouts, and the inputs afterwards, of two calls.
std::string difference_from_eager(const RandomProgram& program, const Options& options, int threads);

std::string difference_after_parsing(const RandomProgram& program);

// A smaller program that fails too: fewer results, fewer calls, fewer inputs.
RandomProgram shrink(RandomProgram program, const std::function<std::string(const RandomProgram&)>& check);

}  // namespace sinter::test
