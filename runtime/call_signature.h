// Parameter and result types of a callable: functions, members, and functors with one operator().

#pragma once

#include <type_traits>
#include <utility>

namespace sinter::runtime {

template <class R, class... P>
struct Signature {};

// No `type` for a callable that takes its arguments by template parameters or has several overloads.
template <class F>
struct CallSignature {};

template <class R, class... P>
struct CallSignature<R (*)(P...)> {
  using type = Signature<R, P...>;
};
template <class R, class... P>
struct CallSignature<R (*)(P...) noexcept> : CallSignature<R (*)(P...)> {};

// A member called on an object that is the first argument.
#define SINTER_MEMBER_SIGNATURE(qualifiers, object) \
  template <class R, class C, class... P>           \
  struct CallSignature<R (C::*)(P...) qualifiers> { \
    using type = Signature<R, object, P...>;        \
    using without_object = Signature<R, P...>;      \
  };
SINTER_MEMBER_SIGNATURE(, C&)
SINTER_MEMBER_SIGNATURE(const, const C&)
SINTER_MEMBER_SIGNATURE(noexcept, C&)
SINTER_MEMBER_SIGNATURE(const noexcept, const C&)
#undef SINTER_MEMBER_SIGNATURE

template <class F>
  requires requires { &F::operator(); }
struct CallSignature<F> {
  using type = typename CallSignature<decltype(&F::operator())>::without_object;
};

// object.method(...) as a functor.
template <class C, class Method, class S = typename CallSignature<Method>::without_object>
struct BoundMember;
template <class C, class Method, class R, class... P>
struct BoundMember<C, Method, Signature<R, P...>> {
  C* object;
  Method method;
  R operator()(P... arguments) const { return (object->*method)(static_cast<P&&>(arguments)...); }
};

}  // namespace sinter::runtime
