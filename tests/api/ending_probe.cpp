// Calls compiled functions, and operators, where things end: in destructors of static and of thread-local objects, in
// those of a thread's keys, in threads that nobody joins. Prints "right" for each call whose result is right.
//
//   sinter_ending_probe static|static-new|static-first|atexit|thread|key
//   sinter_ending_probe detached|exit MILLISECONDS
//   sinter_ending_probe few-threads

#include <pthread.h>
#include <sinter/sinter.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
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

// Products and convolutions of what libraries have them for.
bool are_products_right() {
  bool is_right = true;
  for (DType dtype : {f32, bf16, f16, f64}) {
    Tensor x = ones({24, 24}).to(dtype), image = ones({1, 2, 6, 6}).to(dtype), filter = ones({3, 2, 3, 3}).to(dtype);
    is_right &= sum(matmul(x, x).to(f32)).item<float>() == 24 * 24 * 24;
    is_right &= sum(ops("aten::conv2d")(image, filter)[0].tensor().to(f32)).item<float>() == 3 * 4 * 4 * 18;
  }
  return is_right;
}

// A function that there was none of before, and products.
bool is_new_right() {
  static std::atomic<int> next = 0;
  int number = ++next;
  auto fast = compile([number](const Tensor& x) { return softmax(x * number, -1) + x.sum({0}) * number; });
  bool is_right = fast(ones({4, 4})).data_ptr<float>()[0] == 0.25f + 4.0f * static_cast<float>(number);
  return is_right && are_products_right();
}

void call_new() {
  std::fputs(is_new_right() ? "right\n" : "wrong\n", stdout);
  std::fflush(stdout);
}

void call_for_ever() {
  while (true)
    if (!is_new_right()) std::fputs("wrong\n", stdout);
}

// Loops of more threads than can be started.
void call_with_few_threads() {
  set_num_threads(32);
  Tensor x = ones({1 << 20}), square = ones({256, 256});
  bool is_right = sum(relu(x) + 1).item<float>() == 2 << 20 && sum(matmul(square, square)).item<float>() == 1 << 24;
  std::fputs(is_right ? "right\n" : "wrong\n", stdout);
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
  } else if (where == "static-new") {
    at_exit.run = [] {
      call_new();
      call_new();
    };
    call_new();
  } else if (where == "atexit") {
    std::atexit(call_new);
    call_new();
  } else if (where == "detached" || where == "exit") {
    auto moment = std::chrono::milliseconds(argc > 2 ? std::atoi(argv[2]) : 0);
    for (int i = 0; i < 3; ++i) std::thread(call_for_ever).detach();
    std::this_thread::sleep_for(moment);
    if (where == "detached") at_exit.run = call_new;
    if (where == "exit") std::exit(0);
  } else if (where == "few-threads") {
    call_with_few_threads();
  } else if (where == "thread" || where == "key") {
    call_in_a_thread(where == "key");
  } else {
    return 2;
  }
}
