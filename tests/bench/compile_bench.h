// What rows about new processes run in each of them.

#pragma once

namespace sinter::bench {

void run_first_call();   // relu(x + y) * 2
void run_first_graph();  // 200 kernels

}  // namespace sinter::bench
