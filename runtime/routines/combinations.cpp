// combinations: all choices of r elements, in the order of their places.

#include <sinter/runtime/routines/routine.h>

namespace sinter::runtime::routines {

namespace {

// The next choice in lexicographic order; false after the last one. Places rise strictly, or may repeat.
bool next_choice(Dims& places, int64_t size, bool repeats) {
  int64_t r = static_cast<int64_t>(places.size());
  for (int64_t k = r; k-- > 0;) {
    int64_t last = repeats ? size - 1 : size - r + k;
    if (places[k] >= last) continue;
    ++places[k];
    for (int64_t after = k + 1; after < r; ++after) places[after] = places[after - 1] + (repeats ? 0 : 1);
    return true;
  }
  return false;
}

}  // namespace

SINTER_ROUTINE(combinations_default) {
  const Tensor &self = args[0].tensor(), &result = results[0];
  if (result.numel() == 0) return;
  bool repeats = args.flag("with_replacement");
  Dims places(args.integer("r"), 0);
  for (size_t k = 0; !repeats && k < places.size(); ++k) places[k] = static_cast<int64_t>(k);
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = self.data_ptr<T>();
    T* to = result.data_ptr<T>();
    int64_t stride = self.strides()[0].constant();
    do {
      for (int64_t place : places) *to++ = from[place * stride];
    } while (next_choice(places, self.sizes()[0].constant(), repeats));
  });
}

}  // namespace sinter::runtime::routines
