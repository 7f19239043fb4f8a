// Writes down what a trace relied on, as guards.

#pragma once

#include <sinter/graph/argument_identity.h>
#include <sinter/graph/graph.h>
#include <sinter/graph/guard.h>
#include <sinter/graph/shape_facts.h>
#include <sinter/runtime/flat_arguments.h>

namespace sinter::runtime {

// Which arguments were traced as lying in one memory: argument i in that of argument leaders[i].
struct SharedMemory {
  std::vector<int> leaders;
};

// Whose memory the function writes, and whose storage offset it asked for.
struct WrittenMemory {
  std::vector<bool> arguments;
  std::vector<bool> captured;
  std::vector<bool> offset_is_read;  // of arguments
  // Of arguments, then captured tensors: what the function looks at outside of them by as_strided ends that many
  // elements after their storage's start; 0 if it does not.
  std::vector<int64_t> reach;
};
WrittenMemory find_written(const graph::Graph& graph, std::span<const graph::NodeOutput> placeholders,
                           std::span<const Tensor> fakes);

struct TraceFacts {
  const FlatArguments& arguments;
  const NameArguments& names;
  std::span<const Tensor> captured;
  const SharedMemory& memory;
  const WrittenMemory& written;
  std::vector<TensorMeta> traced = {};  // of each argument, with symbolic sizes; may be empty
  std::vector<bool> unused = {};        // arguments that nothing was asked of; may be empty
  std::vector<uint64_t> strides = {};   // of each argument: dims whose stride was asked for; may be empty
  const graph::ShapeFacts* shapes = nullptr;
};
std::vector<graph::Guard> write_guards(const TraceFacts& facts, const graph::Graph& graph,
                                       std::span<const graph::NodeOutput> placeholders, Here where);
// Which arguments are one tensor, or lie in one storage, where the function asked.
std::vector<graph::Guard> identity_guards(std::span<const graph::IdentityAnswer> answers, const NameArguments& names);
// What was decided on sizes.
std::vector<graph::Guard> relation_guards(const graph::ShapeFacts& shapes);
// What was asked of numbers that are inputs.
std::vector<graph::Guard> number_guards(const graph::NumberFacts& numbers, const NameArguments& names,
                                        const FlatArguments& arguments);

// `arg1[2].w` as a name of letters, digits and underscores: arg1_2_w.
std::string identifier(std::string_view path);

}  // namespace sinter::runtime
