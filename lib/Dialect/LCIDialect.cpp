//===- LCIDialect.cpp - Registration of the lci dialect -------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Dialect/Bytecode.h"
#include "LCI/Dialect/LCIOps.h"
#include "VerifierUtils.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

#include "LCI/Dialect/LCIDialect.cpp.inc"
#include "LCI/Dialect/LCIEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "LCI/Dialect/LCITypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "LCI/Dialect/LCIAttributes.cpp.inc"

namespace {
/// A program holds only declarations: folds put a body's constants into the body.
struct FoldsInBodies : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isa_and_nonnull<ProgramOp>(region->getParentOp()->getParentOp());
  }
};
} // namespace

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
  addInterface(createBytecodeInterface(this));
  addInterfaces<FoldsInBodies>();
}

/// The one attribute of the dialect that users attach to other dialects' operations.
static LogicalResult verifyArrangement(NamedAttribute attribute, Operation *op, bool hasCells) {
  if (attribute.getName() != kArrangement)
    return success();
  if (!hasCells)
    return op->emitOpError("expected '") << ErrorId::InvalidAttribute << kArrangement
                                         << "' on a value or an argument that holds its cells";
  if (!isa<ArrangementAttr>(attribute.getValue()))
    return op->emitOpError("expected '")
           << ErrorId::InvalidAttribute << kArrangement
           << "' to be #lci.arrangement<rows>, <planes> or <colours>, but got "
           << attribute.getValue();
  return success();
}

/// Arrays, and pointers to them after lowering; not scalars.
static bool mayHoldCells(Type type) { return !type || !type.isIntOrIndexOrFloat(); }

LogicalResult LCIDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return failure(failed(verifyArrangement(attribute, op, isa<ValueOp>(op))) ||
                 failed(verifyDiscardable(op, attribute)));
}

LogicalResult LCIDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                   unsigned argument, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  Type type = op->getRegion(region).getNumArguments() > argument
                  ? op->getRegion(region).getArgument(argument).getType()
              : function && function.getNumArguments() > argument
                  ? function.getArgumentTypes()[argument]
                  : Type();
  return failure(failed(verifyArrangement(attribute, op, mayHoldCells(type))) ||
                 failed(verifyDiscardable(op, attribute, type, /*isResult=*/false)) ||
                 failed(verifyStorage(op, argument, attribute, type)));
}

LogicalResult LCIDialect::verifyRegionResultAttribute(Operation *op, unsigned region,
                                                      unsigned result, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  Type type =
      function && function.getNumResults() > result ? function.getResultTypes()[result] : Type();
  return failure(failed(verifyArrangement(attribute, op, mayHoldCells(type))) ||
                 failed(verifyDiscardable(op, attribute, type, /*isResult=*/true)));
}

Operation *LCIDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
