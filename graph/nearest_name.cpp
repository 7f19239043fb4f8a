// Edit distance to known names (Wagner and Fischer's table, one row at a time).

#include <sinter/graph/nearest_name.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace sinter {

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view wanted, std::span<const std::string> names) {
  const std::string* best = nullptr;
  size_t best_distance = 0;
  for (const std::string& name : names) {
    size_t distance = edit_distance(wanted, name);
    if (best && distance >= best_distance) continue;
    best = &name;
    best_distance = distance;
  }
  return best ? *best : std::string();
}

}  // namespace sinter
