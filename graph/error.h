// The one exception type of the library, and the check for our own mistakes.
//
// A message reads `file:line: op: what is wrong (the numbers)`, then the operands one a line, then what is needed.

#pragma once

#include <fmt/format.h>

#include <exception>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

// The user's line. Op functions take it as their last, defaulted parameter.
using Here = std::source_location;

enum class ErrorKind { shape, dtype, argument, trace, unsupported, backend, environment, internal };
std::string_view name(ErrorKind kind);

// An operand in a message: `lhs   f32[8, 32]`.
struct ErrorNote {
  std::string label;
  std::string text;
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, Here where, std::string message, std::vector<ErrorNote> notes = {}, std::string need = {});

  const char* what() const noexcept override { return text_.c_str(); }
  ErrorKind kind() const { return kind_; }
  Here where() const { return where_; }
  // The message alone, without location, operands and need.
  const std::string& message() const { return message_; }
  const std::vector<ErrorNote>& notes() const { return notes_; }
  const std::string& need() const { return need_; }

 private:
  ErrorKind kind_;
  Here where_;
  std::string message_;
  std::vector<ErrorNote> notes_;
  std::string need_;
  std::string text_;
};

// `mlp.cpp:41`: the file's name without its folders.
std::string short_location(Here where);

[[noreturn]] void internal_error(Here where, const char* condition, std::string message);

}  // namespace sinter

// Our own invariant: failing means a bug in sinter, never in the caller's program.
#define SINTER_CHECK(condition, ...)                                                               \
  do {                                                                                             \
    if (!(condition)) [[unlikely]]                                                                 \
      ::sinter::internal_error(::sinter::Here::current(), #condition, ::fmt::format(__VA_ARGS__)); \
  } while (false)
