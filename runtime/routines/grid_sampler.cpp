// Images read at given places, and the gradients by image and by place.

#include <sinter/runtime/routines/grid_places.h>
#include <sinter/runtime/routines/planes.h>
#include <sinter/runtime/routines/routine.h>

#include <vector>

namespace sinter::runtime::routines {

namespace {

GridRules rules_of(const OpArgs& args, int64_t rank) {
  return {static_cast<GridMode>(args.integer("interpolation_mode")),
          static_cast<GridPadding>(args.integer("padding_mode")), args.flag("align_corners"), rank == 3};
}

// The three dims' elements of one place.
template <class W>
using Reading = std::array<Neighbours<W>, 3>;

// All places of a batch: the grid seen as [batch, places' dims, rank].
template <class T>
class Grid {
 public:
  Grid(const GridRules& rules, const Tensor& grid, const Planes& image)
      : rules_(rules), grid_(grid), data_(grid.data_ptr<T>()), image_(image), rank_(grid.dim() - 2) {}

  int64_t places() const {
    int64_t count = 1;
    for (int64_t i = 1; i <= rank_; ++i) count *= grid_.sizes()[i].constant();
    return count;
  }
  // Where the numbers of a place start, and how far apart they are.
  int64_t offset(const Tensor& like, int64_t batch, int64_t place) const {
    int64_t at = batch * like.strides()[0].constant();
    for (int64_t i = rank_; i >= 1; --i) {
      int64_t size = like.sizes()[i].constant();
      at += place % size * like.strides()[i].constant();
      place /= size;
    }
    return at;
  }
  Reading<Wide<T>> read(int64_t batch, int64_t place) const {
    const T* numbers = data_ + offset(grid_, batch, place);
    int64_t step = grid_.strides()[rank_ + 1].constant();
    Reading<Wide<T>> reading;
    bool is_stepped = !(rules_.is_volume && rules_.mode == GridMode::cubic);  // cubic volumes are ATen's newest
    for (int64_t i = 0; i < rank_; ++i) {                                     // the first number is for the last dim
      T number = numbers[i * step];
      int64_t dim = 2 - i, size = image_.size[dim];
      reading[dim] = is_stepped ? neighbours(rules_, Step<T>(number), size)
                                : neighbours(rules_, static_cast<Wide<T>>(number), size);
    }
    return reading;
  }

 private:
  const GridRules& rules_;
  const Tensor& grid_;
  const T* data_;
  const Planes& image_;
  int64_t rank_;
};

// body(places along the three dims, which neighbours they are) for all elements of a reading that are in the image.
template <class W, class Body>
void for_each_neighbour(const Reading<W>& r, Body&& body) {
  for (int i = 0; i < r[0].count; ++i)
    for (int j = 0; j < r[1].count; ++j)
      for (int k = 0; k < r[2].count; ++k)
        if (r[0].places[i] >= 0 && r[1].places[j] >= 0 && r[2].places[k] >= 0)
          body(r[0].places[i], r[1].places[j], r[2].places[k], i, j, k);
}

template <class T>
void sample(const OpArgs& args, const Tensor& result) {
  using W = Wide<T>;
  const Tensor &input = args[0].tensor(), &grid_tensor = args[1].tensor();
  int64_t rank = input.dim() - 2;
  Planes image = planes_of(input, rank), to = planes_of(result, rank);
  GridRules rules = rules_of(args, rank);
  Grid<T> grid(rules, grid_tensor, image);
  const T* in = input.data_ptr<T>();
  T* out = result.data_ptr<T>();
  int64_t places = grid.places();
  parallel_for(0, image.batch * places, 256, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      int64_t batch = task / places, place = task % places;
      Reading<W> reading = grid.read(batch, place);
      for (int64_t c = 0; c < image.channels; ++c) {
        const T* plane = in + batch * image.batch_stride + c * image.channel_stride;
        W sum = 0;
        for_each_neighbour(reading, [&](int64_t x, int64_t y, int64_t z, int i, int j, int k) {
          W weight = reading[0].weights[i] * reading[1].weights[j] * reading[2].weights[k];
          sum += weight * static_cast<W>(plane[image.at(x, y, z)]);
        });
        out[batch * to.batch_stride + c * to.channel_stride + to.at(place)] = static_cast<T>(sum);
      }
    }
  });
}

// --- Gradients --------------------------------------------------------------------------------------------------

// One channel's gradient at one place: to the image's elements, and to the place's numbers.
template <class T>
void give_back(const Reading<Wide<T>>& r, Wide<T> gradient, const T* plane, const Planes& image, Wide<T>* image_sums,
               std::array<Wide<T>, 3>& place_sums) {
  using W = Wide<T>;
  for_each_neighbour(r, [&](int64_t x, int64_t y, int64_t z, int i, int j, int k) {
    W a = r[0].weights[i], b = r[1].weights[j], c = r[2].weights[k];
    W value = static_cast<W>(plane[image.at(x, y, z)]) * gradient;
    image_sums[(x * image.size[1] + y) * image.size[2] + z] += gradient * a * b * c;
    place_sums[0] += value * r[0].slopes[i] * b * c;
    place_sums[1] += value * a * r[1].slopes[j] * c;
    place_sums[2] += value * a * b * r[2].slopes[k];
  });
}

template <class T>
void differentiate(const OpArgs& args, const Tensor& image_gradient, const Tensor& grid_gradient) {
  using W = Wide<T>;
  const Tensor &gradient = args[0].tensor(), &input = args[1].tensor(), &grid_tensor = args[2].tensor();
  int64_t rank = input.dim() - 2;
  Planes from = planes_of(gradient, rank), image = planes_of(input, rank), to = planes_of(image_gradient, rank);
  GridRules rules = rules_of(args, rank);
  Grid<T> grid(rules, grid_tensor, image);
  int64_t places = grid.places(), elements = image.elements();
  parallel_for(0, image.batch, 1, [&](int64_t begin, int64_t end) {
    for (int64_t batch = begin; batch < end; ++batch) {
      std::vector<W> sums(image.channels * elements, W(0));
      for (int64_t place = 0; place < places; ++place) {
        Reading<W> reading = grid.read(batch, place);
        std::array<W, 3> place_sums = {};
        for (int64_t c = 0; c < image.channels; ++c) {
          const T* plane = input.data_ptr<T>() + batch * image.batch_stride + c * image.channel_stride;
          const T* g = gradient.data_ptr<T>() + batch * from.batch_stride + c * from.channel_stride + from.at(place);
          give_back<T>(reading, static_cast<W>(*g), plane, image, sums.data() + c * elements, place_sums);
        }
        T* numbers = grid_gradient.data_ptr<T>() + grid.offset(grid_gradient, batch, place);
        for (int64_t i = 0; i < rank; ++i) numbers[i] = static_cast<T>(place_sums[2 - i]);
      }
      T* out = image_gradient.data_ptr<T>() + batch * to.batch_stride;
      for (size_t i = 0; i < sums.size(); ++i) out[i] = static_cast<T>(sums[i]);
    }
  });
}

void sample_any(const OpArgs& args, Results results) {
  visit(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) sample<T>(args, results[0]);
  });
}

}  // namespace

SINTER_ROUTINE(grid_sampler_2d_default) { sample_any(args, results); }
SINTER_ROUTINE(grid_sampler_3d_default) { sample_any(args, results); }

SINTER_ROUTINE(grid_sampler_gradients_default) {
  visit(results[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) differentiate<T>(args, results[0], results[1]);
  });
}

}  // namespace sinter::runtime::routines
