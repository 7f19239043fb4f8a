// Calls compiled functions, and operators, where things end: in destructors of static and of thread-local objects, in
// those of a thread's keys. Prints "right" for each call whose result is right.
//
//   sinter_ending_probe static|static-first|thread|key

#include <pthread.h>
#include <sinter/sinter.h>

#include <cstdio>
#include <functional>
#include <string>
#include <thread>

using namespace sinter;

// What is made after the thread has let go of its things stays.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

namespace {

struct AtTheEnd {
  std::function<void()> run;
  ~AtTheEnd() {
    if (run) run();
  }
};
AtTheEnd at_exit;
thread_local AtTheEnd at_thread_exit;

Tensor rows(const Tensor& x, Scalar scale) { return softmax(x * scale, -1) + sum(x, {0}, /*keepdim=*/true); }

// Large enough for the memory that kernels and operators keep for the next call.
void call(const std::function<Tensor(const Tensor&, Scalar)>& fast) {
  Tensor x = ones({96, 96});
  bool is_right = sum(fast(x, 2.5)).item<float>() == sum(rows(x, 2.5)).item<float>();
  std::fputs(is_right ? "right\n" : "wrong\n", stdout);
  std::fflush(stdout);
}

// oneDNN's own state goes at the process's exit, but not with a thread.
void call_with_products(const std::function<Tensor(const Tensor&, Scalar)>& fast) {
  call(fast);
  Tensor x = ones({96, 96});
  std::fputs(sum(matmul(x, x)).item<float>() == 96 * 96 * 96 ? "" : "wrong product\n", stdout);
  std::fflush(stdout);
}

void call_in_a_thread(bool by_key) {
  static auto fast = compile(rows);
  static pthread_key_t key;
  if (by_key) pthread_key_create(&key, [](void*) { call_with_products(fast); });
  std::thread([by_key] {
    if (by_key)
      pthread_setspecific(key, &key);
    else
      at_thread_exit.run = [] {
        call_with_products(fast);
      };  // before all that the thread keeps, so it is destroyed after it
    call_with_products(fast);
  }).join();
}

}  // namespace

int main(int argc, char** argv) {
  std::string where = argc > 1 ? argv[1] : "";
  if (where == "static") {
    auto fast = compile(rows);
    at_exit.run = [fast] { call(fast); };
    call(fast);
  } else if (where == "static-first") {
    at_exit.run = [fast = compile(rows)] { call(fast); };
  } else if (where == "thread" || where == "key") {
    call_in_a_thread(where == "key");
  } else {
    return 2;
  }
}
