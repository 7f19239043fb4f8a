// The op that the user called, while others run inside it: what errors name.

#pragma once

#include <string_view>

namespace sinter::graph {

// Within a scope, errors of the ops that run name this one, unless a scope around it names another already. The name
// must outlive the scope.
class NameCalledOp {
 public:
  explicit NameCalledOp(std::string_view name);
  ~NameCalledOp();
  NameCalledOp(const NameCalledOp&) = delete;

 private:
  bool is_outermost_;
};

// Within a scope, errors name the op that fails: what data make fail in a compiled function knows no other.
class NameOpItself {
 public:
  NameOpItself();
  ~NameOpItself();
  NameOpItself(const NameOpItself&) = delete;

 private:
  std::string_view before_;
};

// The op that the user called, or, if none is known, this one.
std::string_view called_op(std::string_view name);

}  // namespace sinter::graph
