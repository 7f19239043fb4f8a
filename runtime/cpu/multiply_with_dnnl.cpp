// Products of f32 and bf16 matrices by oneDNN.

#include <sinter/runtime/cpu/dnnl_session.h>
#include <sinter/runtime/cpu/matrix_product.h>
#include <sinter/runtime/ending_library.h>
#include <sinter/runtime/kept_by_thread.h>
#include <sinter/runtime/parallel.h>

#include <array>

namespace sinter::runtime {

namespace {

using dnnl::memory;

// What a product's primitive depends on.
using Key = std::array<int64_t, 15>;

struct Product {
  dnnl::matmul primitive;
  memory a, b, c, scratch;
};

memory::desc describe(const MatrixBatch& m) {
  memory::data_type type = m.dtype == DType::bf16 ? memory::data_type::bf16 : memory::data_type::f32;
  if (m.count == 1) return memory::desc({m.rows, m.columns}, type, memory::dims{m.row_stride, m.column_stride});
  return memory::desc({m.count, m.rows, m.columns}, type, memory::dims{m.batch_stride, m.row_stride, m.column_stride});
}

Product make_product(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  memory::desc da = describe(a), db = describe(b), dc = describe(c);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::matmul::primitive_desc made({da, db, dc}, attributes, dnnl_engine());
  return {dnnl::matmul(made), memory(da, dnnl_engine(), nullptr), memory(db, dnnl_engine(), nullptr),
          memory(dc, dnnl_engine(), nullptr), memory(made.scratchpad_desc(), dnnl_engine())};
}

Key key_of(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  return {a.count,
          a.rows,
          a.columns,
          b.columns,
          a.batch_stride,
          a.row_stride,
          a.column_stride,
          b.batch_stride,
          b.row_stride,
          b.column_stride,
          c.batch_stride,
          c.row_stride,
          static_cast<int64_t>(a.dtype),
          static_cast<int64_t>(c.dtype),
          dnnl_thread_count()};
}

}  // namespace

namespace {

bool run_product(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  static EndingLibrary::Kind products_of_dnnl(dnnl_library());
  EndingLibrary::Use dnnl(products_of_dnnl);
  if (!dnnl) return false;
  auto& products = kept_by_thread<DnnlCache<Key, Product>>();
  with_dnnl_errors([&] {
    DnnlThreads threads;
    Product& product = products.find_or_make(key_of(a, b, c), [&] { return make_product(a, b, c); });
    product.a.set_data_handle(a.data);
    product.b.set_data_handle(b.data);
    product.c.set_data_handle(c.data);
    dnnl::stream stream(dnnl_engine());
    product.primitive.execute(stream, {{DNNL_ARG_SRC, product.a},
                                       {DNNL_ARG_WEIGHTS, product.b},
                                       {DNNL_ARG_DST, product.c},
                                       {DNNL_ARG_SCRATCHPAD, product.scratch}});
    stream.wait();
  });
  return true;
}

// Multiplications that are worth another thread.
constexpr int64_t parallel_work = int64_t{1} << 20;

}  // namespace

// Of small products oneDNN adds in another order on more threads; these run on one. (A loop over one part would not
// count as parallel: oneDNN would take all threads.)
bool multiply_with_dnnl(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  if (c.count * c.rows * c.columns * a.columns >= parallel_work) return run_product(a, b, c);
  bool is_done = false;
  parallel_for(0, 2, 1, [&](int64_t begin, int64_t) {
    if (begin == 0) is_done = run_product(a, b, c);
  });
  return is_done;
}

}  // namespace sinter::runtime
