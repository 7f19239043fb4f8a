// The functions of the process that generated code may call by name: the C library's for memory and mathematics, the
// compiler's own helpers, and in an instrumented build the sanitizers' runtime.

#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace sinter::runtime {

// Sorted. What clang may call of its own accord, and what generated code calls by name.
inline constexpr std::string_view process_functions[] = {
    "__divti3",   "__extendhfsf2", "__modti3",   "__truncdfbf2", "__truncdfhf2", "__truncsfbf2", "__truncsfhf2",
    "__udivti3",  "__umodti3",     "acos",       "acosf",        "acosh",        "acoshf",       "asin",
    "asinf",      "asinh",         "asinhf",     "atan",         "atan2",        "atan2f",       "atanf",
    "atanh",      "atanhf",        "bcmp",       "ceil",         "ceilf",        "cos",          "cosf",
    "cosh",       "coshf",         "erf",        "erfc",         "erfcf",        "erff",         "exp",
    "exp2",       "exp2f",         "expf",       "expm1",        "expm1f",       "floor",        "floorf",
    "fma",        "fmaf",          "fmod",       "fmodf",        "ldexp",        "ldexpf",       "lgamma",
    "lgammaf",    "log",           "log10",      "log10f",       "log1p",        "log1pf",       "log2",
    "log2f",      "logf",          "memcmp",     "memcpy",       "memmove",      "memset",       "nearbyint",
    "nearbyintf", "nextafter",     "nextafterf", "pow",          "powf",         "remainder",    "remainderf",
    "rint",       "rintf",         "round",      "roundeven",    "roundevenf",   "roundf",       "sin",
    "sinf",       "sinh",          "sinhf",      "sqrt",         "sqrtf",        "tan",          "tanf",
    "tanh",       "tanhf",         "tgamma",     "tgammaf",      "trunc",        "truncf"};
static_assert(std::is_sorted(std::begin(process_functions), std::end(process_functions)));

// Its address, or null where the name is not of these or the process lacks it.
inline const void* process_function(std::string_view name) {
  bool is_sanitizer = name.starts_with("__asan_") || name.starts_with("__ubsan_") || name.starts_with("__tsan_");
  if (!is_sanitizer && !std::binary_search(std::begin(process_functions), std::end(process_functions), name))
    return nullptr;
  return dlsym(RTLD_DEFAULT, std::string(name).c_str());
}

}  // namespace sinter::runtime
