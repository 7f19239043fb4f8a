// The public API of sinter: a page of includes.

#pragma once

#include <sinter/graph/custom/user_kernel.h>  // wrap_kernel
#include <sinter/graph/graph.h>               // the captured program
#include <sinter/graph/literal.h>             // tensor({{1, 2}, {3, 4}}), from_blob
#include <sinter/graph/log.h>                 // SINTER_LOGS from code
#include <sinter/graph/op.h>                  // operators by name: ops("aten::add.Tensor")
#include <sinter/graph/ops/data_size.h>       // check_size, new_unknown_size: sizes that only data tell
#include <sinter/graph/ops/ops.h>             // the operators: relu(x + y) * 2.0
#include <sinter/graph/print_tensor.h>        // std::cout << tensor
#include <sinter/graph/tensor.h>              // Tensor
#include <sinter/graph/text/dot.h>            // to_dot(graph)
#include <sinter/graph/text/json.h>           // to_json(graph), graph_from_json(text)
#include <sinter/graph/text/parse_graph.h>    // parse_graph(text)
#include <sinter/graph/text/print_graph.h>    // to_string(graph)
#include <sinter/graph/version.h>             // version()
#include <sinter/runtime/backend.h>           // register_backend
#include <sinter/runtime/compile.h>           // compile(fn)
#include <sinter/runtime/cuda/from_blob.h>    // tensors on device memory of others
#include <sinter/runtime/cuda/stream.h>       // cuda::is_available, streams, events
#include <sinter/runtime/custom/custom_op.h>  // custom_op, elementwise_op, kernel_op
#include <sinter/runtime/custom/opcheck.h>    // opcheck
#include <sinter/runtime/dlpack.h>            // to_dlpack, from_dlpack
#include <sinter/runtime/parallel.h>          // set_num_threads
#include <sinter/runtime/random.h>            // manual_seed
