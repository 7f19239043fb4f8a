// Makes arguments by the type and the name of their parameter.

#include "properties/draw.h"

#include <algorithm>
#include <limits>

#include "properties/random_input.h"

namespace sinter::test {

namespace {

bool fits(DType dtype, Types types) {
  switch (types) {
    case Types::any: return true;
    case Types::floating: return is_floating(dtype);
    case Types::integral: return is_integer(dtype);
    case Types::decimal: return dtype != boolean;
    case Types::matrix: return dtype == f32 || dtype == f64;
  }
  return false;
}

int64_t product(const Sizes& sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

bool shares_memory(const Known& a, const Known& b) { return a.tensor.storage() == b.tensor.storage(); }

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool Draw::is_set(std::string_view parameter) const { return set_.find(parameter) != set_.end(); }

void Draw::set_operand(std::string_view parameter, Operand operand) {
  if (has(parameter)) set_.insert_or_assign(std::string(parameter), std::move(operand));
}

// Now and then integers that may be no indices at all: what they do must be refused, or else be within bounds.
bool Draw::goes_wild(const Known& known) {
  bool sizes_results = is_one_of(schema.name, {"bincount", "repeat_interleave", "one_hot"});
  return (known.dtype() == i64 || known.dtype() == i32) && !sizes_results && random.chance(0.03);
}

void Draw::set(std::string_view parameter, const Known& known) {
  if (has(parameter) && goes_wild(known))
    return set_operand(parameter, pool.fresh(known.dtype(), known.sizes()).operand);
  if (has(parameter) && !first_) first_ = known;
  set_operand(parameter, known.operand);
}

void Draw::set(std::string_view parameter, const std::vector<Known>& tensors) {
  Operand::List list;
  for (const Known& known : tensors) list.push_back(known.operand);
  set_operand(parameter, {std::move(list)});
}

void Draw::set_first(const Known& known) {
  for (const Parameter& parameter : schema.parameters)
    if (parameter.type == ArgType::tensor && !parameter.is_list) {
      first_ = known;
      return set_operand(parameter.name, known.operand);
    }
}

DType Draw::dtype(Types types) {
  if (types == Types::matrix) return random.chance(0.7) ? f32 : f64;
  if (types == Types::floating && random.chance(0.5)) return f32;
  for (;;) {
    DType dtype = random_dtype(random);
    if (fits(dtype, types)) return dtype;
  }
}

bool Draw::may_be_written(const Known& known) const { return !overlaps_itself(known.tensor.layout()); }

std::optional<Known> Draw::find(const std::function<bool(const Known&)>& fits) {
  const std::vector<Known>& values = pool.values();
  auto count = static_cast<int64_t>(values.size());
  for (int tries = 0; tries < 8; ++tries) {  // later values are likelier, so that chains grow
    const Known& known = values[std::max(random.below(count), random.below(count))];
    if (fits(known)) return known;
  }
  return std::nullopt;
}

Known Draw::any(Types types, int64_t least_rank, int64_t most_rank) {
  auto suits = [&](const Known& known) {
    return fits(known.dtype(), types) && known.rank() >= least_rank && known.rank() <= most_rank &&
           known.count() <= 3000 && (!writes_first() || may_be_written(known));
  };
  if (random.chance(0.8))
    if (std::optional<Known> found = find(suits)) return *found;
  Sizes sizes = small_sizes(least_rank, std::min<int64_t>(most_rank, std::max<int64_t>(least_rank, 4)), 9);
  if (!writes_first()) return pool.fresh(dtype(types), sizes);
  for (;;) {
    Known known = pool.fresh(dtype(types), sizes);
    if (may_be_written(known)) return known;
  }
}

Known Draw::tensor(DType dtype, const Sizes& sizes) {
  if (random.chance(0.6))
    if (auto found = find([&](const Known& known) { return known.dtype() == dtype && known.sizes() == sizes; }))
      return *found;
  return pool.fresh(dtype, sizes);
}

Known Draw::tensor(DType dtype, const Sizes& sizes, const std::function<double()>& element) {
  std::vector<double> elements(product(sizes));
  for (double& value : elements) value = element();
  return pool.fresh(dtype, sizes, elements);
}

Known Draw::tensor(DType dtype, const Sizes& sizes, const std::vector<double>& elements) {
  return pool.fresh(dtype, sizes, elements);
}

Known Draw::indices(const Sizes& sizes, int64_t low, int64_t high) {
  if (high <= low && product(sizes) > 0) throw NothingFits();
  auto is_within = [&](const Known& known) {
    if (known.dtype() != i64 || known.sizes() != sizes) return false;
    for (double value : elements_of(known))
      if (value < static_cast<double>(low) || value >= static_cast<double>(high)) return false;
    return true;
  };
  if (random.chance(0.5))
    if (std::optional<Known> found = find(is_within)) return *found;
  return tensor(i64, sizes, [&] { return static_cast<double>(random.between(low, high - 1)); });
}

Known Draw::broadcasting(const Known& with, bool fits_inside) {
  auto suits = [&](const Known& known) {
    std::optional<SymDims> sizes = broadcast_sizes(known.tensor.sizes(), with.tensor.sizes());
    if (!sizes || numel(*sizes).constant() > 20000) return false;
    if (writes_first() && shares_memory(known, with) && !known.tensor.is_same(with.tensor)) return false;
    return !fits_inside || sinter::to_string(*sizes) == sinter::to_string(with.tensor.sizes());
  };
  if (random.chance(0.7))
    if (std::optional<Known> found = find(suits)) return *found;
  Sizes sizes = with.sizes();
  if (random.chance(0.2)) sizes.erase(sizes.begin(), sizes.begin() + random.below(with.rank() + 1));
  for (int64_t& size : sizes)
    if (random.chance(0.15)) size = 1;
  return pool.fresh(random.chance(0.75) ? with.dtype() : random_dtype(random), sizes);
}

std::vector<Known> Draw::call(std::string op, const std::vector<Operand>& positional,
                              std::vector<std::pair<std::string, Operand>> keywords) {
  auto results = pool.call({std::move(op), positional, std::move(keywords)});
  if (!results) throw NothingFits();
  return *results;
}

Sizes Draw::distinct_dims(int64_t rank, int64_t count) {
  Sizes dims;
  for (int64_t dim = 0; dim < rank; ++dim) dims.push_back(dim);
  for (int64_t i = rank - 1; i > 0; --i) std::swap(dims[i], dims[random.below(i + 1)]);
  dims.resize(std::min(count, rank));
  for (int64_t& dim : dims)
    if (random.chance(0.2)) dim -= rank;
  return dims;
}

Sizes Draw::small_sizes(int64_t least_rank, int64_t most_rank, int64_t most) {
  Sizes sizes(random.between(least_rank, most_rank));
  for (int64_t& size : sizes) size = random.chance(0.02) ? 0 : random.between(1, most);
  return sizes;
}

// Numbers that every float type holds exactly and that u8 holds, mostly.
Value Draw::number() {
  if (random.chance(0.1)) return Value(random.chance(0.5));
  if (random.chance(0.5)) return Value(random.between(0, 3));
  if (random.chance(0.03)) return Value(random.pick({std::numeric_limits<double>::infinity(), -0.0}));
  return Value(random.pick({0.0, 0.5, 1.0, 2.0, 0.25, 1.5, -1.0, -2.5, 3.0}));
}

std::optional<Operand> Draw::make_tensor(const Parameter& parameter) {
  if (parameter.is_optional && random.chance(0.5)) return std::nullopt;
  if (!first_) {
    first_ = any();
    return first_->operand;
  }
  if (is_one_of(parameter.name, {"mask", "condition"})) return tensor(boolean, first_->sizes()).operand;
  // The condition is not what the other operands resemble.
  if (first_->dtype() == boolean && random.chance(0.7))
    return pool.fresh(dtype(Types::decimal), first_->sizes()).operand;
  return broadcasting(*first_, writes_first()).operand;
}

Operand Draw::make_list(const Parameter& parameter) {
  Known first = any();
  std::vector<Known> tensors = {first};
  int64_t count = parameter.name == "spacing" ? first.rank() : random.between(1, 4);
  while (static_cast<int64_t>(tensors.size()) < count) {
    bool is_other = random.chance(0.2);
    tensors.push_back(is_other ? broadcasting(first, false) : tensor(first.dtype(), first.sizes()));
  }
  Operand::List list;
  for (const Known& known : tensors) list.push_back(known.operand);
  if (!first_) first_ = first;
  return {std::move(list)};
}

std::optional<Operand> Draw::make_dims(const Parameter& parameter) {
  int64_t rank = first_ ? first_->rank() : 0;
  if (parameter.is_optional && random.chance(0.3)) return std::nullopt;
  if (is_one_of(parameter.name, {"dim", "dims"}))
    return operand(distinct_dims(rank, random.between(1, std::max<int64_t>(rank, 1))));
  if (parameter.list_size > 0 && random.chance(0.3)) return operand(random.between(1, 3));
  Sizes sizes(parameter.list_size > 0 ? parameter.list_size : random.between(0, 3));
  for (int64_t& size : sizes) size = random.between(1, 4);
  return operand(sizes);
}

Operand Draw::make_integer(const Parameter& parameter) {
  int64_t rank = first_ ? first_->rank() : 0;
  std::string_view name = parameter.name;
  if (name.starts_with("dim") || name.starts_with("axis") || is_one_of(name, {"source", "destination"}))
    return operand(dim(rank));
  if (is_one_of(name, {"diagonal", "offset"})) return operand(random.between(-2, 2));
  if (name == "reduction") return operand(random.between(0, 2));
  if (name == "correction") return operand(random.between(0, 2));
  return operand(random.between(1, 3));
}

std::optional<Operand> Draw::make(const Parameter& parameter) {
  std::string_view name = parameter.name;
  if (parameter.default_value && parameter.type != ArgType::tensor && random.chance(0.4)) return std::nullopt;
  switch (parameter.type) {
    case ArgType::tensor: return parameter.is_list ? make_list(parameter) : make_tensor(parameter);
    case ArgType::integer:
    case ArgType::sym_int:
      if (parameter.is_list) return make_dims(parameter);
      if (parameter.is_optional && random.chance(0.3)) return std::nullopt;
      return make_integer(parameter);
    case ArgType::scalar:
      if (parameter.is_optional && random.chance(0.3)) return std::nullopt;
      if (is_one_of(name, {"alpha", "beta", "value"}) && random.chance(0.7)) return operand(random.between(1, 2));
      if (parameter.is_list) return operand(Value(Value::List{1.0, 2.0}));
      return operand(number());
    case ArgType::floating:
      if (parameter.is_list || (parameter.is_optional && random.chance(0.5))) return std::nullopt;
      return operand(Value(random.pick({0.0, 0.5, 1.0, 2.0, 1e-5, 0.25})));
    case ArgType::boolean:
      if (parameter.is_optional) return std::nullopt;
      if (!parameter.is_list) return operand(flag());
      {
        Value::List flags;
        for (int64_t i = 0; i < parameter.list_size; ++i) flags.emplace_back(random.chance(0.8));
        return operand(Value(flags));
      }
    case ArgType::dtype:
      if (parameter.is_optional && random.chance(0.6)) return std::nullopt;
      return operand(Value(random_dtype(random)));
    case ArgType::memory_format:
      if (random.chance(0.5) && parameter.is_optional) return std::nullopt;
      if (first_ && first_->rank() == 4 && random.chance(0.3)) return operand(Value(MemoryFormat::channels_last));
      return operand(Value(random.chance(0.5) ? MemoryFormat::contiguous : MemoryFormat::preserve));
    case ArgType::device: return parameter.is_optional ? std::nullopt : std::optional(operand(Value(cpu)));
    default: return std::nullopt;
  }
}

Call Draw::complete() {
  Call call{op.name(), {}, {}};
  bool has_gap = false;
  for (const Parameter& parameter : schema.parameters) {
    std::optional<Operand> made;
    if (auto found = set_.find(parameter.name); found != set_.end())
      made = found->second;
    else
      made = make(parameter);
    if (!made && !parameter.default_value) made = operand(Value());
    if (!made)
      has_gap = true;
    else if (parameter.keyword_only || has_gap)
      call.keywords.emplace_back(parameter.name, *made);
    else
      call.positional.push_back(*made);
  }
  return call;
}

}  // namespace sinter::test
