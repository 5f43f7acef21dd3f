//===- ViolationState.cpp - Evaluate a state's commits --------------------===//
//
// Three-valued logic over the ranges of variables: whether rules commit what is chosen, whether
// cells may keep their contents, and whether the constraint breaks at its cell. A scene for each
// mode gives bodies the snapshot, or the contents with some or all commits.
//
//===----------------------------------------------------------------------===//

#include "ViolationState.h"
#include "LCI/Dialect/DeclarationIndex.h"

using namespace mlir;
using namespace mlir::lci;

static SmallVector<IndexRange> getBox(ArrayRef<int64_t> cell) {
  return llvm::map_to_vector(cell, [](int64_t index) { return IndexRange{index, index}; });
}

static bool isSingle(IndexRange range) { return range.lower == range.upper; }

//===----------------------------------------------------------------------===//
// Contents of cells
//===----------------------------------------------------------------------===//

int64_t PhaseTable::get(const Cell &cell) {
  ValueOp value = cell.value;
  return phases.try_emplace(value, value).first->second.of(cell.at);
}

ViolationState::ViolationState(ConstraintOp constraint, ArrayRef<int64_t> reader,
                               FamilyMembers &families, ViolationQuery query, PhaseTable &phases)
    : constraint(constraint), program(constraint->getParentOfType<ProgramOp>()),
      value(program.lookupValue(constraint.getValue())), reader(reader), query(std::move(query)),
      phases(phases), families(families) {}

SmallVector<RuleOp> ViolationState::getRules(ValueOp of, ArrayRef<int64_t> cell) const {
  auto rules = getDeclarationsOn<RuleOp>(program, ValueOp(of).getName());
  llvm::erase_if(rules, [&](RuleOp rule) { return !isAbout(rule.getWhere(), cell); });
  return rules;
}

/// A cell other than the constraint's may change if it is scheduled in the considered phase.
bool ViolationState::mayChange(ValueOp of, ArrayRef<int64_t> cell) {
  if (isOwn(of, cell))
    return false;
  if (!query.mover)
    return phases.mayMeet(Cell(value, reader), Cell(of, cell));
  return *query.mover == Cell(of, cell) ||
         (!query.isSingle && phases.mayMeet(*query.mover, Cell(of, cell)));
}

/// A cell that the constraint reads.
ViolationState::Changeable &ViolationState::find(ValueOp of, ArrayRef<int64_t> cell, ReadOp read) {
  auto [entry, isNew] = changeable.try_emplace(Cell(of, cell));
  if (isNew && mayChange(of, cell))
    entry->second = {getRules(of, cell), read};
  return entry->second;
}

unsigned ViolationState::getChoiceNumber(const Cell &cell) {
  int64_t count = changeable[cell].rules.size();
  return variables.get(Variables::Chosen, ValueOp(cell.value).getOperation(), cell.at, {0, count});
}

IndexRange ViolationState::getChoice(ValueOp of, ArrayRef<int64_t> cell) {
  if (!isOwn(of, cell))
    return variables.ranges[getChoiceNumber({of, cell})];
  return variables.ranges[variables.get(Variables::Chosen, of.getOperation(), cell, ownChoice)];
}

IndexRange ViolationState::getRange(Variables::Kind kind, ValueOp of, ArrayRef<int64_t> cell) {
  std::optional<IndexRange> range = kind == Variables::Held ? getContents(of) : getCommittable(of);
  return range ? variables.ranges[variables.get(kind, of.getOperation(), cell, *range)]
               : Change::kUnknown;
}

/// The scene of one cell's body.
class ViolationState::View : public Scene {
public:
  View(ViolationState &state, ValueOp own, ArrayRef<int64_t> cell, Mode mode)
      : state(state), own(own), cell(cell), mode(mode) {}

  Change read(ReadOp read, ValueOp of, ArrayRef<IndexRange> box) override {
    SmallVector<int64_t> at = llvm::map_to_vector(box, [](IndexRange i) { return i.lower; });
    if (llvm::all_of(box, isSingle))
      return getContent(of, at, read);
    IndexRange all = getContents(of).value_or(Change::kUnknown);
    if (mode == Mode::Snapshot || mode == Mode::Own)
      return Change::within(all);
    state.isUndecided = true; // it may be any cell
    return mode == Mode::All ? Change::from(all, all) : Change::within(all);
  }

  Change getHeld() override { return getContent(own, cell, {}); }

  IndexRange choose(Operation *op, ArrayRef<int64_t> at, IndexRange range) override {
    std::vector<int64_t> key(cell.begin(), cell.end());
    llvm::append_range(key, at);
    return state.variables.ranges[state.variables.get(Variables::Number, op, key, range)];
  }

  bool isSnapshot() const override { return mode == Mode::Snapshot || mode == Mode::After; }

private:
  Change getContent(ValueOp of, ArrayRef<int64_t> at, ReadOp read) {
    bool isOwn = state.isOwn(of, at);
    bool isAll = mode == Mode::All || mode == Mode::After;
    bool mayChange = isAll && !isOwn && !state.find(of, at, read).rules.empty();
    IndexRange choice = {0, 0};
    if (mayChange || (isOwn && mode != Mode::Snapshot))
      choice = state.getChoice(of, at);
    Change content = state.getContent(of, at, choice);
    return mode == Mode::After ? Change::within(content.after) : content;
  }

  ViolationState &state;
  ValueOp own;
  SmallVector<int64_t> cell;
  Mode mode;
};

/// The contents of a cell before and after, if none or one of its rules commits.
Change ViolationState::getContent(ValueOp of, ArrayRef<int64_t> cell, IndexRange choice) {
  Change stays = Change::within(getRange(Variables::Held, of, cell));
  if (choice.upper == 0)
    return stays;
  Change changes = Change::from(stays.before, getRange(Variables::Next, of, cell));
  return choice.lower == 0 ? join(stays, changes) : changes;
}

/// The truth of the constraint at its cell, for the contents or the commit there.
unsigned ViolationState::judgeConstraint(Mode mode) {
  bool commits = getChoice(value, reader).lower > 0;
  IndexRange candidate = getRange(commits ? Variables::Next : Variables::Held, value, reader);
  View view(*this, value, reader, mode);
  return getHolds(constraint, getBox(reader), Change::within(candidate), view, families);
}

/// A cell that keeps something must hold it; one that commits must not break the constraint alone.
Certainty ViolationState::judgeOwn() {
  if (getChoice(value, reader).lower > 0) {
    unsigned truths = judgeConstraint(Mode::Own);
    bool mayHold = truths & (StaysTrue | BecomesTrue);
    bool mayFail = truths & (StaysFalse | Breaks);
    Certainty alone = !mayHold ? Certainty::Never : mayFail ? Certainty::Maybe : Certainty::Surely;
    if (query.kind == Violation::Alone)
      alone = Certainty::Surely;
    return both(alone, judgeCommit(value, reader));
  }
  Mode seen = query.isLater ? Mode::After : Mode::Snapshot;
  return both(opposite(judgeAbsent(value, reader)), judgeKeep(value, reader, seen));
}

/// Whether the constraint held at its cell before, or the cell was absent.
Certainty ViolationState::judgeHeld() {
  View view(*this, value, reader, Mode::Snapshot);
  Change held = Change::within(getRange(Variables::Held, value, reader));
  Certainty holds = getCertainty(getHolds(constraint, getBox(reader), held, view, families));
  return std::max(judgeAbsent(value, reader), holds);
}

static Certainty judgeEqual(IndexRange left, IndexRange right) {
  if (left.lower > right.upper || right.lower > left.upper)
    return Certainty::Never;
  return isSingle(left) && isSingle(right) ? Certainty::Surely : Certainty::Maybe;
}

/// Whether all of a range lies within another one.
static Certainty judgeWithin(IndexRange all, IndexRange range) {
  if (range.lower > all.upper || range.upper < all.lower)
    return Certainty::Never;
  return all.lower <= range.lower && range.upper <= all.upper ? Certainty::Surely
                                                              : Certainty::Maybe;
}

/// Whether a cell may be unchanged: where nothing outranks a proposal, only if no rule makes one,
/// or one proposes the current contents.
Certainty ViolationState::judgeKeep(ValueOp of, ArrayRef<int64_t> cell, Mode mode) {
  std::optional<IndexRange> present = getCommittable(of);
  if (!present || !prefersProposals(of, cell))
    return Certainty::Surely;
  IndexRange held = getRange(Variables::Held, of, cell);
  View view(*this, of, cell, mode);
  Certainty another = Certainty::Never, same = Certainty::Never;
  for (RuleOp rule : getRules(of, cell)) {
    Proposed proposed = getProposed(rule, getBox(cell), view, families);
    Certainty equal = Certainty::Maybe, isValid = Certainty::Maybe;
    if (proposed.ranges.size() == 1) {
      IndexRange next = proposed.ranges.front();
      equal = judgeEqual(next, held);
      isValid = both(judgeWithin(*present, next), judgeHard(of, cell, next, view));
    }
    same = std::max(same, both(proposed.applies, equal));
    another = std::max(another, both(both(proposed.applies, opposite(equal)), isValid));
  }
  return std::max({same, opposite(another), opposite(judgeUp(of, cell))});
}

/// Whether the schedule selects the cell in its phase, as far as its contents decide that.
Certainty ViolationState::judgeUp(ValueOp of, ArrayRef<int64_t> cell) {
  ScheduleOp schedule = getSchedule(of);
  if (!schedule || schedule.getStrategy() != Strategy::Masked)
    return Certainty::Surely;
  return judgeAbsent(of, cell);
}

Certainty ViolationState::judgeAbsent(ValueOp of, ArrayRef<int64_t> cell) {
  std::optional<IndexRange> present = getCommittable(of);
  IndexRange held = getRange(Variables::Held, of, cell);
  return present ? judgeWithin({present->upper + 1, Change::kFar}, held) : Certainty::Never;
}

/// Whether an admissible proposal wins over keep whatever their scores.
bool ViolationState::prefersProposals(ValueOp of, ArrayRef<int64_t> cell) {
  auto commit = findDeclarationOn<CommitOp>(program, of.getName());
  ScheduleOp schedule = getSchedule(of);
  bool chooses = schedule && (schedule.getStrategy() == Strategy::Random ||
                              schedule.getStrategy() == Strategy::Confidence);
  auto isSoft = [](ConstraintOp constraint) { return !constraint.cannotBeOutvoted(); };
  auto scores = [](RuleOp rule) {
    auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
    return emit.getSureness() || !emit.getScore().empty();
  };
  if (!commit || chooses ||
      llvm::any_of(getDeclarationsOn<ConstraintOp>(program, of.getName()), isSoft))
    return false;
  switch (commit.getPolicy()) {
  case Policy::Accept:
  case Policy::Sample:
    return true;
  case Policy::SatisfyMax:
  case Policy::SatisfyCount:
  case Policy::SatisfyWeighted:
    return llvm::none_of(getRules(of, cell), scores);
  default:
    return false;
  }
}

Certainty ViolationState::judgeProposal(ValueOp of, ArrayRef<int64_t> cell, RuleOp rule,
                                        View &view) {
  IndexRange next = getRange(Variables::Next, of, cell);
  Proposed proposed = getProposed(rule, getBox(cell), view, families);
  bool isAny = !cast<EmitOp>(rule.getBody().front().getTerminator()).getProposal();
  Certainty equal = Certainty::Never;
  for (IndexRange range : proposed.ranges) {
    bool isOffered = isAny && range.lower <= next.lower && next.upper <= range.upper;
    equal = std::max(equal, isOffered ? Certainty::Surely : judgeEqual(range, next));
  }
  if (proposed.ranges.size() > 1)
    equal = std::min(equal, Certainty::Maybe);
  return both(proposed.applies, equal);
}

Certainty ViolationState::judgeHard(ValueOp of, ArrayRef<int64_t> cell, IndexRange next,
                                    View &view) {
  Change candidate = Change::within(next);
  Certainty all = Certainty::Surely;
  for (ConstraintOp hard : getHardConstraints(of))
    if (isAbout(hard.getWhere(), cell) && (!hard.getRegion() || hard == constraint))
      all = both(all, getCertainty(getHolds(hard, getBox(cell), candidate, view, families)));
  return all;
}

/// Whether the chosen rule commits there: it applies, proposes the next contents, and no hard
/// constraint rejects them.
Certainty ViolationState::judgeCommit(ValueOp of, ArrayRef<int64_t> cell) {
  IndexRange choice = getChoice(of, cell);
  if (choice.upper == 0)
    return judgeKeep(of, cell);
  if (!isSingle(choice) || !getContents(of))
    return Certainty::Maybe;
  IndexRange held = getRange(Variables::Held, of, cell);
  IndexRange next = getRange(Variables::Next, of, cell);
  Certainty differs = opposite(judgeEqual(held, next));
  Certainty isUp = judgeUp(of, cell);
  View view(*this, of, cell, Mode::Snapshot);
  RuleOp rule = getRules(of, cell)[choice.lower - 1];
  if (both(differs, isUp) == Certainty::Never)
    return Certainty::Never;
  return both(both(differs, isUp),
              both(judgeProposal(of, cell, rule, view), judgeHard(of, cell, next, view)));
}

Certainty ViolationState::evaluate() {
  unsigned truths = judgeConstraint(Mode::All);
  if (!(truths & Breaks))
    return Certainty::Never;
  Certainty all = both(truths == Breaks ? Certainty::Surely : Certainty::Maybe, judgeOwn());
  if (query.isClean)
    all = both(all, judgeHeld());
  for (auto &[cell, change] : changeable) {
    if (all == Certainty::Never)
      return all;
    if (!change.rules.empty())
      all = both(all, judgeCommit(cell.value, cell.at));
  }
  return all;
}
