// The one call that a row about new processes runs in each of them.

#pragma once

namespace sinter::bench {

void run_first_call();

}  // namespace sinter::bench
