// oneDNN: the only file that includes its header.

#include <sinter/runtime/cpu/matrix_product.h>

#include <sinter/graph/error.h>
#include <sinter/runtime/parallel.h>

#include <dnnl.hpp>

#include <array>
#include <list>
#include <unordered_map>

// Of the one OpenMP runtime of the process, which is oneDNN's.
extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int count);
}

namespace sinter::runtime {

namespace {

// oneDNN takes as many threads as our own loops.
class ThreadCount {
 public:
  ThreadCount() : before_(omp_get_max_threads()) {
#if defined(SINTER_PARALLEL_POOL)
    omp_set_num_threads(1);  // the thread sanitizer does not understand OpenMP
#else
    omp_set_num_threads(is_inside_parallel_for() ? 1 : get_num_threads());
#endif
  }
  ~ThreadCount() { omp_set_num_threads(before_); }

 private:
  int before_;
};

using dnnl::memory;

// What a product's primitive depends on.
using Key = std::array<int64_t, 14>;
struct KeyHash {
  size_t operator()(const Key& key) const {
    uint64_t hash = 0;
    for (int64_t part : key) hash = (hash ^ static_cast<uint64_t>(part)) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
  }
};

struct Product {
  dnnl::matmul primitive;
  memory a, b, c, scratch;
};

dnnl::engine& engine() {
  static dnnl::engine instance(dnnl::engine::kind::cpu, 0);
  return instance;
}

memory::desc describe(const MatrixBatch& m) {
  memory::data_type type = m.dtype == DType::bf16 ? memory::data_type::bf16 : memory::data_type::f32;
  if (m.count == 1) return memory::desc({m.rows, m.columns}, type, memory::dims{m.row_stride, m.column_stride});
  return memory::desc({m.count, m.rows, m.columns}, type, memory::dims{m.batch_stride, m.row_stride, m.column_stride});
}

Product make_product(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  memory::desc da = describe(a), db = describe(b), dc = describe(c);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::matmul::primitive_desc made({da, db, dc}, attributes, engine());
  return {dnnl::matmul(made), memory(da, engine(), nullptr), memory(db, engine(), nullptr),
          memory(dc, engine(), nullptr), memory(made.scratchpad_desc(), engine())};
}

// The products that this thread made last.
class ProductCache {
 public:
  Product& find(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
    Key key = {a.count,
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
               static_cast<int64_t>(c.dtype),
               omp_get_max_threads()};
    auto found = entries_.find(key);
    if (found != entries_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->second;
    }
    if (recent_.size() == capacity) {
      entries_.erase(recent_.back().first);
      recent_.pop_back();
    }
    recent_.emplace_front(key, make_product(a, b, c));
    entries_[key] = recent_.begin();
    return recent_.front().second;
  }

 private:
  static constexpr size_t capacity = 128;
  std::list<std::pair<Key, Product>> recent_;
  std::unordered_map<Key, std::list<std::pair<Key, Product>>::iterator, KeyHash> entries_;
};

}  // namespace

void multiply_with_dnnl(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  thread_local ProductCache cache;
  try {
    ThreadCount threads;
    Product& product = cache.find(a, b, c);
    product.a.set_data_handle(a.data);
    product.b.set_data_handle(b.data);
    product.c.set_data_handle(c.data);
    dnnl::stream stream(engine());
    product.primitive.execute(stream, {{DNNL_ARG_SRC, product.a},
                                       {DNNL_ARG_WEIGHTS, product.b},
                                       {DNNL_ARG_DST, product.c},
                                       {DNNL_ARG_SCRATCHPAD, product.scratch}});
    stream.wait();
  } catch (const dnnl::error& error) {
    throw Error(ErrorKind::environment, Here::current(),
                fmt::format("oneDNN: {} ({})", error.what(), static_cast<int>(error.status)));
  }
}

}  // namespace sinter::runtime
