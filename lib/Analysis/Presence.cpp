//===- Presence.cpp - Proofs of presence ----------------------------------===//
//
// Computes the points at which a presence may be false, structurally: reads beyond open borders,
// disjunctions, selects by their condition, and reductions without a present member. The claim
// holds if no point of its domain is among them.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Presence.h"
#include "LCI/Analysis/Gathers.h"
#include "LCI/Analysis/Ranges.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

namespace {
/// Finds the points where a presence may be false.
class AbsenceFinder {
public:
  /// `trustInputs`: tokens without an initial value count as present inside the extents.
  AbsenceFinder(const IndexDomain &domain, ProgramOp program, bool trustInputs)
      : domain(domain), program(program), trustInputs(trustInputs),
        space(PresburgerSpace::getRelationSpace(domain.getNumIndices(), 0)) {}

  /// Presences share operands, as lets do: each is visited once.
  PresburgerRelation find(Value present) {
    auto known = found.find(present);
    if (known == found.end())
      known = found.try_emplace(present, compute(present)).first;
    return known->second;
  }

  /// The read that makes a presence false at a point, or null.
  static ReadOp findCulprit(Value present, const IndexDomain &domain, ProgramOp program,
                            ArrayRef<int64_t> point) {
    llvm::SmallDenseSet<Value> visited;
    return findCulprit(present, domain, program, point, visited);
  }

private:
  static ReadOp findCulprit(Value present, const IndexDomain &domain, ProgramOp program,
                            ArrayRef<int64_t> point, llvm::SmallDenseSet<Value> &visited) {
    if (!visited.insert(present).second)
      return nullptr;
    if (auto read = present.getDefiningOp<ReadOp>()) {
      // Only reads that are absent there even if inputs are complete.
      AbsenceFinder finder(domain, program, /*trustInputs=*/true);
      return finder.findRead(read).containsPoint(point) ? read : ReadOp();
    }
    Operation *op = present.getDefiningOp();
    if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::SelectOp, LetOp>(op))
      return nullptr;
    for (Value operand : op->getOperands())
      if (operand.getType().isInteger(1))
        if (ReadOp read = findCulprit(operand, domain, program, point, visited))
          return read;
    return nullptr;
  }

  PresburgerRelation compute(Value present) {
    APInt constant;
    if (matchPattern(present, m_ConstantInt(&constant)))
      return constant.isZero() ? everywhere() : nowhere();
    Operation *op = present.getDefiningOp();
    if (auto let = dyn_cast_or_null<LetOp>(op))
      return find(let.getValue());
    if (auto read = dyn_cast_or_null<ReadOp>(op))
      return findRead(read);
    if (auto reduce = dyn_cast_or_null<ReduceOp>(op))
      return findReduction(reduce);
    if (isa_and_nonnull<arith::AndIOp>(op))
      return findAny(present);
    if (isa_and_nonnull<arith::OrIOp>(op))
      return find(op->getOperand(0)).intersect(find(op->getOperand(1)));
    if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
      return findChoice(select);
    return everywhere();
  }

  /// Where one of the conjuncts is absent, each of which is taken once.
  PresburgerRelation findAny(Value conjunction) {
    PresburgerRelation absent = nowhere();
    SmallVector<Value> open{conjunction};
    llvm::SmallDenseSet<Value> visited;
    while (!open.empty()) {
      Value next = open.pop_back_val();
      if (!visited.insert(next).second)
        continue;
      Operation *op = next.getDefiningOp();
      if (isa_and_nonnull<arith::AndIOp, LetOp>(op))
        llvm::append_range(open, llvm::reverse(op->getOperands()));
      else
        absent.unionInPlace(find(next));
    }
    return absent;
  }

  PresburgerRelation everywhere() { return PresburgerRelation::getUniverse(space); }
  PresburgerRelation nowhere() { return PresburgerRelation::getEmpty(space); }

  /// Beyond an open border; for a token that may not be committed yet, everywhere.
  PresburgerRelation findRead(ReadOp read) {
    ValueOp value = program.lookupValue(read.getValue());
    if (value.getKind() == Kind::Token && !value.hasInit() && !trustInputs)
      return everywhere();
    PresburgerRelation absent = nowhere();
    AffineSystem system(domain.getNumIndices(), 0);
    SmallVector<Linear> dims;
    llvm::SmallBitVector isComputed(read.getIndices().size());
    for (auto [position, index] : llvm::enumerate(read.getIndices())) {
      std::optional<unsigned> known = domain.find(index);
      isComputed[position] = !known;
      dims.push_back(known ? system.domain(*known) : Linear(0));
    }
    SmallVector<int64_t> extents = *value.getExtents();
    for (auto [axis, result] : llvm::enumerate(read.getMap().getResults())) {
      if (value.getBoundaryOf(axis) != Boundary::Open)
        continue;
      bool computes = false;
      for (unsigned position : isComputed.set_bits())
        computes |= result.isFunctionOfDim(position);
      if (computes && !isInside(read, result, extents[axis]))
        return everywhere(); // may be anything
      if (computes)
        continue;
      AffineSystem before = system, behind = system;
      before.addNonNegative(before.evaluate(result, dims) * -1 - Linear(1));
      behind.addNonNegative(behind.evaluate(result, dims) - Linear(extents[axis]));
      absent.unionInPlace(before.get());
      absent.unionInPlace(behind.get());
    }
    return absent;
  }

  /// Whether a computed index surely refers to a cell: by its range, or because a gathering line
  /// guarantees it.
  static bool isInside(ReadOp read, AffineExpr result, int64_t extent) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim)
      return false;
    if (isGathered(read))
      return true;
    RangeAnalysis ranges(getDeclaration(read));
    return RangeAnalysis::isWithin(ranges.getRange(read.getIndices()[dim.getPosition()]), 0,
                                   extent - 1);
  }

  PresburgerRelation findChoice(arith::SelectOp select) {
    PresburgerRelation onTrue = find(select.getTrueValue()), onFalse = find(select.getFalseValue());
    std::optional<PresburgerRelation> where = getPointsWhere(select.getCondition(), domain);
    if (!where)
      return onTrue.unionSet(onFalse);
    return onTrue.intersect(*where).unionSet(subtract(onFalse, *where));
  }

  /// `min`, `max`, `mean`, `argmin` and `argmax` need a member that is present.
  PresburgerRelation findReduction(ReduceOp reduce) {
    switch (reduce.getKind()) {
    case Reduction::Min:
    case Reduction::Max:
    case Reduction::Mean:
    case Reduction::ArgMin:
    case Reduction::ArgMax:
      break;
    default:
      return nowhere();
    }
    auto yield = cast<YieldOp>(reduce.getBody().front().getTerminator());
    if (!getLimits(reduce).empty()) // no member may be within them
      return everywhere();
    IndexDomain inner = IndexDomain::around(yield);
    PresburgerRelation members = inner.getPoints();
    if (yield.getPresent())
      members =
          subtract(members, AbsenceFinder(inner, program, trustInputs).find(yield.getPresent()));
    // The claim may be nested more deeply than the reduction, whose free indices come last.
    unsigned numOuter = inner.getNumIndices() - reduce.getNumFree();
    PresburgerRelation covered = nowhere();
    for (IntegerRelation disjunct : members.getAllDisjuncts()) {
      disjunct.convertVarKind(VarKind::Domain, numOuter, inner.getNumIndices(), VarKind::Local, 0);
      if (numOuter < domain.getNumIndices())
        disjunct.insertVar(VarKind::Domain, numOuter, domain.getNumIndices() - numOuter);
      covered.unionInPlace(disjunct);
    }
    if (!covered.hasOnlyDivLocals())
      covered = covered.computeReprWithOnlyDivLocals();
    return subtract(everywhere(), covered);
  }

  const IndexDomain &domain;
  ProgramOp program;
  bool trustInputs;
  PresburgerSpace space;
  llvm::DenseMap<Value, PresburgerRelation> found;
};
} // namespace

/// Collects the reads of tokens without an initial value on which a presence depends.
static void collectUninitialised(Value present, ProgramOp program, SmallVector<ReadOp> &reads,
                                 llvm::SmallDenseSet<Value> &visited) {
  Operation *op = present.getDefiningOp();
  if (!op || !visited.insert(present).second)
    return;
  if (auto read = dyn_cast<ReadOp>(op)) {
    ValueOp value = program.lookupValue(read.getValue());
    if (value.getKind() == Kind::Token && !value.hasInit())
      reads.push_back(read);
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    auto yield = cast<YieldOp>(reduce.getBody().front().getTerminator());
    if (yield.getPresent())
      collectUninitialised(yield.getPresent(), program, reads, visited);
  } else if (isa<arith::AndIOp, arith::OrIOp, arith::SelectOp, LetOp>(op)) {
    for (Value operand : op->getOperands())
      if (operand.getType().isInteger(1))
        collectUninitialised(operand, program, reads, visited);
  }
}

Presence mlir::lci::analyzePresence(UnwrapOp claim) {
  auto program = claim->getParentOfType<ProgramOp>();
  IndexDomain domain = IndexDomain::around(claim);
  PresburgerRelation points = domain.getPoints();
  Presence presence;
  for (bool trustInputs : {false, true}) {
    PresburgerRelation absent =
        AbsenceFinder(domain, program, trustInputs).find(claim.getPresent());
    presence.absentAt = findFirstPoint(points.intersect(absent));
    if (presence.absentAt)
      continue;
    llvm::SmallDenseSet<Value> visited;
    if (trustInputs)
      collectUninitialised(claim.getPresent(), program, presence.required, visited);
    return presence;
  }
  presence.absentRead =
      AbsenceFinder::findCulprit(claim.getPresent(), domain, program, *presence.absentAt);
  return presence;
}

//===----------------------------------------------------------------------===//
// Required inputs
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kRequired = "lci.required";

bool mlir::lci::isInputRequired(ValueOp value) { return value->hasAttr(kRequired); }

void mlir::lci::requireInput(ValueOp value, StringRef read, Location loc) {
  if (isInputRequired(value))
    return;
  Builder builder(value.getContext());
  value->setAttr(kRequired, builder.getArrayAttr({builder.getStringAttr(read), LocationAttr(loc)}));
}

SmallVector<RequiredInput> mlir::lci::getRequiredInputs(ProgramOp program) {
  SmallVector<RequiredInput> inputs;
  for (auto value : program.getOps<ValueOp>())
    if (auto required = value->getAttrOfType<ArrayAttr>(kRequired))
      if (required.size() == 2 && isa<StringAttr>(required[0]) && isa<LocationAttr>(required[1]))
        inputs.push_back({value, cast<StringAttr>(required[0]).str(),
                          Location(cast<LocationAttr>(required[1]))});
  return inputs;
}
