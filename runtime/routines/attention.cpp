// Attention in tiles: some rows of queries against some keys at a time, with a running maximum and sum for each row
// (Milakov and Gimelshein 2018), so that memory for all scores is never needed. f16 and bf16 work in f32.

#include <sinter/graph/ops/attention.h>
#include <sinter/runtime/cpu/matrix_product.h>
#include <sinter/runtime/routines/attention_tiles.h>
#include <sinter/runtime/routines/routine.h>

#include <cmath>

namespace sinter::runtime::routines {

namespace {

constexpr int64_t row_tile = 64, key_tile = 256;

// Rows [begin, begin + rows) of one head against all its keys.
template <class T>
class RowTile {
  using W = Wide<T>;

 public:
  RowTile(const Attention& a, int64_t batch, int64_t head, int64_t begin, int64_t rows)
      : a_(a),
        batch_(batch),
        head_(head),
        begin_(begin),
        rows_(rows),
        query_(matrix<T>(a.query, batch, head, begin, rows)),
        scores_(rows * key_tile),
        sums_(rows * a.features(a.value), W(0)),
        part_(rows * a.features(a.value)),
        top_(rows, -std::numeric_limits<W>::infinity()),
        total_(rows, W(0)) {}

  void run() {
    int64_t keys = a_.rows(a_.key);
    if (a_.is_causal) keys = std::min(keys, begin_ + rows_);
    for (int64_t key = 0; key < keys; key += key_tile) take(key, std::min(key_tile, keys - key));
    write();
  }

 private:
  void take(int64_t key, int64_t count) {
    int64_t key_head = a_.key_head(head_);
    Matrix<T> keys = matrix<T>(a_.key, batch_, key_head, key, count);
    Matrix<T> values = matrix<T>(a_.value, batch_, key_head, key, count);
    score_tile<T>(a_, batch_, head_, begin_, key, query_, keys, scores_.data());
    for (int64_t i = 0; i < rows_; ++i) rescale(i, scores_.data() + i * count, count);
    exponentials(scores_.data(), rows_ * count);
    for (int64_t i = 0; i < rows_; ++i) total_[i] += sum_of(scores_.data() + i * count, count);
    product(own_matrix(scores_.data(), rows_, count), values.batch(), part_.data());
    for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += part_[i];
  }

  // Subtracts the greatest score so far, and brings what was summed before under it.
  void rescale(int64_t row, W* scores, int64_t count) {
    W before = top_[row], top = std::max(before, greatest(scores, count));
    W shift = std::isinf(top) && top < 0 ? W(0) : top;
    for (int64_t j = 0; j < count; ++j) scores[j] -= shift;
    if (top == before) return;
    W factor = std::exp(before - shift);
    int64_t features = a_.features(a_.value);
    for (int64_t j = 0; j < features; ++j) sums_[row * features + j] *= factor;
    total_[row] *= factor;
    top_[row] = top;
  }

  void write() const {
    int64_t features = a_.features(a_.value);
    for (int64_t i = 0; i < rows_; ++i) {
      bool is_empty = total_[i] == 0;  // no key is attended to: zeros
      T* out = element<T>(a_.result, batch_, head_, begin_ + i);
      int64_t step = stride_of(a_.result, 3);
      W factor = is_empty ? W(0) : W(1) / total_[i];
      for (int64_t j = 0; j < features; ++j)
        out[j * step] = static_cast<T>(is_empty ? W(0) : sums_[i * features + j] * factor);
      *element<W>(a_.logarithms, batch_, head_, begin_ + i) = is_empty ? W(0) : top_[i] + std::log(total_[i]);
    }
  }

  const Attention& a_;
  int64_t batch_, head_, begin_, rows_;
  Matrix<T> query_;
  std::vector<W> scores_, sums_, part_, top_, total_;
};

template <class T>
void attend(const Attention& a) {
  int64_t rows = a.rows(a.query), tiles = (rows + row_tile - 1) / row_tile, heads = a.heads(a.query);
  int64_t work = std::min(rows, row_tile) * a.rows(a.key) * (a.features(a.query) + a.features(a.value) + 16);
  int64_t grain = std::max<int64_t>((int64_t{1} << 18) / std::max<int64_t>(work, 1), 1);
  parallel_for(0, a.batches() * heads * tiles, grain, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      int64_t first = task % tiles * row_tile, head = task / tiles % heads;
      RowTile<T>(a, task / tiles / heads, head, first, std::min(row_tile, rows - first)).run();
    }
  });
}

// --- Gradients --------------------------------------------------------------------------------------------------

template <class W>
void add(std::vector<W>& sums, int64_t at, const std::vector<W>& part, int64_t count) {
  for (int64_t i = 0; i < count; ++i) sums[at + i] += part[i];
}

struct Gradients {
  Attention forward;
  Tensor result_gradient;
  Tensor query, key, value;
};

// One head of keys with all the heads of queries that it serves: their gradients are sums over tiles, in order.
template <class T>
class HeadGradient {
  using W = Wide<T>;

 public:
  HeadGradient(const Gradients& g, int64_t batch, int64_t key_head)
      : g_(g),
        a_(g.forward),
        batch_(batch),
        key_head_(key_head),
        features_(a_.features(a_.query)),
        value_features_(a_.features(a_.value)),
        key_(a_.rows(a_.key) * features_, W(0)),
        value_(a_.rows(a_.key) * value_features_, W(0)) {}

  void run() {
    int64_t group = a_.heads(a_.query) / a_.heads(a_.key), rows = a_.rows(a_.query);
    for (int64_t head = key_head_ * group; head < (key_head_ + 1) * group; ++head)
      for (int64_t begin = 0; begin < rows; begin += row_tile) take(head, begin, std::min(row_tile, rows - begin));
    write_rows<T>(g_.key, batch_, key_head_, 0, key_);
    write_rows<T>(g_.value, batch_, key_head_, 0, value_);
  }

 private:
  void take(int64_t head, int64_t begin, int64_t rows) {
    Matrix<T> query = matrix<T>(a_.query, batch_, head, begin, rows);
    Matrix<T> gradient = matrix<T>(g_.result_gradient, batch_, head, begin, rows);
    std::vector<W> corrections = row_products(head, begin, rows);
    std::vector<W> query_sums(rows * features_, W(0));
    int64_t keys = a_.rows(a_.key);
    if (a_.is_causal) keys = std::min(keys, begin + rows);
    for (int64_t key = 0; key < keys; key += key_tile) {
      int64_t count = std::min(key_tile, keys - key);
      Matrix<T> key_rows = matrix<T>(a_.key, batch_, key_head_, key, count);
      Matrix<T> value_rows = matrix<T>(a_.value, batch_, key_head_, key, count);
      std::vector<W> weights(rows * count), slopes(rows * count),
          part(std::max(rows, count) * std::max(features_, value_features_));
      score_tile<T>(a_, batch_, head, begin, key, query, key_rows, weights.data());
      for (int64_t i = 0; i < rows; ++i) {
        W logarithm = *element<W>(a_.logarithms, batch_, head, begin + i);
        for (int64_t j = 0; j < count; ++j) weights[i * count + j] -= logarithm;
      }
      exponentials(weights.data(), rows * count);
      product(turned(own_matrix(weights.data(), rows, count)), gradient.batch(), part.data());
      add(value_, key * value_features_, part, count * value_features_);
      product(gradient.batch(), turned(value_rows.batch()), slopes.data());
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < count; ++j) {
          int64_t at = i * count + j;
          slopes[at] = weights[at] * (slopes[at] - corrections[i]) * static_cast<W>(a_.scale);
        }
      product(own_matrix(slopes.data(), rows, count), key_rows.batch(), part.data());
      add(query_sums, 0, part, rows * features_);
      product(turned(own_matrix(slopes.data(), rows, count)), query.batch(), part.data());
      add(key_, key * features_, part, count * features_);
    }
    write_rows<T>(g_.query, batch_, head, begin, query_sums);
  }

  // For each row, its result times the gradient of it.
  std::vector<W> row_products(int64_t head, int64_t begin, int64_t rows) const {
    std::vector<W> products(rows, W(0));
    for (int64_t i = 0; i < rows; ++i) {
      const T* a = element<T>(a_.result, batch_, head, begin + i);
      const T* b = element<T>(g_.result_gradient, batch_, head, begin + i);
      for (int64_t j = 0; j < value_features_; ++j)
        products[i] +=
            static_cast<W>(a[j * stride_of(a_.result, 3)]) * static_cast<W>(b[j * stride_of(g_.result_gradient, 3)]);
    }
    return products;
  }

  const Gradients& g_;
  const Attention& a_;
  int64_t batch_, key_head_, features_, value_features_;
  std::vector<W> key_, value_;
};

template <class T>
void differentiate(const Gradients& g) {
  int64_t heads = g.forward.heads(g.forward.key);
  parallel_for(0, g.forward.batches() * heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) HeadGradient<T>(g, task / heads, task % heads).run();
  });
}

Attention attention_of(const OpArgs& args, int first) {
  Attention a;
  a.query = args[first].tensor();
  a.key = args[first + 1].tensor();
  a.value = args[first + 2].tensor();
  if (!args["attn_mask"].is_none()) {
    SymDims scores = {a.query.sizes()[0], a.query.sizes()[1], a.query.sizes()[2], a.key.sizes()[2]};
    const Tensor& mask = args["attn_mask"].tensor();
    a.mask = Tensor({mask.dtype(), mask.device(), *expand_layout(mask.layout(), scores)}, mask.storage());
  }
  a.is_causal = args.flag("is_causal");
  a.scale = attention_scale(args, a.query.sizes()[3]);
  return a;
}

void run_attention(const OpArgs& args, Results results) {
  Attention a = attention_of(args, 0);
  a.result = results[0];
  a.logarithms = results[1];
  visit(a.query.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) attend<T>(a);
  });
}

}  // namespace

SINTER_ROUTINE(attention_default) { run_attention(args, results); }
SINTER_ROUTINE(flash_attention_for_cpu_default) { run_attention(args, results); }

SINTER_ROUTINE(flash_attention_for_cpu_backward_default) {
  Gradients g = {attention_of(args, 1), args[0].tensor(), results[0], results[1], results[2]};
  g.forward.result = args["out"].tensor();
  g.forward.logarithms = args["logsumexp"].tensor();
  visit(g.query.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) differentiate<T>(g);
  });
}

}  // namespace sinter::runtime::routines
