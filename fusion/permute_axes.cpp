// Substitutes axes in every index of a nest.

#include <sinter/fusion/permute_axes.h>

#include <sinter/fusion/access.h>

namespace sinter::fusion {

void replace_axes(Nest& nest, std::vector<Axis> axes, const Index& replacements) {
  nest.axes = std::move(axes);
  SymDims extents = extents_of(nest);
  auto replace = [&](Index& index) { index = substitute(index, replacements, extents); };
  for (Load& load : nest.body.loads) replace(load.index);
  for (Store& store : nest.stores) replace(store.index);
  replace(nest.body.index_values);
}

void permute_axes(Nest& nest, std::span<const int> order) {
  Index renamed(nest.axes.size());
  std::vector<Axis> axes;
  for (size_t k = 0; k < order.size(); ++k) {
    renamed[order[k]] = IndexExpr::axis(static_cast<int>(k));
    axes.push_back(nest.axes[order[k]]);
  }
  replace_axes(nest, std::move(axes), renamed);
}

}  // namespace sinter::fusion
