// Instruction selection and scratch allocation by last use.

#include <sinter/runtime/interpreter/prepare_body.h>

#include <algorithm>
#include <cstring>

namespace sinter::runtime {

using fusion::BufferKind;

namespace {

class BodyBuilder {
 public:
  BodyBuilder(PreparedNest& prepared, const fusion::Schedule& schedule, const fusion::Nest& nest,
              const std::vector<int>& chosen, const PrimitiveTable& table)
      : prepared_(prepared), schedule_(schedule), nest_(nest), chosen_(chosen), table_(table) {
    for (const ScalarNode& node : nest.body.dag.nodes) types_.push_back(node.dtype);
  }

  void build() {
    find_needed();
    for (size_t i = 0; i < needed_.size(); ++i)
      if (needed_[i]) add_node(static_cast<int>(i));
    for (size_t i = 0; i < chosen_.size(); ++i) add_store(static_cast<int>(i));
    prepared_.value_count = static_cast<int>(types_.size());
    write_results_straight();
    allocate_slots();
  }

 private:
  const std::vector<ScalarNode>& nodes() const { return nest_.body.dag.nodes; }

  void find_needed() {
    needed_.assign(nodes().size(), false);
    for (int store : chosen_) needed_[nest_.stores[store].value] = true;
    for (size_t i = nodes().size(); i-- > 0;)
      if (needed_[i])
        for (int operand : nodes()[i].operands)
          if (operand >= 0) needed_[operand] = true;
  }

  void add_node(int value) {
    const ScalarNode& node = nodes()[value];
    Instruction instruction;
    instruction.result = value;
    std::copy(node.operands, node.operands + 3, instruction.operands);
    switch (node.op) {
      case ScalarOp::constant: prepared_.constants.push_back({value, {}}); return;
      case ScalarOp::load:
        SINTER_CHECK(node.operands[1] < 0, "{} loads where data point to: eager calls of such ops are routines",
                     nest_.name);
        instruction.kind = node.operands[0] >= 0 ? Instruction::Kind::masked_load : Instruction::Kind::load;
        instruction.access = static_cast<int>(node.payload);
        break;
      case ScalarOp::index:
        instruction.kind = Instruction::Kind::index;
        instruction.access = static_cast<int>(node.payload);
        break;
      default: instruction.run = primitive_for(node);
    }
    prepared_.work_per_element += std::max(info(node.op).work, 1);
    prepared_.instructions.push_back(instruction);
  }

  Primitive primitive_for(const ScalarNode& node) {
    int operands = info(node.op).operands;
    DType type = types_[node.operands[operands - 1]];
    Primitive found = node.op == ScalarOp::convert ? conversion(type, node.dtype)
                                                   : table_.scalar[static_cast<int>(node.op)][static_cast<int>(type)];
    SINTER_CHECK(found, "no primitive for {} of {}", info(node.op).name, name(type));
    return found;
  }

  Primitive conversion(DType from, DType to) {
    Primitive found = table_.convert[static_cast<int>(from)][static_cast<int>(to)];
    SINTER_CHECK(found, "no primitive converts {} to {}", name(from), name(to));
    return found;
  }

  void add_store(int position) {
    PreparedStore& prepared = prepared_.stores[position];
    const fusion::Store& store = nest_.stores[chosen_[position]];
    DType type = types_[store.value];
    prepared.dtype = schedule_.buffers[store.buffer].dtype;
    prepared.value = store.value;
    prepared.value_bytes = static_cast<int>(byte_size(type));
    if (store.reduction != ReductionKind::none) {
      prepared.reduction = &table_.reduction[static_cast<int>(store.reduction)][static_cast<int>(type)];
      SINTER_CHECK(prepared.reduction->combine, "no primitive for reduction {} of {}",
                   static_cast<int>(store.reduction), name(type));
      if (type != prepared.dtype) prepared.convert = conversion(type, prepared.dtype);
      return;
    }
    if (type == prepared.dtype) return;
    Instruction instruction;
    instruction.run = conversion(type, prepared.dtype);
    instruction.result = static_cast<int>(types_.size());
    instruction.operands[0] = store.value;
    types_.push_back(prepared.dtype);
    prepared.value = instruction.result;
    prepared.value_bytes = static_cast<int>(byte_size(prepared.dtype));
    prepared_.instructions.push_back(instruction);
  }

  int uses_of(int value) const {
    int uses = 0;
    for (const Instruction& instruction : prepared_.instructions)
      for (int operand : instruction.operands) uses += operand == value;
    for (const PreparedStore& store : prepared_.stores) uses += store.value == value;
    return uses;
  }

  // Nothing after this instruction may read what the store overwrites.
  bool is_safe_to_write(const PreparedStore& store, bool is_last) const {
    if (is_last) return true;
    if (schedule_.buffers[store.access.buffer].kind == BufferKind::input) return false;
    for (const Access& load : prepared_.loads)
      if (load.buffer == store.access.buffer) return false;
    return true;
  }

  void write_results_straight() {
    for (size_t i = 0; i < prepared_.instructions.size(); ++i) {
      Instruction& instruction = prepared_.instructions[i];
      if (instruction.kind != Instruction::Kind::primitive || uses_of(instruction.result) != 1) continue;
      bool is_last = i + 1 == prepared_.instructions.size() && prepared_.stores.size() == 1;
      for (size_t s = 0; s < prepared_.stores.size(); ++s) {
        const PreparedStore& store = prepared_.stores[s];
        if (store.value == instruction.result && !store.reduction && is_safe_to_write(store, is_last))
          instruction.store = static_cast<int>(s);
      }
    }
  }

  void allocate_slots() {
    std::vector<int> last_use(types_.size(), -1);
    int count = static_cast<int>(prepared_.instructions.size());
    for (int i = 0; i < count; ++i)
      for (int operand : prepared_.instructions[i].operands)
        if (operand >= 0) last_use[operand] = i;
    for (const PreparedStore& store : prepared_.stores) last_use[store.value] = count;

    std::vector<int> slot_of(types_.size(), -1), free_slots;
    prepared_.slot_bytes = 1;
    for (int i = 0; i < count; ++i) {
      Instruction& instruction = prepared_.instructions[i];
      if (free_slots.empty()) free_slots.push_back(prepared_.slot_count++);
      instruction.slot = slot_of[instruction.result] = free_slots.back();
      free_slots.pop_back();
      prepared_.slot_bytes = std::max(prepared_.slot_bytes, byte_size(types_[instruction.result]));
      // Freed only now: elements of another size would be written over operands that are still to be read.
      for (int k = 0; k < 3; ++k) {
        int operand = instruction.operands[k];
        bool is_repeated = false;
        for (int before = 0; before < k; ++before) is_repeated |= instruction.operands[before] == operand;
        if (operand >= 0 && !is_repeated && last_use[operand] == i && slot_of[operand] >= 0)
          free_slots.push_back(slot_of[operand]);
      }
    }
  }

  PreparedNest& prepared_;
  const fusion::Schedule& schedule_;
  const fusion::Nest& nest_;
  const std::vector<int>& chosen_;
  const PrimitiveTable& table_;
  std::vector<DType> types_;  // of values
  std::vector<bool> needed_;
};

// One element's bytes.
uint64_t encode(const ScalarNode& node) {
  Scalar value = constant_value(node);
  uint64_t bytes = 0;
  visit(node.dtype, [&](auto zero) {
    using T = decltype(zero);
    T element;
    if constexpr (std::is_same_v<T, bool>)
      element = value.to_bool();
    else if constexpr (std::is_integral_v<T>)
      element = static_cast<T>(value.to_int());
    else if constexpr (std::is_same_v<T, double>)
      element = value.to_double();
    else
      element = static_cast<T>(static_cast<float>(value.to_double()));
    std::memcpy(&bytes, &element, sizeof element);
  });
  return bytes;
}

}  // namespace

void prepare_body(PreparedNest& prepared, const fusion::Schedule& schedule, const fusion::Nest& nest,
                  const std::vector<int>& chosen, const PrimitiveTable& table) {
  BodyBuilder(prepared, schedule, nest, chosen, table).build();
}

void fill_constants(PreparedNest& prepared, const fusion::Nest& nest, int64_t elements) {
  for (ConstantBlock& block : prepared.constants) {
    const ScalarNode& node = nest.body.dag.nodes[block.value];
    int64_t width = byte_size(node.dtype);
    uint64_t bytes = encode(node);
    block.bytes.assign((elements * width + 7) / 8, 0);
    char* out = reinterpret_cast<char*>(block.bytes.data());
    for (int64_t i = 0; i < elements; ++i) std::memcpy(out + i * width, &bytes, width);
  }
}

}  // namespace sinter::runtime
