// One name a thread.

#include <sinter/graph/called_op.h>

namespace sinter::graph {

namespace {

thread_local std::string_view called;

}  // namespace

NameCalledOp::NameCalledOp(std::string_view name) : is_outermost_(called.empty()) {
  if (is_outermost_) called = name;
}
NameCalledOp::~NameCalledOp() {
  if (is_outermost_) called = {};
}
NameOpItself::NameOpItself() : before_(called) { called = {}; }
NameOpItself::~NameOpItself() { called = before_; }
std::string_view called_op(std::string_view name) { return called.empty() ? name : called; }

}  // namespace sinter::graph
