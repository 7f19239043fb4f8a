// Joins the two tables of an instruction set.

#include <sinter/runtime/primitives/primitive_table.h>

#include <sinter/runtime/primitives/tables.h>

namespace sinter::runtime {

namespace {

PrimitiveTable join(const PrimitiveTable& narrow, const PrimitiveTable& wide) {
  PrimitiveTable table = narrow;
  for (int op = 0; op < scalar_op_count; ++op)
    for (int type = 0; type < dtype_count; ++type)
      if (wide.scalar[op][type]) table.scalar[op][type] = wide.scalar[op][type];
  for (int from = 0; from < dtype_count; ++from)
    for (int to = 0; to < dtype_count; ++to)
      if (wide.convert[from][to]) table.convert[from][to] = wide.convert[from][to];
  for (int kind = 0; kind < reduction_kind_count; ++kind)
    for (int type = 0; type < dtype_count; ++type)
      if (wide.reduction[kind][type].combine) table.reduction[kind][type] = wide.reduction[kind][type];
  table.transpose[transpose_row(8)] = wide.transpose[transpose_row(8)];
  return table;
}

}  // namespace

const PrimitiveTable& primitives(Isa isa) {
#if defined(__x86_64__)
  static const PrimitiveTable sse42 = join(narrow_sse42, wide_sse42);
  static const PrimitiveTable avx2 = join(narrow_avx2, wide_avx2);
  static const PrimitiveTable avx512 = join(narrow_avx512, wide_avx512);
  if (isa == Isa::avx512) return avx512;
  if (isa == Isa::avx2) return avx2;
  if (isa == Isa::sse42) return sse42;
#else
  (void)isa;
#endif
  static const PrimitiveTable generic = join(narrow_generic, wide_generic);
  return generic;
}

}  // namespace sinter::runtime
