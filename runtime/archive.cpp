// The parts of an archive that have forms: sizes, operators, arguments.

#include <sinter/runtime/archive.h>

#include <bit>

namespace sinter::runtime {

using graph::Argument;

namespace {

enum class Form : uint8_t { none, output, list, scalar, size, text, dtype, device, memory_format };

Form form_of(const Argument& argument) {
  if (argument.is_output()) return Form::output;
  if (argument.is_list()) return Form::list;
  const Value& value = argument.value();
  if (value.is_none()) return Form::none;
  if (value.is_sym_int()) return Form::size;
  if (value.is_scalar()) return Form::scalar;
  if (value.is_string()) return Form::text;
  if (value.is_dtype()) return Form::dtype;
  if (value.is_device()) return Form::device;
  if (value.is_memory_format()) return Form::memory_format;
  throw BadArchive("an argument has no form in an archive");
}

Scalar scalar_of(Scalar::Kind kind, int64_t bits) {
  switch (kind) {
    case Scalar::Kind::boolean: return Scalar(bits != 0);
    case Scalar::Kind::integer: return Scalar(bits);
    case Scalar::Kind::floating: return Scalar(std::bit_cast<double>(bits));
  }
  throw BadArchive("a number is of no known kind");
}

int64_t symbol_value(int symbol, const void* context) {
  const auto& values = static_cast<const ArchiveContext*>(context)->symbols;
  if (symbol < 0 || symbol >= static_cast<int>(values.size())) throw BadArchive("a symbol is not there");
  return values[static_cast<size_t>(symbol)];
}

}  // namespace

void ArchiveWriter::put(const Argument& argument) {
  Form form = form_of(argument);
  put(form);
  if (form == Form::output && argument.output().node) throw BadArchive("an argument refers to a node");
  if (form == Form::list) return put_all(argument.list());
  if (form == Form::none || form == Form::output) return;
  const Value& value = argument.value();
  switch (form) {
    case Form::scalar:
      if (value.scalar().is_traced() || value.scalar().is_symbolic()) throw BadArchive("a number has no value");
      return put(value.scalar().kind()), put(value.scalar().bits());
    case Form::size: return put(value.sym_int());
    case Form::text: return put(value.string());
    case Form::dtype: return put(value.dtype());
    case Form::device: return put(value.device().type), put(value.device().index);
    default: return put(value.memory_format());
  }
}

void ArchiveReader::get(SymInt& value) {
  if (number() != 0) {
    value = number();
    return;
  }
  std::string text;
  get(text);
  try {
    value = parse_sym_int(text, symbol_value, &context_);
  } catch (const std::exception& error) {
    throw BadArchive(error.what());
  }
}

void ArchiveReader::get(const OpDef*& op) {
  std::string name;
  get(name);
  op = find_op(name);
  if (!op) throw BadArchive("there is no operator " + name);
}

void ArchiveReader::get(Argument& argument) {
  auto form = static_cast<Form>(number());
  switch (form) {
    case Form::none: argument = Argument(); return;
    case Form::output: argument = Argument(graph::NodeOutput()); return;
    case Form::list: {
      Argument::List list;
      get(list);
      argument = Argument(std::move(list));
      return;
    }
    case Form::scalar: {
      auto kind = static_cast<Scalar::Kind>(number());
      argument = Argument(Value(scalar_of(kind, number())));
      return;
    }
    case Form::size: {
      SymInt size;
      get(size);
      argument = Argument(Value(size));
      return;
    }
    case Form::text: {
      std::string text;
      get(text);
      argument = Argument(Value(std::move(text)));
      return;
    }
    case Form::dtype: argument = Argument(Value(static_cast<DType>(number()))); return;
    case Form::device: {
      auto type = static_cast<DeviceType>(number());
      argument = Argument(Value(Device{type, static_cast<int8_t>(number())}));
      return;
    }
    case Form::memory_format: argument = Argument(Value(static_cast<MemoryFormat>(number()))); return;
  }
  throw BadArchive("an argument has no known form");
}

}  // namespace sinter::runtime
