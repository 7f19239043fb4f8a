// Every op that the library has, one declaration each, by family. `all_ops.cpp` lists them for lookup by name.

#pragma once

#include <sinter/graph/op.h>
