// Things come back from bytes as they were; bytes that are none of ours are refused.

#include <sinter/runtime/archive.h>

#include <gtest/gtest.h>

#include <limits>

namespace sinter::runtime {

namespace {

struct Thing {
  int number = 0;
  std::string text;
  std::vector<int> list;
  SymInt size;
  Here where;
  graph::Argument argument;
  const OpDef* op = nullptr;
  DType dtype = DType::f32;
};

}  // namespace

template <class Archive>
void fields(Archive& archive, Thing& thing) {
  auto& [number, text, list, size, where, argument, op, dtype] = thing;
  archive(number, text, list, size, where, argument, op, dtype);
}

namespace {

std::string written(Thing& thing, const ArchiveContext& context) {
  ArchiveWriter writer(context);
  writer(thing);
  return writer.bytes;
}
Thing read(std::string_view bytes, const ArchiveContext& context) {
  Thing thing;
  ArchiveReader(bytes, context)(thing);
  return thing;
}

Thing some_thing(Here where) {
  graph::Argument::List list = {graph::Argument(Value(2.5)),
                                graph::Argument(graph::NodeOutput()),
                                graph::Argument(),
                                graph::Argument(Value("text")),
                                graph::Argument(Value(DType::i8)),
                                graph::Argument(Value(Device{DeviceType::cuda, 3}))};
  return {-7,   std::string("a\0b", 3),      {1, -2, 3}, SymInt::symbol(1, 6) * 4 + 2, where,
          list, find_op("aten::add.Tensor"), DType::bf16};
}

TEST(Archive, ThingsComeBackAsTheyWere) {
  Here here = Here::current(), unknown = Here::current();
  ArchiveContext context{{Here(), here}, {5, 6}};
  Thing thing = some_thing(here);
  std::string bytes = written(thing, context);
  Thing back = read(bytes, context);
  EXPECT_EQ(back.number, -7);
  EXPECT_EQ(back.text, std::string("a\0b", 3));
  EXPECT_EQ(back.list, (std::vector<int>{1, -2, 3}));
  EXPECT_TRUE(back.size.same(thing.size));
  EXPECT_EQ(back.size.hint(), 26);
  EXPECT_EQ(back.where.line(), here.line());
  EXPECT_EQ(back.argument.list().size(), 6u);
  EXPECT_EQ(back.argument.list()[0].value().scalar(), Scalar(2.5));
  EXPECT_TRUE(back.argument.list()[1].is_output());
  EXPECT_EQ(back.op, thing.op);
  EXPECT_EQ(back.dtype, DType::bf16);
  EXPECT_EQ(written(back, context), bytes);
  Thing elsewhere = some_thing(unknown);
  ArchiveContext no_lines{{}, {5, 6}};
  EXPECT_EQ(read(written(elsewhere, no_lines), no_lines).where.line(), 0u) << "a line that is not among the known ones";
}

TEST(Archive, NumbersKeepTheirBits) {
  ArchiveContext context;
  for (double number : {0.0, -0.0, 1e300, std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN()}) {
    Thing thing = some_thing(Here());
    thing.size = 3;
    thing.argument = graph::Argument(Value(number));
    EXPECT_EQ(read(written(thing, context), context).argument.value().scalar(), Scalar(number));
  }
}

// Whatever the bytes are, reading them ends in a thing or in BadArchive.
TEST(Archive, DamagedBytesAreRefusedOrReadAsSomethingElse) {
  ArchiveContext context{{Here(), Here::current()}, {5, 6}};
  Thing thing = some_thing(context.lines[1]);
  std::string bytes = written(thing, context);
  int refused = 0;
  auto try_to_read = [&](const std::string& damaged) {
    try {
      read(damaged, context);
    } catch (const BadArchive&) {
      ++refused;
    }
  };
  for (size_t i = 0; i < bytes.size(); ++i) {
    try_to_read(bytes.substr(0, i));
    for (char mask : {'\x01', '\x40', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ mask);
      try_to_read(damaged);
    }
  }
  EXPECT_GE(refused, static_cast<int>(bytes.size()));
}

}  // namespace
}  // namespace sinter::runtime
