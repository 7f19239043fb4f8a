// Runs an op on copies of samples, on samples with other layouts and sizes, faked and compiled, and compares.

#include <sinter/runtime/custom/opcheck.h>

#include <sinter/graph/trace.h>
#include <sinter/runtime/compile.h>
#include <sinter/runtime/custom/sample_variants.h>
#include <sinter/runtime/custom/write_check.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sinter {

bool OpCheckReport::ok() const {
  return std::ranges::none_of(findings, [](const auto& f) { return f.outcome == OpCheckOutcome::failed; });
}

std::string to_string(const OpCheckReport& report) {
  std::string text = fmt::format("opcheck {}\n", report.op);
  for (const OpCheckFinding& finding : report.findings) {
    std::string_view outcome = finding.outcome == OpCheckOutcome::passed   ? "ok"
                               : finding.outcome == OpCheckOutcome::failed ? "FAILED"
                                                                           : "skipped";
    text += fmt::format("  {:<8} {:<29} {}{}{}\n", finding.check, finding.sample, outcome,
                        finding.detail.empty() ? "" : ": ", finding.detail);
  }
  return text;
}

namespace runtime {

namespace {

std::vector<Tensor> tensors_of(const Values& values) {
  std::vector<Tensor> tensors;
  for (const Value& value : values) {
    if (value.is_tensor()) tensors.push_back(value.tensor());
    if (!value.is_list()) continue;
    for (const Value& element : value.list())
      if (element.is_tensor()) tensors.push_back(element.tensor());
  }
  return tensors;
}

// A list result counts as its tensors.
std::vector<Tensor> run(const OpDef& op, const Values& arguments) {
  return tensors_of(apply(op, arguments, {}, Here::current()));
}

// Equal values; any NaN is any other.
bool same_values(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !(a.sizes() == b.sizes())) return false;
  Tensor left = a.contiguous().to(cpu), right = b.contiguous().to(cpu);
  if (numel(a.sizes()) == 0) return true;
  return visit(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *x = static_cast<const T*>(left.data_ptr()), *y = static_cast<const T*>(right.data_ptr());
    for (int64_t i = 0; i < numel(a.sizes()).constant(); ++i) {
      if (std::memcmp(&x[i], &y[i], sizeof(T)) == 0) continue;
      if constexpr (!std::is_integral_v<T>)
        if (std::isnan(static_cast<double>(static_cast<float>(x[i]))) &&
            std::isnan(static_cast<double>(static_cast<float>(y[i]))))
          continue;
      return false;
    }
    return true;
  });
}

// Equal but for what another order of additions makes.
bool close_values(const Tensor& a, const Tensor& b) {
  if (!is_floating(a.dtype())) return same_values(a, b);
  Tensor left = a.to(cpu).contiguous().to(f64), right = b.to(cpu).contiguous().to(f64);
  const double *x = left.data_ptr<double>(), *y = right.data_ptr<double>();
  for (int64_t i = 0; i < numel(a.sizes()).constant(); ++i) {
    bool is_close = x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])) ||
                    std::abs(x[i] - y[i]) <= 1e-2 * (1e-2 + std::abs(x[i]));
    if (!is_close) return false;
  }
  return true;
}

std::string difference_of(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected,
                          std::string_view what) {
  if (actual.size() != expected.size())
    return fmt::format("{} {}s instead of {}", actual.size(), what, expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    if (to_string(actual[i].meta()) != to_string(expected[i].meta()))
      return fmt::format("{} {} is {}, eager gives {}", what, i, to_string(actual[i].meta()),
                         to_string(expected[i].meta()));
    if (!same_values(actual[i], expected[i])) return fmt::format("{} {} has other values than eager gives", what, i);
  }
  return {};
}

class Checker {
 public:
  Checker(const OpDef& op, OpCheckOptions options)
      : op_(op), options_(options), dynamic_(compile(Call{&op, &current_}, {.name = "opcheck"})) {
    report_.op = op.name();
    const graph::CustomDefinition* custom = graph::custom_of(op);
    has_fake_ = !custom || custom->kind() == graph::CustomKind::elementwise || custom->functions(Here::current())->fake;
  }

  OpCheckReport run(const std::vector<Values>& samples) {
    for (size_t i = 0; i < samples.size(); ++i) {
      std::string name = fmt::format("sample {}", i);
      size_t most = op_.schema().parameters.size();
      if (samples[i].size() > most) {
        note("schema", name, fmt::format("{} arguments, its schema has {}", samples[i].size(), most));
        continue;
      }
      std::vector<Tensor> plain = check(samples[i], name, /*is_given=*/true);
      for (const SampleVariant& variant : variants_of(samples[i], options_.seed + i)) {
        std::vector<Tensor> results = check(variant.arguments, name + variant.what, !variant.changes_sizes);
        if (!variant.changes_sizes && !plain.empty() && !results.empty())
          if (std::string fault = fault_of([&] { return stride_fault(results, plain, samples[i]); }); !fault.empty())
            note("strides", name + variant.what, fault);
      }
    }
    return std::move(report_);
  }

 private:
  // The op on these tensors, with the other arguments of the sample in hand.
  struct Call {
    const OpDef* op;
    const Values* sample;
    std::vector<Tensor> operator()(const std::vector<Tensor>& tensors) const {
      return runtime::run(*op, with_tensors_of(*sample, tensors));
    }
  };

  using Compiled = decltype(compile(Call{}));

  void note(std::string check, const std::string& sample, std::string fault) {
    OpCheckOutcome outcome = fault.empty() ? OpCheckOutcome::passed : OpCheckOutcome::failed;
    report_.findings.push_back({std::move(check), sample, outcome, std::move(fault)});
  }
  void skip(std::string check, const std::string& sample, std::string why) {
    report_.findings.push_back({std::move(check), sample, OpCheckOutcome::skipped, std::move(why)});
  }

  // What f throws, as the first line of its text; empty if it does not.
  template <class F>
  static std::string fault_of(F&& f) {
    try {
      return f();
    } catch (const Error& error) {
      return error.message();
    } catch (const std::exception& error) {
      return error.what();
    } catch (...) {
      return "it throws what is no std::exception";
    }
  }

  // The same elements give the same values, wherever they lie: up to the order of sums. An op that gives others each
  // time can't be told.
  std::string stride_fault(const std::vector<Tensor>& strided, const std::vector<Tensor>& plain,
                           const Values& sample) const {
    Values own = copy_of(sample);
    std::vector<Tensor> again = runtime::run(op_, own);
    for (size_t i = 0; i < std::min({strided.size(), plain.size(), again.size()}); ++i)
      if (strided[i].dtype() == plain[i].dtype() && strided[i].sizes() == plain[i].sizes() &&
          same_values(again[i], plain[i]) && !close_values(strided[i], plain[i]))
        return fmt::format("result {} has other values than with the sample's own strides", i);
    return {};
  }

  // Sizes that the op itself refuses are no fault of its. Gives what the op gave: its results, and then the tensors
  // among its arguments as it left them.
  std::vector<Tensor> check(const Values& sample, const std::string& name, bool is_given) {
    current_ = copy_of(sample);
    Values own = copy_of(sample);
    std::vector<Tensor> expected;
    WriteCheck writes(op_, own);
    std::string refusal = fault_of([&] {
      expected = runtime::run(op_, own);
      return std::string();
    });
    if (!refusal.empty()) {
      is_given ? note("schema", name, refusal) : skip("schema", name, "it refuses: " + refusal);
      return {};
    }
    note("schema", name, schema_fault(writes, expected));
    std::vector<Tensor> given = expected, after = tensors_of(own);
    given.insert(given.end(), after.begin(), after.end());
    if (!has_fake_) {
      const char* why = "there is no fake function";
      options_.needs_fake ? note("fake", name, why) : skip("fake", name, why);
      return given;
    }
    note("fake", name, fault_of([&] { return fake_fault(sample, expected, own); }));
    auto fresh = compile(Call{&op_, &current_}, {.name = "opcheck"});
    note("compiled", name, fault_of([&] { return compiled_fault(fresh, sample, expected, own); }));
    note("dynamic", name, fault_of([&] { return compiled_fault(dynamic_for(sample), sample, expected, own); }));
    return given;
  }

  std::string schema_fault(const WriteCheck& writes, const std::vector<Tensor>& results) const {
    if (auto undeclared = writes.undeclared_writes(); !undeclared.empty())
      return fmt::format("it writes `{}`, which its schema does not mark as written", undeclared[0]);
    if (auto between = writes.writes_between_elements(); !between.empty())
      return fmt::format("it writes between the elements of `{}`", between[0]);
    for (size_t i = 0; i < results.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (results[i].storage() && results[i].storage().get() == results[j].storage().get())
          return fmt::format("results {} and {} lie in the same memory", j, i);
    return {};
  }

  std::string fake_fault(const Values& sample, const std::vector<Tensor>& expected, const Values&) const {
    graph::Trace trace;
    Values copy = copy_of(sample);
    Values fakes = trace.fake_copies(OpArgs(op_, copy, Here::current()));
    std::vector<Tensor> results;
    {
      graph::ActivateTrace activate(&trace);
      results = runtime::run(op_, fakes);
    }
    if (results.size() != expected.size())
      return fmt::format("{} fake results for {} real ones", results.size(), expected.size());
    for (size_t i = 0; i < results.size(); ++i) {
      TensorMeta fake = results[i].meta(), real = expected[i].meta();
      fake.layout.offset = real.layout.offset = 0;
      if (fake.dtype != real.dtype || !(fake.device == real.device) || !same_layout(fake.layout, real.layout))
        return fmt::format("result {} is {}, the fake one {}", i, to_string(real), to_string(fake));
    }
    return {};
  }

  template <class F>
  std::string compiled_fault(F& fast, const Values& sample, const std::vector<Tensor>& expected,
                             const Values& after) const {
    Values own = copy_of(sample);
    std::vector<Tensor> tensors = tensors_of(own);
    std::string fault = difference_of(fast(tensors), expected, "result");
    return fault.empty() ? difference_of(tensors, tensors_of(after), "argument") : fault;
  }

  static std::string text_of(const Value& value) {
    if (value.is_tensor()) return "tensor";
    if (value.is_scalar()) return fmt::format("{}{}", to_string(value.scalar()), value.scalar().is_boolean());
    if (value.is_sym_int()) return to_string(value.sym_int());
    if (value.is_string()) return "'" + value.string() + "'";
    if (value.is_dtype()) return std::string(name(value.dtype()));
    if (value.is_device()) return to_string(value.device());
    if (value.is_memory_format()) return fmt::format("format {}", static_cast<int>(value.memory_format()));
    if (!value.is_list()) return "none";
    std::string text = "[";
    for (const Value& element : value.list()) text += text_of(element) + ",";
    return text + "]";
  }

  // Compiled functions capture what is no tensor of the sample: samples that differ in it get another one.
  Compiled& dynamic_for(const Values& sample) {
    std::string numbers;
    for (const Value& value : sample) numbers += text_of(value) + ",";
    if (numbers != numbers_) dynamic_ = compile(Call{&op_, &current_}, {.name = "opcheck"});
    numbers_ = numbers;
    return dynamic_;
  }

  const OpDef& op_;
  OpCheckOptions options_;
  Values current_;
  std::string numbers_;
  bool has_fake_;
  Compiled dynamic_;
  OpCheckReport report_;
};

}  // namespace

}  // namespace runtime

OpCheckReport opcheck(const OpDef& op, const std::vector<Values>& samples, OpCheckOptions options) {
  return runtime::Checker(op, options).run(samples);
}

}  // namespace sinter
