// Guards against a call's arguments: as a flat list of comparisons for every call, and one by one to say which failed.

#pragma once

#include <sinter/graph/guard.h>
#include <sinter/graph/number_facts.h>
#include <sinter/graph/size_program.h>
#include <sinter/runtime/flat_arguments.h>

#include <optional>

namespace sinter::runtime {

// Where a tensor's elements lie: [begin, end) in bytes; empty for an empty, undefined or fake tensor.
struct MemoryRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};
MemoryRange memory_range(const Tensor& tensor);
// The same; if `bytes` is not 0, that many from the storage's start on.
MemoryRange reached_range(const Tensor& tensor, int64_t bytes);
inline bool overlap(MemoryRange a, MemoryRange b) { return a.begin < b.end && b.begin < a.end; }
// Address of the first element; 0 for an undefined tensor.
uintptr_t first_element(const Tensor& tensor);

// The guards of one entry, laid out for checking.
class FlatGuards {
 public:
  FlatGuards() = default;
  // `captured`: tensors that the function captured, whose memory arguments may overlap; they must outlive this.
  FlatGuards(std::span<const graph::Guard> guards, const FlatArguments& example, std::span<const Tensor> captured);

  bool hold(const FlatArguments& arguments) const;

 private:
  struct Range {
    int leader = -1;       // the tensor in whose memory this one lies; itself, if none
    int64_t distance = 0;  // bytes from the leader's first element to this one's
    int64_t before = 0;    // bytes before the first element that count too
    int64_t bytes = 0;     // from the first element to the end of the last, or of what else counts
    bool is_written = false;
    bool is_symbolic = false;  // `bytes` are the tensor's own at a call
  };
  // Of one symbol: what its size must be.
  struct Symbol {
    SizeRange range;
    int64_t multiple_of = 1;
  };
  // Between two slots of the sizes of a call.
  struct Relation {
    int left, right;
    Comparison comparison;
    bool holds;
  };
  struct DerivedStride {
    int tensor, dim, slot;
    bool is_asked;
  };
  // A stride that the function asked for, whatever the size is.
  struct AskedStride {
    int tensor, dim;
    int64_t expected;
  };
  // Two arguments that are one tensor, or lie in one storage, or do not.
  struct Identity {
    int one, other;        // -1: what was captured
    const void* captured;  // the guard keeps it alive
    bool of_storage, holds;
  };
  using Sizes = SmallVector<int64_t, 48>;

  bool bind(int64_t marker, int64_t size, Sizes& sizes) const;
  bool sizes_hold(const FlatArguments& arguments, Sizes& sizes) const;
  bool overlaps_hold(const FlatArguments& arguments) const;

  // An answer about a Scalar.
  struct Number {
    int word;  // its value; its kind stands before
    graph::NumberQuestion question;
    DType dtype;
    bool holds;
  };

  bool numbers_hold(const FlatArguments& arguments) const;
  bool questions_hold(const FlatArguments& arguments) const;

  std::vector<uint64_t> words_;
  std::vector<uint64_t> word_masks_;  // 0 for a word that may be anything; empty if there is none
  std::vector<Number> numbers_;
  std::vector<int64_t> tensors_;  // for each tensor: a header, its sizes, its checked strides, its offset and its
                                  // storage's bytes if checked
  size_t tensor_count_ = 0;
  std::vector<Range> ranges_;  // of tensors and captured tensors; empty if the function writes none of them
  std::span<const Tensor> captured_;
  std::vector<Symbol> symbols_;
  graph::SizeProgram size_program_;
  std::vector<Relation> relations_;
  std::vector<DerivedStride> strides_;
  std::vector<AskedStride> asked_strides_;
  std::vector<Identity> identities_;
  std::vector<Tensor> compared_;  // captured tensors of identities
  std::vector<Storage> compared_storages_;
  bool has_questions_ = false;  // any of these
};

// The values of the symbols that the guards define, at a call whose arguments pass the guards of structure and rank.
std::vector<int64_t> symbol_values(std::span<const graph::Guard> guards, const FlatArguments& arguments);

// The first guard that the arguments fail, with what was found instead; nothing if all hold.
struct GuardFailure {
  const graph::Guard* guard;
  std::string actual;
};
std::optional<GuardFailure> first_failure(std::span<const graph::Guard> guards, const FlatArguments& arguments,
                                          std::span<const WordInfo> words, std::span<const Tensor> captured);

// A word in words: `3`, `0.5`, `true`, `absent`.
std::string word_text(WordKind kind, uint64_t word);

}  // namespace sinter::runtime
