//===- Constraints.cpp - What constraints say before anything runs ----------===//

#include "LCI/Analysis/Constraints.h"
#include "LCI/Analysis/KnownIntegers.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Presence.h"
#include "LCI/Analysis/Ranges.h"
#include "RuleFacts.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;
using Answer = ConstraintVerdict::Answer;

static ValueOp getValue(ConstraintOp constraint) {
  return constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
}

/// Those that a constraint speaks of, if its region is taken for all cells.
static PresburgerRelation getCellsOf(ConstraintOp constraint) {
  return IndexDomain::ofCells(getValue(constraint), constraint.getWhere()).getCells();
}

static Value getPredicate(ConstraintOp constraint) {
  return cast<YieldOp>(constraint.getBody().front().getTerminator()).getValue();
}

/// The cells and candidates for which the constraint holds, if its predicate is about these alone.
static std::optional<PresburgerRelation> getSatisfied(ConstraintOp constraint,
                                                      const NamedSets *named = nullptr) {
  if (getValue(constraint).getKind() != Kind::Token)
    return std::nullopt;
  IndexDomain votes = IndexDomain::ofVotes(constraint);
  std::optional<PresburgerRelation> truth =
      getPointsWhere(getPredicate(constraint), votes, named ? named->palettes : PaletteReader());
  if (!truth)
    return std::nullopt;
  PresburgerRelation all = votes.getPoints();
  return constraint.getMood() == Mood::Require ? all.intersect(*truth) : subtract(all, *truth);
}

/// What the predicate is by the ranges of what it is computed from.
static std::optional<bool> getPredicateByRanges(ConstraintOp constraint) {
  ConstantIntRanges range = RangeAnalysis(constraint).getRange(getPredicate(constraint));
  std::optional<APInt> constant = range.getConstantValue();
  return constant ? std::optional<bool>(!constant->isZero()) : std::nullopt;
}

static Answer getAnswer(ConstraintOp constraint) {
  if (std::optional<bool> truth = getPredicateByRanges(constraint))
    return *truth == (constraint.getMood() == Mood::Require) ? Answer::Always : Answer::Never;
  std::optional<PresburgerRelation> satisfied = getSatisfied(constraint);
  if (!satisfied)
    return Answer::Depends;
  if (satisfied->isIntegerEmpty())
    return Answer::Never;
  bool isAll = subtract(IndexDomain::ofVotes(constraint).getPoints(), *satisfied).isIntegerEmpty();
  return isAll ? Answer::Always : Answer::Depends;
}

ConstraintVerdict lci::decideConstraint(ConstraintOp constraint) {
  std::optional<SmallVector<int64_t>> first = findFirstPoint(getCellsOf(constraint));
  if (!first)
    return {Answer::SpeaksOfNoCell, {}};
  return {getAnswer(constraint), *first};
}

bool lci::judgesAllAlike(ConstraintOp constraint) {
  if (!constraint.getBody().getArguments().back().use_empty())
    return false;
  auto isOwn = [](ReadOp read) {
    return isOwnRead(read) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return constraint.walk(isOwn).wasInterrupted();
}

/// The cells that have some candidate in a set of votes.
static PresburgerRelation getVotingCells(const PresburgerRelation &votes) {
  unsigned candidate = votes.getNumDomainVars() - 1;
  auto cells = PresburgerRelation::getEmpty(PresburgerSpace::getRelationSpace(candidate, 0));
  for (IntegerRelation disjunct : votes.getAllDisjuncts()) {
    disjunct.convertVarKind(VarKind::Domain, candidate, candidate + 1, VarKind::Local, 0);
    cells.unionInPlace(disjunct);
  }
  // Subtraction needs quotients, and a candidate is none.
  return cells.hasOnlyDivLocals() ? cells : cells.computeReprWithOnlyDivLocals();
}

/// Whether one constraint requires what the other one forbids, whatever that is.
static bool areOpposite(ConstraintOp left, ConstraintOp right) {
  return left.getMood() != right.getMood() &&
         OperationEquivalence::isRegionEquivalentTo(&left.getBody(), &right.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

/// The cells of which both constraints speak and for which no candidate satisfies both, if their
/// predicates are about the cell and the candidate alone, or opposite. Regions are taken for all
/// cells.
static std::optional<PresburgerRelation>
getContradictoryCells(ConstraintOp left, ConstraintOp right, const NamedSets *named) {
  if (areOpposite(left, right))
    return getCellsOf(left).intersect(getCellsOf(right));
  std::optional<PresburgerRelation> one = getSatisfied(left, named);
  std::optional<PresburgerRelation> other = one ? getSatisfied(right, named) : std::nullopt;
  if (!other)
    return std::nullopt;
  return subtract(getCellsOf(left).intersect(getCellsOf(right)),
                  getVotingCells(one->intersect(*other)));
}

/// The first of some cells that lies within the regions of both constraints.
static std::optional<SmallVector<int64_t>> findFirstInside(const PresburgerRelation &cells,
                                                           ConstraintOp left, ConstraintOp right,
                                                           const NamedSets &named) {
  auto isInside = [&](ConstraintOp constraint, ArrayRef<int64_t> cell) {
    return !constraint.getRegion() || named.isInside(constraint, cell);
  };
  std::optional<SmallVector<int64_t>> found;
  IndexDomain::ofCells(getValue(left), left.getWhere()).visitPoints([&](ArrayRef<int64_t> cell) {
    if (isInside(left, cell) && isInside(right, cell) && cells.containsPoint(cell))
      found.emplace(cell);
    return !found;
  });
  return found;
}

std::optional<SmallVector<int64_t>> lci::findContradiction(ConstraintOp left, ConstraintOp right,
                                                           const NamedSets *named) {
  bool hasRegion = left.getRegion() || right.getRegion();
  if (hasRegion && !named)
    return std::nullopt;
  std::optional<PresburgerRelation> cells = getContradictoryCells(left, right, named);
  if (!cells)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> first = findFirstPoint(*cells);
  return first && hasRegion ? findFirstInside(*cells, left, right, *named) : first;
}

//===----------------------------------------------------------------------===//
// All pairs
//===----------------------------------------------------------------------===//

/// The tokens that satisfy a constraint, where they are the same at every cell.
static std::optional<llvm::BitVector> getTokens(ConstraintOp constraint) {
  IndexDomain votes = IndexDomain::ofVotes(constraint);
  auto cell = constraint.getBody().getArguments().drop_back();
  if (llvm::any_of(cell, [](BlockArgument index) { return !index.use_empty(); }))
    return std::nullopt;
  KnownIntegers known(votes);
  llvm::BitVector tokens(*getValue(constraint).getVocabularySize());
  SmallVector<int64_t> point(cell.size() + 1, 0);
  for (unsigned token = 0; token < tokens.size(); ++token) {
    point.back() = token;
    std::optional<int64_t> truth = known.get(getPredicate(constraint), point);
    if (!truth)
      return std::nullopt;
    if ((*truth != 0) == (constraint.getMood() == Mood::Require))
      tokens.set(token);
  }
  return tokens;
}

/// Whether a constraint names a region or a palette, which only a run knows.
static bool hasNames(ConstraintOp constraint) {
  auto isMember = [](InPaletteOp) { return WalkResult::interrupt(); };
  return constraint.getRegion() || constraint.getBody().walk(isMember).wasInterrupted();
}

namespace {
/// A hard constraint.
struct Hard {
  ConstraintOp constraint;
  bool isNamed, isDecided; ///< decided: about indices and the candidate alone
  std::optional<llvm::BitVector> tokens;

  /// Most pairs leave a token, which is seen without asking at each cell.
  bool mayContradict(const Hard &other) const {
    if (!isDecided || !other.isDecided)
      return areOpposite(constraint, other.constraint);
    return !tokens || !other.tokens || !tokens->anyCommon(*other.tokens);
  }
};
} // namespace

SmallVector<Contradiction> lci::findContradictions(ProgramOp program, const NamedSets *named) {
  llvm::MapVector<StringRef, std::vector<Hard>> ofValues;
  for (auto constraint : program.getOps<ConstraintOp>()) {
    bool isNamed = hasNames(constraint);
    if (!constraint.cannotBeOutvoted() || (isNamed && !named))
      continue;
    bool isDecided = getSatisfied(constraint, named).has_value();
    ofValues[constraint.getValue()].push_back(
        {constraint, isNamed, isDecided, isDecided ? getTokens(constraint) : std::nullopt});
  }
  SmallVector<Contradiction> found;
  for (const auto &[value, hard] : ofValues)
    for (const auto &[number, right] : llvm::enumerate(hard))
      for (const Hard &left : ArrayRef(hard).take_front(number)) {
        // What does not depend on names was looked at before.
        if ((named && !left.isNamed && !right.isNamed) || !left.mayContradict(right))
          continue;
        if (auto cell = findContradiction(left.constraint, right.constraint, named))
          found.push_back({left.constraint, right.constraint, *cell});
      }
  return found;
}

InFlightDiagnostic lci::emitContradiction(const Contradiction &contradiction) {
  ConstraintOp left = contradiction.left, right = contradiction.right;
  InFlightDiagnostic error = emitError(right.getLoc())
                             << ErrorId::Contradiction << describe(right) << " contradicts "
                             << describe(left) << ", and both are hard: no candidate of cell "
                             << printCell(right.getValue(), contradiction.cell)
                             << " satisfies both";
  error.attachNote(left.getLoc()) << "the other one is here";
  return error;
}
