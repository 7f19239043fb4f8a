// Times and dumps of stages.

#include <sinter/graph/stages.h>

#include <sinter/graph/error.h>
#include <sinter/graph/log.h>

#include <filesystem>
#include <fstream>

namespace sinter {

Stages::Stages(std::string dump_directory, bool verify) : dump_directory_(std::move(dump_directory)), verify_(verify) {}

bool Stages::default_verify() {
#ifdef NDEBUG
  return false;
#else
  return true;
#endif
}

void Stages::finish(std::string_view name, std::chrono::steady_clock::duration elapsed, bool changed) {
  double milliseconds = std::chrono::duration<double, std::milli>(elapsed).count();
  times_.push_back({std::string(name), milliseconds, changed});
  log(LogTopic::time, "{} {:.3f} ms", name, milliseconds);
}

void Stages::dump(std::string_view name, std::string_view text) {
  if (!dumps()) return;
  std::filesystem::path folder(dump_directory_);
  bool has_extension = name.find('.') != std::string_view::npos;
  std::filesystem::path path =
      folder / (has_extension ? std::string(name) : fmt::format("{:02}_{}.txt", dumped_++, name));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream file(path);
  file << text;
  if (!file.flush()) warn(fmt::format("SINTER_DUMP: {} can't be written", path.string()));
}

}  // namespace sinter
