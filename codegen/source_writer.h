// Text of a program under construction: lines with the indent of the blocks that are open.

#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace sinter::codegen {

class SourceWriter {
 public:
  explicit SourceWriter(int depth = 0) : depth_(depth) {}

  void line(std::string_view text);
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    line(fmt::format(format, std::forward<Args>(args)...));
  }
  // `code;  // comment`: no comment if it is empty.
  void statement(std::string_view code, std::string_view comment = {});
  // A line without indent: a preprocessor directive.
  void directive(std::string_view text);
  void blank() { text_ += '\n'; }
  // `head {`, and the `}` that belongs to it, with what follows it.
  void open(std::string_view head);
  void close(std::string_view tail = {});

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int depth_;
};

// The text without `// ...` comments: what decides whether two sources are the same code.
std::string without_comments(std::string_view source);

}  // namespace sinter::codegen
