// The change itself, and its refusal.

#include <sinter/graph/ops/change_handle.h>

namespace sinter {

std::atomic<int64_t> layouts_changed = 0;

void change_handle(const Tensor& self, const Tensor& seen, std::string_view op, Here here) {
  if (seen.is_fake() && !self.is_fake())
    throw Error(ErrorKind::trace, here, fmt::format("{}: it would change a captured tensor's layout for good", op),
                {{"self", to_string(self.meta())}},
                "pass the tensor as an argument, or take a view of it (t, squeeze, as_strided)");
  self.impl()->meta = seen.meta();
  self.impl()->fake = seen.impl()->fake;
  if (!self.is_fake()) layouts_changed.fetch_add(1);
}

}  // namespace sinter
