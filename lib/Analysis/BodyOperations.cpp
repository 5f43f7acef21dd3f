//===- BodyOperations.cpp - Operations allowed in bodies ------------------===//
//
// Hand-written IR may have any operation in a body. Interpreter and compiler accept the same set,
// since both use this check first: those of lci, and those of arith and math that are elementwise
// and have one result for every operand (docs/models.md).
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/BodyOperations.h"

using namespace mlir;
using namespace mlir::lci;

static bool isKnown(Operation *op) {
  bool isOfTicks = isa<TickOp, LoadOp, TableOp, InstallOp, KeepSurestOp, AgreeOp, CandidateOp,
                       VaryingOp, RefreshHaloOp>(op);
  return (isa_and_nonnull<LCIDialect>(op->getDialect()) && !isOfTicks) ||
         isa<arith::ConstantOp, arith::SelectOp, arith::CmpIOp, arith::CmpFOp, arith::AddIOp,
             arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
             arith::MinUIOp, arith::MaxUIOp, arith::MinSIOp, arith::MaxSIOp, arith::DivUIOp,
             arith::RemUIOp, arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp,
             arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp,
             arith::IndexCastUIOp, arith::BitcastOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::FPToSIOp, arith::FPToUIOp, arith::AddFOp, arith::SubFOp, arith::MulFOp,
             arith::DivFOp, arith::RemFOp, arith::NegFOp, arith::MinimumFOp, arith::MaximumFOp,
             arith::MinNumFOp, arith::MaxNumFOp, tensor::ExtractOp>(op) ||
         isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::SinOp, math::CosOp,
             math::TanOp, math::TanhOp, math::ErfOp, math::AtanOp, math::SqrtOp, math::RsqrtOp,
             math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp, math::RoundEvenOp,
             math::TruncOp, math::FmaOp, math::CtPopOp, math::PowFOp, math::Atan2Op>(op);
}

static bool isKnown(Type type) {
  if (isa<AnswerType, EventType>(type))
    return true;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  auto integer = dyn_cast<IntegerType>(type);
  return type.isF32() || type.isIndex() || (integer && integer.getWidth() <= 64);
}

static LogicalResult checkOperation(Operation *op) {
  if (!isKnown(op)) {
    InFlightDiagnostic error = op->emitOpError("is not an operation of a program's bodies")
                               << ErrorId::CannotInterpret;
    error.attachNote()
        << "they compute with operations of lci, and with those of arith and math on "
           "numbers and vectors";
    return error;
  }
  for (Type type : op->getResultTypes())
    if (!isKnown(type))
      return op->emitOpError("expected integers of 64 bits at most and f32, but got ")
             << ErrorId::CannotInterpret << type;
  return success();
}

LogicalResult mlir::lci::checkBodyOperations(ProgramOp program) {
  for (Operation &declaration : program.getBody().front()) {
    if (isa<DefOp>(declaration))
      continue;
    WalkResult walked = declaration.walk<WalkOrder::PreOrder>(
        [](Operation *op) { return WalkResult(checkOperation(op)); });
    if (walked.wasInterrupted())
      return failure();
  }
  return success();
}
