// Opens a shared library at run time, so that one build serves machines that have it and machines that do not.

#pragma once

#include <sinter/graph/error.h>

#include <string>
#include <vector>

namespace sinter::runtime {

class OpenedLibrary {
 public:
  // The first of the candidates that can be opened; it stays open. `failures` says of each other why not.
  static OpenedLibrary open(const std::vector<std::string>& candidates, std::vector<ErrorNote>& failures);

  explicit operator bool() const { return handle_ != nullptr; }
  // Null if the library has no such function.
  void* find(const char* function) const;
  // The name by which it was opened.
  const std::string& name() const { return name_; }

 private:
  void* handle_ = nullptr;
  std::string name_;
};

// Where a library of the CUDA toolkit may lie: by its names alone, then in the toolkit's folder.
std::vector<std::string> toolkit_places(const std::vector<std::string>& names);

}  // namespace sinter::runtime
