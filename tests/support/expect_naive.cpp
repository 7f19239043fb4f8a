// The compilers and vector widths of a comparison.

#include "support/expect_naive.h"

#include "support/run_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sinter::test {

namespace {

struct Variant {
  SourceCompiler compiler;
  int vector_bytes;
};

// Each compiler, and each width that the machine has, at least once.
std::vector<Variant> variants() {
  std::vector<Variant> all;
#ifdef __x86_64__
  bool has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  all.push_back({{"clang++-19", ""}, 16});
  if (__builtin_cpu_supports("avx2")) all.push_back({{"g++", "-mavx2 -mfma"}, 32});
  if (has_512) all.push_back({{"clang++-19", "-march=x86-64-v4"}, 64});
#else
  for (const char* command : {"g++", "clang++-19"}) all.push_back({{command, ""}, 16});
#endif
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
    codegen::Program program = codegen::generate_program(schedule, {variant.vector_bytes, stream_bytes});
    for (int pieces : {1, 3}) {
      BufferBytes got = start;
      run_program(program, got, variant.compiler, pieces);
      std::string what = fmt::format("{} {}, {} pieces", variant.compiler.command, variant.compiler.flags, pieces);
      expect_same(schedule, got, wanted, what, program);
    }
  }
}

}  // namespace sinter::test
