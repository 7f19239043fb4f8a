// The arguments of one call as flat lists, which guards compare: tensors, and everything else as 64-bit words.
//
// Flattening a call allocates nothing while there are few arguments: it is on the path of every cached call.

#pragma once

#include <sinter/runtime/flatten.h>

#include <bit>

namespace sinter::runtime {

// Adds the symbols in the size that only data tell.
void add_data_symbols(SymInt size, std::vector<int>& symbols);
// The size with these values of its symbols.
int64_t size_at(SymInt size, std::span<const int64_t> symbol_values);

struct FlatArguments {
  SmallVector<const Tensor*, 16> tensors;
  SmallVector<uint64_t, 24> words;  // lengths, presence, numbers by their bits, texts
};

enum class WordKind : uint8_t { length, present, boolean, integer, floating, text, kind_of_number };

// What one word is.
struct WordInfo {
  std::string path;  // `arg1[2]`
  WordKind kind;
  bool is_plain_number = false;  // an argument of C++'s own types
};

// What a Scalar's first word is; its second are the bits of its value. A number or a size of a trace is none of a call.
inline constexpr uint64_t word_of_traced = 8;
inline uint64_t kind_word(const Scalar& number) {
  return number.is_traced() || number.is_symbolic() ? word_of_traced : static_cast<uint64_t>(number.kind());
}
// Of a symbolic size: like that of no number.
inline uint64_t word_of_symbolic(SymInt size) { return reinterpret_cast<uintptr_t>(size.expr()) | uint64_t{1} << 63; }
inline Scalar scalar_of_words(uint64_t kind, uint64_t bits) {
  switch (static_cast<Scalar::Kind>(kind)) {
    case Scalar::Kind::boolean: return bits != 0;
    case Scalar::Kind::integer: return static_cast<int64_t>(bits);
    case Scalar::Kind::floating: return std::bit_cast<double>(bits);
  }
  return {};
}

// The words of a number: a NaN equals itself, -0.0 is not 0.0.
template <class T>
uint64_t word_of(T value) {
  if constexpr (std::is_same_v<T, SymInt>)
    return value.is_constant() ? static_cast<uint64_t>(value.hint()) : word_of_symbolic(value);
  else if constexpr (std::is_same_v<T, Device>)
    return static_cast<uint64_t>(value.type) << 8 | static_cast<uint8_t>(value.index);
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<uint64_t>(static_cast<double>(value));
  else
    return static_cast<uint64_t>(value);
}

template <class T>
constexpr WordKind word_kind() {
  if (std::is_same_v<T, bool>) return WordKind::boolean;
  return std::is_floating_point_v<T> ? WordKind::floating : WordKind::integer;
}

// A visitor that fills FlatArguments.
class FlattenArguments {
 public:
  explicit FlattenArguments(FlatArguments& flat) : flat_(flat) {}

  void tensor(const Tensor& tensor) { flat_.tensors.push_back(&tensor); }
  template <class T>
  void number(const T& value) {
    if constexpr (std::is_same_v<T, Scalar>) {
      flat_.words.push_back(kind_word(value));
      flat_.words.push_back(value.bits());
    } else {
      flat_.words.push_back(word_of(value));
      if constexpr (std::is_same_v<T, long double>) flat_.words.push_back(word_of(value - static_cast<double>(value)));
    }
  }
  void text(const std::string& text) {
    flat_.words.push_back(text.size());
    for (size_t i = 0; i < text.size(); i += 8) {
      uint64_t word = 0;
      std::memcpy(&word, text.data() + i, std::min<size_t>(8, text.size() - i));
      flat_.words.push_back(word);
    }
  }
  void length(size_t length) { flat_.words.push_back(length); }
  void present(bool present) { flat_.words.push_back(present); }
  template <class Place>
  void enter(const Place&) {}
  void leave() {}

 private:
  FlatArguments& flat_;
};

// A visitor that names what FlattenArguments lists: the same order, with paths.
class NameArguments {
 public:
  void tensor(const Tensor&) { tensors.push_back(path_); }
  template <class T>
  void number(const T& value) {
    if constexpr (std::is_same_v<T, Scalar>) {
      words.push_back({path_ + ".kind()", WordKind::kind_of_number});
      scalars.push_back(static_cast<int>(words.size()));
      words.push_back({path_, value.is_floating()  ? WordKind::floating
                              : value.is_boolean() ? WordKind::boolean
                                                   : WordKind::integer});
    } else {
      if constexpr (std::is_same_v<T, SymInt>)
        if (!value.is_constant()) symbolic.push_back(path_);
      words.push_back({path_, word_kind<T>(), std::is_arithmetic_v<T> && !std::is_same_v<T, bool>});
      if constexpr (std::is_same_v<T, long double>) words.push_back({path_ + " beyond double", WordKind::floating});
    }
  }
  void text(const std::string& text) {
    words.push_back({path_ + ".size()", WordKind::integer});
    for (size_t i = 0; i < text.size(); i += 8) words.push_back({path_, WordKind::text});
  }
  void length(size_t) { words.push_back({path_, WordKind::length}); }
  void present(bool) { words.push_back({path_, WordKind::present}); }
  void enter(size_t index) { push(fmt::format("[{}]", index)); }
  void enter(std::string_view field) { push(fmt::format(".{}", field)); }
  void enter(const std::string& key) { push(fmt::format("[\"{}\"]", key)); }
  void leave() {
    path_.resize(lengths_.back());
    lengths_.pop_back();
  }
  // An argument itself.
  void begin(std::string name) { path_ = std::move(name); }

  std::vector<std::string> tensors;
  std::vector<WordInfo> words;
  std::vector<int> scalars;           // of each Scalar, which word its value is
  std::vector<std::string> symbolic;  // symbolic sizes, which only a trace has

 private:
  void push(const std::string& part) {
    lengths_.push_back(path_.size());
    path_ += part;
  }

  std::string path_;
  std::vector<size_t> lengths_;
};

// What visitors that look at numbers alone leave out.
struct NumbersOnly {
  void tensor(const Tensor&) {}
  void text(const std::string&) {}
  void length(size_t) {}
  void present(bool) {}
  template <class Place>
  void enter(const Place&) {}
  void leave() {}
};

// A visitor that asks whether any number of a value is a symbolic size.
struct FindSizes : NumbersOnly {
  template <class T>
  void number(const T& value) {
    if constexpr (std::is_same_v<T, SymInt>) note(value);
    if constexpr (std::is_same_v<T, Scalar>)
      if (value.is_symbolic()) note(value.size());
  }
  void note(SymInt size) {
    found |= !size.is_constant();
    add_data_symbols(size, data_symbols);
  }
  bool found = false;
  std::vector<int> data_symbols;  // those that only data tell, as often as they stand there
};

// A visitor that puts numbers in place of a value's symbolic sizes, by the symbols' values.
struct ReplaceSizes : NumbersOnly {
  explicit ReplaceSizes(std::span<const int64_t> symbols) : symbols(symbols) {}
  template <class T>
  void number(T& value) {
    if constexpr (std::is_same_v<std::remove_const_t<T>, SymInt>)
      value = size_at(value, symbols);
    else if constexpr (std::is_same_v<std::remove_const_t<T>, Scalar>)
      value = value.is_symbolic() ? Scalar(size_at(value.size(), symbols)) : value;
  }
  std::span<const int64_t> symbols;
};

// A visitor that asks for the values of numbers that the function being traced was given.
struct FixNumbers : NumbersOnly {
  explicit FixNumbers(Here here) : here(here) {}
  template <class T>
  void number(T& value) {
    if constexpr (std::is_same_v<T, Scalar>)
      if (value.is_traced()) value = value.known(here);
  }
  Here here;
};

// A visitor that puts fake tensors, and traced numbers if there are any, in place of an argument's own, in order.
class ReplaceByFakes {
 public:
  ReplaceByFakes(std::span<const Tensor> tensors, std::span<const Scalar> numbers)
      : tensors_(tensors.begin()), numbers_(numbers.begin()), has_numbers_(!numbers.empty()) {}

  void tensor(Tensor& tensor) { tensor = *tensors_++; }
  template <class T>
  void number(T& value) {
    if constexpr (std::is_same_v<T, Scalar>)
      if (has_numbers_) value = *numbers_++;
  }
  void text(const std::string&) {}
  void length(size_t) {}
  void present(bool) {}
  template <class Place>
  void enter(const Place&) {}
  void leave() {}

 private:
  std::span<const Tensor>::iterator tensors_;
  std::span<const Scalar>::iterator numbers_;
  bool has_numbers_;
};

// A visitor that puts other tensors in place of a value's own, in order.
template <class Replace>
class ReplaceTensors {
 public:
  explicit ReplaceTensors(Replace replace) : replace_(std::move(replace)) {}

  void tensor(Tensor& tensor) { replace_(tensor); }
  template <class T>
  void number(const T&) {}
  void text(const std::string&) {}
  void length(size_t) {}
  void present(bool) {}
  template <class Place>
  void enter(const Place&) {}
  void leave() {}

 private:
  Replace replace_;
};

}  // namespace sinter::runtime
