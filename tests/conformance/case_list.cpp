// Reads the files of recorded cases and picks lines.

#include "conformance/case_list.h"

#include "conformance/recorded_case.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace sinter::conformance {

namespace {

namespace fs = std::filesystem;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("can't read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string, std::less<>> read_names(const std::string& path) {
  std::set<std::string, std::less<>> names;
  if (path.empty()) return names;
  std::istringstream text(read_file(path));
  for (std::string name; text >> name;) names.insert(name);
  return names;
}

std::vector<std::string> files_below(const std::string& path) {
  if (fs::is_regular_file(path)) return {path};
  if (!fs::is_directory(path)) throw std::runtime_error("there is no folder " + path);
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file() && entry.path().extension() == ".jsonl") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string hash_of_line(std::string_view line) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : line) hash = (hash ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

CaseList::CaseList(const Options& options, const Exceptions& always)
    : only_(read_names(options.only_listed)), except_(read_names(options.except_listed)) {
  for (const std::string& path : options.paths)
    for (const std::string& file : files_below(path)) add_file(file, options, always);
}

void CaseList::add_file(const std::string& path, const Options& options, const Exceptions& always) {
  auto [entry, is_new] = files_.emplace(path, read_file(path));
  if (!is_new) return;
  bool is_special = fs::absolute(path).parent_path().filename() == "special";
  std::string_view rest = entry->second;
  for (int number = 1; !rest.empty(); ++number) {
    std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(text.size() + 1, rest.size()));
    if (text.empty()) continue;
    CaseLine line{text, case_name(text), &entry->first, number, is_special};
    if (is_chosen(line, options, always)) cases_.push_back(line);
  }
}

bool CaseList::is_chosen(const CaseLine& line, const Options& options, const Exceptions& always) {
  std::string name(line.name);
  if (!options.only_listed.empty() && !only_.contains(name)) return false;
  if (except_.contains(name) || fnmatch(options.op_glob.c_str(), name.c_str(), 0) != 0) return false;
  bool is_sampled = seen_[name]++ % options.sample == 0;
  return is_sampled || (!always.empty() && always.contains(hash_of_line(line.text)));
}

}  // namespace sinter::conformance
