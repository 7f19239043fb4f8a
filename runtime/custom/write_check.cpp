// Bytes before and after.

#include <sinter/runtime/custom/write_check.h>

#include <cstring>

namespace sinter::runtime {

namespace {

std::span<const char> bytes_of(const Tensor& tensor) {
  if (numel(tensor.sizes()).hint() == 0 || !tensor.device().is_cpu()) return {};
  const Layout& layout = tensor.layout();
  int64_t bytes = (extent_end(layout).hint() - layout.offset.hint()) * byte_size(tensor.dtype());
  return {static_cast<const char*>(tensor.data_ptr()), static_cast<size_t>(bytes)};
}

}  // namespace

WriteCheck::WriteCheck(const OpDef& op, const Values& arguments) {
  const Schema& schema = op.schema();
  for (size_t i = 0; i < arguments.size(); ++i) add(schema.parameters[i], schema.parameters[i].name, arguments[i]);
}

void WriteCheck::add(const Parameter& parameter, const std::string& label, const Value& value) {
  if (value.is_tensor()) {
    std::span<const char> bytes = bytes_of(value.tensor());
    copies_.push_back({label, parameter.is_written, value.tensor(), {bytes.begin(), bytes.end()}});
  }
  if (!value.is_list()) return;
  for (size_t i = 0; i < value.list().size(); ++i) add(parameter, fmt::format("{}[{}]", label, i), value.list()[i]);
}

std::vector<std::string> WriteCheck::writes(bool with_declared) const {
  std::vector<std::string> written;
  for (const Copy& copy : copies_) {
    std::span<const char> now = bytes_of(copy.tensor);
    bool is_changed = !now.empty() && std::memcmp(now.data(), copy.bytes.data(), now.size()) != 0;
    if (is_changed && (with_declared || !copy.is_declared)) written.push_back(copy.parameter);
  }
  return written;
}

}  // namespace sinter::runtime
