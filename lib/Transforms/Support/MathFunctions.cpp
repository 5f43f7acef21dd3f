//===- MathFunctions.cpp - Upstream math as exact lci operations ----------===//

#include "LCI/Transforms/Support/MathFunctions.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

static bool isOnF32(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0).getType()).isF32();
}

std::optional<Elementary> mlir::lci::getElementary(Operation *op) {
  if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) || !isOnF32(op))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Elementary>>(op)
      .Case<math::ExpOp>([](auto) { return Elementary::Exp; })
      .Case<math::Exp2Op>([](auto) { return Elementary::Exp2; })
      .Case<math::LogOp>([](auto) { return Elementary::Log; })
      .Case<math::Log2Op>([](auto) { return Elementary::Log2; })
      .Case<math::SinOp>([](auto) { return Elementary::Sin; })
      .Case<math::CosOp>([](auto) { return Elementary::Cos; })
      .Case<math::TanOp>([](auto) { return Elementary::Tan; })
      .Case<math::TanhOp>([](auto) { return Elementary::Tanh; })
      .Case<math::ErfOp>([](auto) { return Elementary::Erf; })
      .Case<math::AtanOp>([](auto) { return Elementary::Atan; })
      .Case<math::RsqrtOp>([](auto) { return Elementary::Rsqrt; })
      .Default(std::nullopt);
}

std::optional<ElementaryBinary> mlir::lci::getElementaryBinary(Operation *op) {
  if (isa<math::PowFOp>(op) && isOnF32(op))
    return ElementaryBinary::Pow;
  if (isa<math::Atan2Op>(op) && isOnF32(op))
    return ElementaryBinary::Atan2;
  return std::nullopt;
}

/// Whether an operation gives the same bits on every machine.
static bool isExact(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return type.isInteger() || isa<math::AbsFOp, math::CeilOp, math::FloorOp, math::FmaOp,
                                 math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
}

LogicalResult mlir::lci::replaceMathFunctions(Operation *model) {
  bool failed = false;
  model->walk([&](Operation *op) {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()))
      return;
    OpBuilder builder(op);
    Type type = op->getResult(0).getType();
    Value replacement;
    if (std::optional<Elementary> function = getElementary(op))
      replacement = ElementaryOp::create(builder, op->getLoc(), type, *function, op->getOperand(0));
    else if (std::optional<ElementaryBinary> function = getElementaryBinary(op))
      replacement = ElementaryBinaryOp::create(builder, op->getLoc(), type, *function,
                                               op->getOperand(0), op->getOperand(1));
    if (replacement) {
      op->getResult(0).replaceAllUsesWith(replacement);
      op->erase();
      return;
    }
    if (isExact(op))
      return;
    InFlightDiagnostic error = emitError(op->getLoc())
                               << ErrorId::WrongModel
                               << "expected a model's functions to be exact or correctly rounded, "
                                  "but got '"
                               << op->getName() << "' on " << type;
    error.attachNote() << "docs/models.md lists what there is";
    failed = true;
  });
  return failure(failed);
}
