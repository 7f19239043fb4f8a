// The public API of sinter: a page of includes.

#pragma once

#include <sinter/graph/graph.h>             // the captured program
#include <sinter/graph/log.h>               // SINTER_LOGS from code
#include <sinter/graph/op.h>                // operators by name: ops("aten::add.Tensor")
#include <sinter/graph/tensor.h>            // Tensor
#include <sinter/graph/text/print_graph.h>  // to_string(graph)
#include <sinter/graph/version.h>           // version()
#include <sinter/runtime/compile.h>         // compile(fn)
#include <sinter/runtime/parallel.h>        // set_num_threads
