// Things that a thread keeps from call to call, and that may be asked for until the very end of the thread and of the
// process: destructors of static and thread-local objects call compiled functions too.

#pragma once

namespace sinter::runtime {

// The thread's own T. One that is asked for after the thread let go of what it kept is made anew, and stays.
template <class T>
T& kept_by_thread() {
  // Plain data, which lives as long as the thread's memory.
  thread_local constinit T* kept = nullptr;
  thread_local constinit bool has_let_go = false;
  if (kept == nullptr) [[unlikely]] {
    struct LetsGo {
      ~LetsGo() {
        delete kept;
        kept = nullptr;
        has_let_go = true;
      }
    };
    kept = new T;
    if (!has_let_go) {
      thread_local LetsGo at_the_end;
      static_cast<void>(at_the_end);
    }
  }
  return *kept;
}

}  // namespace sinter::runtime
