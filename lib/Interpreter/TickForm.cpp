//===- TickForm.cpp - Interpret functions in tick form --------------------===//
//
// Evaluates `lci.tick` on tensors cell by cell, with the tick form of reads, draws, tables and
// selections; all other operations by the Evaluator. A reference for passes on level 3, in addition
// to the interpreter of the bound form.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/TickForm.h"
#include "LCI/Interpreter/Evaluator.h"
#include "LCI/Interpreter/Families.h"
#include "LCI/Interpreter/Phases.h"
#include "LCI/Numerics/Stream.h"
#include "Selection.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

namespace {
/// Evaluates functions with ticks.
class TickEvaluator {
public:
  TickEvaluator();
  Evaluator evaluator;

private:
  void runTick(TickOp tick);
  /// The tensors that a tick writes.
  struct Written {
    Tensor target, counts, scores;
  };
  void runCell(TickOp tick, ArrayRef<int64_t> cell, Written &written);
  void keepSurest(KeepSurestOp op);
  void load(LoadOp op);
  void lookUp(TableOp op);
  SmallVector<int64_t> getMixed(ArrayRef<OpFoldResult> values);

  numerics::Stream getStream(StreamAttr stream) const {
    return numerics::Stream(seed, stream.getDeclaration(), stream.getOrdinal());
  }
  numerics::DrawSite getSite(Value number) const {
    return {static_cast<uint64_t>(number ? evaluator.getInteger(number) : 0), cellNumber, epoch,
            phase};
  }

  // The site of draws of the current cell.
  uint64_t seed = 0, epoch = 0, phase = 0, cellNumber = 0;
};
} // namespace

TickEvaluator::TickEvaluator() {
  Evaluator &e = evaluator;
  e.on<TickOp>([this](TickOp op) { runTick(op); });
  e.on<KeepSurestOp>([this](KeepSurestOp op) { keepSurest(op); });
  e.on<LoadOp>([this](LoadOp op) { load(op); });
  e.on<TableOp>([this](TableOp op) { lookUp(op); });
  // The token was proved to be present.
  e.on<UnwrapOp>([&e](UnwrapOp op) { e.set(op.getResult(), e.get(op.getValue())); });
  e.on<BernoulliOp>([this](BernoulliOp op) {
    float probability = evaluator.get(op.getProbability()).asNumber();
    bool drawn = getStream(op.getStream()).bernoulli(getSite(op.getNumber()), probability);
    evaluator.set(op.getResult(), Datum::truth(drawn));
  });
  e.on<DrawBelowOp>([this](DrawBelowOp op) {
    uint64_t threshold = evaluator.get(op.getThreshold()).bits;
    bool drawn = getStream(op.getStream()).isBelow(getSite(op.getNumber()), threshold);
    evaluator.set(op.getResult(), Datum::truth(drawn));
  });
  e.on<UniformOp>([this](UniformOp op) {
    float drawn = getStream(op.getStream()).uniform(getSite(op.getNumber()));
    evaluator.set(op.getResult(), Datum::number(drawn));
  });
  e.on<RandIntOp>([this](RandIntOp op) {
    int64_t bound = evaluator.getInteger(op.getBound());
    int64_t drawn = getStream(op.getStream()).randint(getSite(op.getNumber()), bound);
    evaluator.set(op.getResult(), Datum::integer(drawn));
  });
  e.on<NormalOp>([this](NormalOp op) {
    float drawn = getStream(op.getStream()).normal(getSite(op.getNumber()));
    evaluator.set(op.getResult(), Datum::number(drawn));
  });
}

SmallVector<int64_t> TickEvaluator::getMixed(ArrayRef<OpFoldResult> values) {
  return llvm::map_to_vector(values, [&](OpFoldResult value) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    return constant ? *constant : evaluator.getInteger(cast<Value>(value));
  });
}

/// The indices of a cell's first element: where cells hold vectors, components are the last axis.
static SmallVector<int64_t> getCell(const Tensor &cells, ArrayRef<int64_t> cell) {
  SmallVector<int64_t> at(cell);
  if (at.size() < cells.shape.size())
    at.push_back(0);
  return at;
}

// The domain of a tick: a box of cells, restricted to the set `cells`.
void TickEvaluator::runTick(TickOp tick) {
  if (!tick.hasTensorSemantics())
    return evaluator.fail(*tick, "expected a tick on tensors");
  seed = evaluator.get(tick.getSeed()).bits;
  epoch = evaluator.get(tick.getEpoch()).bits;
  phase = evaluator.get(tick.getPhase()).bits;
  for (auto [argument, input] : llvm::zip(tick.getInputArguments(), tick.getInputs()))
    evaluator.set(argument, evaluator.get(input));
  evaluator.set(tick.getEpochArgument(), Datum{epoch, nullptr});
  evaluator.set(tick.getPhaseArgument(), Datum{phase, nullptr});
  evaluator.set(tick.getSeedArgument(), Datum{seed, nullptr});

  auto contentOf = [&](Value array) { return array ? *evaluator.get(array).tensor : Tensor(); };
  Written written{contentOf(tick.getTarget()), contentOf(tick.getCounts()),
                  contentOf(tick.getScores())};
  SmallVector<int64_t> offsets = getMixed(tick.getMixedOffsets());
  SmallVector<int64_t> extents = getMixed(tick.getMixedExtents());
  SmallVector<int64_t> strides = tick.getStridesOrOnes(), steps(extents.size(), 0);
  bool more = llvm::none_of(extents, [](int64_t extent) { return extent <= 0; });
  while (more && !evaluator.hasFailed()) {
    SmallVector<int64_t> cell;
    for (auto [offset, stride, step] : llvm::zip(offsets, strides, steps))
      cell.push_back(offset + stride * step);
    if (!written.target.contains(getCell(written.target, cell)))
      return evaluator.fail(*tick, "has a box that leaves its target");
    runCell(tick, cell, written);
    more = advance(steps, extents);
  }
  evaluator.set(tick.getResult(0), Datum::array(std::move(written.target)));
  if (tick.getCounts())
    evaluator.set(tick.getCountsAfter(), Datum::array(std::move(written.counts)));
  if (tick.getScores())
    evaluator.set(tick.getScoresAfter(), Datum::array(std::move(written.scores)));
}

void TickEvaluator::runCell(TickOp tick, ArrayRef<int64_t> cell, Written &written) {
  Tensor &target = written.target, &counts = written.counts;
  if (std::optional<IntegerSet> cells = tick.getCells())
    if (!isInSet(*cells, cell, static_cast<int64_t>(phase)))
      return;
  cellNumber = Phases::getCellNumber(cell, ArrayRef(target.shape).take_front(cell.size()),
                                     tick.getClassStride());
  auto install = cast<InstallOp>(
      evaluator.run(tick.getBody().front(), llvm::map_to_vector(cell, Datum::integer)));
  if (install.getSettled() && evaluator.get(install.getSettled()).asTruth())
    return;
  const Datum &token = evaluator.get(install.getToken());
  int64_t offset = target.offsetOf(getCell(target, cell));
  if (evaluator.get(install.getCondition()).asTruth() && token.tensor)
    llvm::copy(token.tensor->elements, target.elements.begin() + offset);
  else if (evaluator.get(install.getCondition()).asTruth())
    target.elements[offset] = token.bits;
  if (install.getScore() && evaluator.get(install.getCondition()).asTruth())
    written.scores.elements[written.scores.offsetOf(cell)] = evaluator.get(install.getScore()).bits;
  unsigned width =
      tick.getCounts() ? getWidth(getElementTypeOrSelf(tick.getCounts().getType())) : 64;
  for (auto [tally, slot] : llvm::zip(install.getTallies(), install.getSlots())) {
    uint64_t number = evaluator.get(tally).bits; // a truth value is one bit
    counts.elements[slot] = truncate(counts.elements[slot] + number, width);
  }
}

/// S-SELECT in its tick form.
void TickEvaluator::keepSurest(KeepSurestOp op) {
  const Tensor &before = *evaluator.get(op.getBefore()).tensor;
  const Tensor &scores = *evaluator.get(op.getScores()).tensor;
  Tensor after = *evaluator.get(op.getAfter()).tensor;
  std::vector<Sureness> changed;
  size_t numCells = scores.elements.size();
  size_t components = numCells ? before.elements.size() / numCells : 0;
  auto contentOf = [&](const Tensor &state, size_t cell) {
    return ArrayRef(state.elements).slice(cell * components, components);
  };
  for (auto [cell, score] : llvm::enumerate(scores.elements))
    if (contentOf(before, cell) != contentOf(after, cell))
      changed.push_back({toFloat(score), cell});
  size_t kept = sortSurest(changed, op.getFraction().convertToFloat());
  for (const Sureness &cell : llvm::drop_begin(changed, kept))
    llvm::copy(contentOf(before, cell.position),
               after.elements.begin() + cell.position * components);
  evaluator.set(op.getResult(0), Datum::array(std::move(after)));
  if (!op.getCounts())
    return;
  Tensor counts = *evaluator.get(op.getCounts()).tensor;
  unsigned width = getWidth(getElementTypeOrSelf(op.getCounts().getType()));
  counts.elements[*op.getSlot()] = truncate(counts.elements[*op.getSlot()] + kept, width);
  evaluator.set(op.getResult(1), Datum::array(std::move(counts)));
}

// A read beyond an open border is unspecified: it returns junk, so that a use of it is noticed.
void TickEvaluator::load(LoadOp op) {
  const Tensor &source = *evaluator.get(op.getSource()).tensor;
  SmallVector<int64_t> at = evaluateMap(op.getMap(), evaluator.getIntegers(op.getIndices()));
  for (auto [axis, index] : llvm::enumerate(at)) {
    int64_t extent = source.shape[axis];
    if (op.getBoundaryOf(axis) == Boundary::Wrap)
      index = ((index % extent) + extent) % extent;
    if (op.getBoundaryOf(axis) == Boundary::Clamp)
      index = std::clamp<int64_t>(index, 0, extent - 1);
  }
  Type element = op.getResult().getType();
  if (auto vector = dyn_cast<VectorType>(element)) {
    Tensor row(vector.getShape(), 0x7f5a5a5a);
    SmallVector<int64_t> first = getCell(source, at);
    if (source.contains(first))
      row.elements.assign(source.elements.begin() + source.offsetOf(first),
                          source.elements.begin() + source.offsetOf(first) + row.elements.size());
    return evaluator.set(op.getResult(), Datum::array(std::move(row)));
  }
  uint64_t junk = truncate(0x7f5a5a5a7f5a5a5a, getWidth(element));
  bool isInside = source.contains(at);
  uint64_t bits = isInside ? source.elements[source.offsetOf(at)] : junk;
  evaluator.set(op.getResult(), Datum{bits, nullptr});
}

void TickEvaluator::lookUp(TableOp op) {
  const Tensor &table = *evaluator.get(op.getTable()).tensor;
  SmallVector<int64_t> at = llvm::map_to_vector(op.getIndices(), [&](Value index) {
    return static_cast<int64_t>(truncate(evaluator.get(index).bits, getWidth(index.getType())));
  });
  if (!table.contains(at))
    return evaluator.fail(*op, "reads outside of its table");
  evaluator.set(op.getResult(), Datum{table.elements[table.offsetOf(at)], nullptr});
}

FailureOr<SmallVector<Datum>> mlir::lci::interpretTickForm(func::FuncOp function,
                                                           ArrayRef<Datum> arguments) {
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError("expected ")
           << ErrorId::CannotInterpret << function.getNumArguments() << " arguments, but got "
           << arguments.size();
  TickEvaluator ticks;
  SmallVector<Datum> results = ticks.evaluator.call(function, arguments);
  if (ticks.evaluator.hasFailed())
    return failure();
  return results;
}
