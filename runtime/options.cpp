// Options with the environment's share in them.

#include <sinter/runtime/options.h>

#include <sinter/graph/error.h>
#include <sinter/graph/log.h>

#include <charconv>
#include <cstdlib>

namespace sinter::runtime {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// What is not a number of at least 1 is ignored.
int64_t positive_number(const char* name, int64_t otherwise, int64_t most) {
  std::string text = variable(name);
  if (text.empty()) return otherwise;
  int64_t number = 0;
  auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault == std::errc() && end == text.data() + text.size() && number > 0 && number <= most) return number;
  warn(fmt::format("{}={} is ignored: need a number of at least 1", name, text));
  return otherwise;
}

// What can't be read is said once and then ignored: a wrong variable should not make every call fail.
Environment read_environment() {
  Environment environment;
  environment.dump_directory = variable("SINTER_DUMP");
  environment.cuda_arch = variable("SINTER_CUDA_ARCH");
  environment.cuda_home = variable("CUDA_HOME");
  if (std::string isa = variable("SINTER_ISA"); !isa.empty()) {
    try {
      environment.isa = parse_isa(isa);
    } catch (const Error& error) {
      warn(fmt::format("SINTER_ISA is ignored: {}", error.message()));
    }
  }
  environment.num_threads = static_cast<int>(positive_number("SINTER_NUM_THREADS", 0, 1 << 20));
  environment.cache_directory = variable("SINTER_CACHE_DIR");
  environment.cache_mebibytes = positive_number("SINTER_CACHE_SIZE", 1024, int64_t{1} << 32);
  return environment;
}

}  // namespace

// Never destroyed: compiled functions with static lifetime may still compile while the process ends.
const Environment& environment() {
  static const Environment& read = *new Environment(read_environment());
  return read;
}

void check_options(const Options& options, Here where) {
  for (const Dim& dim : options.dims) {
    std::string declared = fmt::format("compile: the size of dim {} of {} is declared", dim.dim, dim.argument);
    if (dim.multiple_of < 1)
      throw Error(ErrorKind::argument, where, fmt::format("{} a multiple of {}", declared, dim.multiple_of), {},
                  "a multiple of 1 at least");
    if (dim.min > dim.max || dim.max < 1 || dim.max / dim.multiple_of * dim.multiple_of < dim.min)
      throw Error(ErrorKind::argument, where,
                  fmt::format("{} from {} to {}, a multiple of {}", declared, dim.min, dim.max, dim.multiple_of), {},
                  "a range with a size in it");
  }
}

Isa chosen_isa(const Options& options) {
  if (!options.isa && !environment().isa) {
    static const Isa detected = detect_isa();
    return detected;
  }
  Isa isa = options.isa ? *options.isa : *environment().isa;
  if (!is_supported(isa))
    throw Error(ErrorKind::environment, Here::current(),
                fmt::format("compile: this machine can't run {} code", name(isa)), {},
                fmt::format("it runs {} at most", name(detect_isa())));
  return isa;
}

}  // namespace sinter::runtime
