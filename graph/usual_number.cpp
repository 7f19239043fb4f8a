// The innermost scope of each thread.

#include <sinter/graph/usual_number.h>

namespace sinter::graph {

namespace {

thread_local TakeNumbersFor* innermost = nullptr;

}  // namespace

TakeNumbersFor::TakeNumbersFor(int64_t number) : number_(number), around_(innermost) { innermost = this; }
TakeNumbersFor::~TakeNumbersFor() { innermost = around_; }

int64_t number_taken() {
  if (!innermost) return usual_number;
  innermost->was_asked_ = true;
  return innermost->number_;
}

}  // namespace sinter::graph
