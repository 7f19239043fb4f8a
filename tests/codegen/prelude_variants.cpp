// Collects what the build compiled of prelude_kernels.cpp and this machine can run.

#include <codegen/prelude_kernels.h>
#include <sinter/runtime/cpu_features.h>

#include <stdexcept>

#define VARIANT(name) extern "C" const PreludeVariant prelude_variant_##name;
PRELUDE_VARIANTS
#undef VARIANT

std::vector<const PreludeVariant*> prelude_variants() {
  std::vector<const PreludeVariant*> runnable;
#define VARIANT(name)                                                                        \
  if (sinter::runtime::is_supported(sinter::runtime::parse_isa(prelude_variant_##name.isa))) \
    runnable.push_back(&prelude_variant_##name);
  PRELUDE_VARIANTS
#undef VARIANT
  return runnable;
}

const PreludeKernel& find_kernel(const PreludeVariant& variant, std::string_view name) {
  for (const PreludeKernel& kernel : std::span(variant.kernels, variant.count)) {
    if (kernel.name == name) return kernel;
  }
  throw std::runtime_error("no kernel " + std::string(name));
}
