// A name is looked for among the paths of the arguments' parts; else as far as it leads.

#include <sinter/runtime/declared_names.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace sinter::runtime {

namespace {

// `path` is `name` or one of its parts.
bool leads_through(std::string_view path, std::string_view name) {
  return path.starts_with(name) && (path.size() == name.size() || path[name.size()] == '.' || path[name.size()] == '[');
}

// The path as far as to the first part after `prefix`: `net.layers` of `net.layers[0].weight` after `net`.
std::string_view as_far_as_part(std::string_view path, std::string_view prefix) {
  size_t end = path.find_first_of("[.", prefix.empty() ? 0 : prefix.size() + 1);
  return path.substr(0, end);
}

class Paths {
 public:
  explicit Paths(const NameArguments& names) : names_(names) {}

  bool is_tensor(std::string_view name) const {
    return std::ranges::any_of(names_.tensors, [&](const std::string& path) { return path == name; });
  }
  bool is_absent(std::string_view name) const {
    return std::ranges::any_of(
        names_.words, [&](const WordInfo& word) { return word.kind == WordKind::present && word.path == name; });
  }
  bool exists(std::string_view name) const {
    bool found = false;
    visit([&](std::string_view path) { found |= leads_through(path, name); });
    return found;
  }
  bool is_number(std::string_view name) const {
    return std::ranges::any_of(names_.words, [&](const WordInfo& word) {
      return word.path == name && word.kind != WordKind::present && word.kind != WordKind::length;
    });
  }
  // What stands right below, each once; of "" the arguments.
  std::vector<std::string_view> parts_of(std::string_view name) const {
    std::vector<std::string_view> parts;
    visit([&](std::string_view path) {
      if (!name.empty() && (!leads_through(path, name) || path.size() == name.size())) return;
      std::string_view part = as_far_as_part(path, name);
      if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
    });
    return parts;
  }

 private:
  template <class Visit>
  void visit(Visit&& visit_path) const {
    for (const std::string& path : names_.tensors) visit_path(path);
    for (const WordInfo& word : names_.words) visit_path(word.path);
  }

  const NameArguments& names_;
};

[[noreturn]] void fail(const Dim& declared, std::string_view problem, const std::vector<std::string_view>& instead,
                       Here where) {
  throw Error(ErrorKind::argument, where,
              fmt::format("compile: the size of dim {} of {} is declared, {}", declared.dim,
                          declared.argument.empty() ? "\"\"" : declared.argument, problem),
              {}, instead.empty() ? std::string() : fmt::format("one of {}", fmt::join(instead, ", ")));
}

void check_name(const Dim& declared, const Paths& paths, Here where) {
  std::string_view name = declared.argument;
  if (paths.is_tensor(name) || paths.is_absent(name)) return;
  if (paths.exists(name) && !name.empty()) {
    if (paths.is_number(name)) fail(declared, "and it is a number", {}, where);
    fail(declared, "and it is no tensor", paths.parts_of(name), where);
  }
  // The longest beginning that leads somewhere; what follows it is what is not there.
  size_t end = name.size();
  while (end > 0 && !paths.exists(name.substr(0, end))) {
    size_t cut = name.substr(0, end).find_last_of("[.");
    end = cut == std::string_view::npos ? 0 : cut;
  }
  std::string_view known = name.substr(0, end);
  bool is_element = !known.empty() && name[end] == '[' && !paths.is_tensor(known) && !paths.is_number(known);
  // A list may be shorter at this call, a map or an optional without what it holds at others.
  bool may_be_absent = is_element && end + 1 < name.size() && (std::isdigit(name[end + 1]) || name[end + 1] == '"');
  bool is_empty = paths.is_absent(known) && paths.parts_of(known).empty();
  if (is_empty || may_be_absent) return;
  fail(declared, "and there is no such argument", paths.parts_of(known), where);
}

}  // namespace

void check_declared_names(const Options& options, const NameArguments& names, Here where) {
  for (const Dim& declared : options.dims) check_name(declared, Paths(names), where);
}

}  // namespace sinter::runtime
