// The compilers and vector widths of a comparison.

#include "support/expect_naive.h"

#include "support/run_source.h"

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sinter::test {

namespace {

struct Variant {
  SourceCompiler compiler;
  runtime::Isa isa;
};

// Each instruction set that the machine has by clang, one by g++ too.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (runtime::Isa isa : {runtime::Isa::generic, runtime::Isa::avx2, runtime::Isa::avx512})
    if (runtime::is_supported(isa)) all.push_back({SourceCompiler::clang_in_process, isa});
  bool has_avx2 = runtime::is_supported(runtime::Isa::avx2);
  all.push_back({SourceCompiler::gcc, has_avx2 ? runtime::Isa::avx2 : runtime::Isa::generic});
  return all;
}

// Any NaN counts as any other.
template <class T>
bool is_nan_at(const std::byte* at) {
  T x;
  std::memcpy(&x, at, sizeof x);
  return x != x;
}
bool same_element(const std::byte* a, const std::byte* b, DType dtype) {
  if (std::memcmp(a, b, size_t(byte_size(dtype))) == 0) return true;
  if (dtype == DType::f32) return is_nan_at<float>(a) && is_nan_at<float>(b);
  if (dtype == DType::f64) return is_nan_at<double>(a) && is_nan_at<double>(b);
  return false;
}

void expect_same(const fusion::Schedule& schedule, const BufferBytes& got, const BufferBytes& wanted,
                 const std::string& what, const codegen::Program& program) {
  for (size_t id = 0; id < wanted.size(); ++id) {
    const fusion::Buffer& buffer = schedule.buffers[id];
    if (buffer.kind == fusion::BufferKind::local) continue;
    size_t size = size_t(byte_size(buffer.dtype));
    for (size_t at = 0; at + size <= wanted[id].size(); at += size) {
      if (same_element(&got[id][at], &wanted[id][at], buffer.dtype)) continue;
      std::string text;
      for (const codegen::KernelSource& kernel : program.kernels)
        text += kernel.text.substr(kernel.text.find("extern"));
      ADD_FAILURE() << what << ": " << buffer.name << " differs at " << at / size << "\n" << text;
      return;
    }
  }
}

}  // namespace

void expect_naive(const fusion::Schedule& schedule, int64_t stream_bytes) {
  BufferBytes start = make_buffers(schedule, 1), wanted = start;
  run_naively(schedule, wanted);
  for (const Variant& variant : variants()) {
    codegen::Program program =
        codegen::generate_program(schedule, codegen::CppTarget{runtime::vector_bytes(variant.isa), stream_bytes});
    const char* compiler = variant.compiler == SourceCompiler::gcc ? "g++" : "clang";
    for (int pieces : {1, 3}) {
      if (pieces > 1 && variant.compiler == SourceCompiler::gcc) continue;
      BufferBytes got = start;
      run_program(program, got, variant.compiler, variant.isa, pieces);
      expect_same(schedule, got, wanted, fmt::format("{} {}, {} pieces", compiler, name(variant.isa), pieces), program);
    }
  }
}

}  // namespace sinter::test
