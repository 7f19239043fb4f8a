// Declarations and marks first; else what the policy says of a dim.

#include <sinter/runtime/size_policy.h>

#include <sinter/runtime/declared_names.h>

#include <optional>

namespace sinter::runtime {

const SizePolicy::Seen& SizePolicy::note(const FlatArguments& arguments, size_t argument) {
  const Layout& layout = arguments.tensors[argument]->layout();
  auto [entry, is_new] = seen_.try_emplace({arguments.tensors.size(), argument, layout.rank()});
  Seen& seen = entry->second;
  if (is_new) {
    for (SymInt size : layout.sizes) seen.sizes.push_back(size.hint());
    seen.varies.resize(layout.sizes.size());
  }
  for (size_t dim = 0; dim < seen.sizes.size(); ++dim)
    if (layout.sizes[dim].hint() != seen.sizes[dim]) seen.varies[dim] = true;
  return seen;
}

namespace {

void check_declaration(const Dim& declared, int64_t size, Here where) {
  bool fits = size >= declared.min && size <= declared.max && size % declared.multiple_of == 0;
  if (fits) return;
  std::string range = declared.max == SizeRange::no_high ? fmt::format("of at least {}", declared.min)
                                                         : fmt::format("from {} to {}", declared.min, declared.max);
  if (declared.multiple_of != 1) range += fmt::format(", a multiple of {}", declared.multiple_of);
  throw Error(ErrorKind::argument, where,
              fmt::format("compile: {}.size({}) is {}", declared.argument, declared.dim, size), {},
              fmt::format("it is declared to be {}", range));
}

std::optional<SymbolicDim> declared_dim(const Options& options, const std::string& name, int argument, int dim,
                                        int64_t rank, int64_t size, Here where) {
  std::optional<SymbolicDim> found;
  for (const Dim& declared : options.dims) {
    int64_t wanted = declared.dim < 0 ? declared.dim + rank : declared.dim;
    if (declared.argument != name || wanted != dim) continue;
    if (found)
      throw Error(ErrorKind::argument, where,
                  fmt::format("compile: the size of dim {} of {} is declared twice", dim, name));
    check_declaration(declared, size, where);
    found = SymbolicDim{argument, dim, {declared.min, declared.max}, declared.multiple_of, true};
  }
  return found;
}

void check_dims(const Options& options, const std::string& name, const Tensor& tensor, Here where) {
  for (const Dim& declared : options.dims) {
    bool is_there = declared.argument != name || (declared.dim >= -tensor.dim() && declared.dim < tensor.dim());
    if (is_there) continue;
    throw Error(ErrorKind::argument, where,
                fmt::format("compile: the size of dim {} of {} is declared, and it is of rank {}", declared.dim, name,
                            tensor.dim()),
                {{name, to_string(tensor.meta())}}, fmt::format("{} <= dim < {}", -tensor.dim(), tensor.dim()));
  }
}

std::optional<SymbolicDim> marked_dim(const Tensor& tensor, int argument, int dim) {
  if (!tensor.impl()->marks) return {};
  for (const SizeMark& mark : *tensor.impl()->marks)
    if (mark.dim == dim) return SymbolicDim{argument, dim, {mark.min, mark.max}, 1, true};
  return {};
}

}  // namespace

std::vector<SymbolicDim> SizePolicy::choose(const FlatArguments& arguments, const NameArguments& names,
                                            const Options& options, Here where) {
  std::vector<SymbolicDim> chosen;
  check_declared_names(options, names, where);
  auto is_elsewhere = [](const Tensor* tensor) { return tensor->defined() && !tensor->device().is_cpu(); };
  if (options.cuda_graphs && std::ranges::any_of(arguments.tensors, is_elsewhere))
    return chosen;  // a recording has numbers for sizes
  for (size_t i = 0; i < arguments.tensors.size(); ++i) {
    const Tensor& tensor = *arguments.tensors[i];
    if (!tensor.defined() || tensor.is_fake()) continue;
    check_dims(options, names.tensors[i], tensor, where);
    const Seen& seen = note(arguments, i);
    for (int dim = 0; dim < tensor.dim(); ++dim) {
      int argument = static_cast<int>(i);
      int64_t size = tensor.sizes()[dim].hint();
      std::optional<SymbolicDim> choice =
          declared_dim(options, names.tensors[i], argument, dim, tensor.dim(), size, where);
      if (!choice) choice = marked_dim(tensor, argument, dim);
      bool is_chosen = options.dynamic == Dynamic::always ? size > 1 || seen.varies[dim]
                                                          : options.dynamic == Dynamic::automatic && seen.varies[dim];
      if (!choice && is_chosen) choice = SymbolicDim{argument, dim};
      if (choice && size > 0) chosen.push_back(*choice);
    }
  }
  return chosen;
}

}  // namespace sinter::runtime
