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

/// The types of tallies are said only if some are no truth values.
static ParseResult parseTallies(OpAsmParser &parser,
                                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &tallies,
                                SmallVectorImpl<Type> &types) {
  if (parser.parseOperandList(tallies))
    return failure();
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseTypeList(types);
  types.assign(tallies.size(), parser.getBuilder().getI1Type());
  return success();
}

static void printTallies(OpAsmPrinter &printer, Operation *, OperandRange tallies,
                         TypeRange types) {
  printer << tallies;
  if (!llvm::all_of(types, [](Type type) { return type.isInteger(1); }))
    printer << " : " << types;
}

#define GET_OP_CLASSES
#include "LCI/Dialect/LCIOps.cpp.inc"
