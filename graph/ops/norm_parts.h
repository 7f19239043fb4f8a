// What the normalisations share: a parameter for each channel, the result's memory order, the input's gradient.

#pragma once

#include <sinter/graph/op.h>

#include <span>
#include <string_view>

namespace sinter {

// The tensor argument of that name, or an undefined tensor.
Tensor optional_tensor(const OpArgs& args, std::string_view parameter);

// Throws if the parameter is there and is not one number a channel.
void check_per_channel(const OpArgs& args, std::string_view parameter, const SymInt& channels);
// How many leading dims of slot 0 are kept apart: its last ones are `normalized_shape`, which is not empty.
int64_t normalized_axis(const OpArgs& args);
// Throws if the parameter is there and its sizes are not `normalized_shape`.
void check_normalized(const OpArgs& args, std::string_view parameter);

// Throws unless the named parameters that are there are of the input's type, or, beside a half, all of f32.
void check_parameter_types(const OpArgs& args, std::span<const std::string_view> parameters);

// f32 if the input is a half and the parameter f32, else the input's type: the type of statistics.
DType statistics_type(DType input, const Tensor& parameter);

// values * weight + bias, each if it is there, viewed with `sizes` and in the type of the values.
Tensor scaled_and_shifted(Tensor values, const Tensor& weight, const Tensor& bias, const SymDims& sizes, Here here);

// The memory order of a result for images: the channels last if they are in the input, else row-major.
SymDims image_strides(const Layout& input);
// x itself, or a copy with these strides, which image_strides made.
Tensor in_image_strides(const Tensor& x, const SymDims& strides, Here here);

// The gradient of the input of (x - mean(x)) * rstd or, if it is not centred, x * rstd, from that of the result,
// `normalized`, over the dims that the statistics were taken of.
Tensor gradient_through_norm(const Tensor& grad, const Tensor& normalized, const Tensor& rstd, const Dims& dims,
                             bool is_centred, Here here);

}  // namespace sinter
