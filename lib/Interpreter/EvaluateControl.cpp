//===- EvaluateControl.cpp - Evaluate loops, calls and linalg -------------===//
//
// Handlers of scf, func, affine and linalg operations and of `lci.agree`: loops execute their
// bodies iteration by iteration, structured operations at every point of their iteration space in
// row-major order.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Evaluator.h"
#include "LCI/Interpreter/Families.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lci;

static SmallVector<Datum> getAll(Evaluator &e, ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return e.get(value); });
}

static void setAll(Evaluator &e, ValueRange values, ArrayRef<Datum> data) {
  for (auto [value, datum] : llvm::zip(values, data))
    e.set(value, datum);
}

/// The trip count: one iteration for each step below the upper bound, without overflow of its type.
static uint64_t getTripCount(Evaluator &e, scf::ForOp op, unsigned width) {
  int64_t lower = e.getInteger(op.getLowerBound()), upper = e.getInteger(op.getUpperBound());
  bool isLess =
      op.getUnsignedCmp() ? truncate(lower, width) < truncate(upper, width) : lower < upper;
  uint64_t distance = truncate(uint64_t(upper) - uint64_t(lower), width);
  return isLess ? (distance - 1) / e.getInteger(op.getStep()) + 1 : 0;
}

static void runFor(Evaluator &e, scf::ForOp op) {
  SmallVector<Datum> carried = getAll(e, op.getInitArgs());
  unsigned width = getWidth(op.getInductionVar().getType());
  uint64_t lower = e.getInteger(op.getLowerBound()), step = e.getInteger(op.getStep());
  if (int64_t(step) <= 0) // of models this is checked, of lowered functions not
    return e.fail(*op, "expected a positive step, but got " + Twine(int64_t(step)));
  for (uint64_t iteration = 0, tripCount = getTripCount(e, op, width);
       iteration < tripCount && !e.hasFailed(); ++iteration) {
    SmallVector<Datum> arguments{Datum{truncate(lower + iteration * step, width), nullptr}};
    llvm::append_range(arguments, carried);
    carried = getAll(e, e.run(*op.getBody(), arguments)->getOperands());
  }
  setAll(e, op.getResults(), carried);
}

static void runIf(Evaluator &e, scf::IfOp op) {
  Region &taken = e.get(op.getCondition()).asTruth() ? op.getThenRegion() : op.getElseRegion();
  if (taken.empty())
    return;
  Operation *yield = e.run(taken.front(), {});
  setAll(e, op.getResults(), getAll(e, yield->getOperands()));
}

static void runWhile(Evaluator &e, scf::WhileOp op) {
  SmallVector<Datum> carried = getAll(e, op.getInits());
  while (!e.hasFailed()) {
    auto condition = cast<scf::ConditionOp>(e.run(*op.getBeforeBody(), carried));
    SmallVector<Datum> passed = getAll(e, condition.getArgs());
    if (!e.get(condition.getCondition()).asTruth())
      return setAll(e, op.getResults(), passed);
    carried = getAll(e, e.run(*op.getAfterBody(), passed)->getOperands());
  }
}

/// Any structured operation: its body at every point of the iteration space, in row-major order.
static void runStructured(Evaluator &e, linalg::LinalgOp op) {
  if (op.hasDynamicShape())
    return e.fail(*op, "expected static shapes");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t, 4> extents = op.getStaticLoopRanges();
  SmallVector<Datum> inputs = getAll(e, op->getOperands());
  SmallVector<Tensor> outputs;
  unsigned numInputs = op.getNumDpsInputs();
  for (Value init : op.getDpsInits())
    outputs.push_back(*e.get(init).tensor);
  SmallVector<int64_t> at(extents.size(), 0);
  bool more = llvm::none_of(extents, [](int64_t extent) { return extent == 0; });
  SmallVector<linalg::IndexOp> indexOps;
  op->walk([&](linalg::IndexOp index) { // not those of an operation within the body
    if (index->getParentOfType<linalg::LinalgOp>() == op)
      indexOps.push_back(index);
  });
  while (more && !e.hasFailed()) {
    SmallVector<Datum> arguments;
    for (auto [i, map] : llvm::enumerate(maps)) {
      SmallVector<int64_t> place = evaluateMap(map, at);
      if (i >= numInputs) {
        const Tensor &output = outputs[i - numInputs];
        arguments.push_back(Datum{output.elements[output.offsetOf(place)], nullptr});
      } else if (const Tensor *input = inputs[i].tensor.get()) {
        arguments.push_back(Datum{input->elements[input->offsetOf(place)], nullptr});
      } else {
        arguments.push_back(inputs[i]);
      }
    }
    for (linalg::IndexOp index : indexOps)
      e.set(index.getResult(), Datum::integer(at[index.getDim()]));
    Operation *yield = e.run(*op.getBlock(), arguments);
    for (auto [i, output] : llvm::enumerate(outputs))
      output.elements[output.offsetOf(evaluateMap(maps[numInputs + i], at))] =
          e.get(yield->getOperand(i)).bits;
    more = advance(at, extents);
  }
  for (auto [result, output] : llvm::zip(op->getResults(), outputs))
    e.set(result, Datum::array(std::move(output)));
}

template <typename... OpTs>
static void onStructured(Evaluator &e) {
  (e.on<OpTs>([&e](OpTs op) { runStructured(e, cast<linalg::LinalgOp>(op.getOperation())); }), ...);
}

/// `lci.agree`: S-AGREE in its tick form.
static void runAgree(Evaluator &e, AgreeOp op) {
  struct Rank {
    SmallVector<int64_t> levels, ties;
    float score;
    bool proposed;
    /// Whether this one beats another that was found before it, at a lower token.
    bool beats(const Rank &other) const {
      if (levels != other.levels)
        return levels > other.levels;
      bool isNaN = score != score, otherIsNaN = other.score != other.score;
      if (isNaN != otherIsNaN)
        return otherIsNaN;
      if (!isNaN && score != other.score)
        return score > other.score;
      return ties != other.ties ? ties > other.ties : proposed && !other.proposed;
    }
  };
  std::optional<Rank> best;
  int64_t winner = e.getInteger(op.getLower());
  for (int64_t k = winner, upper = e.getInteger(op.getUpper()); k < upper; ++k) {
    auto candidate = cast<CandidateOp>(e.run(op.getBody().front(), Datum::integer(k)));
    Rank rank{e.getIntegers(candidate.getLevels()), e.getIntegers(candidate.getTies()),
              e.get(candidate.getScore()).asNumber(), e.get(candidate.getProposed()).asTruth()};
    if (!e.get(candidate.getAdmissible()).asTruth() || (best && !rank.beats(*best)))
      continue;
    best = rank;
    winner = k;
  }
  e.set(op.getWinner(), Datum::integer(winner));
  e.set(op.getFound(), Datum::truth(best.has_value()));
  if (op.getScore())
    e.set(op.getScore(), Datum::number(best ? best->score : 0.0f));
}

void mlir::lci::addControlHandlers(Evaluator &e) {
  e.on<scf::ForOp>([&e](scf::ForOp op) { runFor(e, op); });
  e.on<scf::IfOp>([&e](scf::IfOp op) { runIf(e, op); });
  e.on<scf::WhileOp>([&e](scf::WhileOp op) { runWhile(e, op); });
  e.on<affine::AffineApplyOp>([&e](affine::AffineApplyOp op) {
    SmallVector<int64_t> at = e.getIntegers(op.getMapOperands());
    unsigned numDims = op.getAffineMap().getNumDims();
    e.set(op.getResult(),
          Datum::integer(evaluateAffine(op.getAffineMap().getResult(0),
                                        ArrayRef<int64_t>(at).take_front(numDims),
                                        ArrayRef<int64_t>(at).drop_front(numDims))));
  });
  e.on<func::CallOp>([&e](func::CallOp op) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
    assert(callee && "a call is verified to name a function");
    setAll(e, op.getResults(), e.call(callee, getAll(e, op.getOperands())));
  });
  e.on<AgreeOp>([&e](AgreeOp op) { runAgree(e, op); });
  // Set by the enclosing structured operation.
  e.on<linalg::IndexOp>([](linalg::IndexOp) {});
  onStructured<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp, linalg::BroadcastOp,
               linalg::TransposeOp, linalg::FillOp, linalg::CopyOp, linalg::DotOp, linalg::MatvecOp,
               linalg::VecmatOp, linalg::MatmulOp, linalg::BatchMatmulOp, linalg::AddOp,
               linalg::SubOp, linalg::MulOp, linalg::DivOp, linalg::MaxOp, linalg::MinOp>(e);
}
