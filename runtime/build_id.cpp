// Looks for the build's note among the segments of the object that this file was linked into.

#include <sinter/runtime/build_id.h>

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>

namespace sinter::runtime {

namespace {

size_t padded(size_t bytes) { return (bytes + 3) / 4 * 4; }

std::string note_in(const char* notes, size_t bytes) {
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes + at, sizeof(head));
    const char* name = notes + at + sizeof(head);
    const char* content = name + padded(head.n_namesz);
    at += sizeof(head) + padded(head.n_namesz) + padded(head.n_descsz);
    if (at > bytes || head.n_type != NT_GNU_BUILD_ID || head.n_namesz != 4 || std::memcmp(name, "GNU", 4) != 0)
      continue;
    std::string digits;
    for (size_t i = 0; i < head.n_descsz; ++i) digits += fmt::format("{:02x}", static_cast<unsigned char>(content[i]));
    return digits;
  }
  return {};
}

struct Search {
  ElfW(Addr) address;  // in the object that is looked for
  std::string found;
};

int look_at(dl_phdr_info* object, size_t, void* context) {
  auto& search = *static_cast<Search*>(context);
  bool is_it = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    ElfW(Addr) begin = object->dlpi_addr + segment.p_vaddr;
    is_it |= segment.p_type == PT_LOAD && search.address >= begin && search.address < begin + segment.p_memsz;
  }
  if (!is_it) return 0;
  for (int i = 0; i < object->dlpi_phnum && search.found.empty(); ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      search.found = note_in(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  }
  return 1;
}

std::string find_build_id() {
  Search search{reinterpret_cast<ElfW(Addr)>(&find_build_id), {}};
  dl_iterate_phdr(look_at, &search);
  return search.found;
}

}  // namespace

const std::string& build_id() {
  static const std::string& id = *new std::string(find_build_id());  // for compiles while the process ends
  return id;
}

}  // namespace sinter::runtime
