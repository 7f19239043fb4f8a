// What the printers of one kernel share: its buffers as C++ sees them, the lanes of a vector, the text so far.

#pragma once

#include <sinter/codegen/cpp/size_syntax.h>
#include <sinter/codegen/generate_program.h>
#include <sinter/codegen/print_prelude.h>
#include <sinter/codegen/source_writer.h>

#include <set>
#include <span>
#include <unordered_map>

namespace sinter::codegen {

// A buffer inside a kernel.
enum class Place : uint8_t {
  memory,    // behind a pointer
  array,     // a local array: elements, or vectors of a shared vector axis
  variable,  // a local of one element: a vector variable
};

struct KernelBuffer {
  int id = -1;  // in the schedule
  Place place = Place::memory;
  std::string name;  // of the pointer, array or variable
  bool is_read = false;
  bool is_written = false;
  bool may_alias = false;
  bool streams = false;
  SymInt bytes = 0;
  int position = -1;  // in the step's list; of memory only
};

// Of each math function; one that occurs more often is called.
inline constexpr int most_inlined_functions = 2;

struct KernelContext {
  KernelContext(const fusion::Schedule& schedule, const fusion::Kernel& kernel, const CppTarget& target);

  const fusion::Schedule& schedule;
  const fusion::Kernel& kernel;
  const CppTarget& target;
  int lanes = 1;
  int shared_axis = -1;  // the vector axis, if it is an outer one
  // Loads at an offset that data give stay inside of the buffer whatever the data are.
  bool clamps_offsets = false;
  // What the text relies on of symbolic sizes, as conditions in C++, where it may rely on anything.
  bool may_assume_rows = false;
  bool may_assume_lines = false;  // that rows begin at lines of memory
  std::set<std::string> assumed;
  std::vector<KernelBuffer> buffers;
  PreludeUse use;
  SizeNames sizes;
  SourceWriter code;

  const fusion::Buffer& buffer(int id) const { return schedule.buffers[id]; }
  KernelBuffer& used(int id) { return buffers[position_of_.at(id)]; }
  std::string size_text(SymInt size) { return sizes.text(size, use); }
  // All of them are multiples of N, for certain or by what the text may rely on from now on.
  bool are_lines(std::span<const SymInt> counts);
  // A name that nothing else in the kernel has: `max_0`, `max_1`.
  std::string fresh_name(std::string_view base);
  // Records a piece and gives it back.
  void need(std::string piece) { use.pieces.insert(std::move(piece)); }
  void need(std::string_view what, DType dtype);
  // Math functions that the kernel uses more often than this are called, not inlined.
  void call_long_functions(int most_inlined);

 private:
  KernelBuffer& find(int id);
  void collect_buffers();
  void name_buffers();
  void find_aliases();
  void choose_lanes();

  std::unordered_map<int, int> position_of_;
  std::unordered_map<std::string, int> names_;
};

// Elements of a buffer's memory, from the start of the storage.
SymInt element_count(const fusion::Buffer& buffer);

}  // namespace sinter::codegen
