// Programs over all operators: every one is drawn, eager and traced agree about each call, compiled equals eager bit
// for bit on one to three threads and every instruction set.
//
// SINTER_PROPERTY_COUNT and SINTER_PROPERTY_SEED choose how many programs, and the first one's seed (the long run:
// 100000); SINTER_PROPERTY_DRAWS names a file for the table of draws; SINTER_PROPERTY_CALLS=1 prints each call before
// it is made; with SINTER_TEST_SHORT=1 there are a tenth as many.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>

#include "properties/check_program.h"
#include "properties/op_program.h"

namespace sinter::test {
namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Their results are numbers, or as large as the data say: they run eager only, and tracing names them.
const std::set<std::string, std::less<>>& eager_only_ops() {
  static const std::set<std::string, std::less<>> ops = {
      "aten::_unique.default",
      "aten::_unique2.default",
      "aten::allclose.default",
      "aten::argwhere.default",
      "aten::bincount.default",
      "aten::equal.default",
      "aten::masked_select.default",
      "aten::narrow.Tensor",
      "aten::nonzero.default",
      "aten::nonzero_numpy.default",
      "aten::tensor_split.tensor_indices_or_sections",
      "aten::unique_consecutive.default",
      "aten::unique_dim.default",
      "aten::unique_dim_consecutive.default",
  };
  return ops;
}

double refused_share(const DrawCount& count) {
  return static_cast<double>(count.refused) /
         static_cast<double>(std::max<int64_t>(count.refused + count.accepted + count.eager_only, 1));
}

void write_table(const DrawCounts& counts) {
  int64_t accepted = 0, refused = 0;
  for (const auto& [op, count] : counts) {
    accepted += count.accepted;
    refused += count.refused;
  }
  std::cout << fmt::format("{} calls drawn, {} refused\n", accepted, refused);
  const char* path = std::getenv("SINTER_PROPERTY_DRAWS");
  if (!path) return;
  std::ofstream file(path);
  file << "op\taccepted\teager only\trefused\trefused share\tlast refusal\n";
  for (const auto& [op, count] : counts) {
    std::string refusal = count.last_refusal;
    std::replace(refusal.begin(), refusal.end(), '\n', ' ');
    file << fmt::format("{}\t{}\t{}\t{}\t{:.2f}\t{}\n", op, count.accepted, count.eager_only, count.refused,
                        refused_share(count), refusal);
  }
}

TEST(OpPrograms, EveryOpIsDrawn) {
  DrawCounts counts;
  int64_t rounds = 3;
  for (uint64_t seed = 1; seed <= rounds * seeds_for_every_op(); ++seed) {
    try {
      random_op_program(seed, counts);
    } catch (const Fault& fault) {
      ADD_FAILURE() << "seed " << seed << ": " << fault.what();
    }
  }
  write_table(counts);
  for (const OpDef* op : drawn_ops()) {
    const DrawCount& count = counts[op->name()];
    bool is_eager_only = eager_only_ops().contains(op->name());
    if (is_eager_only)
      EXPECT_GT(count.eager_only, 0) << op->name() << " is traced; take it off the list";
    else
      EXPECT_GT(count.accepted, 0) << op->name() << ": eager only " << count.eager_only << ", refused " << count.refused
                                   << " times, last: " << count.last_refusal;
  }
}

constexpr int most_failures = 5;

std::vector<runtime::Isa> supported_isas() {
  std::vector<runtime::Isa> isas;
  for (runtime::Isa isa : {runtime::Isa::sse42, runtime::Isa::avx2, runtime::Isa::avx512})
    if (runtime::is_supported(isa)) isas.push_back(isa);
  return isas;
}

// Calls check(seed, program) for each seed, and prints a shrunk program where it says something.
template <class Check>
void check_op_programs(uint64_t usual, const Check& check) {
  uint64_t first = from_environment("SINTER_PROPERTY_SEED", 1);
  if (from_environment("SINTER_TEST_SHORT", 0) == 1) usual /= 10;
  uint64_t count = from_environment("SINTER_PROPERTY_COUNT", usual);
  DrawCounts counts;
  int failures = 0;
  uint64_t seed = first;
  for (; seed < first + count && failures < most_failures; ++seed) {
    try {
      RandomProgram program = random_op_program(seed, counts);
      std::string difference = check(seed, program);
      if (difference.empty()) continue;
      ++failures;
      RandomProgram small = shrink(program, [&](const RandomProgram& part) { return check(seed, part); });
      ADD_FAILURE() << check(seed, small) << "\n" << describe(small);
    } catch (const Fault& fault) {
      ++failures;
      ADD_FAILURE() << "seed " << seed << ": " << fault.what();
    } catch (const Error& error) {
      ++failures;
      ADD_FAILURE() << "seed " << seed << ": " << error.what();
    }
  }
  std::cout << fmt::format("{} programs, {} differ\n", seed - first, failures);
  write_table(counts);
}

TEST(OpPrograms, CompiledEqualsEagerBitForBit) {
  std::vector<runtime::Isa> isas = supported_isas();
  check_op_programs(seeds_for_every_op(), [&](uint64_t seed, const RandomProgram& program) {
    Options options;
    if (!isas.empty()) options.isa = isas[seed / 3 % isas.size()];
    return difference_from_eager(program, options, static_cast<int>(1 + seed % 3));
  });
}

TEST(OpPrograms, EagerWritesOnlyWhatItsCallsWrite) {
  check_op_programs(seeds_for_every_op(),
                    [](uint64_t, const RandomProgram& program) { return stray_write_of(program); });
}

}  // namespace
}  // namespace sinter::test
