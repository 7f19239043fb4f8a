// Stencils: a thread takes a few rows and reads each of theirs once.

#include <sinter/codegen/cuda/row_reuse.h>

#include <sinter/codegen/generate_program.h>

#include <gtest/gtest.h>

#include "support/expect_cuda.h"
#include "support/make_schedule.h"

namespace sinter::test {

namespace {

// Three windows of one argument, a row apart, and one of its own.
Schedule stencil(int64_t rows, int64_t columns) {
  Schedule s;
  int64_t width = columns + 2;
  auto window = [&](int64_t row, int64_t column) {
    int id = add_strided(s, "x", f32, {{rows, columns}, {width, 1}, row * width + column}, BufferKind::input);
    s.buffers[size_t(id)].source = 0;
    return id;
  };
  int above = window(0, 1), middle = window(1, 1), right = window(1, 2), below = window(2, 1);
  int out = add_buffer(s, "out", f32, {rows, columns}, BufferKind::output);
  NestMaker m(s, "add", {rows, columns});
  auto at = [&](int buffer) { return m.load(buffer, {axis(0), axis(1)}); };
  m.store(out, {axis(0), axis(1)}, at(above) + at(middle) * Scalar(2.0) + at(right) + at(below));
  add_nest(add_kernel(s, 2, 2), m, 1);
  return s;
}

std::string body_of(const Schedule& schedule) {
  codegen::CudaTarget target;
  target.multiprocessors = 1;  // few elements fill it
  std::string text = codegen::generate_program(schedule, target).kernels[0].text;
  return text.substr(text.find("extern \"C\""));
}

TEST(CudaRowReuse, RowsGoByOnePointer) {
  std::string body = body_of(stencil(1022, 1020));
  EXPECT_NE(body.find("for (int row = 0; row < 4; ++row) {"), std::string::npos) << body;
  EXPECT_NE(body.find("if (i0 >= 1022) break;"), std::string::npos) << body;
  EXPECT_EQ(body.find("load_pack"), std::string::npos) << body;
  EXPECT_EQ(body.find("load(in_x_"), std::string::npos) << body;
}

TEST(CudaRowReuse, FewElementsAreLeftToManyThreads) {
  EXPECT_EQ(body_of(stencil(30, 30)).find("int row = 0"), std::string::npos);
}

TEST(CudaRowReuse, GivesTheSameValues) {
  Schedule s = stencil(4402, 1020);
  BufferBytes start = make_buffers(s, 1);
  for (size_t id = 1; id < 4; ++id) {  // one argument
    start[id].resize(start[3].size());
    start[id] = start[3];
  }
  start[0] = start[3];
  EXPECT_NE(cuda_program(s).kernels[0].text.find("int row = 0"), std::string::npos);
  expect_cuda(s, start, 0);
}

}  // namespace

}  // namespace sinter::test
