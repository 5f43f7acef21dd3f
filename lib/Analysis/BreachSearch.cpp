//===- BreachSearch.cpp - A state whose commits break a constraint --------===//
//
// All that has to hold is evaluated over the ranges of variables: what surely does not ends a
// branch, what surely does is a witness, whatever is still open in it; else the first variable that
// is open is split.
//
//===----------------------------------------------------------------------===//

#include "BreachSearch.h"
#include "BreachState.h"
#include "UniformCells.h"

using namespace mlir;
using namespace mlir::lci;

/// So many times everything is evaluated for one constraint.
static constexpr int kMostEvaluations = 6000;
/// Up to so many numbers are tried one by one, the least first.
static constexpr int64_t kFewNumbers = 64;

/// Both parts of a range, the one to look at first before the other.
static std::pair<IndexRange, IndexRange> halve(IndexRange range) {
  if (range.lower < 0 && range.upper >= 0)
    return {{0, range.upper}, {range.lower, -1}};
  int64_t last = range.size() <= kFewNumbers ? range.lower : range.lower + (range.size() - 1) / 2;
  return {{range.lower, last}, {last + 1, range.upper}};
}

namespace {
class Search : public BreachState {
public:
  Search(ConstraintOp constraint, ArrayRef<int64_t> reader, FamilyMembers &families, int &left)
      : BreachState(constraint, reader, families), evaluationsLeft(left) {}

  using BreachState::isUndecided;
  SmallVector<Cell> findTied();
  bool run(const Cell &tied, bool commits);
  Breach getBreach(const Cell &tied);

private:
  bool split();
  std::optional<unsigned> findOpen();
  CellCommit describeCell(ValueOp of, ArrayRef<int64_t> cell);
  SmallVector<CellCommit> relaxOthers(ArrayRef<Cell> changed);

  int &evaluationsLeft;
};
} // namespace

/// The cells of its phase that the constraint's own one reads, and which may change.
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

/// Whether the constraint breaks where the tied cell changes, and the own one does or does not.
bool Search::run(const Cell &tied, bool commits) {
  variables = Variables();
  ownChoice = commits ? IndexRange{1, int64_t(getRules(value, reader).size())} : IndexRange{0, 0};
  getChoice(value, reader);
  variables.ranges[getChoiceNumber(tied)].lower = 1;
  return split();
}

/// What a cell would commit matters where it may commit.
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
  if (evaluationsLeft-- <= 0) {
    isUndecided = true;
    return false;
  }
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

/// Of the cells that do not change, those that cannot hold anything else.
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

Breach Search::getBreach(const Cell &tied) {
  Breach breach;
  breach.witness.push_back(describeCell(value, reader));
  std::vector<Cell> changed = {tied};
  for (auto &[cell, change] : changeable)
    if (!change.rules.empty() && !(cell == tied) && getChoice(cell.value, cell.at).lower > 0)
      changed.push_back(cell);
  for (const Cell &cell : changed)
    breach.witness.push_back(describeCell(cell.value, cell.at));
  breach.witness.append(relaxOthers(changed));
  RuleOp reading = breach.witness.front().rule;
  breach.pair = {value,
                 tied.value,
                 reader,
                 SmallVector<int64_t>(ArrayRef(tied.at)),
                 getPhaseOf(value, reader),
                 changeable[tied].read,
                 reading ? reading : getRules(value, reader).front(),
                 breach.witness[1].rule};
  return breach;
}

std::optional<Breach> lci::searchBreach(ConstraintOp constraint, const DependentPair &pair,
                                        FamilyMembers &families) {
  int evaluationsLeft = kMostEvaluations;
  bool isUndecided = false;
  CellVisitor readers(constraint, pair.reader, families);
  do {
    if (--evaluationsLeft <= 0)
      return Breach{pair, {}};
    Search search(constraint, readers.get(), families, evaluationsLeft);
    if (!search.isDecided())
      continue;
    SmallVector<Cell> tied = search.findTied();
    for (bool commits : {true, false})
      for (const Cell &cell : tied)
        if (search.run(cell, commits))
          return search.getBreach(cell);
    isUndecided |= search.isUndecided;
  } while (readers.advance());
  return isUndecided ? std::optional(Breach{pair, {}}) : std::nullopt;
}
