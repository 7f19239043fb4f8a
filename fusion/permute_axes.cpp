// Renames axes in every index of a nest.

#include <sinter/fusion/permute_axes.h>

#include <sinter/fusion/access.h>

namespace sinter::fusion {

void permute_axes(Nest& nest, std::span<const int> order) {
  Index renamed(nest.axes.size());
  std::vector<Axis> axes;
  for (size_t k = 0; k < order.size(); ++k) {
    renamed[order[k]] = IndexExpr::axis(static_cast<int>(k));
    axes.push_back(nest.axes[order[k]]);
  }
  nest.axes = std::move(axes);
  SymDims extents = extents_of(nest);
  auto rename = [&](Index& index) {
    for (IndexExpr& expr : index) expr = substitute(expr, renamed, extents);
  };
  for (Load& load : nest.body.loads) rename(load.index);
  for (Store& store : nest.stores) rename(store.index);
  rename(nest.body.index_values);
}

}  // namespace sinter::fusion
