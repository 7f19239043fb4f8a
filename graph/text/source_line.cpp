// Source locations made from text.
//
// std::source_location can't be constructed from parts. Both standard libraries hold one pointer to the record that
// the compilers' __builtin_source_location makes, and the compilers prescribe the record's fields; so a record of our
// own serves as well. Where a library does otherwise, the location is empty instead.

#include <sinter/graph/text/source_line.h>

#include <bit>
#include <map>
#include <mutex>
#include <tuple>

namespace sinter::graph {

namespace {

struct Record {
  const char* file;
  const char* function;
  unsigned line;
  unsigned column;
};

struct Interned {
  std::string file, function;
  Record record;
};

Here from_record(const Record* record) {
  if constexpr (sizeof(Here) == sizeof(const Record*))
    return std::bit_cast<Here>(record);
  else
    return Here();
}

bool reads_back(Here where, const Record& record) {
  return where.file_name() == record.file && where.function_name() == record.function && where.line() == record.line &&
         where.column() == record.column;
}

}  // namespace

Here source_line(std::string_view file, uint32_t line, uint32_t column, std::string_view function) {
  using Key = std::tuple<std::string, uint32_t, uint32_t, std::string>;
  static std::mutex mutex;
  static auto* known = new std::map<Key, Interned>;  // never destroyed: locations may outlive static objects
  std::lock_guard lock(mutex);
  auto [entry, is_new] = known->try_emplace(Key(file, line, column, function));
  Interned& kept = entry->second;
  if (is_new) {
    kept.file = file;
    kept.function = function;
    kept.record = {kept.file.c_str(), kept.function.c_str(), line, column};
  }
  Here where = from_record(&kept.record);
  return reads_back(where, kept.record) ? where : Here();
}

}  // namespace sinter::graph
