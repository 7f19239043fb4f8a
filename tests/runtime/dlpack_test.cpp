// Memory that goes to another library and comes from it.

#include <sinter/runtime/dlpack.h>
#include <sinter/sinter.h>

#include "support/same_bits.h"
#include "support/test_device.h"

namespace sinter::test {

namespace {

using namespace dlpack;

// Memory of another library, which counts how often it is given back.
struct Foreign {
  std::vector<float> elements = {0, 1, 2, 3, 4, 5, 6};
  std::vector<int64_t> shape = {2, 3}, strides = {1, 2};
  int given_back = 0;

  template <class Managed>
  Managed managed() {
    Managed managed{};
    managed.dl_tensor = {elements.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape.data(), strides.data(), 4};
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { ++static_cast<Foreign*>(self->manager_ctx)->given_back; };
    return managed;
  }
};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

TEST(DLPack, AForeignTensorIsReadAndWrittenWhereItLies) {
  Foreign foreign;
  auto managed = foreign.managed<DLManagedTensor>();
  {
    Tensor x = from_dlpack(&managed);
    EXPECT_EQ(elements_of(x), (std::vector<double>{1, 3, 5, 2, 4, 6}));
    Tensor view = x[0];
    x = Tensor();
    EXPECT_EQ(foreign.given_back, 0) << "a view still holds it";
    view.mul_(10);
    EXPECT_EQ(foreign.elements[3], 30);
  }
  EXPECT_EQ(foreign.given_back, 1);
}

TEST(DLPack, WithoutStridesItIsRowMajor) {
  Foreign foreign;
  auto managed = foreign.managed<DLManagedTensorVersioned>();
  managed.version = {1, 1};
  managed.dl_tensor.strides = nullptr;
  EXPECT_EQ(elements_of(from_dlpack(&managed)), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(foreign.given_back, 1);
}

TEST(DLPack, ACompiledFunctionTakesIt) {
  Foreign foreign;
  auto managed = foreign.managed<DLManagedTensor>();
  auto fast = compile([](const Tensor& x) { return x.t() * 2.0; });
  EXPECT_EQ(elements_of(fast(from_dlpack(&managed))), (std::vector<double>{2, 4, 6, 8, 10, 12}));
}

TEST(DLPack, WhatSinterCannotHoldIsAnErrorAndStaysTheCallers) {
  Foreign foreign;
  auto managed = foreign.managed<DLManagedTensor>();
  managed.dl_tensor.dtype = {5, 64, 1};
  EXPECT_EQ(message_of([&] { from_dlpack(&managed); }), "from_dlpack: elements of type code 5, 64 bits, 1 lanes");
  managed = foreign.managed<DLManagedTensor>();
  managed.dl_tensor.device.device_type = 10;
  EXPECT_EQ(message_of([&] { from_dlpack(&managed); }), "from_dlpack: memory of device type 10");
  foreign.strides[1] = -1;
  managed = foreign.managed<DLManagedTensor>();
  EXPECT_EQ(message_of([&] { from_dlpack(&managed); }), "from_dlpack: the stride of dim 1 is -1");
  auto versioned = foreign.managed<DLManagedTensorVersioned>();
  versioned.version = {2, 0};
  EXPECT_EQ(message_of([&] { from_dlpack(&versioned); }), "from_dlpack: version 2.0");
  versioned.version = {1, 0};
  versioned.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  EXPECT_EQ(message_of([&] { from_dlpack(&versioned); }), "from_dlpack: the memory may not be written");
  EXPECT_EQ(foreign.given_back, 0);
}

TEST(DLPack, ATensorOfEveryTypeGoesOutAndComesBack) {
  for (DType dtype : {boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64}) {
    Tensor x = tensor_of({0, 1, 2, 3, 4, 5}, {2, 3}, dtype);
    Tensor back = from_dlpack(to_dlpack(x.t()));
    EXPECT_EQ(back.data_ptr(), x.data_ptr());
    expect_same_bits(back, x.t(), std::string(name(dtype)));
    expect_same_bits(from_dlpack(to_dlpack_versioned(x)), x, std::string(name(dtype)));
  }
}

TEST(DLPack, TheMemoryOutlivesTheTensor) {
  Tensor x = tensor_of({1, 2, 3, 4}, {4});
  DLManagedTensor* managed = to_dlpack(x.slice(0, 1, 4, 2));
  x = Tensor();
  const DLTensor& out = managed->dl_tensor;
  ASSERT_EQ(out.ndim, 1);
  EXPECT_EQ(out.shape[0], 2);
  EXPECT_EQ(out.strides[0], 2);
  const auto* elements = reinterpret_cast<const float*>(static_cast<const char*>(out.data) + out.byte_offset);
  EXPECT_EQ(elements[0], 2);
  EXPECT_EQ(elements[2], 4);
  managed->deleter(managed);
}

TEST(DLPack, ATracedTensorHasNoMemory) {
  auto traced = compile([](const Tensor& x) {
    to_dlpack(x);
    return x;
  });
  EXPECT_NE(message_of([&] { traced(tensor_of({1}, {1})); }), "no error");
}

TEST(DLPack, MemoryOfACudaDevice) {
  SINTER_NEEDS_CUDA();
  Tensor x = on_device(tensor_of({1, 2, 3, 4}, {2, 2}), cuda::device(0));
  DLManagedTensor* managed = to_dlpack(x);
  EXPECT_EQ(managed->dl_tensor.device.device_type, kDLCUDA);
  EXPECT_EQ(managed->dl_tensor.data, x.data_ptr());
  Tensor back = from_dlpack(managed);
  EXPECT_EQ(back.device(), cuda::device(0));
  Tensor doubled = compile([](const Tensor& x) { return x + x; })(back);
  EXPECT_EQ(elements_of(doubled), (std::vector<double>{2, 4, 6, 8}));
  Tensor raw = cuda::from_blob(x.data_ptr(), {4}, cuda::device(0));
  raw.mul_(10);
  EXPECT_EQ(elements_of(x), (std::vector<double>{10, 20, 30, 40}));
}

}  // namespace
}  // namespace sinter::test
