// Readable names: of a kernel after the ops that it computes, of things inside it after the graph's values.

#pragma once

#include <sinter/fusion/schedule.h>

namespace sinter::codegen {

// `fused_add_mul_relu`: each op once, in the order of work; a long list is cut.
std::string kernel_name(const fusion::Kernel& kernel);

// The op's name without namespace and overload: `add`; of a placeholder what it is called.
std::string origin_name(const graph::Node& node);
// `relu f.cpp:4`
std::string origin_comment(const graph::Node& node);

// The first lines of a kernel's source: its name, and which op and line of the user each part comes from.
std::string kernel_comment(const std::string& name, const fusion::Kernel& kernel);

// `linear_3` -> `linear`: equal parts of a graph give equal texts.
std::string base_name(std::string_view value_name);

}  // namespace sinter::codegen
