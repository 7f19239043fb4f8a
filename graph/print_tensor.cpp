// Formats as PyTorch does: 4 decimals, or scientific where the magnitudes differ too much; 3 items at each end of a
// long dim once there are more than 1000 elements; rows broken at 80 columns.

#include <sinter/graph/print_tensor.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace sinter {

namespace {

constexpr int64_t elide_above = 1000;
constexpr int64_t edge_items = 3;
constexpr size_t line_width = 80;

Scalar element(const Tensor& tensor, int64_t position) {
  return visit(tensor.dtype(), [&](auto zero) -> Scalar {
    using T = decltype(zero);
    T value = static_cast<const T*>(tensor.data_ptr())[position];
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      return static_cast<float>(value);
    else
      return value;
  });
}

class Printer {
 public:
  explicit Printer(const Tensor& tensor) : tensor_(tensor), elides_(tensor.numel().constant() > elide_above) {}

  std::string text() {
    collect(0, 0);
    choose_format();
    for (const Scalar& value : values_) {
      items_.push_back(item(value));
      width_ = std::max(width_, items_.back().size());
    }
    std::string text;
    print(text, 0, 1);
    return fmt::format("{} {}{}", text, name(tensor_.dtype()), to_string(tensor_.sizes()));
  }

 private:
  int64_t size(int64_t dim) const { return tensor_.sizes()[dim].constant(); }
  bool is_elided(int64_t dim) const { return elides_ && size(dim) > 2 * edge_items; }

  // Calls visit(i) for the indices shown, and gap() where some are left out.
  template <class Visit, class Gap>
  void for_each_shown(int64_t dim, Visit&& visit, Gap&& gap) const {
    for (int64_t i = 0; i < size(dim); ++i) {
      if (is_elided(dim) && i == edge_items) {
        gap();
        i = size(dim) - edge_items;
      }
      visit(i);
    }
  }

  void collect(int64_t dim, int64_t position) {
    if (dim == tensor_.dim()) {
      values_.push_back(element(tensor_, position));
      return;
    }
    int64_t stride = tensor_.strides()[dim].constant();
    for_each_shown(dim, [&](int64_t i) { collect(dim + 1, position + i * stride); }, [] {});
  }

  void choose_format() {
    double smallest = INFINITY, largest = 0;
    for (const Scalar& number : values_) {
      double value = number.to_double();
      if (!std::isfinite(value)) continue;
      all_whole_ &= value == std::trunc(value);
      if (value == 0) continue;
      smallest = std::min(smallest, std::abs(value));
      largest = std::max(largest, std::abs(value));
    }
    scientific_ = largest > 0 && (largest / smallest > 1000 || largest > 1e8 || smallest < 1e-4);
  }

  std::string item(const Scalar& number) const {
    if (!is_floating(tensor_.dtype())) return to_string(number);
    double value = number.to_double();
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    if (scientific_) return fmt::format("{:.4e}", value);
    return all_whole_ ? fmt::format("{:.0f}.", value) : fmt::format("{:.4f}", value);
  }

  void print(std::string& text, int64_t dim, size_t indent) {
    if (dim == tensor_.dim()) {
      text += fmt::format("{:>{}}", items_[next_++], width_);
      return;
    }
    bool is_row = dim + 1 == tensor_.dim();
    std::string line_break = "," +
                             std::string(static_cast<size_t>(std::max<int64_t>(tensor_.dim() - dim - 1, 1)), '\n') +
                             std::string(indent, ' ');
    size_t a_line = std::max<size_t>((line_width - std::min(line_width, indent)) / (width_ + 2), 1);
    text += '[';
    size_t count = 0;
    auto next = [&] {
      if (count > 0) text += is_row && count % a_line != 0 ? ", " : line_break;
      ++count;
    };
    for_each_shown(
        dim,
        [&](int64_t) {
          next();
          print(text, dim + 1, indent + 1);
        },
        [&] {
          next();
          text += "...";
        });
    text += ']';
  }

  const Tensor& tensor_;
  bool elides_;
  bool all_whole_ = true;
  bool scientific_ = false;
  std::vector<Scalar> values_;
  std::vector<std::string> items_;
  size_t width_ = 0;
  size_t next_ = 0;
};

}  // namespace

std::string to_string(const Tensor& tensor) {
  if (!tensor.defined()) return "undefined";
  if (tensor.is_fake()) return "fake " + to_string(tensor.meta());
  if (!tensor.device().is_cpu()) return to_string(tensor.to(cpu));
  return Printer(tensor).text();
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << to_string(tensor); }
std::ostream& operator<<(std::ostream& out, const SymDims& sizes) { return out << to_string(sizes); }
std::ostream& operator<<(std::ostream& out, SymInt size) { return out << to_string(size); }
std::ostream& operator<<(std::ostream& out, DType dtype) { return out << name(dtype); }
std::ostream& operator<<(std::ostream& out, Device device) { return out << to_string(device); }

}  // namespace sinter
