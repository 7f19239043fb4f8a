// Which dims of a call's arguments are symbolic in the entry that is made for it.

#pragma once

#include <sinter/graph/size_proof.h>
#include <sinter/runtime/flat_arguments.h>
#include <sinter/runtime/options.h>

#include <map>
#include <tuple>

namespace sinter::runtime {

struct SymbolicDim {
  int argument = 0;  // which flattened tensor
  int dim = 0;
  SizeRange range = {1, SizeRange::no_high};
  int64_t multiple_of = 1;
  bool is_declared = false;
};

// Remembers the sizes of the calls that entries were made for. A dim of size 0 is never symbolic.
class SizePolicy {
 public:
  // Throws Error(argument) where a size is not what it is declared to be.
  std::vector<SymbolicDim> choose(const FlatArguments& arguments, const NameArguments& names, const Options& options,
                                  Here where);

 private:
  struct Seen {
    std::vector<int64_t> sizes;
    std::vector<bool> varies;
  };
  const Seen& note(const FlatArguments& arguments, size_t argument);

  std::map<std::tuple<size_t, size_t, int64_t>, Seen> seen_;  // by count of tensors, position, and rank
};

}  // namespace sinter::runtime
