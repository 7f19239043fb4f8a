// A place in a text that is being parsed, line by line, with errors that name line and column.

#pragma once

#include <sinter/graph/error.h>

namespace sinter::graph {

class TextCursor {
 public:
  TextCursor(std::string_view text, Here here) : text_(text), here_(here) {}

  // Moves to the start of the next line that has something on it; false at the end of the text.
  bool next_line();
  std::string_view line() const { return line_; }
  // What is left of the line.
  std::string_view rest() const { return line_.substr(at_); }
  size_t place() const { return at_; }

  // Takes the token if it is next. Spaces in front are skipped.
  bool take(std::string_view token);
  void expect(std::string_view token);
  void expect_end();
  // A run of letters, digits and underscores (perhaps empty).
  std::string_view word();
  // Up to the first of `stops` that is inside no brackets and no quotes, or to the end of the line.
  std::string_view until(std::string_view stops);

  // `expected what, got the text at the place`.
  [[noreturn]] void fail(std::string_view what) const { fail_at(at_, what); }
  [[noreturn]] void fail_at(size_t place, std::string_view what) const;
  // Any message.
  [[noreturn]] void report(size_t place, ErrorKind kind, std::string_view message, std::string need) const;

 private:
  void skip_spaces();

  std::string_view text_;
  Here here_;
  std::string_view line_;
  size_t next_ = 0;  // start of the next line
  size_t number_ = 0;
  size_t at_ = 0;
  bool is_ended_ = false;
};

}  // namespace sinter::graph
