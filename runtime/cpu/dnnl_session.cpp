// The process's oneDNN engine, and its threads by way of OpenMP.

#include <sinter/runtime/cpu/dnnl_session.h>

#include <sinter/runtime/ending_library.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/startable_threads.h>

// Of the one OpenMP runtime of the process, which is oneDNN's.
extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int count);
}

namespace sinter::runtime {

DnnlThreads::DnnlThreads() : before_(omp_get_max_threads()) {
#if defined(SINTER_PARALLEL_POOL)
  omp_set_num_threads(1);  // the thread sanitizer does not understand OpenMP
#else
  omp_set_num_threads(is_inside_parallel_for() ? 1 : startable_threads(get_num_threads()));
#endif
}
DnnlThreads::~DnnlThreads() { omp_set_num_threads(before_); }

int dnnl_thread_count() { return omp_get_max_threads(); }

EndingLibrary& dnnl_library() {
  static constinit EndingLibrary library([] { dnnl_library().end(); });
  return library;
}

// Never destroyed: static objects may call products while the process ends.
dnnl::engine& dnnl_engine() {
  static dnnl::engine& instance = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return instance;
}

}  // namespace sinter::runtime
