// A vector of trivially copyable elements that keeps the first few in itself.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>

namespace sinter {

template <class T, size_t inline_capacity>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() = default;
  explicit SmallVector(size_t count, T value = T{}) { assign(count, value); }
  SmallVector(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  template <class Iterator>
  SmallVector(Iterator first, Iterator last) {
    append(first, last);
  }
  SmallVector(const SmallVector& other) { append(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      size_ = 0;
      append(other.begin(), other.end());
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~SmallVector() { release(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  void push_back(T value) {
    reserve(size_ + 1);
    data_[size_++] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void assign(size_t count, T value) {
    size_ = 0;
    resize(count, value);
  }
  void resize(size_t count, T value = T{}) {
    reserve(count);
    for (size_t i = size_; i < count; ++i) data_[i] = value;
    size_ = count;
  }
  void insert(iterator where, T value) {
    size_t at = where - data_;
    reserve(size_ + 1);
    std::memmove(static_cast<void*>(data_ + at + 1), data_ + at, (size_ - at) * sizeof(T));
    data_[at] = value;
    ++size_;
  }
  void erase(iterator where) {
    std::memmove(static_cast<void*>(where), where + 1, (end() - where - 1) * sizeof(T));
    --size_;
  }
  template <class Iterator>
  void append(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(static_cast<T>(*first));
  }

  operator std::span<const T>() const { return {data_, size_}; }
  bool operator==(const SmallVector& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  T* inline_data() { return reinterpret_cast<T*>(storage_); }
  void reserve(size_t wanted) {
    if (wanted <= capacity_) return;
    size_t capacity = std::max(wanted, capacity_ * 2);
    T* grown = static_cast<T*>(::operator new(capacity * sizeof(T)));
    if (size_ != 0) std::memcpy(static_cast<void*>(grown), data_, size_ * sizeof(T));
    release();
    data_ = grown;
    capacity_ = capacity;
  }
  void release() {
    if (data_ != inline_data()) ::operator delete(data_);
  }
  void take(SmallVector& other) {
    size_ = other.size_;
    if (other.data_ == other.inline_data()) {
      data_ = inline_data();
      capacity_ = inline_capacity;
      std::memcpy(storage_, other.storage_, size_ * sizeof(T));
    } else {
      data_ = other.data_;
      capacity_ = other.capacity_;
      other.data_ = other.inline_data();
      other.capacity_ = inline_capacity;
    }
    other.size_ = 0;
  }

  alignas(T) unsigned char storage_[inline_capacity * sizeof(T)];
  T* data_ = inline_data();
  size_t size_ = 0;
  size_t capacity_ = inline_capacity;
};

}  // namespace sinter
