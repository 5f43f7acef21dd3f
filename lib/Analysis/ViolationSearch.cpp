//===- ViolationSearch.cpp - Search for a breaking state ------------------===//
//
// Branch and bound: all conditions are evaluated over the ranges of variables. If one surely fails,
// the branch ends; if all surely hold, it is a witness, whatever is still open in it; else the
// first open variable is split.
//
//===----------------------------------------------------------------------===//

#include "ViolationSearch.h"
#include "UniformCells.h"
#include "ViolationState.h"

using namespace mlir;
using namespace mlir::lci;

/// The most evaluations for one constraint, of so many variables each; of more it counts as
/// several.
static constexpr int kMaxEvaluations = 6000;
static constexpr int kFewVariables = 10;
/// Up to so many integers are tried one by one, the least first.
static constexpr int64_t kFewNumbers = 64;

/// Splits a range into two, the one to search first before the other.
static std::pair<IndexRange, IndexRange> halve(IndexRange range) {
  if (range.lower < 0 && range.upper >= 0)
    return {{0, range.upper}, {range.lower, -1}};
  int64_t last = range.size() <= kFewNumbers ? range.lower : range.lower + (range.size() - 1) / 2;
  return {{range.lower, last}, {last + 1, range.upper}};
}

/// The constraint's read of its cell's contents, if there is one.
static ReadOp getOwnRead(ConstraintOp constraint) {
  ReadOp own;
  constraint.walk([&](ReadOp read) {
    if (!own && isOwnRead(read))
      own = read;
  });
  return own;
}

namespace {
class Search : public ViolationState {
public:
  Search(ConstraintOp constraint, ArrayRef<int64_t> reader, FamilyMembers &families,
         const ViolationQuery &query, PhaseTable &phases, int &left)
      : ViolationState(constraint, reader, families, query, phases), evaluationsLeft(left) {}

  using ViolationState::isUndecided;
  SmallVector<Cell> findTied();
  SmallVector<Cell> findRuled();
  bool run(const std::optional<Cell> &tied, bool commits);
  Violation getViolation(const std::optional<Cell> &tied);
  DependentPair getPair(const std::optional<Cell> &tied);

private:
  bool split();
  std::optional<unsigned> findOpen();
  CellCommit describeCell(ValueOp of, ArrayRef<int64_t> cell);
  SmallVector<CellCommit> relaxOthers(ArrayRef<Cell> changed);

  int &evaluationsLeft;
};
} // namespace

/// The cells of its phase that the constraint reads at its cell, and which may change.
SmallVector<Cell> Search::findTied() {
  evaluate();
  SmallVector<Cell> tied = llvm::to_vector(llvm::make_first_range(changeable));
  llvm::erase_if(tied, [&](const Cell &cell) { return changeable[cell].rules.empty(); });
  auto isOther = [&](const Cell &cell) { return ValueOp(cell.value) != value; };
  llvm::sort(tied, [&](const Cell &a, const Cell &b) {
    return std::pair(isOther(a), a.at) < std::pair(isOther(b), b.at);
  });
  return tied;
}

/// The other cells that the constraint reads, and rules decide.
SmallVector<Cell> Search::findRuled() {
  evaluate();
  SmallVector<Cell> ruled = llvm::to_vector(llvm::make_first_range(changeable));
  llvm::erase_if(ruled, [&](const Cell &cell) {
    return isOwn(cell.value, cell.at) || getRules(cell.value, cell.at).empty();
  });
  return ruled;
}

/// Whether the constraint breaks where the tied cell, if given, changes, and its own cell commits
/// or does not.
bool Search::run(const std::optional<Cell> &tied, bool commits) {
  variables = Variables();
  ownChoice = commits ? IndexRange{1, int64_t(getRules(value, reader).size())} : IndexRange{0, 0};
  getChoice(value, reader);
  if (tied)
    variables.ranges[getChoiceNumber(*tied)].lower = 1;
  return split();
}

/// An open variable. What a cell would commit matters only where it may commit.
std::optional<unsigned> Search::findOpen() {
  for (unsigned number = 0; number < variables.ranges.size(); ++number) {
    auto &[kind, what, at] = variables.keys[number];
    if (variables.ranges[number].size() == 1)
      continue;
    if (kind == Variables::Next) {
      auto of = cast<ValueOp>(static_cast<Operation *>(const_cast<void *>(what)));
      if (getChoice(of, at).upper == 0)
        continue;
    }
    return number;
  }
  return std::nullopt;
}

bool Search::split() {
  if (evaluationsLeft <= 0) {
    isUndecided = true;
    return false;
  }
  evaluationsLeft -= 1 + static_cast<int>(variables.ranges.size()) / kFewVariables;
  Certainty breaks = evaluate();
  if (breaks != Certainty::Maybe)
    return breaks == Certainty::Surely;
  std::optional<unsigned> open = findOpen();
  if (!open) {
    isUndecided = true;
    return false;
  }
  std::vector<IndexRange> before = variables.ranges;
  auto [first, second] = halve(before[*open]);
  for (IndexRange part : {first, second}) {
    llvm::copy(before, variables.ranges.begin());
    std::copy(variables.initial.begin() + before.size(), variables.initial.end(),
              variables.ranges.begin() + before.size());
    variables.ranges[*open] = part;
    if (split())
      return true;
  }
  return false;
}

CellCommit Search::describeCell(ValueOp of, ArrayRef<int64_t> cell) {
  IndexRange choice = getChoice(of, cell);
  int64_t before = getRange(Variables::Held, of, cell).lower;
  if (choice.lower == 0)
    return {of, SmallVector<int64_t>(cell), before, before, nullptr};
  return {of, SmallVector<int64_t>(cell), before, getRange(Variables::Next, of, cell).lower,
          getRules(of, cell)[choice.lower - 1]};
}

/// Of the unchanged cells, those whose contents matter for the violation.
SmallVector<CellCommit> Search::relaxOthers(ArrayRef<Cell> changed) {
  SmallVector<CellCommit> needed;
  for (unsigned number = 0; number < variables.ranges.size(); ++number) {
    auto [kind, what, at] = variables.keys[number];
    IndexRange &range = variables.ranges[number];
    if (kind != Variables::Held || range.size() == variables.initial[number].size())
      continue;
    auto of = cast<ValueOp>(static_cast<Operation *>(const_cast<void *>(what)));
    if (isOwn(of, at) || llvm::is_contained(changed, Cell(of, at)))
      continue;
    IndexRange found = range;
    range = variables.initial[number];
    if (evaluate() == Certainty::Surely)
      continue;
    variables.ranges[number] = found;
    needed.push_back({of, SmallVector<int64_t>(ArrayRef(at)), found.lower, found.lower, nullptr});
  }
  return needed;
}

/// The constraint's cell and the cell it reads, with the first rule of each.
DependentPair Search::getPair(const std::optional<Cell> &tied) {
  Cell own(value, reader), written = tied.value_or(own);
  return {value,
          written.value,
          reader,
          SmallVector<int64_t>(ArrayRef(written.at)),
          phases.get(query.kind == Violation::Apart ? written : own),
          tied ? changeable[*tied].read : getOwnRead(constraint),
          getRules(value, reader).front(),
          getRules(written.value, written.at).front()};
}

Violation Search::getViolation(const std::optional<Cell> &tied) {
  Violation violation;
  violation.kind = query.kind;
  violation.witness.push_back(describeCell(value, reader));
  std::vector<Cell> changed;
  if (tied)
    changed.push_back(*tied);
  for (auto &[cell, change] : changeable)
    if (!change.rules.empty() && !(tied && cell == *tied) &&
        getChoice(cell.value, cell.at).lower > 0)
      changed.push_back(cell);
  for (const Cell &cell : changed)
    violation.witness.push_back(describeCell(cell.value, cell.at));
  violation.witness.append(relaxOthers(changed));
  violation.pair = getPair(tied);
  if (RuleOp reading = violation.witness.front().rule)
    violation.pair.reading = reading;
  violation.pair.writing = violation.witness[tied ? 1 : 0].rule;
  return violation;
}

namespace {
/// Runs one kind of search at one cell after the other.
class Hunt {
public:
  Hunt(ConstraintOp constraint, FamilyMembers &families)
      : constraint(constraint), families(families),
        value(constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue())) {}

  using Cells = function_ref<std::optional<Violation>(ArrayRef<int64_t> reader)>;
  /// The first violation of a cell that rules decide.
  std::optional<Violation> visit(ArrayRef<int64_t> first, Cells find);
  std::optional<Violation> visit(Cells find) {
    return visit(SmallVector<int64_t>(value.getRank(), 0), find);
  }

  std::optional<Violation> findTogether(ArrayRef<int64_t> reader, bool isClean);
  std::optional<Violation> findAlone(ArrayRef<int64_t> reader);
  std::optional<Violation> findApart(ArrayRef<int64_t> reader);
  bool isOneSided(ArrayRef<int64_t> reader);

  bool isUndecided = false;
  std::optional<DependentPair> doubt; ///< the first cells of two phases that are undecided

private:
  Search makeSearch(ArrayRef<int64_t> reader, const ViolationQuery &query) {
    return Search(constraint, reader, families, query, phases, evaluationsLeft);
  }
  bool isFound(Search &search, const std::optional<Cell> &tied, bool commits) {
    bool found = search.run(tied, commits);
    isUndecided |= search.isUndecided;
    return found;
  }

  ConstraintOp constraint;
  FamilyMembers &families;
  ValueOp value;
  PhaseTable phases;
  int evaluationsLeft = kMaxEvaluations;
};
} // namespace

std::optional<Violation> Hunt::visit(ArrayRef<int64_t> first, Cells find) {
  evaluationsLeft = kMaxEvaluations;
  isUndecided = false;
  CellVisitor readers(constraint, first, families);
  do {
    if (--evaluationsLeft <= 0) {
      isUndecided = true;
      return std::nullopt;
    }
    if (makeSearch(readers.get(), {}).isDecided())
      if (std::optional<Violation> violation = find(readers.get()))
        return violation;
  } while (readers.advance());
  return std::nullopt;
}

std::optional<Violation> Hunt::findTogether(ArrayRef<int64_t> reader, bool isClean) {
  Search search = makeSearch(reader, {Violation::Together, isClean, {}});
  SmallVector<Cell> tied = search.findTied();
  for (bool commits : {true, false})
    for (const Cell &cell : tied)
      if (isFound(search, cell, commits))
        return search.getViolation(cell);
  return std::nullopt;
}

std::optional<Violation> Hunt::findAlone(ArrayRef<int64_t> reader) {
  Search search = makeSearch(reader, {Violation::Alone, /*isClean=*/true, {}});
  if (isFound(search, std::nullopt, /*commits=*/true))
    return search.getViolation(std::nullopt);
  return std::nullopt;
}

std::optional<Violation> Hunt::findApart(ArrayRef<int64_t> reader) {
  Cell own(value, reader);
  for (const Cell &cell : makeSearch(reader, {}).findRuled()) {
    if (phases.mayMeet(own, cell))
      continue;
    bool isLater = phases.get(own) > phases.get(cell);
    Search search = makeSearch(reader, {Violation::Apart, /*isClean=*/true, cell, false, isLater});
    search.findTied();
    if (isFound(search, cell, /*commits=*/false))
      return search.getViolation(cell);
    if (search.isUndecided && !doubt)
      doubt = search.getPair(cell);
  }
  return std::nullopt;
}

/// Whether one commit breaks it where its own cell is not scheduled.
bool Hunt::isOneSided(ArrayRef<int64_t> reader) {
  evaluationsLeft = kMaxEvaluations;
  for (const Cell &cell : makeSearch(reader, {}).findRuled()) {
    Search search =
        makeSearch(reader, {Violation::Apart, /*isClean=*/true, cell, /*isSingle=*/true});
    search.findTied();
    if (search.run(cell, /*commits=*/false))
      return true;
  }
  return false;
}

std::optional<Violation> mlir::lci::searchTogether(ConstraintOp constraint,
                                                   const DependentPair &pair,
                                                   FamilyMembers &families) {
  Hunt hunt(constraint, families);
  for (bool isClean : {true, false}) {
    auto find = [&](ArrayRef<int64_t> reader) { return hunt.findTogether(reader, isClean); };
    if (std::optional<Violation> violation = hunt.visit(pair.reader, find)) {
      violation->isOneSided =
          !violation->witness.front().rule || hunt.isOneSided(violation->pair.reader);
      return violation;
    }
  }
  return hunt.isUndecided ? std::optional(Violation{pair, {}}) : std::nullopt;
}

std::optional<Violation> mlir::lci::searchAlone(ConstraintOp constraint, FamilyMembers &families) {
  if (!getOwnRead(constraint))
    return std::nullopt;
  Hunt hunt(constraint, families);
  return hunt.visit([&](ArrayRef<int64_t> reader) { return hunt.findAlone(reader); });
}

std::optional<Violation> mlir::lci::searchApart(ConstraintOp constraint, FamilyMembers &families) {
  Hunt hunt(constraint, families);
  auto violation = hunt.visit([&](ArrayRef<int64_t> reader) { return hunt.findApart(reader); });
  if (violation || !hunt.doubt)
    return violation;
  return Violation{*hunt.doubt, {}, Violation::Apart};
}
