//===- TickBuilders.cpp - Pieces of IR that several lowerings build -------===//

#include "LCI/Dialect/TickBuilders.h"
#include "mlir/Dialect/Affine/Utils.h"

using namespace mlir;
using namespace mlir::lci;

Value lci::buildMembership(OpBuilder &builder, Location loc, IntegerSet cells, ValueRange indices,
                           Value phase) {
  Value symbol = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), phase);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value all;
  for (auto [constraint, isEquality] : llvm::zip(cells.getConstraints(), cells.getEqFlags())) {
    Value side = affine::expandAffineExpr(builder, loc, constraint, indices, symbol);
    auto predicate = isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
    Value holds = arith::CmpIOp::create(builder, loc, predicate, side, zero);
    all = all ? arith::AndIOp::create(builder, loc, all, holds) : holds;
  }
  return all ? all : arith::ConstantIntOp::create(builder, loc, 1, 1);
}

SmallVector<Value> lci::buildIndices(OpBuilder &builder, Location loc, AffineMap map,
                                     ValueRange operands) {
  SmallVector<Value> results;
  for (AffineExpr result : map.getResults())
    results.push_back(affine::expandAffineExpr(builder, loc, result, operands, {}));
  return results;
}

/// Adds one extent to an index below zero.
static Value addIfNegative(OpBuilder &builder, Location loc, Value index, Value extent) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, zero);
  Value moved = arith::AddIOp::create(builder, loc, index, extent);
  return arith::SelectOp::create(builder, loc, below, moved, index);
}

static Value buildWrapped(OpBuilder &builder, Location loc, Value index, Value extent,
                          bool oneTurn) {
  if (!oneTurn) {
    Value rest = arith::RemSIOp::create(builder, loc, index, extent);
    return addIfNegative(builder, loc, rest, extent);
  }
  // Selects, since the packaged loop vectoriser miscompiles stencils that wrap by a remainder.
  index = addIfNegative(builder, loc, index, extent);
  Value beyond = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, index, extent);
  Value moved = arith::SubIOp::create(builder, loc, index, extent);
  return arith::SelectOp::create(builder, loc, beyond, moved, index);
}

Value lci::buildBounded(OpBuilder &builder, Location loc, Value index, int64_t extent,
                        Boundary boundary, bool oneTurn) {
  if (boundary == Boundary::Open)
    return index;
  if (boundary == Boundary::Wrap) {
    Value size = arith::ConstantIndexOp::create(builder, loc, extent);
    return buildWrapped(builder, loc, index, size, oneTurn);
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
  Value notBelow = arith::MaxSIOp::create(builder, loc, index, zero);
  return arith::MinSIOp::create(builder, loc, notBelow, last);
}
