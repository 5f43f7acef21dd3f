//===- CarryTensors.cpp - Carry tensors of loops in place -----------------===//
//
// Upstream's bufferization requires a loop to yield each tensor in the buffer of its iteration
// argument, and rejects any other, since each iteration would have a separate buffer. So yielded
// tensors are copied to the buffer of the argument, unless they are computed there.
//
//===----------------------------------------------------------------------===//

#include "CarryTensors.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

static Value makePlace(OpBuilder &b, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  return tensor::EmptyOp::create(b, like.getLoc(), type.getShape(), type.getElementType());
}

static Value copyTo(OpBuilder &b, Value value, Value place) {
  return linalg::CopyOp::create(b, value.getLoc(), value, place).getResult(0);
}

/// The destination in which an operation computes its result; null for operations without one.
static Value madeFrom(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return nullptr;
  return TypeSwitch<Operation *, Value>(op)
      .Case<tensor::InsertOp, tensor::InsertSliceOp>([](auto insert) { return insert.getDest(); })
      .Case([&](linalg::LinalgOp nest) {
        return nest.getDpsInits()[cast<OpResult>(value).getResultNumber()];
      })
      .Default(Value());
}

/// Whether a value is computed in the buffer of another one, which has no other reader.
static bool isMadeIn(Value value, Value place) {
  while (value && value != place && value.hasOneUse())
    value = madeFrom(value);
  return value == place && place.hasOneUse();
}

/// Copies the yielded values to the buffers of the iteration arguments. All are copied to
/// temporaries before any is written: one may be the old value of another one.
static void keepPlaces(MutableArrayRef<OpOperand> yielded, ValueRange places) {
  SmallVector<std::pair<OpOperand *, Value>> moved;
  for (auto [operand, place] : llvm::zip(yielded, places))
    if (isTensor(place) && operand.get() != place && !isMadeIn(operand.get(), place))
      moved.push_back({&operand, place});
  if (moved.empty())
    return;
  OpBuilder b(moved.front().first->getOwner());
  for (auto [operand, place] : moved)
    operand->set(copyTo(b, operand->get(), makePlace(b, place)));
  for (auto [operand, place] : moved)
    operand->set(copyTo(b, operand->get(), place));
}

/// Whether each tensor that a condition forwards is the iteration argument of the same position.
static bool forwardsIterArgs(scf::WhileOp loop) {
  for (auto [position, passed] : llvm::enumerate(loop.getConditionOp().getArgs()))
    if (isTensor(passed) && (position >= loop.getBeforeArguments().size() ||
                             passed != loop.getBeforeArguments()[position]))
      return false;
  return true;
}

/// Rewrites a loop to forward all of its iteration arguments, then tensors, for each of which it
/// carries a destination as well, then scalars.
static scf::WhileOp givePlaces(scf::WhileOp loop) {
  IRRewriter b(loop);
  scf::ConditionOp condition = loop.getConditionOp();
  Block *before = loop.getBeforeBody();
  SmallVector<Value> inits(loop.getInits()), passed(before->getArguments());
  SmallVector<unsigned> positions(condition.getArgs().size());
  for (auto [position, value] : llvm::zip_equal(positions, condition.getArgs()))
    if (isTensor(value)) {
      b.setInsertionPoint(loop);
      inits.push_back(makePlace(b, value));
      b.setInsertionPoint(condition);
      position = passed.size();
      passed.push_back(copyTo(b, value, before->addArgument(value.getType(), value.getLoc())));
    }
  for (auto [position, value] : llvm::zip_equal(positions, condition.getArgs()))
    if (!isTensor(value)) {
      position = passed.size();
      passed.push_back(value);
    }
  condition.getArgsMutable().assign(passed);
  b.setInsertionPoint(loop);
  auto wide = scf::WhileOp::create(b, loop.getLoc(), ValueRange(passed).getTypes(), inits);
  wide.getBefore().takeBody(loop.getBefore());
  wide.getAfter().takeBody(loop.getAfter());
  Block *after = wide.getAfterBody();
  unsigned known = after->getNumArguments();
  for (Value value : passed)
    after->addArgument(value.getType(), value.getLoc());
  for (unsigned i = 0; i < known; ++i)
    after->getArgument(i).replaceAllUsesWith(after->getArgument(known + positions[i]));
  after->eraseArguments(0, known);
  scf::YieldOp yield = wide.getYieldOp();
  for (unsigned i = yield->getNumOperands(); i < inits.size(); ++i)
    yield->insertOperands(i, after->getArgument(i));
  SmallVector<Value> results =
      llvm::map_to_vector(positions, [&](unsigned i) -> Value { return wide.getResult(i); });
  b.replaceOp(loop, results);
  return wide;
}

static void keepPlaces(scf::WhileOp loop) {
  if (!forwardsIterArgs(loop))
    loop = givePlaces(loop);
  keepPlaces(loop.getYieldOp()->getOpOperands(), loop.getAfterArguments());
}

/// Both branches yield a tensor in one buffer.
static void keepPlaces(scf::IfOp branch) {
  OpBuilder b(branch);
  for (OpResult result : branch.getResults())
    if (isTensor(result)) {
      b.setInsertionPoint(branch);
      Value place = makePlace(b, result);
      for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()}) {
        b.setInsertionPoint(yield);
        OpOperand &operand = yield->getOpOperand(result.getResultNumber());
        operand.set(copyTo(b, operand.get(), place));
      }
    }
}

void mlir::lci::carryInPlace(Operation *root) {
  SmallVector<Operation *> carrying;
  root->walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      carrying.push_back(op);
  });
  for (Operation *op : carrying)
    TypeSwitch<Operation *>(op)
        .Case([](scf::ForOp loop) {
          keepPlaces(loop.getBody()->getTerminator()->getOpOperands(), loop.getRegionIterArgs());
        })
        .Case([](scf::WhileOp loop) { keepPlaces(loop); })
        .Case([](scf::IfOp branch) { keepPlaces(branch); });
}
