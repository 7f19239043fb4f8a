// Prints what a nest computes on one vector: its body's values as they become computable, and its stores.
//
// Scopes follow the loops around. A value is printed in the outermost scope where all axes that it depends on are
// known, so what does not change in a loop stands before it.

#pragma once

#include <sinter/codegen/cpp/index_syntax.h>
#include <sinter/codegen/cpp/kernel_context.h>

#include <functional>
#include <map>
#include <optional>
#include <span>

namespace sinter::codegen {

// How many lanes of a vector exist.
enum class LaneCount : uint8_t {
  all,    // N
  some,   // fewer, `count` says how many
  up_to,  // `count`, which may be N
};

// Strips of more vectors than stand unrolled are as long as a thread's part of the axis allows, but not short.
inline constexpr int most_unrolled_strip = 8;
inline constexpr int shortest_long_strip = 16;
constexpr bool is_long_strip(int strip) { return strip > most_unrolled_strip; }

// Where the lanes lie.
struct VectorPlace {
  int axis = -1;  // -1: every lane holds the same value
  LaneCount kind = LaneCount::all;
  std::string count = "N";
  bool aligned = true;  // starts at multiples of N
  int strip = 1;        // vectors that go through a shared axis together; which one is `s`
  // Not aligned, but such that the memory at this index starts at a multiple of N elements.
  std::optional<fusion::IndexExpr> lined_up;
};

class BodyPrinter {
 public:
  BodyPrinter(KernelContext& context, const fusion::Nest& nest);

  const fusion::Nest& nest() const { return nest_; }
  const AxisScope& axes() const { return axes_; }
  const VectorPlace& place() const { return place_; }

  void push_scope();
  void pop_scope();
  // From here to the end of the scope the axis has this C++ value.
  void set_axis(int axis, std::string text);
  // From here on lanes lie along place.axis, whose value at lane 0 is `text`. Until the scope ends.
  void set_vector(VectorPlace place, std::string text);
  // From here on buffers that the kernel writes may be read. Until the scope ends.
  void enter_iteration();
  // From here on a row of the table of loads is read as whole vectors at this address.
  void redirect(int load, std::string address) { redirected_[load] = std::move(address); }
  // From here on loads read memory again.
  void read_memory() { redirected_.clear(); }
  // From here on an operation is printed as this says, where it says something.
  using Spelling = std::function<std::string(int node, std::span<const std::string> operands)>;
  void spell(Spelling spelling) { spelling_ = std::move(spelling); }
  // Prints the values that are computable here and were not before.
  void print_values();
  // The same of what these values are made of and themselves only.
  void print_values_of(std::span<const int> roots);

  // The nest's scans, each after those that it depends on.
  const std::vector<int>& scans() const { return scans_; }
  // From here on scans take the next element where they are printed: their running values lie in these variables.
  void carry(int scan, std::string variable) { known_[scan].variable = std::move(variable); }
  // To the end of the scope that value is known under this name.
  void provide(int node, std::string name);

  // C++ of a value that was printed.
  std::string value(int node) const;
  std::string comment(int node) const;
  // Prints a store of a plain value or of a reduction's result, given as C++ and its type.
  void print_store(const fusion::Store& store, std::string value, DType dtype);

 private:
  struct Known {
    uint64_t axes = 0;           // that the value depends on
    bool reads_written = false;  // it depends on memory that this kernel writes
    bool is_needed = false;
    bool is_printed = false;
    bool is_narrow = false;  // an index whose every use is as an i32, which holds it
    std::string name;
    std::string variable;  // of a scan: its running value
  };
  struct Scope {
    std::vector<int> axes;
    std::vector<int> printed;
    std::vector<std::pair<int, std::string>> renamed;  // what provided values were called before
    bool has_vector = false;
    bool has_iteration = false;
    VectorPlace place_before;
  };

  void find_dependences();
  void find_narrow_indices();
  void name_values();
  bool is_inline(int node) const;
  bool is_computable(int node) const;
  void print_computable(const std::vector<bool>& is_asked);
  void print_scan_step(int node);
  void print_value(int node);
  std::string operation(int node);
  void print_index(const ScalarNode& node, const std::string& name, std::string_view comment);
  void print_narrow_index(const ScalarNode& node, const std::string& name, std::string_view comment);
  std::string load(const ScalarNode& node, const std::string& name);
  std::string index_vector(const fusion::IndexExpr& expr, const std::string& name);
  std::string load_at(const ScalarNode& node, const std::string& name);
  std::string load_memory(const KernelBuffer& used, const fusion::IndexExpr& linear, std::optional<SymInt> slope,
                          const std::string& name);
  std::string load_masked(const KernelBuffer& used, const fusion::IndexExpr& linear, std::optional<SymInt> slope,
                          const std::string& mask, const std::string& name);
  std::string lane_text(const fusion::IndexExpr& expr);
  std::string lane_indices(const fusion::IndexExpr& expr, const std::string& name);
  std::string array_address(const KernelBuffer& used, const fusion::Index& index);
  std::string converted(std::string value, DType from, DType to);
  std::string variable_text(const KernelBuffer& used) const;
  bool varies(int node) const;
  bool may_write_behind(const KernelBuffer& used, const fusion::IndexExpr& linear) const;
  bool streams(const KernelBuffer& used, const fusion::IndexExpr& linear) const;

  KernelContext& context_;
  const fusion::Nest& nest_;
  AxisScope axes_;
  uint64_t known_axes_ = 0;
  bool in_iteration_ = false;
  VectorPlace place_;
  std::vector<Known> known_;
  std::vector<Scope> scopes_;
  std::vector<int> scans_;
  std::map<int, std::string> redirected_;
  Spelling spelling_;
};

}  // namespace sinter::codegen
