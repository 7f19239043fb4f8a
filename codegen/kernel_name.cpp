// Names from origins.

#include <sinter/codegen/kernel_name.h>

#include <algorithm>
#include <cctype>

namespace sinter::codegen {

namespace {

constexpr size_t longest_name = 72;

// Only what may stand in an identifier.
std::string identifier(std::string_view text) {
  std::string result;
  for (char c : text) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return result;
}

}  // namespace

std::string origin_name(const graph::Node& node) { return node.op ? node.op->schema().name : node.name; }

std::string origin_comment(const graph::Node& node) {
  return fmt::format("{} {}", origin_name(node), short_location(node.where));
}

std::string kernel_name(const fusion::Kernel& kernel) {
  std::vector<std::string> words;
  for (const fusion::Nest& nest : kernel.nests) {
    for (const graph::Node* node : nest.origins) {
      std::string word = identifier(origin_name(*node));
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
  }
  std::string name = "fused";
  for (const std::string& word : words) {
    if (name.size() + word.size() + 1 > longest_name) break;
    name += '_';
    name += word;
  }
  return name;
}

std::string kernel_comment(const std::string& name, const fusion::Kernel& kernel) {
  std::vector<std::string> lines;
  for (const fusion::Nest& nest : kernel.nests)
    for (const graph::Node* node : nest.origins) {
      std::string line = origin_comment(*node);
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  std::string text = fmt::format("// {}\n", name);
  for (const std::string& line : lines) text += fmt::format("//   {}\n", line);
  return text + '\n';
}

std::string base_name(std::string_view value_name) {
  std::string_view base = value_name;
  while (!base.empty() && (std::isdigit(static_cast<unsigned char>(base.back())) || base.back() == '_'))
    base.remove_suffix(1);
  std::string name = identifier(base);
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name.insert(0, "v");
  return name;
}

}  // namespace sinter::codegen
