// Formatting of errors.

#include <sinter/graph/error.h>

#include <algorithm>

namespace sinter {

std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::shape: return "shape";
    case ErrorKind::dtype: return "dtype";
    case ErrorKind::argument: return "argument";
    case ErrorKind::trace: return "trace";
    case ErrorKind::unsupported: return "unsupported";
    case ErrorKind::backend: return "backend";
    case ErrorKind::environment: return "environment";
    case ErrorKind::internal: return "internal";
  }
  return "unknown";
}

std::string short_location(Here where) {
  std::string_view file = where.file_name();
  if (size_t slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return fmt::format("{}:{}", file, where.line());
}

namespace {

std::string compose(Here where, const std::string& message, const std::vector<ErrorNote>& notes,
                    const std::string& need) {
  std::string text = where.line() == 0 ? message : fmt::format("{}: {}", short_location(where), message);
  std::string_view wanted = need;
  if (wanted.starts_with("need ")) wanted.remove_prefix(5);  // the label says it
  size_t width = wanted.empty() ? 0 : 4;
  for (const ErrorNote& note : notes) width = std::max(width, note.label.size());
  for (const ErrorNote& note : notes) text += fmt::format("\n  {:<{}}  {}", note.label, width, note.text);
  if (!wanted.empty()) text += fmt::format("\n  {:<{}}  {}", "need", width, wanted);
  return text;
}

}  // namespace

Error::Error(ErrorKind kind, Here where, std::string message, std::vector<ErrorNote> notes, std::string need)
    : kind_(kind),
      where_(where),
      message_(std::move(message)),
      notes_(std::move(notes)),
      need_(std::move(need)),
      text_(compose(where_, message_, notes_, need_)) {}

void internal_error(Here where, const char* condition, std::string message) {
  throw Error(ErrorKind::internal, where, fmt::format("internal: {} (`{}` does not hold)", message, condition));
}

}  // namespace sinter
