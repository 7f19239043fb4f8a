// Moving through a text.

#include <sinter/graph/text/text_cursor.h>

#include <cctype>

namespace sinter::graph {

bool TextCursor::next_line() {
  while (next_ < text_.size()) {
    size_t end = std::min(text_.find('\n', next_), text_.size());
    line_ = text_.substr(next_, end - next_);
    while (!line_.empty() && std::isspace(static_cast<unsigned char>(line_.back()))) line_.remove_suffix(1);
    next_ = end + 1;
    ++number_;
    at_ = 0;
    skip_spaces();
    if (at_ < line_.size()) return true;
  }
  is_ended_ = true;
  return false;
}

void TextCursor::skip_spaces() {
  while (at_ < line_.size() && std::isspace(static_cast<unsigned char>(line_[at_]))) ++at_;
}

bool TextCursor::take(std::string_view token) {
  skip_spaces();
  if (!rest().starts_with(token)) return false;
  at_ += token.size();
  return true;
}

void TextCursor::expect(std::string_view token) {
  if (!take(token)) fail(fmt::format("expected `{}`", token));
}

void TextCursor::expect_end() {
  skip_spaces();
  if (!rest().empty()) fail("expected the end of the line");
}

std::string_view TextCursor::word() {
  skip_spaces();
  size_t end = at_;
  while (end < line_.size() && (std::isalnum(static_cast<unsigned char>(line_[end])) || line_[end] == '_')) ++end;
  std::string_view found = line_.substr(at_, end - at_);
  at_ = end;
  return found;
}

std::string_view TextCursor::until(std::string_view stops) {
  skip_spaces();
  size_t start = at_;
  int depth = 0;
  bool in_quotes = false;
  for (; at_ < line_.size(); ++at_) {
    char c = line_[at_];
    if (in_quotes) {
      if (c == '\\')
        ++at_;
      else if (c == '\'')
        in_quotes = false;
      continue;
    }
    if (depth == 0 && stops.find(c) != std::string_view::npos) break;
    in_quotes = c == '\'';
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
  }
  at_ = std::min(at_, line_.size());
  std::string_view found = line_.substr(start, at_ - start);
  while (!found.empty() && found.back() == ' ') found.remove_suffix(1);
  return found;
}

void TextCursor::fail_at(size_t place, std::string_view what) const {
  std::string got = place < line_.size() ? fmt::format("`{}`", line_.substr(place, 40)) : "the end of the line";
  if (is_ended_) got = "the end of the text";
  report(place, ErrorKind::argument, fmt::format("{}, got {}", what, got), {});
}

void TextCursor::report(size_t place, ErrorKind kind, std::string_view message, std::string need) const {
  throw Error(kind, here_, fmt::format("parse_graph: line {}, column {}: {}", number_, place + 1, message),
              {{"line", std::string(line_)}}, std::move(need));
}

}  // namespace sinter::graph
