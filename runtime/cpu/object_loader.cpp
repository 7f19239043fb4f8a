// Sections are laid out in three groups of pages (code, constants, data), relocated in place, then protected.

#include <sinter/runtime/cpu/object_loader.h>

#include <elf.h>
#include <fmt/format.h>
#include <sinter/runtime/cpu/process_functions.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

namespace sinter::runtime {

namespace {

constexpr size_t no_place = static_cast<size_t>(-1);

struct BadObject : std::runtime_error {
  using runtime_error::runtime_error;
};

size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

// Bounds-checked views of the file.
class ObjectFile {
 public:
  explicit ObjectFile(std::span<const char> bytes) : bytes_(bytes) {
    auto header = read<Elf64_Ehdr>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_type != ET_REL || header.e_machine != EM_X86_64)
      throw BadObject("it is no relocatable object for x86-64");
    for (int i = 0; i < header.e_shnum; ++i)
      sections_.push_back(read<Elf64_Shdr>(header.e_shoff + static_cast<size_t>(i) * sizeof(Elf64_Shdr)));
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  const Elf64_Shdr& section(size_t index) const {
    if (index >= sections_.size()) throw BadObject("a section's number is out of range");
    return sections_[index];
  }

  std::span<const char> bytes(const Elf64_Shdr& section) const { return part(section.sh_offset, section.sh_size); }

  template <class T>
  std::vector<T> table(const Elf64_Shdr& section) const {
    std::span<const char> raw = bytes(section);
    std::vector<T> rows(raw.size() / sizeof(T));
    std::memcpy(rows.data(), raw.data(), rows.size() * sizeof(T));
    return rows;
  }

  std::string text(const Elf64_Shdr& strings, size_t at) const {
    std::span<const char> raw = bytes(strings);
    if (at >= raw.size()) throw BadObject("a name lies outside of its table");
    return std::string(raw.data() + at, strnlen(raw.data() + at, raw.size() - at));
  }

 private:
  std::span<const char> part(size_t offset, size_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) throw BadObject("it is cut short");
    return bytes_.subspan(offset, size);
  }
  template <class T>
  T read(size_t offset) const {
    T value;
    std::memcpy(&value, part(offset, sizeof(T)).data(), sizeof(T));
    return value;
  }

  std::span<const char> bytes_;
  std::vector<Elf64_Shdr> sections_;
};

class MappedImage final : public CodeImage {
 public:
  explicit MappedImage(size_t bytes) : bytes_(bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw BadObject("there is no memory for it");
    memory_ = static_cast<char*>(memory);
  }
  ~MappedImage() override { munmap(memory_, bytes_); }
  MappedImage(const MappedImage&) = delete;

  void* find(const std::string& name) const override {
    auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : memory_ + found->second;
  }

  char* at(size_t place) { return memory_ + place; }
  void add(std::string name, size_t place) { functions_.emplace(std::move(name), place); }
  void protect(size_t begin, size_t end, int access) {
    if (begin < end && mprotect(memory_ + begin, end - begin, access) != 0)
      throw BadObject("its pages can't be protected");
  }

 private:
  char* memory_;
  size_t bytes_;
  std::map<std::string, size_t> functions_;
};

enum Group { code, constants, data, group_count };

Group group_of(const Elf64_Shdr& section) {
  if (section.sh_flags & SHF_EXECINSTR) return code;
  return section.sh_flags & SHF_WRITE ? data : constants;
}

// Loaded sections but for unwind tables, which code that throws nothing does not need.
bool is_loaded(const Elf64_Shdr& section) {
  return (section.sh_flags & SHF_ALLOC) && section.sh_type != SHT_X86_64_UNWIND && section.sh_type != SHT_NOTE;
}

bool is_constructor(const Elf64_Shdr& section) {
  return section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_FINI_ARRAY || (section.sh_flags & SHF_TLS);
}

// A jump through the address behind it, for functions that lie too far for a call: jmp *[rip + 0].
struct __attribute__((packed)) Stub {
  unsigned char jump[6] = {0xff, 0x25, 0, 0, 0, 0};
  uint64_t address = 0;
  unsigned char padding[2] = {0xcc, 0xcc};
};
static_assert(sizeof(Stub) == 16);

class Mapping {
 public:
  Mapping(std::span<const char> object, std::span<const CompilerSymbol> known) : file_(object), known_(known) {}

  std::unique_ptr<CodeImage> map() {
    read_symbols();
    lay_out();
    copy_sections();
    for (const Elf64_Shdr& section : file_.sections())
      if (section.sh_type == SHT_RELA && is_loaded(file_.section(section.sh_info))) relocate(section);
    for (size_t i = 0; i < symbols_.size(); ++i) publish(i);
    image_->protect(0, ends_[code], PROT_READ | PROT_EXEC);
    image_->protect(ends_[code], ends_[constants], PROT_READ);
    return std::move(image_);
  }

 private:
  void read_symbols() {
    for (const Elf64_Shdr& section : file_.sections()) {
      if (section.sh_type != SHT_SYMTAB) continue;
      symbols_ = file_.table<Elf64_Sym>(section);
      const Elf64_Shdr& strings = file_.section(section.sh_link);
      for (const Elf64_Sym& symbol : symbols_) names_.push_back(file_.text(strings, symbol.st_name));
    }
  }

  // Behind the code a stub for each symbol, behind the constants an address for each.
  void lay_out() {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), end = 0;
    places_.assign(file_.sections().size(), no_place);
    for (int group = code; group < group_count; ++group) {
      for (size_t i = 0; i < places_.size(); ++i) {
        const Elf64_Shdr& section = file_.sections()[i];
        if (!is_loaded(section) || group_of(section) != group) continue;
        if (is_constructor(section)) throw BadObject("it has constructors or variables of threads");
        if (section.sh_size > (size_t{1} << 30) || section.sh_addralign > page)
          throw BadObject("a section is too large");
        places_[i] = round_up(end, std::max<size_t>(section.sh_addralign, 1));
        end = places_[i] + section.sh_size;
      }
      if (group == code) {
        stubs_ = round_up(end, sizeof(Stub));
        end = stubs_ + symbols_.size() * sizeof(Stub);
      } else if (group == constants) {
        addresses_ = round_up(end, sizeof(uint64_t));
        end = addresses_ + symbols_.size() * sizeof(uint64_t);
      }
      ends_[group] = end = round_up(end, page);
    }
    image_ = std::make_unique<MappedImage>(std::max(end, page));
  }

  void copy_sections() {
    for (size_t i = 0; i < places_.size(); ++i) {
      const Elf64_Shdr& section = file_.sections()[i];
      if (places_[i] == no_place || section.sh_type == SHT_NOBITS || section.sh_size == 0) continue;
      std::memcpy(image_->at(places_[i]), file_.bytes(section).data(), section.sh_size);
    }
  }

  uint64_t address_at(size_t place) { return reinterpret_cast<uint64_t>(image_->at(place)); }

  uint64_t external(const std::string& name) const {
    for (const CompilerSymbol& symbol : known_)
      if (name == symbol.name) return reinterpret_cast<uint64_t>(symbol.address);
    const void* found = process_function(name);
    if (found == nullptr) throw BadObject(fmt::format("code refers to unknown names: {}", name));
    return reinterpret_cast<uint64_t>(found);
  }

  uint64_t address_of(size_t index) {
    const Elf64_Sym& symbol = symbol_at(index);
    if (symbol.st_shndx == SHN_UNDEF) return external(names_[index]);
    if (symbol.st_shndx == SHN_ABS) return symbol.st_value;
    size_t place = symbol.st_shndx < places_.size() ? places_[symbol.st_shndx] : no_place;
    if (place == no_place || symbol.st_value > file_.section(symbol.st_shndx).sh_size)
      throw BadObject("a symbol lies in no loaded section");
    return address_at(place + symbol.st_value);
  }

  const Elf64_Sym& symbol_at(size_t index) const {
    if (index >= symbols_.size()) throw BadObject("a symbol's number is out of range");
    return symbols_[index];
  }

  uint64_t stub_of(size_t index) {
    size_t place = stubs_ + index * sizeof(Stub);
    Stub stub;
    stub.address = address_of(index);
    std::memcpy(image_->at(place), &stub, sizeof(stub));
    return address_at(place);
  }
  uint64_t slot_of(size_t index) {
    size_t place = addresses_ + index * sizeof(uint64_t);
    uint64_t address = address_of(index);
    std::memcpy(image_->at(place), &address, sizeof(address));
    return address_at(place);
  }

  void relocate(const Elf64_Shdr& relocations) {
    size_t start = places_[relocations.sh_info];
    size_t size = file_.section(relocations.sh_info).sh_size;
    for (const Elf64_Rela& relocation : file_.table<Elf64_Rela>(relocations)) {
      size_t index = ELF64_R_SYM(relocation.r_info);
      auto type = ELF64_R_TYPE(relocation.r_info);
      size_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
      if (relocation.r_offset > size || size - relocation.r_offset < width)
        throw BadObject("a relocation lies outside of its section");
      apply(type, index, start + relocation.r_offset, static_cast<uint64_t>(relocation.r_addend));
    }
  }

  void apply(uint64_t type, size_t index, size_t place, uint64_t addend) {
    uint64_t here = address_at(place);
    bool is_external = symbol_at(index).st_shndx == SHN_UNDEF;
    switch (type) {
      case R_X86_64_NONE: return;
      case R_X86_64_64: return write<uint64_t>(place, address_of(index) + addend);
      case R_X86_64_PC64: return write<uint64_t>(place, address_of(index) + addend - here);
      case R_X86_64_PC32: return write_near(place, address_of(index) + addend - here);
      case R_X86_64_PLT32: return write_near(place, (is_external ? stub_of(index) : address_of(index)) + addend - here);
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX: return write_near(place, slot_of(index) + addend - here);
    }
    throw BadObject(fmt::format("a relocation has the unknown type {}", type));
  }

  template <class T>
  void write(size_t place, T value) {
    std::memcpy(image_->at(place), &value, sizeof(value));
  }
  void write_near(size_t place, uint64_t distance) {
    auto near = static_cast<int32_t>(distance);
    if (static_cast<int64_t>(near) != static_cast<int64_t>(distance)) throw BadObject("a reference reaches too far");
    write(place, near);
  }

  void publish(size_t index) {
    const Elf64_Sym& symbol = symbols_[index];
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) return;
    if (symbol.st_shndx == SHN_UNDEF) return;
    image_->add(names_[index], address_of(index) - address_at(0));
  }

  ObjectFile file_;
  std::span<const CompilerSymbol> known_;
  std::vector<Elf64_Sym> symbols_;
  std::vector<std::string> names_;
  std::vector<size_t> places_;  // of each section in the image
  size_t ends_[group_count] = {};
  size_t stubs_ = 0, addresses_ = 0;
  std::unique_ptr<MappedImage> image_;
};

}  // namespace

MapResult map_object(std::span<const char> object, std::span<const CompilerSymbol> symbols) {
  MapResult result;
  try {
    result.image = Mapping(object, symbols).map();
  } catch (const BadObject& bad) {
    result.failure = bad.what();
  }
  return result;
}

}  // namespace sinter::runtime
