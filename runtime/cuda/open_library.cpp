// dlopen with a record of what was tried.

#include <sinter/runtime/cuda/open_library.h>

#include <sinter/runtime/options.h>

#include <dlfcn.h>

namespace sinter::runtime {

OpenedLibrary OpenedLibrary::open(const std::vector<std::string>& candidates, std::vector<ErrorNote>& failures) {
  OpenedLibrary library;
  for (const std::string& candidate : candidates) {
    library.handle_ = dlopen(candidate.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library.handle_) {
      library.name_ = candidate;
      return library;
    }
    const char* reason = dlerror();
    failures.push_back({"tried", reason ? reason : candidate});
  }
  return library;
}

void* OpenedLibrary::find(const char* function) const { return handle_ ? dlsym(handle_, function) : nullptr; }

std::vector<std::string> toolkit_places(const std::vector<std::string>& names) {
  std::vector<std::string> places = names;
  const std::string& home = environment().cuda_home;
  for (const std::string& root : {home.empty() ? std::string("/usr/local/cuda") : home})
    for (const char* folder : {"/lib64/", "/lib/"})
      for (const std::string& name : names) places.push_back(root + folder + name);
  return places;
}

}  // namespace sinter::runtime
