// Guards against arguments: the quick check and the search for the guard that failed agree.

#include <sinter/runtime/check_guards.h>

#include <sinter/runtime/write_guards.h>
#include <sinter/sinter.h>

#include "support/compiled.h"

namespace sinter::runtime {

namespace {

using test::strided_view;
using test::tensor_of;

Tensor ones_of(std::vector<int64_t> sizes, DType dtype = f32) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return tensor_of(std::vector<double>(count, 1), sizes, dtype);
}

struct Call {
  std::vector<Tensor> tensors;
  double number = 0.5;
};

// The guards of a function of these arguments that writes the tensors in `written`.
struct Guarded {
  Guarded(Call example, std::vector<bool> written, std::vector<int> leaders = {}) : call(std::move(example)) {
    FlatArguments flat = flatten_call(call);
    names.begin("list");
    flatten(names, call.tensors);
    names.begin("by");
    flatten(names, call.number);
    SharedMemory memory{std::move(leaders)};
    if (memory.leaders.empty())
      for (size_t i = 0; i < call.tensors.size(); ++i) memory.leaders.push_back(static_cast<int>(i));
    WrittenMemory facts{
        std::move(written), {}, std::vector<bool>(call.tensors.size()), std::vector<int64_t>(call.tensors.size())};
    std::vector<graph::NodeOutput> placeholders(call.tensors.size());
    guards = write_guards({flat, names, {}, memory, facts}, graph::Graph(), placeholders, Here());
    flat_guards = FlatGuards(guards, flat, {});
  }

  static FlatArguments flatten_call(const Call& call) {
    FlatArguments flat;
    FlattenArguments visitor(flat);
    flatten(visitor, call.tensors);
    flatten(visitor, call.number);
    return flat;
  }

  // Which guard fails and what was found, or nothing.
  std::string failure(const Call& other) const {
    FlatArguments flat = flatten_call(other);
    auto failure = first_failure(guards, flat, names.words, {});
    EXPECT_EQ(flat_guards.hold(flat), !failure.has_value());
    return failure ? to_string(*failure->guard) + ": " + failure->actual : "";
  }

  Call call;
  NameArguments names;
  std::vector<graph::Guard> guards;
  FlatGuards flat_guards;
};

TEST(CheckGuards, EachFactIsChecked) {
  Guarded guarded({{ones_of({2, 3}), Tensor()}}, {false, false});
  EXPECT_EQ(guarded.failure({{ones_of({2, 3}), Tensor()}}), "");
  EXPECT_EQ(guarded.failure({{ones_of({2, 3})}}), "list.size() == 2: 1");
  EXPECT_EQ(guarded.failure({{ones_of({2, 3}), Tensor()}, -0.0}), "by == 0.5: -0.0");
  EXPECT_EQ(guarded.failure({{Tensor(), Tensor()}}), "list[0] is defined: undefined");
  EXPECT_EQ(guarded.failure({{ones_of({2, 3}), ones_of({1})}}), "list[1] is undefined: defined");
  EXPECT_EQ(guarded.failure({{ones_of({2, 3}, f64), Tensor()}}), "list[0].dtype() == f32: f64");
  EXPECT_EQ(guarded.failure({{ones_of({6}), Tensor()}}), "list[0].dim() == 2: 1");
  EXPECT_EQ(guarded.failure({{ones_of({2, 4}), Tensor()}}), "list[0].size(1) == 3: 4");
  EXPECT_EQ(guarded.failure({{strided_view(ones_of({6}), {2, 3}, {1, 2}, 0), Tensor()}}), "list[0].stride(0) == 3: 1");
}

TEST(CheckGuards, WrittenMemoryOverlapsNothing) {
  Tensor base = ones_of({16});
  auto at = [&](int64_t offset) { return strided_view(base, {4}, {1}, offset); };
  Guarded guarded({{at(0), at(4), at(8)}}, {true, false, false});
  EXPECT_EQ(guarded.failure({{at(8), at(4), at(4)}}), "") << "what is only read may overlap";
  EXPECT_EQ(guarded.failure({{at(0), at(3), at(8)}}),
            "list[0] overlaps no other tensor: it overlaps tensor argument 1");
  EXPECT_EQ(guarded.failure({{at(4), at(0), at(7)}}),
            "list[0] overlaps no other tensor: it overlaps tensor argument 2");
}

TEST(CheckGuards, MemoryInCommonKeepsItsDistance) {
  Tensor base = ones_of({16});
  auto at = [&](int64_t offset) { return strided_view(base, {4}, {1}, offset); };
  Guarded guarded({{at(0), at(2), at(8)}}, {true, true, false}, {0, 0, 2});
  EXPECT_EQ(guarded.failure({{at(1), at(3), at(8)}}), "");
  EXPECT_EQ(guarded.failure({{at(1), at(4), at(8)}}), "list[1].data_ptr() - list[0].data_ptr() == 8 bytes: 12 bytes");
  EXPECT_EQ(guarded.failure({{at(0), at(2), at(5)}}),
            "list[1] overlaps no other tensor: it overlaps tensor argument 2");
}

TEST(CheckGuards, ManyTensorsAreComparedAsFewAre) {
  Tensor base = ones_of({200});
  auto at = [&](int64_t offset) { return strided_view(base, {4}, {1}, offset); };
  std::vector<Tensor> tensors;
  for (int64_t i = 0; i < 40; ++i) tensors.push_back(at(4 * i));
  std::vector<bool> written(40, false);
  written[7] = written[30] = true;
  Guarded guarded({tensors}, written);
  for (int64_t moved = 0; moved < 40; ++moved) {
    for (int64_t offset : {27, 28, 32, 100, 160, 180}) {
      Call other{tensors};
      other.tensors[moved] = at(offset);
      guarded.failure(other);  // expects both checks to agree
    }
  }
}

TEST(CheckGuards, TextsAreComparedInFull) {
  auto fast = compile([](const Tensor& x, const std::string& mode) { return mode == "a longer word" ? x + 1 : x * 2; });
  EXPECT_EQ(test::elements_of(fast(ones_of({1}), "a longer word"))[0], 2);
  EXPECT_EQ(test::elements_of(fast(ones_of({1}), "a longer work"))[0], 2);
  EXPECT_EQ(test::elements_of(fast(tensor_of({5}, {1}), "a longer wor"))[0], 10);
  EXPECT_EQ(fast.stats().compiles, 3);
}

}  // namespace

}  // namespace sinter::runtime
