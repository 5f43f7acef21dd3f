//===- Ops.cpp - Generated code of the operations ---------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::lci;

#define GET_OP_CLASSES
#include "LCI/Dialect/LCIOps.cpp.inc"
