// Bytes before and after.

#include <sinter/runtime/custom/write_check.h>

#include <sinter/runtime/cuda/copy.h>

#include <cstring>

namespace sinter::runtime {

namespace {

std::vector<char> bytes_of(const Tensor& tensor) {
  if (numel(tensor.sizes()).hint() == 0) return {};
  const Layout& layout = tensor.layout();
  int64_t bytes = (extent_end(layout).hint() - layout.offset.hint()) * byte_size(tensor.dtype());
  std::vector<char> copy(static_cast<size_t>(bytes));
  copy_bytes(copy.data(), cpu, tensor.data_ptr(), tensor.device(), bytes);
  return copy;
}

// Which bytes from the first element to the last are elements'.
std::vector<bool> element_bytes(const Tensor& tensor, size_t bytes) {
  std::vector<bool> is_element(bytes, false);
  const Layout& layout = tensor.layout();
  int64_t size = byte_size(tensor.dtype()), rank = layout.rank();
  Dims index(static_cast<size_t>(rank), 0);
  for (int64_t left = numel(layout.sizes).hint(); left > 0; --left) {
    int64_t place = 0;
    for (int64_t d = 0; d < rank; ++d) place += index[d] * layout.strides[d].hint();
    for (int64_t i = 0; i < size; ++i) is_element[static_cast<size_t>(place * size + i)] = true;
    for (int64_t d = rank - 1; d >= 0 && ++index[d] == layout.sizes[d].hint(); --d) index[d] = 0;
  }
  return is_element;
}

}  // namespace

WriteCheck::WriteCheck(const OpDef& op, const Values& arguments) {
  const Schema& schema = op.schema();
  for (size_t i = 0; i < arguments.size(); ++i) add(schema.parameters[i], schema.parameters[i].name, arguments[i]);
}

void WriteCheck::add(const Parameter& parameter, const std::string& label, const Value& value) {
  if (value.is_tensor()) copies_.push_back({label, parameter.is_written, value.tensor(), bytes_of(value.tensor())});
  if (!value.is_list()) return;
  for (size_t i = 0; i < value.list().size(); ++i) add(parameter, fmt::format("{}[{}]", label, i), value.list()[i]);
}

bool WriteCheck::is_changed(const Copy& copy, Part part) {
  std::vector<char> now = bytes_of(copy.tensor);
  if (now.empty() || std::memcmp(now.data(), copy.bytes.data(), now.size()) == 0) return false;
  std::vector<bool> is_element = element_bytes(copy.tensor, now.size());
  for (size_t i = 0; i < now.size(); ++i)
    if (is_element[i] == (part == Part::elements) && now[i] != copy.bytes[i]) return true;
  return false;
}

std::vector<std::string> WriteCheck::undeclared_writes() const {
  std::vector<std::string> written;
  for (const Copy& copy : copies_)
    if (!copy.is_declared && is_changed(copy, Part::elements)) written.push_back(copy.parameter);
  return written;
}

std::vector<std::string> WriteCheck::writes_between_elements() const {
  std::vector<std::string> written;
  for (const Copy& copy : copies_)
    if (is_changed(copy, Part::gaps)) written.push_back(copy.parameter);
  return written;
}

}  // namespace sinter::runtime
