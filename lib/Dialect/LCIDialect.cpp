//===- LCIDialect.cpp - Registration of the lci dialect ---------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

#include "LCI/Dialect/LCIDialect.cpp.inc"
#include "LCI/Dialect/LCIEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "LCI/Dialect/LCITypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "LCI/Dialect/LCIAttributes.cpp.inc"

void LCIDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "LCI/Dialect/LCITypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "LCI/Dialect/LCIAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "LCI/Dialect/LCIOps.cpp.inc"
      >();
}

Operation *LCIDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
