// What arguments and results of a compiled function are made of: tensors, numbers, containers and structs of them.
//
//   struct Layer { Tensor weight, bias; };
//   SINTER_FLATTEN(Layer, weight, bias);   // in the global namespace
//
// Flatten<T>::visit shows a visitor each part of a value, in an order that its structure decides. Visitors have
//   tensor(Tensor&)  number(T&)  text(std::string&)  length(size_t)  present(bool)  enter(index)  enter(name)  leave()

#pragma once

#include <sinter/graph/tensor.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sinter {

// `Self` is T or const T. Specialise it for types of your own, or use SINTER_FLATTEN.
template <class T>
struct Flatten {
  static constexpr bool is_missing = true;
};

template <class T>
inline constexpr bool can_flatten = !requires { Flatten<T>::is_missing; };

template <class Visitor, class T>
void flatten(Visitor& visitor, T& value) {
  using Plain = std::remove_const_t<T>;
  static_assert(can_flatten<Plain>,
                "this type can't be an argument or result of a compiled function: use SINTER_FLATTEN or specialise "
                "sinter::Flatten");
  Flatten<Plain>::visit(visitor, value);
}

template <class Visitor, class Place, class T>
void flatten_at(Visitor& visitor, Place place, T& value) {
  visitor.enter(place);
  flatten(visitor, value);
  visitor.leave();
}

template <>
struct Flatten<Tensor> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    visitor.tensor(self);
  }
};

template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Scalar> || std::is_same_v<T, SymInt> ||
           std::is_same_v<T, Device>)
struct Flatten<T> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    visitor.number(self);
  }
};

template <>
struct Flatten<std::string> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    visitor.text(self);
  }
};

// Anything with a size and elements by number.
template <class Visitor, class Self>
void flatten_elements(Visitor& visitor, Self& self) {
  for (size_t i = 0; i < self.size(); ++i) {
    if constexpr (!std::is_lvalue_reference_v<decltype(self[i])>) {  // std::vector<bool> has no bools
      const bool element = self[i];
      flatten_at(visitor, i, element);
    } else {
      flatten_at(visitor, i, self[i]);
    }
  }
}

template <class T>
struct Flatten<std::vector<T>> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    visitor.length(self.size());
    flatten_elements(visitor, self);
  }
};

template <class T, size_t inline_capacity>
struct Flatten<SmallVector<T, inline_capacity>> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    visitor.length(self.size());
    flatten_elements(visitor, self);
  }
};

template <class T, size_t size>
struct Flatten<std::array<T, size>> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    flatten_elements(visitor, self);
  }
};

template <class Visitor, class Self, size_t... i>
void flatten_members(Visitor& visitor, Self& self, std::index_sequence<i...>) {
  (flatten_at(visitor, i, std::get<i>(self)), ...);
}

template <class... Ts>
struct Flatten<std::tuple<Ts...>> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    flatten_members(visitor, self, std::index_sequence_for<Ts...>());
  }
};

template <class A, class B>
struct Flatten<std::pair<A, B>> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    flatten_members(visitor, self, std::index_sequence<0, 1>());
  }
};

template <class T>
struct Flatten<std::map<std::string, T>> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    visitor.length(self.size());
    for (auto& [key, value] : self) {
      visitor.enter(key);
      visitor.text(key);
      flatten(visitor, value);
      visitor.leave();
    }
  }
};

template <class T>
struct Flatten<std::optional<T>> {
  template <class Visitor, class Self>
  static void visit(Visitor& visitor, Self& self) {
    visitor.present(self.has_value());
    if (self) flatten(visitor, *self);
  }
};

// The fields of a struct by their addresses; what SINTER_FLATTEN expands to.
template <class Visitor, class Self, class... Fields>
void flatten_fields(Visitor& visitor, Self& self, const char* names, Fields... fields) {
  auto next_name = [&names] {
    while (*names == ' ' || *names == ',') ++names;
    const char* begin = names;
    while (*names != '\0' && *names != ',' && *names != ' ') ++names;
    return std::string_view(begin, names - begin);
  };
  (flatten_at(visitor, next_name(), self.*fields), ...);
}

}  // namespace sinter

#define SINTER_FIELDS_1(T, a) &T::a
#define SINTER_FIELDS_2(T, a, ...) &T::a, SINTER_FIELDS_1(T, __VA_ARGS__)
#define SINTER_FIELDS_3(T, a, ...) &T::a, SINTER_FIELDS_2(T, __VA_ARGS__)
#define SINTER_FIELDS_4(T, a, ...) &T::a, SINTER_FIELDS_3(T, __VA_ARGS__)
#define SINTER_FIELDS_5(T, a, ...) &T::a, SINTER_FIELDS_4(T, __VA_ARGS__)
#define SINTER_FIELDS_6(T, a, ...) &T::a, SINTER_FIELDS_5(T, __VA_ARGS__)
#define SINTER_FIELDS_7(T, a, ...) &T::a, SINTER_FIELDS_6(T, __VA_ARGS__)
#define SINTER_FIELDS_8(T, a, ...) &T::a, SINTER_FIELDS_7(T, __VA_ARGS__)
#define SINTER_FIELDS_9(T, a, ...) &T::a, SINTER_FIELDS_8(T, __VA_ARGS__)
#define SINTER_FIELDS_10(T, a, ...) &T::a, SINTER_FIELDS_9(T, __VA_ARGS__)
#define SINTER_FIELDS_11(T, a, ...) &T::a, SINTER_FIELDS_10(T, __VA_ARGS__)
#define SINTER_FIELDS_12(T, a, ...) &T::a, SINTER_FIELDS_11(T, __VA_ARGS__)
#define SINTER_FIELDS_13(T, a, ...) &T::a, SINTER_FIELDS_12(T, __VA_ARGS__)
#define SINTER_FIELDS_14(T, a, ...) &T::a, SINTER_FIELDS_13(T, __VA_ARGS__)
#define SINTER_FIELDS_15(T, a, ...) &T::a, SINTER_FIELDS_14(T, __VA_ARGS__)
#define SINTER_FIELDS_16(T, a, ...) &T::a, SINTER_FIELDS_15(T, __VA_ARGS__)
#define SINTER_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, chosen, ...) chosen
#define SINTER_FIELDS(T, ...)                                                                                         \
  SINTER_PICK(__VA_ARGS__, SINTER_FIELDS_16, SINTER_FIELDS_15, SINTER_FIELDS_14, SINTER_FIELDS_13, SINTER_FIELDS_12,  \
              SINTER_FIELDS_11, SINTER_FIELDS_10, SINTER_FIELDS_9, SINTER_FIELDS_8, SINTER_FIELDS_7, SINTER_FIELDS_6, \
              SINTER_FIELDS_5, SINTER_FIELDS_4, SINTER_FIELDS_3, SINTER_FIELDS_2, SINTER_FIELDS_1, )                  \
  (T, __VA_ARGS__)

// Makes a struct an argument or result, by up to 16 of its fields. Use it in the global namespace.
#define SINTER_FLATTEN(Type, ...)                                                            \
  template <>                                                                                \
  struct sinter::Flatten<Type> {                                                             \
    template <class Visitor, class Self>                                                     \
    static void visit(Visitor& visitor, Self& self) {                                        \
      sinter::flatten_fields(visitor, self, #__VA_ARGS__, SINTER_FIELDS(Type, __VA_ARGS__)); \
    }                                                                                        \
  }
