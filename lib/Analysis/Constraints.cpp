//===- Constraints.cpp - Decide constraints at compile time ---------------===//
//
// A constraint on tokens whose predicate is affine in indices and the candidate is a set of votes:
// it always or never holds if the set is everything or empty. Pairs of hard constraints contradict
// each other at cells without a common vote. Cheap tests on single candidates come first, because
// exact elimination of a divided candidate may take hours.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Constraints.h"
#include "LCI/Analysis/KnownIntegers.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Presence.h"
#include "LCI/Analysis/Ranges.h"
#include "ProposalBounds.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;
using Answer = ConstraintVerdict::Answer;

static ValueOp getValue(ConstraintOp constraint) {
  return constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
}

/// The cells that a constraint applies to, if its region is taken for all cells.
static PresburgerRelation getCellsOf(ConstraintOp constraint) {
  return IndexDomain::ofCells(getValue(constraint), constraint.getWhere()).getCells();
}

static Value getPredicate(ConstraintOp constraint) {
  return cast<YieldOp>(constraint.getBody().front().getTerminator()).getValue();
}

/// The cells and candidates for which the constraint holds, if its predicate depends only on them.
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

/// The most tokens of a value to test where a constraint depends on the candidate alone.
static constexpr int64_t kMaxTokens = 1 << 16;
/// The most cells and candidates to try for a pair of constraints.
static constexpr int64_t kMaxTries = 1 << 20;
/// With more quotients of the candidate, to decide whether a set of votes is empty may take hours.
static constexpr unsigned kMaxQuotients = 2;

namespace {
/// Evaluates a constraint for a candidate at a cell.
class Judge {
public:
  explicit Judge(ConstraintOp constraint)
      : constraint(constraint), votes(IndexDomain::ofVotes(constraint)), known(votes) {}

  /// By the cell's indices, then the candidate; nothing if the result is only known in a run.
  std::optional<bool> accepts(ArrayRef<int64_t> vote) {
    std::optional<int64_t> truth = known.get(getPredicate(constraint), vote);
    if (!truth)
      return std::nullopt;
    return (*truth != 0) == (constraint.getMood() == Mood::Require);
  }

private:
  ConstraintOp constraint;
  IndexDomain votes;
  KnownIntegers known;
};
} // namespace

/// The least and the greatest tokens of a value; not all of a large vocabulary.
static SmallVector<int64_t> getSomeTokens(ValueOp value) {
  int64_t vocabulary = *value.getVocabularySize(), count = std::min(vocabulary, kMaxTokens);
  SmallVector<int64_t> tokens = llvm::to_vector(llvm::seq<int64_t>(0, count));
  for (int64_t &token : MutableArrayRef(tokens).drop_front(count / 2))
    token += vocabulary - count;
  return tokens;
}

/// Whether a constraint holds for one candidate of a cell and not for another one.
static bool isSplit(ConstraintOp constraint, ArrayRef<int64_t> cell) {
  Judge judge(constraint);
  SmallVector<int64_t> vote(cell);
  vote.push_back(0);
  std::optional<bool> first = judge.accepts(vote);
  return first && llvm::any_of(getSomeTokens(getValue(constraint)), [&](int64_t token) {
           vote.back() = token;
           return judge.accepts(vote) != first;
         });
}

/// The largest number of quotients with the candidate in a piece of a set of votes.
static unsigned countQuotients(const PresburgerRelation &votes) {
  unsigned most = 0, candidate = votes.getNumDomainVars() - 1;
  for (const IntegerRelation &piece : votes.getAllDisjuncts()) {
    unsigned number = 0, first = piece.getVarKindOffset(VarKind::Local);
    for (unsigned local = first; local < first + piece.getNumLocalVars(); ++local) {
      bool isOfCandidate = false;
      for (unsigned row = 0; row < piece.getNumInequalities(); ++row)
        isOfCandidate |= piece.atIneq64(row, candidate) != 0 && piece.atIneq64(row, local) != 0;
      for (unsigned row = 0; row < piece.getNumEqualities(); ++row)
        isOfCandidate |= piece.atEq64(row, candidate) != 0 && piece.atEq64(row, local) != 0;
      number += isOfCandidate;
    }
    most = std::max(most, number);
  }
  return most;
}

/// The predicate, if the ranges of its operands decide it.
static std::optional<bool> getPredicateByRanges(ConstraintOp constraint) {
  ConstantIntRanges range = RangeAnalysis(constraint).getRange(getPredicate(constraint));
  std::optional<APInt> constant = range.getConstantValue();
  return constant ? std::optional<bool>(!constant->isZero()) : std::nullopt;
}

static Answer getAnswer(ConstraintOp constraint, ArrayRef<int64_t> cell) {
  if (std::optional<bool> truth = getPredicateByRanges(constraint))
    return *truth == (constraint.getMood() == Mood::Require) ? Answer::Always : Answer::Never;
  if (isSplit(constraint, cell)) // true of most, and quickly tested
    return Answer::Depends;
  std::optional<PresburgerRelation> satisfied = getSatisfied(constraint);
  if (!satisfied || countQuotients(*satisfied) > kMaxQuotients)
    return Answer::Depends;
  if (satisfied->isIntegerEmpty())
    return Answer::Never;
  bool isAll = subtract(IndexDomain::ofVotes(constraint).getPoints(), *satisfied).isIntegerEmpty();
  return isAll ? Answer::Always : Answer::Depends;
}

ConstraintVerdict mlir::lci::decideConstraint(ConstraintOp constraint) {
  std::optional<SmallVector<int64_t>> first = findFirstPoint(getCellsOf(constraint));
  if (!first)
    return {Answer::SpeaksOfNoCell, {}};
  return {getAnswer(constraint, *first), *first};
}

bool mlir::lci::speaksOfNoCell(ConstraintOp constraint) {
  return constraint.getWhere() && getCellsOf(constraint).isIntegerEmpty();
}

bool mlir::lci::speaksOf(ConstraintOp constraint, ArrayRef<int64_t> cell, const NamedSets *named) {
  return isAbout(constraint.getWhere(), cell) &&
         (!constraint.getRegion() || !named || named->isInside(constraint, cell));
}

bool mlir::lci::isCandidateIndependent(ConstraintOp constraint) {
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

/// Whether one constraint requires and the other one forbids the same predicate.
static bool areOpposite(ConstraintOp left, ConstraintOp right) {
  return left.getMood() != right.getMood() &&
         OperationEquivalence::isRegionEquivalentTo(&left.getBody(), &right.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

//===----------------------------------------------------------------------===//
// Candidates one by one
//===----------------------------------------------------------------------===//

namespace {
/// Searches for a candidate that satisfies two constraints at each cell to which both apply.
class Trial {
public:
  Trial(ConstraintOp left, const PresburgerRelation &ofLeft, ConstraintOp right,
        const PresburgerRelation &ofRight, const NamedSets *named)
      : value(getValue(left)), left(left), right(right), judgeOfLeft(left), judgeOfRight(right),
        ofLeft(ofLeft), ofRight(ofRight), named(named) {}

  /// The first cell without one; nothing too if there is too much to try.
  std::optional<SmallVector<int64_t>> findContradiction() {
    std::optional<SmallVector<int64_t>> found;
    IndexDomain::ofCells(value, std::nullopt).visitPoints([&](ArrayRef<int64_t> cell) {
      if (triesLeft-- <= 0)
        return false;
      if (!speaksOf(left, cell, named) || !speaksOf(right, cell, named))
        return true;
      std::optional<bool> has = hasCandidate(cell);
      if (has && !*has)
        found.emplace(cell);
      return has && *has;
    });
    return found;
  }

private:
  /// Falls back to the set of votes, which knows palettes too, but costs more.
  bool accepts(Judge &judge, const PresburgerRelation &satisfied, ArrayRef<int64_t> vote) {
    constexpr int64_t asMany = 64;
    std::optional<bool> known = judge.accepts(vote);
    triesLeft -= known ? 1 : asMany;
    return known ? *known : satisfied.containsPoint(vote);
  }

  std::optional<bool> hasCandidate(ArrayRef<int64_t> cell) {
    SmallVector<int64_t> vote(cell);
    vote.push_back(0);
    int64_t vocabulary = *value.getVocabularySize();
    for (int64_t tried = 0; tried < vocabulary; ++tried) {
      vote.back() = (lastFound + tried) % vocabulary;
      if (triesLeft <= 0)
        return std::nullopt;
      if (accepts(judgeOfLeft, ofLeft, vote) && accepts(judgeOfRight, ofRight, vote)) {
        lastFound = vote.back(); // often a candidate of the next cell too
        return true;
      }
    }
    return false;
  }

  ValueOp value;
  ConstraintOp left, right;
  Judge judgeOfLeft, judgeOfRight;
  const PresburgerRelation &ofLeft, &ofRight;
  const NamedSets *named;
  int64_t triesLeft = kMaxTries, lastFound = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Two constraints
//===----------------------------------------------------------------------===//

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

std::optional<SmallVector<int64_t>>
mlir::lci::findContradiction(ConstraintOp left, ConstraintOp right, const NamedSets *named) {
  bool hasRegion = left.getRegion() || right.getRegion();
  if (hasRegion && !named)
    return std::nullopt;
  PresburgerRelation cells = getCellsOf(left).intersect(getCellsOf(right));
  if (!areOpposite(left, right)) {
    std::optional<PresburgerRelation> one = getSatisfied(left, named);
    std::optional<PresburgerRelation> other = one ? getSatisfied(right, named) : std::nullopt;
    if (!other)
      return std::nullopt;
    PresburgerRelation votes = one->intersect(*other);
    if (countQuotients(votes) > 0) // to eliminate the candidate may take hours
      return Trial(left, *one, right, *other, named).findContradiction();
    cells = subtract(cells, getVotingCells(votes));
  }
  std::optional<SmallVector<int64_t>> first = findFirstPoint(cells);
  return first && hasRegion ? findFirstInside(cells, left, right, *named) : first;
}

//===----------------------------------------------------------------------===//
// All pairs
//===----------------------------------------------------------------------===//

/// The least and greatest tokens that satisfy a constraint, if they are the same at every cell.
static std::optional<llvm::BitVector> getTokens(ConstraintOp constraint) {
  auto cell = constraint.getBody().getArguments().drop_back();
  if (llvm::any_of(cell, [](BlockArgument index) { return !index.use_empty(); }))
    return std::nullopt;
  Judge judge(constraint);
  SmallVector<int64_t> vote(cell.size() + 1, 0), some = getSomeTokens(getValue(constraint));
  llvm::BitVector tokens(some.size());
  for (auto [number, token] : llvm::enumerate(some)) {
    vote.back() = token;
    std::optional<bool> accepts = judge.accepts(vote);
    if (!accepts)
      return std::nullopt;
    tokens[number] = *accepts;
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
  bool isNamed, isDecided; ///< decided: depends on indices and the candidate alone
  std::optional<llvm::BitVector> tokens;

  /// Most pairs have a common token, which is found without testing each cell.
  bool mayContradict(const Hard &other) const {
    if (!isDecided || !other.isDecided)
      return areOpposite(constraint, other.constraint);
    return !tokens || !other.tokens || !tokens->anyCommon(*other.tokens);
  }
};
} // namespace

SmallVector<Contradiction> mlir::lci::findContradictions(ProgramOp program,
                                                         const NamedSets *named) {
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
        // Pairs that do not depend on names were considered before.
        if ((named && !left.isNamed && !right.isNamed) || !left.mayContradict(right))
          continue;
        if (auto cell = findContradiction(left.constraint, right.constraint, named))
          found.push_back({left.constraint, right.constraint, *cell});
      }
  return found;
}

InFlightDiagnostic mlir::lci::emitContradiction(const Contradiction &contradiction) {
  ConstraintOp left = contradiction.left, right = contradiction.right;
  InFlightDiagnostic error = emitError(right.getLoc())
                             << ErrorId::Contradiction << describe(right) << " contradicts "
                             << describe(left) << ", and both are hard: no candidate of cell "
                             << printCell(right.getValue(), contradiction.cell)
                             << " satisfies both";
  error.attachNote(left.getLoc()) << "the other one is here";
  return error;
}
