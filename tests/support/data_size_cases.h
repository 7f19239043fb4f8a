// A table of functions of tensors whose size only data tell, each run at many counts: compiled equals eager bit for bit
// with one compile, or says in the user's line which size it cannot have.

#pragma once

#include <sinter/sinter.h>

#include <cstdlib>
#include <functional>

#include "support/compiled.h"
#include "support/test_device.h"

namespace sinter::test {

// Of the rows that a mask has chosen.
struct Chosen {
  Tensor r;  // [u0, 4]
  Tensor c;  // [u0]: a column of them
  Tensor i;  // i64[u0], from 0 to 3
  Tensor q;  // [u1, 4]: rows that another mask has chosen, as many
};

struct DataSizeCase {
  const char* text;
  std::function<std::vector<Tensor>(const Chosen&)> function;
  Here where = Here::current();
  std::vector<int64_t> refused = {};  // counts for which the program says that it cannot have them; eager can
  std::string because = {};           // what it says
  std::vector<int64_t> laid_out_otherwise =
      {};  // counts at which eager's result happens to be a view with other strides

  DataSizeCase refuses(std::vector<int64_t> counts, std::string says) const {
    DataSizeCase changed = *this;
    changed.refused = std::move(counts);
    changed.because = std::move(says);
    return changed;
  }
  // Already where it is compiled.
  DataSizeCase needs_a_number() const { return refuses({7, 0, 1, 1000, 2}, "only data tell that size"); }
  DataSizeCase is_laid_out_otherwise_at(int64_t count) const {
    DataSizeCase changed = *this;
    changed.laid_out_otherwise = {count};
    return changed;
  }
};

// All tensors of a result.
inline std::vector<Tensor> all_of(const Values& values) {
  std::vector<Tensor> tensors;
  for (const Value& value : values) {
    if (value.is_tensor()) tensors.push_back(value.tensor());
    if (value.is_list())
      for (const Value& element : value.list()) tensors.push_back(element.tensor());
  }
  return tensors;
}
template <class T>
std::vector<Tensor> all_of(T value) {
  return tensors_of(std::move(value));
}

#define SINTER_ROWS(...)                                  \
  DataSizeCase {                                          \
    #__VA_ARGS__, [](const Chosen& chosen) {              \
      [[maybe_unused]] const auto& [r, c, i, q] = chosen; \
      return all_of(__VA_ARGS__);                         \
    }                                                     \
  }

class DataSizeCases {
 public:
  explicit DataSizeCases(const std::vector<DataSizeCase>& cases) {
    if (!test_device().is_cpu()) return;
    size_t step = std::getenv("SINTER_TEST_SHORT") ? 8 : 1;
    for (size_t i = 0; i < cases.size(); i += step) check(cases[i]);
  }

 private:
  static constexpr int64_t height = 1004;

  static Tensor rows() {
    std::vector<double> values;
    for (int64_t i = 0; i < height * 4; ++i)
      values.push_back(static_cast<double>(i * 37 % (height * 4) - 1900) / 1024 + 0.125 * static_cast<double>(i % 3));
    return tensor_of(values, {height, 4});
  }
  static Tensor mask_of(int64_t count, int64_t start) {
    std::vector<double> values(height, 0);
    for (int64_t i = 0; i < count; ++i) values[static_cast<size_t>((i * 5 + start) % height)] = 1;
    return tensor_of(values, {height}, boolean);
  }

  static bool has(const std::vector<int64_t>& counts, int64_t count) {
    return std::ranges::find(counts, count) != counts.end();
  }

  static void check(const DataSizeCase& each) {
    SCOPED_TRACE(each.text);
    auto f = [&](const Tensor& x, const Tensor& mask, const Tensor& other) {
      Tensor r = index(x, {mask});
      Tensor c = r.select(1, 1).contiguous();
      return each.function({r, c, (abs(c) * 7).to(i64) % 4, index(x, {other})});
    };
    auto fast = compile(f);
    for (int64_t count : {7, 0, 1, 1000, 2}) {
      SCOPED_TRACE(fmt::format("{} rows", count));
      Tensor x = rows(), mask = mask_of(count, 0), other = mask_of(count, 3);
      auto [expected, expected_error] = outcome(f, x, mask, other);
      auto [actual, error] = outcome(fast, x, mask, other);
      if (expected_error || has(each.refused, count))
        expect_refusal(each, expected_error, error);
      else if (error)
        ADD_FAILURE() << error->what();
      else
        expect_equal(actual, expected, has(each.laid_out_otherwise, count));
    }
    EXPECT_LE(fast.stats().compiles, 1);
  }

  template <class F>
  static std::pair<std::vector<Tensor>, std::optional<Error>> outcome(F& function, const Tensor& x, const Tensor& mask,
                                                                      const Tensor& other) {
    try {
      return {function(x, mask, other), std::nullopt};
    } catch (const Error& error) {
      return {{}, error};
    }
  }

  static void expect_refusal(const DataSizeCase& each, const std::optional<Error>& eager,
                             const std::optional<Error>& error) {
    ASSERT_TRUE(error) << (eager ? eager->what() : "it is right, and listed as refused");
    EXPECT_NE(error->kind(), ErrorKind::internal) << error->what();
    if (eager) return;
    EXPECT_NE(std::string(error->what()).find(each.because), std::string::npos) << error->what();
    EXPECT_STREQ(error->where().file_name(), each.where.file_name()) << error->what();
    EXPECT_GE(error->where().line() + 8, each.where.line()) << error->what();
    EXPECT_LE(error->where().line(), each.where.line() + 8) << error->what();
  }

  static void expect_equal(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected, bool otherwise) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      expect_same_bits(otherwise ? actual[i].contiguous() : actual[i],
                       otherwise ? expected[i].contiguous() : expected[i], fmt::format("result {}", i));
  }
};

}  // namespace sinter::test
