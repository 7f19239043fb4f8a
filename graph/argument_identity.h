// Whether arguments of the function being traced are one tensor, or lie in one storage, where it asks: the call at hand
// answers, and the answer is kept as something that the entry relies on.
//
// A fake tensor is made for each argument, also where two are one tensor, so the handles themselves tell nothing.

#pragma once

#include <sinter/graph/tensor.h>

#include <vector>

namespace sinter::graph {

// An answer about an argument and another one, or a tensor or storage that is no argument.
struct IdentityAnswer {
  int argument = 0;
  int other = -1;        // an argument; -1: `captured`, or `captured_storage`
  Tensor captured = {};  // kept alive: another tensor may not take its place
  Storage captured_storage = {};
  bool of_storage = false;
  bool holds = false;
  Here where = {};
};

class ArgumentIdentity {
 public:
  // In order; undefined ones too.
  void add_argument(const Tensor& fake, const Tensor& real) { arguments_.push_back({fake, real}); }
  // A captured tensor, and the fake storage that views of it have.
  void add_captured(const Storage& fake, const Tensor& real) { captured_.push_back({fake, real.storage()}); }

  bool is_same(const Tensor& a, const Tensor& b, Here where);
  // At least one is fake.
  bool is_same_storage(const Storage& a, const Storage& b, Here where);

  const std::vector<IdentityAnswer>& answers() const { return answers_; }

 private:
  struct Argument {
    Tensor fake, real;
  };
  struct Captured {
    Storage fake, real;
  };
  // What a storage stands for.
  struct Side {
    std::vector<int> arguments;  // that lie in it
    Storage real;
    bool is_known = false;  // it is not one that the function itself makes
  };

  int find(const Tensor& fake) const;
  Side side_of(const Storage& storage) const;
  void check_one_storage(const Side& side, Here where);
  bool answer(IdentityAnswer answer);

  std::vector<Argument> arguments_;
  std::vector<Captured> captured_;
  std::vector<IdentityAnswer> answers_;
};

}  // namespace sinter::graph
