// How a family's header makes its ops known: it lists their names, once, for the declaration here and for the table of
// all ops.
//
// aten::add.Tensor is op_defs::add_tensor, aten::add_.Tensor is add_inplace_tensor, aten::relu is relu_default.

#pragma once

#include <sinter/graph/op.h>

#define SINTER_DECLARE_OP(name) extern const OpDef name;
#define SINTER_DECLARE_OPS(LIST) \
  namespace sinter::op_defs {    \
  LIST(SINTER_DECLARE_OP)        \
  }
