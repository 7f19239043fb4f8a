// Cuts the prelude's text into pieces at its marker lines, and prints those that are asked for with all they need.

#include <sinter/codegen/prelude_text.h>
#include <sinter/codegen/print_prelude.h>
#include <sinter/graph/error.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace sinter::codegen {
namespace {

constexpr std::string_view piece_marker = "// piece: ";
constexpr std::string_view end_marker = "// end of pieces";

struct Piece {
  std::string name;
  std::vector<std::string> lines;
  std::vector<std::string> needs;
};

struct Prelude {
  std::vector<Piece> pieces;  // in the order of printing
  std::map<std::string, size_t, std::less<>> index;
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find(separator), text.size());
    if (separator == '\n' || end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// `NAME needs: OTHER ...`
Piece parse_marker(std::string_view line) {
  std::vector<std::string> words = split(line.substr(piece_marker.size()), ' ');
  Piece piece;
  piece.name = words.at(0);
  if (words.size() > 2) piece.needs.assign(words.begin() + 2, words.end());
  return piece;
}

// The comment right above a marker belongs to the piece that starts there.
std::vector<std::string> take_comment(std::vector<std::string>& lines) {
  size_t from = lines.size();
  while (from > 0 && lines[from - 1].starts_with("//")) --from;
  std::vector<std::string> comment(lines.begin() + from, lines.end());
  lines.resize(from);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return comment;
}

void cut(std::string_view text, std::vector<Piece>& pieces) {
  std::vector<std::string> outside;
  std::vector<std::string>* lines = &outside;
  for (const std::string& line : split(text, '\n')) {
    if (line == end_marker) {
      take_comment(*lines);
      outside.clear();
      lines = &outside;
    } else if (line.starts_with(piece_marker)) {
      Piece piece = parse_marker(line);
      piece.lines = take_comment(*lines);
      pieces.push_back(std::move(piece));
      lines = &pieces.back().lines;
    } else {
      lines->push_back(line);
    }
  }
}

// Every word of the piece's code that is another piece's name is a need.
void find_needs(Piece& piece, const Prelude& prelude) {
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (const std::string& line : piece.lines) {
    std::string_view code = std::string_view(line).substr(0, line.find("//"));
    while (!code.empty()) {
      size_t length = 0;
      while (length < code.size() && is_word(code[length])) ++length;
      std::string_view word = code.substr(0, length);
      if (length > 0 && word != piece.name && prelude.index.contains(word)) piece.needs.emplace_back(word);
      code.remove_prefix(length > 0 ? length : 1);
    }
  }
}

enum class Repeated { never, first_counts };

Prelude read_prelude(std::span<const std::string_view> texts, Repeated repeated) {
  Prelude prelude;
  for (std::string_view text : texts) cut(text, prelude.pieces);
  for (size_t i = 0; i < prelude.pieces.size(); ++i) {
    bool is_new = prelude.index.emplace(prelude.pieces[i].name, i).second;
    SINTER_CHECK(is_new || repeated == Repeated::first_counts, "two pieces {}", prelude.pieces[i].name);
  }
  for (Piece& piece : prelude.pieces) find_needs(piece, prelude);
  return prelude;
}

const Prelude& prelude() {
  static const Prelude& read = *new Prelude(read_prelude(prelude_text(), Repeated::never));  // never destroyed
  return read;
}

const Prelude& cuda_prelude() {
  static const Prelude& read = *new Prelude(read_prelude(cuda_prelude_text(), Repeated::first_counts));
  return read;
}

size_t piece_index(const Prelude& prelude, std::string_view name) {
  auto found = prelude.index.find(name);
  SINTER_CHECK(found != prelude.index.end(), "the prelude has no piece {}", name);
  return found->second;
}

// Positions of the pieces and of all they need; sorted, so in the order of printing.
std::set<size_t> with_needs(const Prelude& prelude, const std::set<std::string>& names) {
  std::vector<std::string> left(names.begin(), names.end());
  std::set<size_t> chosen;
  while (!left.empty()) {
    size_t at = piece_index(prelude, left.back());
    left.pop_back();
    if (!chosen.insert(at).second) continue;
    const std::vector<std::string>& needs = prelude.pieces[at].needs;
    left.insert(left.end(), needs.begin(), needs.end());
  }
  return chosen;
}

// How functions start that are inlined and those that are called.
struct FunctionStart {
  std::string_view inlined;
  std::string_view called;
};
constexpr FunctionStart cpp_start{"inline ", "__attribute__((noinline)) "};
constexpr FunctionStart cuda_start{"__device__ inline ", "__device__ __noinline__ "};

void print_piece(std::string& out, const Piece& piece, const FunctionStart& start, bool out_of_line) {
  for (const std::string& line : piece.lines) {
    std::string_view rest = line, before;
    if (rest.starts_with(cpp_start.inlined)) {
      before = out_of_line ? start.called : start.inlined;
      rest.remove_prefix(cpp_start.inlined.size());
    } else if (rest.starts_with(cpp_start.called)) {
      before = start.called;
      rest.remove_prefix(cpp_start.called.size());
    }
    out += before;
    out += rest;
    out += '\n';
  }
}

}  // namespace

bool has_piece(std::string_view name) { return prelude().index.contains(name); }

std::string print_prelude(int lanes, const PreludeUse& use) {
  const std::string first = "contraction_off";
  std::string out;
  print_piece(out, prelude().pieces[piece_index(prelude(), first)], cpp_start, false);
  out += "\nnamespace {\n\nenum { N = " + std::to_string(lanes) + " };  // lanes of every vector\n";
  for (size_t at : with_needs(prelude(), use.pieces)) {
    const Piece& piece = prelude().pieces[at];
    if (piece.name != first) print_piece(out, piece, cpp_start, use.out_of_line.contains(piece.name));
  }
  out += "\n}  // namespace\n";
  return out;
}

std::string print_cuda_prelude(const PreludeUse& use) {
  std::string out = "#pragma nv_diag_suppress 177  // functions that nobody calls\n\n";
  out += "namespace {\n\nenum { N = 1 };  // a thread works on one element at a time\n";
  for (size_t at : with_needs(cuda_prelude(), use.pieces)) {
    const Piece& piece = cuda_prelude().pieces[at];
    print_piece(out, piece, cuda_start, use.out_of_line.contains(piece.name));
  }
  out += "\n}  // namespace\n";
  return out;
}

}  // namespace sinter::codegen
