// Tokens, and recursive descent over them.

#include <sinter/graph/custom/formula_syntax.h>

#include <algorithm>
#include <cctype>

namespace sinter::graph {

void fail_formula(std::string_view text, size_t column, Here here, std::string message, std::string need) {
  if (need.empty()) need = "one C++ expression in the op's parameters, or one function of them";
  throw Error(ErrorKind::argument, here, fmt::format("formula: {} at column {}", message, column),
              {{"text", std::string(text)}}, std::move(need));
}

namespace {

struct Token {
  std::string text;  // empty: the end
  size_t column = 0;
};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// A number with its point, exponent and suffix.
size_t number_length(std::string_view text) {
  size_t length = 0;
  while (length < text.size()) {
    char c = text[length];
    std::string_view exponents = text.starts_with("0x") || text.starts_with("0X") ? "pP" : "eE";
    bool is_sign = (c == '+' || c == '-') && length > 0 && exponents.find(text[length - 1]) != std::string_view::npos;
    if (!is_word(c) && c != '.' && !is_sign) break;
    ++length;
  }
  return length;
}

size_t token_length(std::string_view text) {
  if (is_digit(text[0]) || (text[0] == '.' && text.size() > 1 && is_digit(text[1]))) return number_length(text);
  if (is_word(text[0])) {
    size_t length = 0;
    while (length < text.size() && is_word(text[length])) ++length;
    return length;
  }
  for (std::string_view three : {"<<=", ">>="})
    if (text.starts_with(three)) return 3;
  for (std::string_view two : {"&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>",
                               "+=", "-=", "*=", "/=", "%=", "++", "--", "::"})
    if (text.starts_with(two)) return 2;
  return 1;
}

std::vector<Token> tokens_of(std::string_view text, Here here) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
    } else if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at).starts_with("/*")) {
      size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) fail_formula(text, at + 1, here, "the comment never ends");
      at = end + 2;
    } else {
      size_t length = token_length(text.substr(at));
      tokens.push_back({std::string(text.substr(at, length)), at + 1});
      at += length;
    }
  }
  tokens.push_back({"", text.size() + 1});
  return tokens;
}

constexpr std::string_view type_words[] = {"float", "double", "int", "long", "bool", "int32_t", "int64_t", "auto"};
// Types that a formula's values can't be of.
constexpr std::string_view other_type_words[] = {"unsigned", "signed",  "short",    "char",     "size_t",   "int8_t",
                                                 "int16_t",  "uint8_t", "uint16_t", "uint32_t", "uint64_t", "void"};
constexpr std::string_view qualifiers[] = {"inline",     "static",   "constexpr",      "const",
                                           "__device__", "__host__", "__forceinline__"};

// Binary operators from the loosest to the tightest.
constexpr std::string_view levels[] = {"||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"};

bool is_of_level(std::string_view token, std::string_view level) {
  while (!token.empty() && !level.empty()) {
    size_t end = std::min(level.find(' '), level.size());
    if (level.substr(0, end) == token) return true;
    level.remove_prefix(std::min(end + 1, level.size()));
  }
  return false;
}

constexpr int most_depth = 200;       // of nested expressions and statements
constexpr size_t most_tokens = 4000;  // a longer text is no formula

class Parser {
 public:
  Parser(std::string_view text, Here here) : text_(text), here_(here), tokens_(tokens_of(text, here)) {}

  std::unique_ptr<const Syntax> parse() {
    if (tokens_.size() > most_tokens) fail(fmt::format("the text has more than {} words", most_tokens));
    auto parsed = is_function() ? function() : expression();
    take(";");
    if (!peek("")) fail("expected the end");
    return parsed;
  }

 private:
  using Part = std::unique_ptr<Syntax>;

  struct Deeper {
    Deeper(Parser& parser) : parser(parser) {
      if (++parser.depth_ > most_depth) parser.fail("expected less nesting");
    }
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };

  [[noreturn]] void fail(std::string message, std::string need = {}) const {
    std::string found = peek("") ? "the end" : fmt::format("`{}`", tokens_[at_].text);
    fail_formula(text_, tokens_[at_].column, here_, fmt::format("{}, found {},", message, found), std::move(need));
  }
  bool peek(std::string_view token, size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].text == token;
  }
  bool take(std::string_view token) {
    if (!peek(token)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("expected `{}`", token));
  }
  std::string word() {
    const std::string& token = tokens_[at_].text;
    if (token.empty() || !is_word(token[0]) || is_digit(token[0])) fail("expected a name");
    return tokens_[at_++].text;
  }
  Part make(SyntaxKind kind, std::string text = {}) const {
    auto part = std::make_unique<Syntax>();
    part->kind = kind;
    part->text = std::move(text);
    part->column = tokens_[at_].column;
    return part;
  }

  bool is_type(size_t ahead = 0) const {
    if (at_ + ahead >= tokens_.size()) return false;
    const std::string& token = tokens_[at_ + ahead].text;
    return token == type_parameter_ || std::ranges::find(type_words, token) != std::end(type_words) ||
           std::ranges::find(other_type_words, token) != std::end(other_type_words);
  }
  bool is_qualifier(size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() &&
           std::ranges::find(qualifiers, tokens_[at_ + ahead].text) != std::end(qualifiers);
  }
  // True if one of them makes a constant.
  bool skip_qualifiers() {
    bool is_const = false;
    for (; is_qualifier(); ++at_) is_const |= peek("const") || peek("constexpr");
    return is_const;
  }
  // Behind the words of a type, `const long int`.
  size_t after_type(size_t ahead) const {
    while (is_qualifier(ahead)) ++ahead;
    while (is_type(ahead)) ++ahead;
    while (is_qualifier(ahead)) ++ahead;
    return ahead;
  }

  struct Type {
    std::string name;
    bool is_const = false;
  };
  Type type() {
    Type type;
    type.is_const = skip_qualifiers();
    constexpr const char* known = "float, double, int, long, int64_t, bool, auto or T";
    if (!is_type()) fail("expected a type", known);
    if (std::ranges::find(other_type_words, tokens_[at_].text) != std::end(other_type_words))
      fail("a formula's values can't be of this type", known);
    type.name = word();
    if (type.name == "long") {
      if (peek("double")) fail("a formula's values can't be of type long double", known);
      take("long");
      take("int");
    }
    type.is_const |= skip_qualifiers();
    return type;
  }

  bool is_function() {
    size_t start = at_;
    if (take("template")) {
      expect("<");
      if (!take("class")) expect("typename");
      type_parameter_ = word();
      expect(">");
    }
    skip_qualifiers();
    size_t name = after_type(0);
    bool found =
        is_type() && at_ + name + 1 < tokens_.size() && is_word(tokens_[at_ + name].text[0]) && peek("(", name + 1);
    at_ = start;
    return found;
  }

  Part function() {
    Part made = make(SyntaxKind::function);
    if (take("template")) {
      for (int i = 0; i < 4; ++i) ++at_;  // < class T >
      made->type_parameter = type_parameter_;
    }
    made->type = type().name;
    made->text = word();
    expect("(");
    while (!take(")")) {
      if (!made->parameters.empty()) expect(",");
      Type parameter = type();
      take("&");
      made->parameters.push_back({parameter.name, word(), parameter.is_const});
    }
    take("noexcept");
    made->parts.push_back(block());
    return made;
  }

  Part block() {
    Part made = make(SyntaxKind::block);
    expect("{");
    while (!take("}")) {
      if (peek("")) fail("expected `}`");
      made->parts.push_back(statement());
    }
    return made;
  }

  Part statement() {
    Deeper deeper(*this);
    if (peek("{")) return block();
    if (take(";")) return make(SyntaxKind::block);
    if (peek("if")) return branch();
    if (peek("for")) return loop();
    for (std::string_view word : {"while", "do", "switch", "goto", "break", "continue"})
      if (peek(word))
        fail("this statement has no vector form",
             "if, return, and for loops whose count does not depend on data; else custom_op or kernel_op");
    Part made;
    if (peek("return")) {
      made = make(SyntaxKind::give_back);
      ++at_;
      made->parts.push_back(expression());
    } else {
      made = simple_statement();
    }
    expect(";");
    return made;
  }

  bool starts_declaration() const { return is_qualifier() || (is_type() && !peek("(", after_type(0))); }

  // A declaration or an assignment, without the semicolon.
  Part simple_statement() {
    if (starts_declaration()) return declaration();
    Part made = make(SyntaxKind::assignment);
    std::string before = peek("++") || peek("--") ? tokens_[at_++].text : "";
    made->text = word();
    if (before.empty() && (peek("++") || peek("--"))) before = tokens_[at_++].text;
    if (!before.empty()) {
      made->type = before.substr(0, 1) + "=";
      made->parts.push_back(make(SyntaxKind::number, "1"));
      return made;
    }
    for (std::string_view operation : {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
      if (peek(operation)) made->type = operation;
    if (made->type.empty()) fail("expected an assignment");
    ++at_;
    made->parts.push_back(expression());
    return made;
  }

  Part declaration() {
    Part all = make(SyntaxKind::block);
    all->text = "declarations";
    Type declared = type();
    if (peek("&") || peek("*")) fail("expected a value of its own");
    do {
      Part made = make(SyntaxKind::declaration);
      made->type = declared.name;
      made->is_const = declared.is_const;
      made->text = word();
      if (take("{")) {
        made->parts.push_back(expression());
        expect("}");
      } else if (take("=")) {
        made->parts.push_back(expression());
      } else if (declared.is_const || declared.name == "auto") {
        fail("expected `=`");
      }
      all->parts.push_back(std::move(made));
    } while (take(","));
    return all;
  }

  Part branch() {
    Part made = make(SyntaxKind::branch);
    expect("if");
    expect("(");
    made->parts.push_back(expression());
    expect(")");
    made->parts.push_back(statement());
    if (take("else")) made->parts.push_back(statement());
    return made;
  }

  Part loop() {
    Part made = make(SyntaxKind::loop);
    expect("for");
    expect("(");
    made->parts.push_back(declaration());
    expect(";");
    made->parts.push_back(expression());
    expect(";");
    made->parts.push_back(simple_statement());
    expect(")");
    made->parts.push_back(statement());
    return made;
  }

  Part expression() {
    Deeper deeper(*this);
    Part condition = binary(0);
    if (!peek("?")) return condition;
    Part made = make(SyntaxKind::conditional);
    expect("?");
    made->parts.push_back(std::move(condition));
    made->parts.push_back(expression());
    expect(":");
    made->parts.push_back(expression());
    return made;
  }

  Part binary(size_t level) {
    if (level == std::size(levels)) return unary();
    Part left = binary(level + 1);
    for (;;) {
      const std::string& token = tokens_[at_].text;
      if (!is_of_level(token, levels[level])) return left;
      Part made = make(SyntaxKind::binary, token);
      ++at_;
      made->parts.push_back(std::move(left));
      made->parts.push_back(binary(level + 1));
      left = std::move(made);
    }
  }

  Part unary() {
    Deeper deeper(*this);
    for (std::string_view operation : {"-", "+", "!", "~"}) {
      if (!peek(operation)) continue;
      Part made = make(SyntaxKind::unary, std::string(operation));
      ++at_;
      made->parts.push_back(unary());
      return made;
    }
    if (peek("(") && after_type(1) > 1 && peek(")", after_type(1))) {  // (float)x
      Part made = make(SyntaxKind::cast);
      ++at_;
      made->text = type().name;
      expect(")");
      made->parts.push_back(unary());
      return made;
    }
    return primary();
  }

  Part primary() {
    if (take("(")) {
      Part made = expression();
      expect(")");
      return made;
    }
    const std::string& token = tokens_[at_].text;
    if (!token.empty() && (is_digit(token[0]) || token[0] == '.') && token.size() > (token[0] == '.')) {
      Part made = make(SyntaxKind::number, token);
      ++at_;
      return made;
    }
    if (take("static_cast")) {
      Part made = make(SyntaxKind::cast);
      expect("<");
      made->text = type().name;
      expect(">");
      expect("(");
      made->parts.push_back(expression());
      expect(")");
      return made;
    }
    if (peek("std") || peek("::")) {
      take("std");
      expect("::");
    }
    bool is_cast = is_type();
    Part made = make(is_cast ? SyntaxKind::cast : SyntaxKind::name);
    made->text = is_cast ? type().name : word();
    if (!peek("(") && !(is_cast && peek("{"))) {
      if (is_cast) fail("expected `(`");
      return made;
    }
    std::string_view closing = peek("(") ? ")" : "}";
    ++at_;
    if (!is_cast) made->kind = SyntaxKind::call;
    while (!take(closing)) {
      if (!made->parts.empty()) expect(",");
      made->parts.push_back(expression());
    }
    if (is_cast && made->parts.size() != 1) fail("expected one value for the type");
    return made;
  }

  std::string_view text_;
  Here here_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string type_parameter_ = "T";
};

}  // namespace

std::unique_ptr<const Syntax> parse_formula(std::string_view text, Here here) { return Parser(text, here).parse(); }

}  // namespace sinter::graph
