//===- BodyChanges.cpp - Interpret a body over bounds ---------------------===//
//
// Transfer functions of all operations on bounds before and after a tick: exact arithmetic where
// inputs are constant, booleans as sets of transitions, reads through the scene, and reductions
// member by member if the members are few and known, else by one member that represents all.
//
//===----------------------------------------------------------------------===//

#include "BodyChanges.h"
#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Analysis/Families.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::lci;

static constexpr unsigned kAnyTruth = StaysTrue | Breaks | BecomesTrue | StaysFalse;
/// Families with more members are bounded as a whole.
static constexpr int64_t kMaxBoxMembers = 1024;

static bool isTruth(Value value) { return value.getType().isInteger(1); }
static std::optional<int64_t> getConstant(IndexRange range) {
  return range.lower == range.upper ? std::optional(range.lower) : std::nullopt;
}

void BodyChanges::run(Block &body) {
  for (Operation &op : body.without_terminator())
    visit(&op);
}

void BodyChanges::visit(Operation *op) {
  if (auto reads = dyn_cast<ReadOp>(op))
    return read(reads);
  if (auto reduction = dyn_cast<ReduceOp>(op))
    return reduce(reduction);
  for (Value result : op->getResults())
    set(result, compute(op, result));
}

Change BodyChanges::compute(Operation *op, Value result) {
  APInt constant;
  if (matchPattern(result, m_ConstantInt(&constant)))
    return Change::known(isTruth(result) ? constant.getZExtValue() : constant.getSExtValue());
  if (isa<LetOp, UnwrapOp, arith::IndexCastOp>(op))
    return get(op->getOperand(0));
  if (isa<arith::ExtUIOp>(op) && isTruth(op->getOperand(0)))
    return get(op->getOperand(0));
  if (isa<arith::SelectOp>(op) && isTruth(op->getOperand(0)))
    return select(get(op->getOperand(0)), get(op->getOperand(1)), get(op->getOperand(2)));
  if (isTruth(result))
    return computeTruth(op, result);
  return computeInteger(op, result);
}

Change BodyChanges::computeInteger(Operation *op, Value result) {
  if (op->getNumOperands() != 2 || !(result.getType().isInteger(64) || result.getType().isIndex()))
    return computeOther(op, result);
  const Change &left = get(op->getOperand(0)), &right = get(op->getOperand(1));
  if (isa<arith::AddIOp>(op))
    return add(left, right);
  if (isa<arith::SubIOp>(op))
    return op->getOperand(0) == op->getOperand(1) ? Change::known(0) : subtract(left, right);
  if (isa<arith::MulIOp>(op))
    return multiply(left, right);
  if (isa<arith::MinSIOp>(op))
    return minimum(left, right);
  if (isa<arith::MaxSIOp>(op))
    return maximum(left, right);
  bool isPositive = right.isKnown() && right.before.lower > 0;
  if (isPositive && isa<FloorDivOp>(op))
    return floorDiv(left, right.before.lower);
  if (isPositive && isa<FloorModOp>(op))
    return floorMod(left, right.before.lower);
  return computeOther(op, result);
}

Change BodyChanges::computeTruth(Operation *op, Value result) {
  auto truths = [&](unsigned number) { return getTruths(get(op->getOperand(number))); };
  if (isa<arith::AndIOp>(op))
    return fromTruths(combine(truths(0), truths(1), std::logical_and<bool>()));
  if (isa<arith::OrIOp>(op))
    return fromTruths(combine(truths(0), truths(1), std::logical_or<bool>()));
  if (isa<arith::XOrIOp>(op))
    return fromTruths(combine(truths(0), truths(1), std::not_equal_to<bool>()));
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return compare(comparison);
  if (auto changing = dyn_cast<ChangesOp>(op);
      changing && changing.getCandidate().getType().isInteger(64))
    return computeChanges(changing);
  return computeOther(op, result);
}

// S-CHANGE: the first token of a cell does not count as a change.
Change BodyChanges::computeChanges(ChangesOp op) {
  auto constraint = cast<ConstraintOp>(op->getParentOp());
  ValueOp value = program.lookupValue(constraint.getValue());
  Change held = scene.getHeld();
  int64_t absent = value.getVocabularySize().value_or(Change::kFar);
  unsigned isPresent =
      compareWithZero(arith::CmpIPredicate::slt, subtract(held, Change::known(absent)));
  unsigned differs =
      compareWithZero(arith::CmpIPredicate::ne, subtract(get(op.getCandidate()), held));
  return fromTruths(combine(isPresent, differs, std::logical_and<bool>()));
}

Change BodyChanges::compare(arith::CmpIOp op) {
  if (isTruth(op.getLhs()))
    return computeOther(op, op.getResult());
  if (op.getLhs() == op.getRhs())
    return fromTruths(compareWithZero(op.getPredicate(), Change::known(0)));
  if (op.getPredicate() >= arith::CmpIPredicate::ult)
    return computeOther(op, op.getResult());
  Change difference = subtract(get(op.getLhs()), get(op.getRhs()));
  return fromTruths(compareWithZero(op.getPredicate(), difference));
}

IndexRange BodyChanges::getOwnRange(Operation *op, Value result) const {
  if (isTruth(result))
    return {0, 1};
  if (auto draw = dyn_cast<RandIntOp>(op))
    if (std::optional<int64_t> bound = getConstant(get(draw.getBound()).before);
        bound && *bound > 0)
      return {0, *bound - 1};
  return Change::kUnknown;
}

/// Other operations: unchanged if their operands are, else unknown.
Change BodyChanges::computeOther(Operation *op, Value result) {
  bool isSame = scene.isSnapshot() ||
                (op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), [&](Value operand) {
                   return get(operand).isSame();
                 }));
  if (!isSame)
    return isTruth(result) ? fromTruths(kAnyTruth) : Change::unknown();
  if (!result.getType().isIntOrIndex())
    return Change::within(Change::kUnknown);
  IndexRange range = getOwnRange(op, result);
  return Change::within(standsForMany ? range : scene.choose(op, at, range));
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// S-BOUNDARY: the indices within the axis; `isSurely` becomes false if some may be absent.
std::optional<IndexRange> BodyChanges::moveInside(IndexRange index, ValueOp value, unsigned axis,
                                                  bool &isSurely) {
  int64_t extent = (*value.getExtents())[axis];
  bool isInside = index.lower >= 0 && index.upper < extent;
  if (isInside)
    return index;
  switch (value.getBoundaryOf(axis)) {
  case Boundary::Wrap:
    if (llvm::divideFloorSigned(index.lower, extent) ==
        llvm::divideFloorSigned(index.upper, extent))
      return IndexRange{llvm::mod(index.lower, extent), llvm::mod(index.upper, extent)};
    return IndexRange{0, extent - 1};
  case Boundary::Clamp:
    return IndexRange{std::clamp<int64_t>(index.lower, 0, extent - 1),
                      std::clamp<int64_t>(index.upper, 0, extent - 1)};
  default:
    isSurely = false;
    if (index.upper < 0 || index.lower >= extent)
      return std::nullopt;
    return IndexRange{std::max<int64_t>(index.lower, 0), std::min(index.upper, extent - 1)};
  }
}

// S-READ
void BodyChanges::read(ReadOp op) {
  ValueOp value = program.lookupValue(op.getValue());
  SmallVector<IndexRange> indices, cell;
  for (Value index : op.getIndices())
    indices.push_back(get(index).before);
  bool isSurely = true, isInside = true;
  for (auto [axis, form] : llvm::enumerate(op.getMap().getResults())) {
    IndexRange index = computeRange(form, indices).value_or(Change::kUnknown);
    std::optional<IndexRange> moved = moveInside(index, value, axis, isSurely);
    isInside &= moved.has_value();
    cell.push_back(moved.value_or(IndexRange{0, 0}));
  }
  bool isToken = value.getKind() == Kind::Token;
  Change absent = Change::known(isToken ? *value.getVocabularySize() : 0);
  if (!isInside) {
    set(op.getResult(), absent);
    return set(op.getPresent(), Change::known(0));
  }
  Change held = scene.read(op, value, cell);
  unsigned isPresent = StaysTrue;
  if (isToken)
    isPresent = compareWithZero(arith::CmpIPredicate::slt, subtract(held, absent));
  if (!isSurely)
    isPresent |= StaysFalse;
  set(op.getResult(), isSurely ? held : join(held, absent));
  set(op.getPresent(), fromTruths(isPresent));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

const FamilyMembers::Box *FamilyMembers::findBox(ReduceOp reduce, ArrayRef<IndexRange> outer) {
  std::vector<int64_t> ends;
  for (IndexRange range : outer)
    ends.insert(ends.end(), {range.lower, range.upper});
  auto [entry, isNew] = boxes.try_emplace({reduce, std::move(ends)});
  if (isNew)
    if (auto free = computeFreeBox(reduce.getWhere(), outer, reduce.getNumFree())) {
      entry->second = Box{*free, 1};
      for (IndexRange range : *free)
        entry->second->size = std::min<int64_t>(
            llvm::SaturatingMultiply<uint64_t>(entry->second->size, range.size()), Change::kFar);
    }
  return entry->second ? &*entry->second : nullptr;
}

const std::vector<SmallVector<int64_t>> *FamilyMembers::find(ReduceOp reduce,
                                                             ArrayRef<int64_t> outer) {
  auto [entry, isNew] = known.try_emplace({reduce, outer.vec()});
  Members &members = entry->second;
  if (!isNew)
    return members ? &*members : nullptr;
  auto constant = [](int64_t index) { return IndexRange{index, index}; };
  const Box *box = findBox(reduce, llvm::map_to_vector(outer, constant));
  if (!box || box->size > kMaxBoxMembers)
    return nullptr;
  members.emplace();
  forEachPoint(box->free, [&](ArrayRef<int64_t> free) {
    SmallVector<int64_t> point(outer);
    llvm::append_range(point, free);
    auto holds = [&](IntegerSetAttr set) { return containsPoint(set.getValue(), point); };
    if (llvm::any_of(reduce.getWhere().getAsRange<IntegerSetAttr>(), holds))
      members->emplace_back(free);
  });
  return &*members;
}

BodyChanges::Member BodyChanges::runMember(ReduceOp op, ArrayRef<IndexRange> free,
                                           IndexRange rank) {
  Block &body = op.getBody().front();
  size_t depth = at.size();
  for (auto [argument, range] : llvm::zip(body.getArguments(), free)) {
    set(argument, Change::within(range));
    at.push_back(range.lower);
  }
  set(body.getArguments().back(), Change::within(rank));
  run(body);
  at.resize(depth);
  auto yield = cast<YieldOp>(body.getTerminator());
  return {get(yield.getValue()), yield.getPresent() ? get(yield.getPresent()) : Change::known(1)};
}

/// Each member separately, if the members are known.
std::optional<SmallVector<BodyChanges::Member>> BodyChanges::listMembers(ReduceOp op) {
  SmallVector<int64_t> outer;
  for (Value index : op.getOuter()) {
    if (!get(index).isKnown())
      return std::nullopt;
    outer.push_back(get(index).before.lower);
  }
  const std::vector<SmallVector<int64_t>> *all =
      op.getLimited() ? nullptr : families.find(op, outer);
  if (!all)
    return std::nullopt;
  SmallVector<Member> members;
  auto constant = [](int64_t index) { return IndexRange{index, index}; };
  for (const SmallVector<int64_t> &free : *all)
    members.push_back(runMember(op, llvm::map_to_vector(free, constant), constant(members.size())));
  return members;
}

/// An absent member adds nothing.
Change BodyChanges::gate(const Member &member) {
  return select(member.present, member.value, Change::known(0));
}

/// The truth of a reduction after one more, possibly absent, member.
static unsigned addTruth(unsigned all, const Change &value, const Change &present, bool isAny) {
  unsigned is = getTruths(value), there = getTruths(present);
  auto both = [](bool a, bool b) { return a && b; };
  auto unless = [](bool a, bool b) { return a || !b; };
  return isAny ? combine(all, combine(is, there, both), std::logical_or<bool>())
               : combine(all, combine(is, there, unless), std::logical_and<bool>());
}

static bool isTruthful(Reduction kind) { return kind == Reduction::Any || kind == Reduction::All; }
static bool isAlwaysThere(Reduction kind) {
  return isTruthful(kind) || kind == Reduction::Sum || kind == Reduction::Count ||
         kind == Reduction::Product;
}

/// A reduction of which is only known whether it is unchanged.
static Change reduceSame(bool isSame) {
  return isSame ? Change::within(Change::kUnknown) : Change::unknown();
}

BodyChanges::Member BodyChanges::reduceListed(ReduceOp op, ArrayRef<Member> members) {
  Reduction kind = op.getKind();
  bool isInteger = op.getResult().getType().isIntOrIndex(), isSame = true, isComplete = true;
  Change sum = Change::known(0);
  std::optional<Change> end;
  unsigned truths = kind == Reduction::All ? StaysTrue : StaysFalse, isThere = StaysFalse;
  for (const Member &member : members) {
    isSame &= member.value.isSame() && member.present.isSame();
    isComplete &= getTruths(member.present) == StaysTrue;
    isThere = combine(isThere, getTruths(member.present), std::logical_or<bool>());
    sum = add(sum, gate(member));
    if (isTruthful(kind))
      truths = addTruth(truths, member.value, member.present, kind == Reduction::Any);
    bool isLeast = kind == Reduction::Min;
    end = !end ? member.value : isLeast ? minimum(*end, member.value) : maximum(*end, member.value);
  }
  Change present = isAlwaysThere(kind) ? Change::known(1) : fromTruths(isThere);
  if (isTruthful(kind) && isInteger)
    return {fromTruths(truths), present};
  if ((kind == Reduction::Sum || kind == Reduction::Count) && isInteger)
    return {sum, present};
  if ((kind == Reduction::Min || kind == Reduction::Max) && isInteger && isComplete && end)
    return {*end, present};
  return {reduceSame(isSame), present};
}

/// Up to `count` members like this one, each of which may change independently.
BodyChanges::Member BodyChanges::reduceAny(ReduceOp op, const Member &member, int64_t count) {
  Reduction kind = op.getKind();
  bool isInteger = op.getResult().getType().isIntOrIndex();
  bool isSame = member.value.isSame() && member.present.isSame();
  unsigned isThere = StaysFalse | getTruths(member.present);
  isThere |= combine(isThere, isThere, std::logical_or<bool>());
  Change present = isAlwaysThere(kind) ? Change::known(1) : fromTruths(isThere);
  if (isTruthful(kind) && isInteger) {
    bool isAny = kind == Reduction::Any;
    unsigned truths = isAny ? StaysFalse : StaysTrue;
    for (int iteration = 0; iteration < 2; ++iteration) // two iterations reach the fixed point
      truths |= addTruth(truths, member.value, member.present, isAny);
    return {fromTruths(truths), present};
  }
  if ((kind == Reduction::Sum || kind == Reduction::Count) && isInteger)
    return {addUpTo(gate(member), count), present};
  return {reduceSame(isSame), present};
}

void BodyChanges::reduce(ReduceOp op) {
  Member result{Change::unknown(), fromTruths(kAnyTruth)};
  if (std::optional<SmallVector<Member>> members = listMembers(op)) {
    result = reduceListed(op, *members);
  } else {
    SmallVector<IndexRange> outer;
    for (Value index : op.getOuter())
      outer.push_back(get(index).before);
    const FamilyMembers::Box *box = families.findBox(op, outer);
    llvm::SaveAndRestore<bool> many(standsForMany, true);
    if (box && box->size > 0)
      result = reduceAny(op, runMember(op, box->free, {0, box->size - 1}), box->size);
    else if (scene.isSnapshot())
      result = {Change::within(isTruth(op.getResult()) ? IndexRange{0, 1} : Change::kUnknown),
                Change::within({0, 1})};
  }
  set(op.getResult(), result.value);
  set(op.getPresent(), result.present);
}
