// Answers by the real arguments.

#include <sinter/graph/argument_identity.h>

#include <sinter/graph/late_guards.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/graph/trace.h>

#include <algorithm>

namespace sinter::graph {

int ArgumentIdentity::find(const Tensor& fake) const {
  auto found = std::ranges::find_if(arguments_, [&](const Argument& a) { return a.fake.impl() == fake.impl(); });
  return found == arguments_.end() ? -1 : static_cast<int>(found - arguments_.begin());
}

bool ArgumentIdentity::answer(IdentityAnswer answer) {
  auto is_it = [&](const IdentityAnswer& known) {
    return known.argument == answer.argument && known.other == answer.other && known.of_storage == answer.of_storage &&
           known.captured.impl() == answer.captured.impl() &&
           known.captured_storage.get() == answer.captured_storage.get();
  };
  bool holds = answer.holds;
  if (std::ranges::none_of(answers_, is_it)) {
    answer.where = users_line(answer.where);
    answers_.push_back(std::move(answer));
  }
  return holds;
}

bool ArgumentIdentity::is_same(const Tensor& a, const Tensor& b, Here where) {
  int one = find(a), other = find(b);
  if (one < 0) std::swap(one, other);
  if (one < 0 || (other < 0 && (a.is_fake() && b.is_fake()))) {
    settle_copies_of(a.storage(), where);  // at other sizes one may be the tensor that it copies
    settle_copies_of(b.storage(), where);
    return false;
  }
  const Tensor& real = arguments_[static_cast<size_t>(one)].real;
  if (other >= 0) {
    const Tensor& second = arguments_[static_cast<size_t>(other)].real;
    return answer({std::min(one, other), std::max(one, other), {}, {}, false, real.impl() == second.impl(), where});
  }
  const Tensor& captured = a.is_fake() ? b : a;
  return answer({one, -1, captured, {}, false, real.impl() == captured.impl(), where});
}

ArgumentIdentity::Side ArgumentIdentity::side_of(const Storage& storage) const {
  Side side;
  if (storage.get()->fake_id < 0) return {{}, storage, true};
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (!arguments_[i].fake.defined() || arguments_[i].fake.impl()->storage.get() != storage.get()) continue;
    if (side.arguments.empty()) side.real = arguments_[i].real.impl()->storage;
    side.arguments.push_back(static_cast<int>(i));
    side.is_known = true;
  }
  for (const Captured& captured : captured_)
    if (captured.fake.get() == storage.get()) return {{}, captured.real, true};
  return side;
}

// Arguments that overlap are traced as lying in one storage, where the function writes one of them.
void ArgumentIdentity::check_one_storage(const Side& side, Here where) {
  for (size_t i = 1; i < side.arguments.size(); ++i) {
    int first = side.arguments[0], other = side.arguments[i];
    if (!(arguments_[static_cast<size_t>(other)].real.impl()->storage.get() == side.real.get()))
      throw Error(ErrorKind::unsupported, users_line(where),
                  "compile: the function asks for the storage of arguments that share memory but no storage, and "
                  "writes one of them",
                  {}, "pass views of one tensor");
    answer({first, other, {}, {}, true, true, where});
  }
}

bool ArgumentIdentity::is_same_storage(const Storage& a, const Storage& b, Here where) {
  Side one = side_of(a), other = side_of(b);
  check_one_storage(one, where);
  if (a.get() == b.get()) return true;
  check_one_storage(other, where);
  if (!one.is_known || !other.is_known) {
    settle_copies_of(a, where);
    settle_copies_of(b, where);
    return false;
  }
  if (one.arguments.empty()) std::swap(one, other);
  bool holds = one.real.get() == other.real.get();
  if (one.arguments.empty()) return holds;
  int argument = one.arguments[0];
  if (other.arguments.empty()) return answer({argument, -1, {}, other.real, true, holds, where});
  int second = other.arguments[0];
  return answer({std::min(argument, second), std::max(argument, second), {}, {}, true, holds, where});
}

namespace {

// The trace that answers; null where an op asks, for which each handle is a tensor of its own. Throws for tensors of
// another trace.
Trace* answering_trace(bool is_of_it, std::string_view what, Here where) {
  if (is_inside_op()) return nullptr;
  Trace* trace = active_trace();
  if (trace && is_of_it) return trace;
  throw Error(ErrorKind::trace, users_line(where),
              fmt::format("{}: a fake tensor of {} trace is asked for", what, trace ? "another" : "a finished"), {},
              "keep tensors that a traced function makes inside that function, or return them");
}

}  // namespace

bool is_same_in_trace(const Tensor& a, const Tensor& b, Here where) {
  if (!a.defined() || !b.defined()) return false;
  auto is_mine = [trace = active_trace()](const Tensor& tensor) {
    return !tensor.is_fake() || (trace && tensor.impl()->fake.trace == trace->id());
  };
  Trace* trace = answering_trace(is_mine(a) && is_mine(b), "is_same", where);
  return trace && trace->identity.is_same(a, b, where);
}

bool is_same_storage_in_trace(const Storage& a, const Storage& b) {
  auto is_mine = [trace = active_trace()](const Storage& storage) {
    return storage.get()->fake_id < 0 || (trace && trace->is_storage(storage));
  };
  Trace* trace = answering_trace(is_mine(a) && is_mine(b), "storage", Here());
  return trace ? trace->identity.is_same_storage(a, b, Here()) : a.get() == b.get();
}

}  // namespace sinter::graph
