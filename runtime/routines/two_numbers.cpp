// The loop over two broadcast tensors.

#include <sinter/runtime/routines/two_numbers.h>

#include <sinter/graph/ops/ops.h>
#include <sinter/runtime/parallel.h>
#include <sinter/runtime/routines/indices.h>

namespace sinter::runtime::routines {

void map_two_numbers(const OpArgs& args, Results results, double (*function)(double, double)) {
  const Tensor& result = results[0];
  Tensor a = dense(args.tensor(0).expand(result.sizes()), DType::f64);
  Tensor b = dense(args.tensor(1).expand(result.sizes()), DType::f64);
  Tensor values = new_tensor(DType::f64, sizes_of(result));
  const double *x = a.data_ptr<double>(), *y = b.data_ptr<double>();
  double* out = values.data_ptr<double>();
  constexpr int64_t grain = 1024;
  parallel_for(0, count_of(result), grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = function(x[i], y[i]);
  });
  Tensor target = result;
  target.copy_(values);
}

}  // namespace sinter::runtime::routines
