//===- Violations.cpp - Commits that break a constraint -------------------===//
//
// First for all cells at once, with arbitrary indices and neighbours: most constraints that cannot
// break are excluded by that. If a set of changes breaks one, then also a single step does, when
// the cells change one after the other; so it suffices to consider one of them.
//
// Then at one cell after the other, for a state from which it happens (ViolationSearch.cpp).
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Violations.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "ViolationSearch.h"

using namespace mlir;
using namespace mlir::lci;

/// Up to so many integers are considered one by one, else their range.
static constexpr int64_t kMaxSingles = 16;

static SmallVector<IndexRange> split(ArrayRef<IndexRange> ranges) {
  SmallVector<IndexRange> singles;
  for (IndexRange range : ranges) {
    if (range.size() > kMaxSingles || singles.size() > kMaxSingles)
      return llvm::to_vector(ranges);
    for (int64_t number = range.lower; number <= range.upper; ++number)
      singles.push_back({number, number});
  }
  return singles;
}

namespace {
/// Any cell of a value, where one of another value (or of the same) changes.
class AnyCell : public Scene {
public:
  AnyCell(ValueOp own, const Change &held) : own(own), held(held), isStill(true) {}
  AnyCell(ValueOp own, const Change &held, ValueOp source, const Change &other)
      : own(own), source(source), held(held), other(other), isStill(false) {}

  Change read(ReadOp read, ValueOp value, ArrayRef<IndexRange>) override {
    bool isOwn = value == own && isOwnRead(read);
    if (isOwn) // it changes now, or did before the other one
      return isStill ? held : join(held, Change::within(held.after));
    Change all = Change::within(getContents(value).value_or(Change::kUnknown));
    if (!isStill && value == source)
      all = join(all, other);
    if (!isStill && value == own)
      all = join(all, held);
    return all;
  }
  Change getHeld() override { return held; }
  bool isSnapshot() const override { return isStill; }

private:
  ValueOp own, source;
  Change held, other = Change::known(0);
  bool isStill;
};

/// Whether some commits of the cells of `source` may break the constraint anywhere.
class Possibility {
public:
  Possibility(ConstraintOp constraint, FamilyMembers &families)
      : constraint(constraint), families(families),
        program(constraint->getParentOfType<ProgramOp>()),
        value(program.lookupValue(constraint.getValue())) {}

  bool mayBreak(ValueOp source) {
    for (RuleOp rule : getDeclarationsOn<RuleOp>(program, source.getName()))
      for (IndexRange before : split(getContents(source).value_or(Change::kUnknown)))
        for (IndexRange after : getCommits(source, rule, before))
          if (isBrokenBy(source, Change::from(before, after)))
            return true;
    return false;
  }

private:
  static SmallVector<IndexRange> getBox(ValueOp value) {
    return llvm::map_to_vector(*value.getExtents(),
                               [](int64_t extent) { return IndexRange{0, extent - 1}; });
  }

  /// The commits of a rule in cells with these contents.
  SmallVector<IndexRange> getCommits(ValueOp of, RuleOp rule, IndexRange held) {
    AnyCell scene(of, Change::within(held));
    Proposed proposed = getProposed(rule, getBox(of), scene, families);
    if (proposed.applies == Certainty::Never)
      return {};
    SmallVector<IndexRange> commits = split(proposed.ranges);
    llvm::erase_if(commits, [&](IndexRange commit) { return !mayCommit(of, held, commit); });
    return commits;
  }

  bool mayCommit(ValueOp of, IndexRange held, IndexRange commit) {
    std::optional<IndexRange> possible = getCommittable(of);
    if (possible && (commit.lower > possible->upper || commit.upper < possible->lower))
      return false; // S-INVALID
    if (held.size() == 1 && commit.size() == 1 && held.lower == commit.lower)
      return false; // no change
    AnyCell scene(of, Change::within(held));
    return llvm::none_of(getHardConstraints(of), [&](ConstraintOp hard) {
      bool speaks = !hard.getWhere() && !hard.getRegion();
      return speaks &&
             getHolds(hard, getBox(of), Change::within(commit), scene, families) == StaysFalse;
    });
  }

  /// The constraint's cell keeps its contents, or commits as well.
  bool isBrokenBy(ValueOp source, const Change &other) {
    IndexRange all = getContents(value).value_or(Change::kUnknown);
    for (IndexRange kept : split(getCommittable(value).value_or(Change::kUnknown)))
      if (isBroken(Change::within(kept), Change::within(kept), source, other))
        return true;
    for (RuleOp rule : getDeclarationsOn<RuleOp>(program, value.getName()))
      for (IndexRange commit : getCommits(value, rule, all))
        if (isBroken(Change::from(all, commit), Change::within(commit), source, other))
          return true;
    return false;
  }

  bool isBroken(const Change &held, const Change &candidate, ValueOp source, const Change &other) {
    AnyCell scene(value, held, source, other);
    return getHolds(constraint, getBox(value), candidate, scene, families) & Breaks;
  }

  ConstraintOp constraint;
  FamilyMembers &families;
  ProgramOp program;
  ValueOp value;
};
} // namespace

std::optional<Violation> mlir::lci::findViolation(ConstraintOp constraint) {
  auto program = constraint->getParentOfType<ProgramOp>();
  FamilyMembers families;
  Possibility possibility(constraint, families);
  bool mayBreak = false;
  for (StringRef name : getReadValues(constraint)) {
    ValueOp source = program.lookupValue(name);
    bool isRuled = !getDeclarationsOn<RuleOp>(program, name).empty();
    mayBreak = mayBreak || (!source.isSet() && isRuled && possibility.mayBreak(source));
  }
  std::optional<Violation> violation;
  if (std::optional<DependentPair> pair = findDependentPair(constraint); pair && mayBreak)
    violation = searchTogether(constraint, *pair, families);
  if (!violation || violation->witness.empty())
    if (std::optional<Violation> alone = searchAlone(constraint, families))
      return alone;
  if (mayBreak && (!violation || violation->witness.empty()))
    if (std::optional<Violation> apart = searchApart(constraint, families))
      return apart;
  return violation;
}
