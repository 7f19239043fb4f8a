// The in-memory cache of loaded kernels: a map by source text, least recently used out; behind it the disk's.

#include <sinter/runtime/kernel_cache.h>

#include <sinter/graph/log.h>
#include <sinter/graph/version.h>
#include <sinter/runtime/disk_cache.h>
#include <sinter/runtime/load_each.h>
#include <sinter/runtime/made_once.h>

#include <atomic>
#include <cctype>
#include <chrono>

namespace sinter::runtime {

namespace {

using KernelPointer = std::shared_ptr<const LoadedKernel>;

constexpr int64_t most_kernels = 4096;

// Where the literal or the block comment ends that begins there; `at` itself, if none does. What is in them counts: a
// `//` there begins no comment.
size_t end_of_closed(std::string_view text, size_t at) {
  if (text.substr(at, 2) == "/*") {
    size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  char quote = text[at];
  bool is_separator = quote == '\'' && at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1]));
  if ((quote != '"' && quote != '\'') || is_separator) return at;
  size_t end = at + 1;
  while (end < text.size() && text[end] != quote && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

// The text as the compiler sees it, and without the kernel's own name: the layers of a model differ in these alone.
std::string code_of(const codegen::KernelSource& source) {
  std::string_view text = source.text;
  if (text.find("R\"") != std::string_view::npos || text.find("__LINE__") != std::string_view::npos)
    return source.text;  // lines count
  std::string code;
  for (size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (size_t end = end_of_closed(text, at); end != at) {
      code += text.substr(at, end - at);
      at = end;
    } else if (text[at] == '\n') {
      while (!code.empty() && (code.back() == ' ' || code.back() == '\n')) code.pop_back();
      if (!code.empty()) code += '\n';
      ++at;
    } else if (text.substr(at, source.name.size()) == source.name) {
      code += "kernel";
      at += source.name.size();
    } else {
      code += text[at++];
    }
  }
  return code;
}

std::string key_of(const codegen::KernelSource& source, const CompileTarget& target) {
  return fmt::format("{} O{}\n{}", name(target.isa), target.optimize, code_of(source));
}

KernelPointer with_functions(LoadedCode code, const std::string& run, const std::string& finish) {
  auto kernel = std::make_shared<LoadedKernel>();
  kernel->code = std::move(code);
  kernel->run = reinterpret_cast<codegen::KernelFunction>(kernel->code.find(run));
  if (!finish.empty()) kernel->finish = reinterpret_cast<codegen::KernelFunction>(kernel->code.find(finish));
  return kernel;
}

// Everything that decides whether an object may be used again, in clear.
std::string disk_key(const std::string& key, const CompileTarget& target) {
  return fmt::format("{}\n{}", disk_key_head(target), key);
}

// On disk an object stands behind the names of its two functions, which another process may call otherwise.
std::string disk_text(const codegen::KernelSource& source, std::span<const char> object) {
  std::string text = fmt::format("{}\n{}\n", source.name, source.finish_name);
  text.append(object.data(), object.size());
  return text;
}

KernelPointer with_object(std::string_view text) {
  size_t run_end = text.find('\n'), finish_end = text.find('\n', run_end + 1);
  std::string failure = "its functions have no names";
  if (run_end != std::string_view::npos && finish_end != std::string_view::npos) {
    LoadedCode code = load_cached_object(std::span(text).subspan(finish_end + 1), failure);
    if (code)
      return with_functions(std::move(code), std::string(text.substr(0, run_end)),
                            std::string(text.substr(run_end + 1, finish_end - run_end - 1)));
  }
  log(LogTopic::cache, "an entry on disk can't be loaded: {}", failure);
  return nullptr;
}

KernelPointer load_from_disk(const std::string& key) {
  std::optional<std::vector<char>> found = disk_cache().read(key);
  KernelPointer kernel = found ? with_object({found->data(), found->size()}) : nullptr;
  if (found && !kernel) disk_cache().remove(key);
  return kernel;
}

KernelPointer compile(const codegen::KernelSource& source, const CompileTarget& target,
                      const std::string& key_on_disk) {
  auto start = std::chrono::steady_clock::now();
  std::vector<char> object = compile_cpp(source.text, target, source.name + ".cpp");
  KernelPointer kernel = with_functions(load_object(object), source.name, source.finish_name);
  if (!key_on_disk.empty()) disk_cache().write(key_on_disk, disk_text(source, object));
  if (logs(LogTopic::time)) {
    std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    log(LogTopic::time, "compile {}: {:.2f} ms", source.name, elapsed.count());
  }
  return kernel;
}

class KernelCache {
 public:
  KernelPointer find_or_compile(const codegen::KernelSource& source, const CompileTarget& target) {
    std::string key = key_of(source, target);
    bool is_found = false;
    KernelPointer kernel = kernels_.find_or_make(
        key, is_found, [&] { return MadeOnce<KernelPointer>::Made{find_on_disk_or_compile(source, target, key)}; });
    if (is_found && logs(LogTopic::cache)) log(LogTopic::cache, "{}: hit", source.name);
    return kernel;
  }

  KernelPointer load_stored(std::string_view stored) {
    KernelPointer kernel = with_object(stored);
    disk_hits_ += kernel != nullptr;
    return kernel;
  }

  KernelCacheStats stats() const { return {compiles_, kernels_.hits(), disk_hits_, kernels_.size()}; }
  void clear() { kernels_.clear(); }

 private:
  KernelPointer find_on_disk_or_compile(const codegen::KernelSource& source, const CompileTarget& target,
                                        const std::string& key) {
    if (logs(LogTopic::output_code)) write_log(LogTopic::output_code, source.text);
    std::string on_disk;
    if (disk_cache().is_on() && loads_without_compiler()) on_disk = disk_key(key, target);
    if (KernelPointer kernel = on_disk.empty() ? nullptr : load_from_disk(on_disk)) {
      ++disk_hits_;
      if (logs(LogTopic::cache)) log(LogTopic::cache, "{}: hit on disk", source.name);
      return kernel;
    }
    ++compiles_;
    if (logs(LogTopic::cache)) log(LogTopic::cache, "{}: miss", source.name);
    return compile(source, target, on_disk);
  }

  MadeOnce<KernelPointer> kernels_{most_kernels};
  std::atomic<int64_t> compiles_ = 0, disk_hits_ = 0;
};

// Never destroyed: compiled functions with static lifetime may still compile while the process ends.
KernelCache& cache() {
  static KernelCache& instance = *new KernelCache;
  return instance;
}

}  // namespace

std::string disk_key_head(const CompileTarget& target) {
  return fmt::format("sinter {} ({})\n{}", version(), SINTER_BUILD, describe(target));
}

std::optional<std::string> kernel_on_disk(const codegen::KernelSource& source, const CompileTarget& target) {
  std::optional<std::vector<char>> found = disk_cache().read(disk_key(key_of(source, target), target));
  if (!found) return std::nullopt;
  return std::string(found->begin(), found->end());
}

KernelPointer load_stored_kernel(std::string_view stored) { return cache().load_stored(stored); }

KernelPointer load_kernel(const codegen::KernelSource& source, const CompileTarget& target) {
  return cache().find_or_compile(source, target);
}

std::vector<KernelPointer> load_kernels(std::span<const codegen::KernelSource> sources, const CompileTarget& target) {
  return load_each(sources, [&](const codegen::KernelSource& source) { return load_kernel(source, target); });
}

KernelCacheStats kernel_cache_stats() { return cache().stats(); }
void clear_kernel_cache() { cache().clear(); }

}  // namespace sinter::runtime
