// Finding ops by name: the built-in ones and those registered at run time.

#include <sinter/graph/op.h>

#include <sinter/graph/nearest_name.h>
#include <sinter/graph/ops/all_ops.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace sinter {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, const OpDef*, std::less<>> by_name;

  Registry() {
    for (const OpDef* op : builtin_ops()) {
      bool is_new = by_name.emplace(op->name(), op).second;
      SINTER_CHECK(is_new, "{} is defined twice", op->name());
    }
  }
};

// Never destroyed: destructors of static objects may still call operators.
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

std::string with_overload(std::string_view name) {
  size_t colons = name.find("::");
  bool has_overload = name.find('.', colons == std::string_view::npos ? 0 : colons) != std::string_view::npos;
  return has_overload ? std::string(name) : fmt::format("{}.default", name);
}

}  // namespace

const OpDef* find_op(std::string_view qualified_name) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().by_name.find(with_overload(qualified_name));
  return found == registry().by_name.end() ? nullptr : found->second;
}

OpHandle ops(std::string_view name, Here here) {
  if (const OpDef* op = find_op(name)) return OpHandle(*op, here);
  std::vector<std::string> names;
  for (const OpDef* op : all_ops()) names.push_back(op->name());
  bool is_qualified = name.find("::") != std::string_view::npos;
  std::string meant = is_qualified ? std::string(name) : fmt::format("aten::{}", name);
  std::string base = meant.substr(0, meant.find('.'));
  std::vector<std::string> same = overloads(base);
  std::string need;
  if (!same.empty())
    need = fmt::format("an overload of {}: {}", is_qualified ? "it" : base, fmt::join(same, ", "));
  else
    need = fmt::format("an operator that exists; the nearest name is {}", nearest_name(with_overload(meant), names));
  throw Error(ErrorKind::unsupported, here, fmt::format("there is no operator {}", with_overload(name)), {}, need);
}

std::vector<std::string> overloads(std::string_view name) {
  std::vector<std::string> found;
  std::string prefix = fmt::format("{}.", name);
  std::lock_guard lock(registry().mutex);
  for (const auto& [full, op] : registry().by_name)
    if (full.starts_with(prefix)) found.push_back(full.substr(prefix.size()));
  return found;
}

std::vector<const OpDef*> all_ops() {
  std::lock_guard lock(registry().mutex);
  std::vector<const OpDef*> ops;
  for (const auto& [name, op] : registry().by_name) ops.push_back(op);
  return ops;
}

void register_op(const OpDef& op, Here here) {
  std::string name = op.name();
  std::lock_guard lock(registry().mutex);
  if (!registry().by_name.emplace(name, &op).second)
    throw Error(ErrorKind::argument, here, fmt::format("the operator {} exists already", name), {},
                "another name, or unregister that one first");
}

void unregister_op(const OpDef& op) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().by_name.find(op.name());
  if (found != registry().by_name.end() && found->second == &op) registry().by_name.erase(found);
}

}  // namespace sinter
