// Makes tensors without using operators, runs functions both ways, and compares with plain numbers.

#include "cases/known_answers.h"

#include <gtest/gtest.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/cuda/stream.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "reference/array.h"
#include "support/test_device.h"

namespace sinter::test {

namespace {

constexpr int64_t lengths[] = {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 1000};

// Lengths around a CPU's vectors say nothing of a CUDA device, and each costs it a few compiles.
bool is_tried(int64_t length) { return placement().is_cpu() || length == 3 || length == 17 || length == 1000; }

void release(StorageImpl& storage) noexcept { ::operator delete(storage.data, std::align_val_t{64}); }

Tensor allocate(DType dtype, Layout layout, int64_t elements) {
  auto* impl = new StorageImpl;
  impl->bytes = elements * byte_size(dtype);
  impl->data = ::operator new(impl->bytes + 1, std::align_val_t{64});
  std::memset(impl->data, 0x55, impl->bytes);
  impl->release = release;
  return Tensor({dtype, cpu, std::move(layout)}, Storage(impl));
}

void store(DType dtype, std::byte* at, double value) {
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    T element;
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      element = static_cast<T>(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, int64_t>)
      element = value >= 0x1p63 ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(value);
    else
      element = static_cast<T>(value);
    std::memcpy(at, &element, sizeof element);
  });
}

void fill(const Tensor& tensor, const std::vector<double>& values) {
  std::vector<int64_t> sizes = sizes_of(tensor), strides = strides_of(tensor), index(sizes.size());
  if (values.empty()) return;
  auto* base = static_cast<std::byte*>(tensor.storage()->data);
  size_t next = 0;
  do {
    int64_t position = tensor.storage_offset().constant();
    for (size_t dim = 0; dim < index.size(); ++dim) position += index[dim] * strides[dim];
    store(tensor.dtype(), base + position * byte_size(tensor.dtype()), values.at(next++));
  } while (reference::advance(index, sizes));
}

std::vector<int64_t> to_vector(const SymDims& dims) {
  std::vector<int64_t> result;
  for (SymInt dim : dims) result.push_back(dim.constant());
  return result;
}

std::vector<double> repeated(const std::vector<double>& pattern, int64_t length) {
  std::vector<double> values;
  for (int64_t i = 0; i < length; ++i) values.push_back(pattern[i % pattern.size()]);
  return values;
}

std::vector<double> negated(std::vector<double> values, DType dtype) {
  for (double& value : values) {
    value = is_floating(dtype) ? -value : 0 - value;
    if (!is_floating(dtype)) value = static_cast<double>(reference::wrap_integer(dtype, static_cast<int64_t>(value)));
  }
  return values;
}

Tensor negate(const Tensor& x) { return op("aten::neg", x); }

Tensors negate_all(Tensors tensors) {
  for (Tensor& tensor : tensors) tensor = negate(tensor);
  return tensors;
}

double unit_of(DType dtype, double value) {
  int precision = dtype == DType::f16 ? 11 : dtype == DType::bf16 ? 8 : dtype == DType::f32 ? 24 : 53;
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1, exponent - precision);
}

bool agrees(double got, double want, double ulps, DType dtype) {
  if (std::isnan(want)) return std::isnan(got);
  if (ulps == 0 || std::isinf(want)) return got == want && std::signbit(got) == std::signbit(want);
  if (want == 0) return got == 0;
  return std::abs(got - want) <= ulps * unit_of(dtype, want);
}

std::vector<std::vector<double>> values_of_all(const Tensors& tensors) {
  std::vector<std::vector<double>> values;
  for (const Tensor& tensor : tensors) values.push_back(values_of(tensor));
  return values;
}

// Checks of data that are still on their way say what they have to say.
void wait_for_checks() {
  for (bool is_quiet = placement().is_cpu(); !is_quiet;) {
    try {
      cuda::synchronize();
      is_quiet = true;
    } catch (const Error&) {
    }
  }
}

void expect_unchanged(const Tensors& inputs, const std::vector<std::vector<double>>& before) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE(fmt::format("input {} afterwards", i));
    expect_values(inputs[i], before[i]);
  }
}

}  // namespace

Tensor make(DType dtype, std::vector<int64_t> sizes, const std::vector<double>& values) {
  Tensor tensor =
      allocate(dtype, contiguous_layout(SymDims(sizes.begin(), sizes.end())), reference::element_count(sizes));
  fill(tensor, values);
  return on_device(tensor, placement());
}

Tensor make(DType dtype, const std::vector<double>& values) {
  return make(dtype, {static_cast<int64_t>(values.size())}, values);
}

Tensor scalar(DType dtype, double value) { return make(dtype, std::vector<int64_t>{}, {value}); }

Tensor count_up(DType dtype, std::vector<int64_t> sizes, double first) {
  std::vector<double> values(reference::element_count(sizes));
  for (size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<double>(i);
  return make(dtype, std::move(sizes), values);
}

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values;
  for (const reference::Number& value : reference::read(tensor).values)
    values.push_back(is_floating(tensor.dtype()) ? value.f : static_cast<double>(value.i));
  return values;
}

std::vector<int64_t> sizes_of(const Tensor& tensor) { return to_vector(tensor.sizes()); }
std::vector<int64_t> strides_of(const Tensor& tensor) { return to_vector(tensor.strides()); }

Tensor placed(const Tensor& dense, Placement placement) {
  Layout layout = dense.layout();
  int64_t stride = placement == Placement::sliced ? 2 : 1;
  for (int64_t i = 0; i < layout.rank(); ++i) {
    int64_t dim = placement == Placement::transposed ? i : layout.rank() - 1 - i;
    layout.strides[dim] = stride;
    stride *= layout.sizes[dim].constant() + (placement == Placement::sliced ? 1 : 0);
  }
  layout.offset = placement == Placement::sliced ? 5 : 0;
  Tensor tensor = allocate(dense.dtype(), layout, stride + 6);
  fill(tensor, values_of(dense));
  return on_device(tensor, test::placement());
}

void expect_values(const Tensor& got, const std::vector<double>& want, double ulps) {
  std::vector<double> values = values_of(got);
  ASSERT_EQ(values.size(), want.size()) << to_string(got.meta());
  for (size_t i = 0; i < want.size(); ++i)
    if (!agrees(values[i], want[i], ulps, got.dtype())) {
      ADD_FAILURE() << fmt::format("element {} of {} is {:.17g}, want {:.17g}", i, to_string(got.meta()), values[i],
                                   want[i]);
      return;
    }
}

void in_both_modes(const std::function<Tensors()>& make_inputs, const Function& function,
                   const std::function<void(const Tensors&, const Tensors&)>& check) {
  {
    SCOPED_TRACE("eager");
    Tensors inputs = make_inputs();
    check(function(inputs), inputs);
  }
  auto compiled = compile([&](Tensors inputs) { return function(std::move(inputs)); });
  for (const char* call : {"compiled, first call", "compiled, second call"}) {
    SCOPED_TRACE(call);
    Tensors inputs = make_inputs();
    check(compiled(inputs), inputs);
  }
}

void expect_results(const Tensors& inputs, const Function& function, const std::vector<std::vector<double>>& want,
                    double ulps) {
  bool has_order = std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.dim() > 1; });
  for (Placement placement : all_placements) {
    if (placement == Placement::transposed && !has_order) continue;
    auto make_inputs = [&] {
      Tensors copies;
      for (const Tensor& input : inputs) copies.push_back(placed(input, placement));
      return copies;
    };
    SCOPED_TRACE(fmt::format("placement {}", static_cast<int>(placement)));
    in_both_modes(make_inputs, function, [&](const Tensors& results, const Tensors& after) {
      ASSERT_EQ(results.size(), want.size());
      for (size_t i = 0; i < want.size(); ++i) {
        SCOPED_TRACE(fmt::format("result {}", i));
        expect_values(results[i], want[i], ulps);
      }
      expect_unchanged(after, values_of_all(inputs));
    });
    if (::testing::Test::HasFailure()) return;
  }
}

void expect_pointwise(const PointwiseAnswer& answer) {
  auto alone = [&](Tensors x) -> Tensors { return {answer.function(x)}; };
  auto fused = [&](Tensors x) -> Tensors { return {negate(answer.function(negate_all(x)))}; };
  auto also_returned = [&](Tensors x) -> Tensors {
    Tensor value = answer.function(x);
    return {value, negate(value)};
  };
  bool negates = answer.dtype != boolean;
  for (DType dtype : answer.input_dtypes) negates &= dtype != boolean;
  for (int64_t length : lengths) {
    if (!is_tried(length)) continue;
    SCOPED_TRACE(fmt::format("length {}", length));
    std::vector<double> want = repeated(answer.want, length);
    std::vector<double> minus_want = negated(want, answer.dtype);
    std::vector<int64_t> sizes = length == 1000 ? std::vector<int64_t>{8, 125} : std::vector<int64_t>{length};
    Tensors inputs, minus_inputs;
    for (size_t i = 0; i < answer.inputs.size(); ++i) {
      std::vector<double> values = repeated(answer.inputs[i], length);
      inputs.push_back(make(answer.input_dtypes[i], sizes, values));
      if (negates) minus_inputs.push_back(make(answer.input_dtypes[i], sizes, negated(values, answer.input_dtypes[i])));
    }
    expect_results(inputs, alone, {want}, answer.ulps);
    if (negates && (length == 3 || length == 17 || length == 1000)) {
      expect_results(minus_inputs, fused, {minus_want}, answer.ulps);
      expect_results(inputs, also_returned, {want, minus_want}, answer.ulps);
    }
    EXPECT_EQ(answer.function(inputs).dtype(), answer.dtype);
    if (::testing::Test::HasFailure()) return;
  }
}

void expect_error(const std::function<Tensors()>& make_inputs, const Function& function, ErrorKind kind,
                  std::string_view message_part) {
  auto expect = [&](const std::function<void(Tensors)>& call) {
    Tensors inputs = make_inputs();
    auto before = values_of_all(inputs);
    try {
      call(inputs);
      if (!placement().is_cpu()) cuda::synchronize();  // what only the data tell is known there at the latest
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(name(error.kind()), name(kind)) << error.what();
      EXPECT_NE(std::string_view(error.what()).find(message_part), std::string_view::npos) << error.what();
    }
    wait_for_checks();
    expect_unchanged(inputs, before);
  };
  {
    SCOPED_TRACE("eager");
    expect([&](Tensors inputs) { function(std::move(inputs)); });
  }
  SCOPED_TRACE("compiled");
  auto compiled = compile([&](Tensors inputs) { return function(std::move(inputs)); });
  expect([&](Tensors inputs) { compiled(inputs); });
}

}  // namespace sinter::test
