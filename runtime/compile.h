// compile(fn): a function over tensors becomes one that runs fused machine code.
//
//   auto fast = compile(f);
//   Tensor z = fast(x, y);   // traced and compiled at the first call with arguments of this kind

#pragma once

#include <sinter/runtime/call_signature.h>
#include <sinter/runtime/compiled_function.h>
#include <sinter/runtime/explain.h>
#include <sinter/runtime/typed_call.h>

namespace sinter {

// Copies share their entries. Calls are safe from any number of threads.
template <class F>
class CompiledBase {
 public:
  CompiledBase(F function, Options options, Here where)
      : state_(new State(std::move(function), std::move(options), where), destroy) {}
  // One that was moved from goes on working: it is a copy, too.
  CompiledBase(const CompiledBase&) = default;
  CompiledBase& operator=(const CompiledBase&) = default;

  CallStats stats() const { return state_->core.stats(); }
  // After a warm-up: from now on a call that would compile is an error instead.
  void no_recompile(bool is_frozen = true) const { state_->core.set_no_recompile(is_frozen); }

 protected:
  template <class R, bool types_are_guarded, class... P>
  R call(std::remove_reference_t<P>&... arguments) const {
    // Inside another traced function this one is part of that.
    if (graph::active_trace()) return std::invoke(state_->function, static_cast<P&&>(arguments)...);
    runtime::TypedCall<F, R, types_are_guarded, P...> site(state_->function, arguments...);
    state_->core.call(site.flat, site);
    return site.take();
  }

  template <class R, bool types_are_guarded, class... P>
  Explanation explain_entry(std::remove_reference_t<P>&... arguments) const {
    runtime::TypedCall<F, R, types_are_guarded, P...> site(state_->function, arguments...);
    return runtime::explain(*state_->core.entry_for(site.flat, site), state_->core.options());
  }

  template <class R, bool types_are_guarded, class... P>
  CallExplanation explain_guards(std::remove_reference_t<P>&... arguments) const {
    runtime::TypedCall<F, R, types_are_guarded, P...> site(state_->function, arguments...);
    return state_->core.explain_call(site.flat, site);
  }

 private:
  struct State {
    State(F function, Options options, Here where) : function(std::move(function)), core(std::move(options), where) {}
    F function;
    runtime::CompiledFunction core;
  };
  // Not before the call that this happens in is over, if it is one of the function's own.
  static void destroy(State* state) {
    auto release = [](void* state) { delete static_cast<State*>(state); };
    if (!state->core.goes_after_call(state, release)) release(state);
  }
  std::shared_ptr<State> state_;
};

// Of a callable with one signature.
template <class F, class S>
class Compiled;
template <class F, class R, class... P>
class Compiled<F, runtime::Signature<R, P...>> : public CompiledBase<F> {
 public:
  using CompiledBase<F>::CompiledBase;

  std::decay_t<R> operator()(P... arguments) const {
    return this->template call<std::decay_t<R>, false, P...>(arguments...);
  }
  // What is, or would be, run for these arguments; compiles, but does not run.
  Explanation explain(P... arguments) const {
    return this->template explain_entry<std::decay_t<R>, false, P...>(arguments...);
  }
  // Which entry a call would run, or why none would; compiles and runs nothing.
  CallExplanation explain_call(P... arguments) const {
    return this->template explain_guards<std::decay_t<R>, false, P...>(arguments...);
  }
};

// Of a callable with template parameters or overloads: other argument types compile again.
template <class F>
class Compiled<F, void> : public CompiledBase<F> {
 public:
  using CompiledBase<F>::CompiledBase;

  template <class... Args>
  auto operator()(Args&&... arguments) const {
    using R = std::decay_t<std::invoke_result_t<F&, Args...>>;
    return this->template call<R, true, Args...>(arguments...);
  }
  template <class... Args>
  Explanation explain(Args&&... arguments) const {
    using R = std::decay_t<std::invoke_result_t<F&, Args...>>;
    return this->template explain_entry<R, true, Args...>(arguments...);
  }
  template <class... Args>
  CallExplanation explain_call(Args&&... arguments) const {
    using R = std::decay_t<std::invoke_result_t<F&, Args...>>;
    return this->template explain_guards<R, true, Args...>(arguments...);
  }
};

template <class F>
auto compile(F function, Options options = {}, Here where = Here::current()) {
  if constexpr (requires { typename runtime::CallSignature<F>::type; })
    return Compiled<F, typename runtime::CallSignature<F>::type>(std::move(function), std::move(options), where);
  else
    return Compiled<F, void>(std::move(function), std::move(options), where);
}

// A method of an object, which must outlive the result. The object's tensors are captured, not arguments.
template <class C, class Method>
  requires std::is_member_function_pointer_v<Method>
auto compile(C* object, Method method, Options options = {}, Here where = Here::current()) {
  return compile(runtime::BoundMember<C, Method>{object, method}, std::move(options), where);
}

namespace runtime {

// The whole line from a traced graph to machine code, or the program that an equal graph became before.
std::shared_ptr<const Executable> native_backend(graph::Graph graph, const Options& options, Stages& stages);

}  // namespace runtime
}  // namespace sinter
