// How many threads a loop may ask for: libgomp ends the process when it can't make one.

#pragma once

namespace sinter::runtime {

// As many as are wanted, or as could be started when this thread asked first: it tries.
int startable_threads(int wanted);

}  // namespace sinter::runtime
