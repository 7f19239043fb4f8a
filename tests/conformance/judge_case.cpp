// Runs a case in the modes asked for and compares.

#include "conformance/judge_case.h"

#include "conformance/compare.h"

namespace sinter::conformance {

namespace {

bool is_callers_mistake(ErrorKind kind) {
  return kind == ErrorKind::shape || kind == ErrorKind::dtype || kind == ErrorKind::argument;
}

Judgement judge_failing_run(const RecordedCase& recorded, const Run& run) {
  bool is_about_dtype = recorded.raises == "NotImplementedError";
  if (!run.error) return is_about_dtype ? Judgement{} : Judgement{Verdict::failed, "no error, want " + recorded.raises};
  if (!is_callers_mistake(run.error->kind()) && !(is_about_dtype && run.error->kind() == ErrorKind::unsupported))
    return {Verdict::failed,
            fmt::format("{} error, want the caller's: {}", name(run.error->kind()), run.error->what())};
  std::string change = change_after_error(recorded, run);
  return change.empty() ? Judgement{} : Judgement{Verdict::failed, "after the error: " + change};
}

Judgement judge_run(const RecordedCase& recorded, const Run& run) {
  bool is_unsupported = run.error && run.error->kind() == ErrorKind::unsupported;
  if (is_unsupported && recorded.raises != "NotImplementedError") return {Verdict::unsupported, run.error->what()};
  if (!recorded.raises.empty()) return judge_failing_run(recorded, run);
  if (run.error) return {Verdict::failed, fmt::format("{} error: {}", name(run.error->kind()), run.error->what())};
  std::string difference = difference_from_record(recorded, run);
  return difference.empty() ? Judgement{} : Judgement{Verdict::failed, std::move(difference)};
}

Judgement prefixed(std::string_view mode, Judgement judgement) {
  if (judgement.verdict != Verdict::passed) judgement.reason = fmt::format("{}: {}", mode, judgement.reason);
  return judgement;
}

// An operator that is not there is unsupported whatever the record says.
const Call* missing_operator(const RecordedCase& recorded) {
  for (const Call& call : recorded.calls)
    if (!find_op(call.op)) return &call;
  return nullptr;
}

// How many pieces there are is a number out of a tensor here: that cannot be traced, and says so. The eager run is then
// the whole case.
bool counts_by_eager(const RecordedCase& recorded, const Run& compiled) {
  bool is_split = recorded.calls.size() == 1 && recorded.calls[0].op == "aten::tensor_split.tensor_indices_or_sections";
  return is_split && compiled.error && compiled.error->kind() == ErrorKind::trace;
}

Judgement judge(const RecordedCase& recorded, Mode mode, Device device) {
  if (const Call* call = missing_operator(recorded)) {
    try {
      ops(call->op);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::unsupported) return {Verdict::unsupported, error.what()};
    }
    return {Verdict::failed, "no error names the missing operator " + call->op};
  }
  bool runs_eager = mode != Mode::compiled || recorded.returns_number();
  bool runs_compiled = mode != Mode::eager && !recorded.returns_number();
  std::optional<Run> eager, compiled;
  std::string fixed;
  if (runs_eager) {
    eager = run_eager(recorded, device);
    if (Judgement judgement = judge_run(recorded, *eager); judgement.verdict != Verdict::passed)
      return prefixed("eager", std::move(judgement));
  }
  if (runs_compiled) {
    compiled = mode == Mode::symbolic ? run_symbolic(recorded, device, fixed) : run_compiled(recorded, device);
    if (counts_by_eager(recorded, *compiled))
      return eager ? Judgement{} : judge_run(recorded, run_eager(recorded, device));
    if (Judgement judgement = judge_run(recorded, *compiled); judgement.verdict != Verdict::passed)
      return prefixed("compiled", std::move(judgement));
  }
  if (!eager || !compiled) return {};
  if (eager->error.has_value() != compiled->error.has_value())
    return {Verdict::failed, "eager and compiled differ: only one of them fails"};
  if (eager->error) return {};
  std::string difference = difference_between(recorded, *eager, *compiled);
  if (!difference.empty()) return {Verdict::failed, "eager and compiled differ: " + difference};
  return {Verdict::passed, std::move(fixed)};
}

}  // namespace

Judgement judge_case(std::string_view line, bool is_special, Mode mode, Device device) {
  try {
    return judge(parse_case(line, is_special), mode, device);
  } catch (const Error& error) {
    Verdict verdict = error.kind() == ErrorKind::unsupported ? Verdict::unsupported : Verdict::failed;
    return {verdict, error.what()};
  } catch (const std::exception& error) {
    return {Verdict::failed, fmt::format("exception: {}", error.what())};
  }
}

}  // namespace sinter::conformance
