// What a user can choose about a compiled function, and the environment variables that choose for a whole process.

#pragma once

#include <sinter/graph/error.h>
#include <sinter/runtime/cpu_features.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

// Which sizes are symbolic in compiled code, besides those that are declared or marked.
enum class Dynamic : uint8_t {
  never,
  automatic,  // a dim that has another size than at an earlier compile
  always,     // every dim of more than one element
};

// What happens when a function needs an entry more than it may keep.
enum class AtLimit : uint8_t {
  evict_least_recent,
  eager,  // the call runs uncompiled
  error,
};

// A dim of an argument whose size is not fixed: compile(f, {.dims = {{.argument = "arg0", .dim = 0, .max = 64}}}).
struct Dim {
  std::string argument;  // as guards call it: arg0, arg1[2], or its name of `argument_names`
  int64_t dim = 0;
  int64_t min = 1;
  int64_t max = std::numeric_limits<int64_t>::max();
  int64_t multiple_of = 1;
};

// compile(f, {.backend = "eager"})
struct Options {
  std::string backend = "native";                  // "native", "eager", or a registered one
  std::string name = "function";                   // how logs, dumps and messages call the function
  std::vector<std::string> argument_names;         // in graph text and guards; arg0, arg1, ... where missing
  int entry_limit = 8;                             // entries that one function keeps
  AtLimit at_limit = AtLimit::evict_least_recent;  // what happens beyond
  Dynamic dynamic = Dynamic::automatic;            // which sizes are symbolic
  std::vector<Dim> dims;                           // sizes that are, whatever `dynamic` says
  std::string dump_directory;                      // SINTER_DUMP, if empty
  std::optional<runtime::Isa> isa;                 // SINTER_ISA, if not set
  bool cuda_graphs = false;                        // record the kernels once, then replay them with one launch
};

namespace runtime {

// Environment variables, read once. Log topics have their own reader.
struct Environment {
  std::optional<Isa> isa;          // SINTER_ISA=avx2
  std::string dump_directory;      // SINTER_DUMP=dir
  int num_threads = 0;             // SINTER_NUM_THREADS=n; 0: not set
  std::string cache_directory;     // SINTER_CACHE_DIR=dir, or off
  int64_t cache_mebibytes = 1024;  // SINTER_CACHE_SIZE=n
  std::string cuda_arch;           // SINTER_CUDA_ARCH=sm_90: in place of the device's own
  std::string cuda_home;           // CUDA_HOME=dir: where the CUDA toolkit's libraries are
};
const Environment& environment();

// Throws Error(argument) for declarations that no size can fit.
void check_options(const Options& options, Here where);

// The instruction set that this function's code is built for.
Isa chosen_isa(const Options& options);

}  // namespace runtime
}  // namespace sinter
