// A stack of tensors for each thread.

#include <sinter/runtime/number_inputs.h>

#include <sinter/runtime/cpu/host_storage.h>
#include <sinter/runtime/kept_by_thread.h>

#include <deque>

namespace sinter::runtime {

namespace {

struct Stack {
  std::deque<Tensor> tensors;  // which do not move
  size_t used = 0;
};
Stack& stack() { return kept_by_thread<Stack>(); }

// Somebody kept what an earlier call lent.
bool is_shared(const Tensor& tensor) {
  return tensor.impl()->references.load(std::memory_order_acquire) != 1 ||
         tensor.storage()->references.load(std::memory_order_acquire) != 1;
}

Tensor fresh() { return Tensor({DType::f64, cpu, {}}, new_host_storage(sizeof(uint64_t))); }

constexpr DType dtypes[] = {DType::boolean, DType::i64, DType::f64};  // by kind

}  // namespace

NumberInputs::NumberInputs() : first_(stack().used) {}
NumberInputs::~NumberInputs() { stack().used = first_; }

const Tensor* NumberInputs::add(const FlatArguments& arguments, int word) {
  Stack& numbers = stack();
  if (numbers.used == numbers.tensors.size()) numbers.tensors.push_back(fresh());
  Tensor& tensor = numbers.tensors[numbers.used++];
  if (is_shared(tensor)) tensor = fresh();
  tensor.impl()->meta.dtype = dtypes[arguments.words[word - 1]];
  uint64_t bits = arguments.words[word];  // of a bool: 0 or 1, in its first byte too
  std::memcpy(tensor.storage()->data, &bits, sizeof bits);
  return &tensor;
}

Scalar number_at(const void* data, DType dtype) {
  if (dtype == DType::boolean) return *static_cast<const bool*>(data);
  if (dtype == DType::i64) return *static_cast<const int64_t*>(data);
  return *static_cast<const double*>(data);
}

Scalar number_in(const Tensor& tensor) { return number_at(tensor.data_ptr(), tensor.dtype()); }

}  // namespace sinter::runtime
