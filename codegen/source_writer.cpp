// Indented lines, and comments taken off again.

#include <sinter/codegen/source_writer.h>

#include <algorithm>

namespace sinter::codegen {

void SourceWriter::line(std::string_view text) {
  text_.append(static_cast<size_t>(2 * depth_), ' ');
  text_ += text;
  text_ += '\n';
}

void SourceWriter::statement(std::string_view code, std::string_view comment) {
  text_.append(static_cast<size_t>(2 * depth_), ' ');
  text_ += code;
  text_ += ';';
  if (!comment.empty()) {
    text_ += "  // ";
    text_ += comment;
  }
  text_ += '\n';
}

void SourceWriter::directive(std::string_view text) {
  text_ += text;
  text_ += '\n';
}

void SourceWriter::open(std::string_view head) {
  text_.append(static_cast<size_t>(2 * depth_), ' ');
  text_ += head;
  text_ += head.empty() ? "{\n" : " {\n";
  ++depth_;
}

void SourceWriter::close(std::string_view tail) {
  --depth_;
  print("}}{}", tail);
}

std::string without_comments(std::string_view source) {
  std::string code;
  code.reserve(source.size());
  while (!source.empty()) {
    size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    line = line.substr(0, line.find("//"));
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    code += line;
    code += '\n';
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return code;
}

}  // namespace sinter::codegen
