// What holds in every test program, however it is started: options of the sanitizers, and no cache on disk, since tests
// count compiles.

#include <cstdlib>

// An allocation that is too large must fail as it does without the sanitizer: tests ask for one.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
  return "allocator_may_return_null=1:second_deadlock_stack=1:halt_on_error=1";
}

namespace {

[[maybe_unused]] const int no_disk_cache = setenv("SINTER_CACHE_DIR", "off", /*overwrite=*/0);

}  // namespace
