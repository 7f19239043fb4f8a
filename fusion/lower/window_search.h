// What a window that is written by as_strided_scatter has at a place of the base, where no plain division tells.

#pragma once

#include <sinter/fusion/lower/lowering.h>

namespace sinter::fusion {

// A window's element is found by dividing by one stride after the other, unless its dims interlock or meet in memory.
bool needs_search(const Layout& window);

// The window's value at `place`, counted as its offset is, or `before` where it has none. Of several elements at one
// place the last in row-major order stays.
ScalarExpr search_window(NestBuilder& builder, const graph::Node& scatter, const Layout& window, const IndexExpr& place,
                         ScalarExpr before);

}  // namespace sinter::fusion
