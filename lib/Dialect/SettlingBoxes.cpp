//===- SettlingBoxes.cpp - Boxes of settled cells -------------------------===//
//
// A lock on a rectangle settles the cells inside where its enable bit is on: `settled` is, or is a
// disjunction with, a conjunction of comparisons of the cell's indices with the rectangle's bounds
// and of enable bits. Split into cells inside and outside, neither part of the tick tests cells.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/SettledCells.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lci;

/// The position of an input that is an integer or boolean, the same for all cells.
static std::optional<unsigned> getScalarInput(TickOp tick, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !value.getType().isInteger() || argument.getOwner() != &tick.getBody().front())
    return std::nullopt;
  unsigned first = tick.getRank() + 3;
  if (argument.getArgNumber() < first)
    return std::nullopt;
  return argument.getArgNumber() - first;
}

/// The axis of the tick that a value is the index on.
static std::optional<unsigned> getAxis(TickOp tick, Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto *found = llvm::find(tick.getIndexArguments(), value);
  if (found == tick.getIndexArguments().end())
    return std::nullopt;
  return std::distance(tick.getIndexArguments().begin(), found);
}

/// A comparison of an index with an input as the side of a box.
static std::optional<BoxSide> getSide(TickOp tick, arith::CmpIOp test) {
  std::optional<unsigned> axis = getAxis(tick, test.getLhs());
  std::optional<unsigned> input = getScalarInput(tick, test.getRhs());
  if (!axis || !input)
    return std::nullopt;
  switch (test.getPredicate()) {
  case arith::CmpIPredicate::sge:
    return BoxSide{*axis, /*isEnd=*/false, *input, 0, test};
  case arith::CmpIPredicate::sgt:
    return BoxSide{*axis, /*isEnd=*/false, *input, 1, test};
  case arith::CmpIPredicate::slt:
    return BoxSide{*axis, /*isEnd=*/true, *input, 0, test};
  case arith::CmpIPredicate::sle:
    return BoxSide{*axis, /*isEnd=*/true, *input, 1, test};
  default:
    return std::nullopt;
  }
}

/// The leaves of the operations of one kind at the root of a boolean.
template <typename Op>
static SmallVector<Value> getLeaves(Value root) {
  SmallVector<Value> leaves, open{root};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (auto op = value.getDefiningOp<Op>())
      llvm::append_values(open, op.getRhs(), op.getLhs());
    else
      leaves.push_back(value);
  }
  return leaves;
}

/// The conjunction as a box, if it consists of tests of indices, at least one, and of enable bits.
static std::optional<SettlingBox> getBox(TickOp tick, Value conjunction) {
  SettlingBox box;
  for (Value leaf : getLeaves<arith::AndIOp>(conjunction)) {
    if (getScalarInput(tick, leaf))
      continue;
    auto test = leaf.getDefiningOp<arith::CmpIOp>();
    std::optional<BoxSide> side = test ? getSide(tick, test) : std::nullopt;
    if (!side)
      return std::nullopt;
    if (llvm::none_of(box.sides, [&](const BoxSide &other) { return other.test == leaf; }))
      box.sides.push_back(*side);
  }
  if (box.sides.empty())
    return std::nullopt;
  return box;
}

/// Every conjunction of the body that contains the tests of all sides of the box.
static SmallVector<Value> getClaims(TickOp tick, const SettlingBox &box) {
  SmallVector<Value> claims;
  tick.getBody().walk([&](arith::AndIOp conjunction) {
    SmallVector<Value> leaves = getLeaves<arith::AndIOp>(conjunction.getResult());
    auto isTested = [&](const BoxSide &side) { return llvm::is_contained(leaves, side.test); };
    if (conjunction.getType().isInteger(1) && llvm::all_of(box.sides, isTested))
      claims.push_back(conjunction.getResult());
  });
  if (box.sides.size() == 1)
    claims.push_back(box.sides.front().test);
  return claims;
}

std::optional<SettlingBox> mlir::lci::findSettlingBox(TickOp tick) {
  Value settled = tick.getInstall().getSettled();
  if (!settled)
    return std::nullopt;
  for (Value conjunction : getLeaves<arith::OrIOp>(settled))
    if (std::optional<SettlingBox> box = getBox(tick, conjunction)) {
      box->claims = getClaims(tick, *box);
      return box;
    }
  return std::nullopt;
}

static void assume(TickOp tick, ValueRange truths, bool holds) {
  OpBuilder builder = OpBuilder::atBlockBegin(&tick.getBody().front());
  Value constant = arith::ConstantIntOp::create(builder, tick.getLoc(), holds, 1);
  for (Value truth : truths)
    truth.replaceAllUsesWith(constant);
}

void mlir::lci::assumeInside(TickOp tick) {
  std::optional<SettlingBox> box = findSettlingBox(tick);
  SmallVector<Value> tests =
      llvm::map_to_vector(box->sides, [](BoxSide &side) -> Value { return side.test; });
  assume(tick, tests, true);
}

void mlir::lci::assumeOutside(TickOp tick) {
  std::optional<SettlingBox> box = findSettlingBox(tick);
  assume(tick, box->claims, false);
}
