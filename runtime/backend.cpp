// The table of backends.

#include <sinter/runtime/backend.h>

#include <sinter/graph/nearest_name.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/library_calls.h>
#include <sinter/runtime/program_sizes.h>

#include <algorithm>
#include <map>
#include <mutex>
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
Table& table() {
  static Table instance;
  return instance;
}

// What a GraphBackend gave.
class GraphFunctionRunner : public Executable {
 public:
  GraphFunctionRunner(std::string backend, GraphFunction function)
      : backend_(std::move(backend)), function_(std::move(function)) {}

  void run(std::span<const Tensor* const> inputs, std::span<Tensor> results) const override {
    std::vector<Tensor> tensors;
    for (const Tensor* input : inputs) tensors.push_back(*input);
    std::vector<Tensor> made = function_(tensors);
    if (made.size() != results.size())
      throw Error(ErrorKind::backend, Here::current(),
                  fmt::format("backend '{}': its function gives {} tensors, the graph has {} results", backend_,
                              made.size(), results.size()),
                  {}, "one tensor for each result of the graph");
    std::ranges::move(made, results.begin());
  }

 private:
  std::string backend_;
  GraphFunction function_;
};

Backend as_backend(std::string name, GraphBackend backend, std::vector<Tensor> examples) {
  return [name = std::move(name), backend = std::move(backend), examples = std::move(examples)](
             graph::Graph graph, const Options&, Stages&) -> std::unique_ptr<Executable> {
    GraphFunction function = backend(std::move(graph), examples);
    return function ? std::make_unique<GraphFunctionRunner>(name, std::move(function)) : nullptr;
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
    return as_backend(found->first, std::get<GraphBackend>(found->second), std::move(examples));
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
