//===- Ops.cpp - Generated code of the operations -------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::lci;

/// One type for all words, as `lci.philox` prints them.
static ParseResult parseOneType(OpAsmParser &parser,
                                ArrayRef<OpAsmParser::UnresolvedOperand> counters,
                                SmallVectorImpl<Type> &counterTypes, Type &low, Type &high) {
  if (parser.parseType(low))
    return failure();
  high = low;
  counterTypes.assign(counters.size(), low);
  return success();
}

static void printOneType(OpAsmPrinter &printer, Operation *, OperandRange, TypeRange, Type low,
                         Type) {
  printer << low;
}

#define GET_OP_CLASSES
#include "LCI/Dialect/LCIOps.cpp.inc"
