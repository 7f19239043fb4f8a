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

// What can't be read is said once and then ignored: a wrong variable should not make every call fail.
Environment read_environment() {
  Environment environment;
  environment.dump_directory = variable("SINTER_DUMP");
  if (std::string isa = variable("SINTER_ISA"); !isa.empty()) {
    try {
      environment.isa = parse_isa(isa);
    } catch (const Error& error) {
      warn(fmt::format("SINTER_ISA is ignored: {}", error.message()));
    }
  }
  if (std::string threads = variable("SINTER_NUM_THREADS"); !threads.empty()) {
    int count = 0;
    auto [end, fault] = std::from_chars(threads.data(), threads.data() + threads.size(), count);
    if (fault == std::errc() && end == threads.data() + threads.size() && count > 0)
      environment.num_threads = count;
    else
      warn(fmt::format("SINTER_NUM_THREADS={} is ignored: need a number of at least 1", threads));
  }
  return environment;
}

}  // namespace

const Environment& environment() {
  static const Environment read = read_environment();
  return read;
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
