//===- OperationCosts.cpp - Weights, widths and accesses ------------------===//
//
// Facts of single operations, by which the model counts. Weights are ratios of throughputs that
// common processors have.
//
//===----------------------------------------------------------------------===//

#include "OperationCosts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

double mlir::lci::weightOf(Operation &op) {
  if (isa<arith::ConstantOp, arith::BitcastOp, vector::BitCastOp, vector::BroadcastOp>(op) ||
      op.hasTrait<OpTrait::IsTerminator>())
    return 0;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return 8;
  if (isa<math::SqrtOp>(op))
    return 6;
  bool isFunction = isa_and_nonnull<math::MathDialect>(op.getDialect()) &&
                    !isa<math::FmaOp, math::AbsFOp, math::CtPopOp, math::CountLeadingZerosOp>(op);
  return isFunction ? 20 : 1;
}

int64_t mlir::lci::bitsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = getElementTypeOrSelf(type);
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  if (bits == 1)
    return vector ? vector.getNumElements() : 0;
  return bits * (vector ? vector.getNumElements() : 1);
}

double mlir::lci::bitsPerCell(Operation &op) {
  int64_t bits = kByte;
  for (Type type : llvm::concat<Type>(llvm::to_vector(op.getResultTypes()),
                                      llvm::to_vector(op.getOperandTypes())))
    if (type.isIntOrFloat())
      bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
  return bits;
}

std::optional<Access> mlir::lci::accessOf(Operation &op) {
  using Found = std::optional<Access>;
  return llvm::TypeSwitch<Operation *, Found>(&op)
      .Case([](memref::LoadOp load) {
        return Found({load.getMemRef(), load.getIndices(), load.getType()});
      })
      .Case([](memref::StoreOp store) {
        return Found({store.getMemRef(), store.getIndices(), store.getValue().getType()});
      })
      .Case<vector::LoadOp, vector::MaskedLoadOp>(
          [](auto load) { return Found({load.getBase(), load.getIndices(), load.getType()}); })
      .Case<vector::StoreOp, vector::MaskedStoreOp>([](auto store) {
        return Found({store.getBase(), store.getIndices(), store.getValueToStore().getType()});
      })
      .Case([](vector::TransferReadOp read) {
        return Found({read.getBase(), read.getIndices(), read.getType()});
      })
      .Case([](vector::TransferWriteOp write) {
        return Found({write.getBase(), write.getIndices(), write.getVectorType()});
      })
      .Default([](Operation *) { return Found(); });
}
