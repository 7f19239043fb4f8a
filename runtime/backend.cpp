// The table of backends.

#include <sinter/runtime/backend.h>

#include <sinter/graph/nearest_name.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/program_sizes.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <variant>

namespace sinter {

namespace {

struct Table {
  std::mutex mutex;
  std::map<std::string, std::variant<Backend, GraphBackend>, std::less<>> backends = {
      {"native", Backend(runtime::native_backend)},
      {"inductor", Backend(runtime::native_backend)},
      {"eager", Backend(runtime::eager_backend)},
      {"debug_eager", Backend(runtime::debug_eager_backend)}};
};
// Never destroyed: compiled functions with static lifetime may still compile while the process ends.
Table& table() {
  static Table& instance = *new Table;
  return instance;
}

// What a GraphBackend gave. Its results must be what the graph's fake tensors said, as far as that is known.
class GraphFunctionRunner : public Executable {
 public:
  GraphFunctionRunner(std::string backend, GraphFunction function, std::vector<std::optional<TensorMeta>> promised,
                      Here here)
      : backend_(std::move(backend)), function_(std::move(function)), promised_(std::move(promised)), here_(here) {}

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override {
    std::vector<Tensor> tensors;
    for (const Tensor* input : inputs) tensors.push_back(*input);
    std::vector<Tensor> made = function_(tensors);
    if (made.size() != results.size())
      fail(fmt::format("its function gives {} tensors, the graph has {} results", made.size(), results.size()),
           "one tensor for each result of the graph");
    for (size_t i = 0; i < made.size(); ++i) check(i, made[i]);
    std::ranges::move(made, results.begin());
  }

 private:
  [[noreturn]] void fail(std::string message, std::string need) const {
    throw Error(ErrorKind::backend, here_, fmt::format("backend '{}': {}", backend_, message), {}, std::move(need));
  }

  void check(size_t i, const Tensor& made) const {
    if (!promised_[i]) return;
    const TensorMeta& promised = *promised_[i];
    if (!made.defined()) fail(fmt::format("result {} is undefined", i), to_string(promised));
    bool agrees =
        made.dtype() == promised.dtype && made.device() == promised.device && made.dim() == promised.layout.rank();
    for (int64_t dim = 0; agrees && dim < made.dim(); ++dim) {
      SymInt size = promised.layout.sizes[dim];
      agrees = !size.is_constant() || made.sizes()[dim].same(size);
    }
    if (!agrees)
      fail(fmt::format("result {} is {}, the graph's is {}", i, to_string(made.meta()), to_string(promised)),
           "results of the graph's sizes, dtypes and devices");
  }

  std::string backend_;
  GraphFunction function_;
  std::vector<std::optional<TensorMeta>> promised_;  // of each result; none for an undefined one
  Here here_;
};

Backend as_backend(std::string name, GraphBackend backend, std::vector<Tensor> examples, Here here) {
  return [name = std::move(name), backend = std::move(backend), examples = std::move(examples), here](
             graph::Graph graph, const Options&, Stages&) -> std::unique_ptr<Executable> {
    std::vector<std::optional<TensorMeta>> promised;
    for (const graph::Argument& result : graph.results)
      promised.push_back(result.is_output() ? std::optional(meta_of(result.output())) : std::nullopt);
    GraphFunction function = backend(std::move(graph), examples);
    return function ? std::make_unique<GraphFunctionRunner>(name, std::move(function), std::move(promised), here)
                    : nullptr;
  };
}

}  // namespace

void register_backend(std::string name, Backend backend) {
  std::lock_guard lock(table().mutex);
  table().backends[std::move(name)] = std::move(backend);
}

void register_backend(std::string name, GraphBackend backend) {
  std::lock_guard lock(table().mutex);
  table().backends[std::move(name)] = std::move(backend);
}

Backend find_backend(std::string_view name, Here here, std::vector<Tensor> examples) {
  std::lock_guard lock(table().mutex);
  auto found = table().backends.find(name);
  if (found != table().backends.end()) {
    if (auto* backend = std::get_if<Backend>(&found->second)) return *backend;
    return as_backend(found->first, std::get<GraphBackend>(found->second), std::move(examples), here);
  }
  std::vector<std::string> names;
  std::string list;
  for (const auto& [known, backend] : table().backends) {
    names.push_back(known);
    list += (list.empty() ? "" : ", ") + known;
  }
  throw Error(ErrorKind::argument, here, fmt::format("compile: there is no backend '{}'", name), {},
              fmt::format("did you mean '{}'? there are: {}", nearest_name(name, names), list));
}

}  // namespace sinter
