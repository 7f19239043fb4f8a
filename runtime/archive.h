// Plain data as bytes, and back. One function, `fields(archive, thing)`, names the fields of a type for both ways, so
// that they can't differ.
//
// What is read may be anything: it throws BadArchive where it does not make sense.

#pragma once

#include <sinter/graph/graph.h>

#include <cstring>
#include <stdexcept>

namespace sinter::runtime {

struct BadArchive : std::runtime_error {
  using runtime_error::runtime_error;
};

// What bytes alone don't tell: lines of the program's source, as those of a traced graph's nodes; values of symbols in
// the example.
struct ArchiveContext {
  std::vector<Here> lines;
  std::vector<int64_t> symbols;
};

class ArchiveWriter {
 public:
  explicit ArchiveWriter(const ArchiveContext& context) : context_(context) {}

  template <class... T>
  void operator()(T&... things) {
    (put(things), ...);
  }
  std::string bytes;

 private:
  void put_number(int64_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof(number)); }
  template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void put(T value) {
    put_number(static_cast<int64_t>(value));
  }
  void put(const std::string& text) {
    put(text.size());
    bytes += text;
  }
  void put(SymInt value) {
    put(value.is_constant());
    if (value.is_constant())
      put(value.hint());
    else
      put(to_string(value));
  }
  void put(Here where) {
    int found = -1;
    for (size_t i = 0; i < context_.lines.size() && found < 0; ++i)
      if (context_.lines[i].line() == where.line() && !std::strcmp(context_.lines[i].file_name(), where.file_name()))
        found = static_cast<int>(i);
    put(found);
  }
  void put(const OpDef* op) { put(op->name()); }
  void put(const graph::Argument& argument);
  template <class T>
  void put_all(const T& list) {
    put(list.size());
    for (const auto& element : list) put(element);
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put_all(list);
  }
  template <class T, size_t n>
  void put(const SmallVector<T, n>& list) {
    put_all(list);
  }
  template <class T>
    requires std::is_class_v<T>
  void put(const T& thing) {
    fields(*this, const_cast<T&>(thing));  // which a writer only reads
  }

  const ArchiveContext& context_;
};

class ArchiveReader {
 public:
  ArchiveReader(std::string_view bytes, const ArchiveContext& context) : rest_(bytes), context_(context) {}

  template <class... T>
  void operator()(T&... things) {
    (get(things), ...);
  }
  bool is_done() const { return rest_.empty(); }

 private:
  std::string_view take(size_t size) {
    if (size > rest_.size()) throw BadArchive("it ends too early");
    std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  int64_t number() {
    int64_t number = 0;
    std::memcpy(&number, take(sizeof(number)).data(), sizeof(number));
    return number;
  }
  // How many things follow; each takes a byte at least.
  size_t count() {
    auto count = static_cast<uint64_t>(number());
    if (count > rest_.size()) throw BadArchive("a list is longer than what is left");
    return static_cast<size_t>(count);
  }
  template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void get(T& value) {
    value = static_cast<T>(number());
  }
  void get(std::string& text) { text = take(count()); }
  void get(SymInt& value);
  void get(Here& where) {
    int64_t index = number();
    if (index >= static_cast<int64_t>(context_.lines.size())) throw BadArchive("a line is not there");
    where = index < 0 ? Here() : context_.lines[static_cast<size_t>(index)];
  }
  void get(const OpDef*& op);
  void get(graph::Argument& argument);
  template <class T>
  void get(std::vector<T>& list) {
    list.resize(count());
    for (T& element : list) get(element);
  }
  template <class T, size_t n>
  void get(SmallVector<T, n>& list) {
    list.resize(count());
    for (T& element : list) get(element);
  }
  template <class T>
    requires std::is_class_v<T>
  void get(T& thing) {
    fields(*this, thing);
  }

  std::string_view rest_;
  const ArchiveContext& context_;
};

}  // namespace sinter::runtime
