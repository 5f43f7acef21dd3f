//===- ProposalBounds.cpp - Bounds of proposals and constraints -----------===//
//
// Evaluates the bodies of rules and hard constraints on bounds (BodyChanges.cpp) for the analyses
// of violations and contradictions, with the ranges of contents by kind and presence.
//
//===----------------------------------------------------------------------===//

#include "ProposalBounds.h"
#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Analysis/Presence.h"
#include "LCI/Dialect/DeclarationIndex.h"

using namespace mlir;
using namespace mlir::lci;

Certainty mlir::lci::getCertainty(unsigned truths) {
  return truths == StaysTrue    ? Certainty::Surely
         : truths == StaysFalse ? Certainty::Never
                                : Certainty::Maybe;
}

std::optional<IndexRange> mlir::lci::getCommittable(ValueOp value) {
  if (value.getKind() == Kind::Token)
    return IndexRange{0, *value.getVocabularySize() - 1};
  if (value.getCellType().isInteger(64))
    return IndexRange{std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  return std::nullopt;
}

std::optional<IndexRange> mlir::lci::getContents(ValueOp value) {
  // Tokens with `init`, or of which rules assume presence, are present in every input.
  std::optional<IndexRange> range = getCommittable(value);
  if (range && value.getKind() == Kind::Token && !value.hasInit() && !isInputRequired(value))
    ++range->upper;
  return range;
}

bool mlir::lci::isOwnRead(ReadOp read) {
  Operation *declaration = getDeclaration(read);
  AffineMap map = read.getMap();
  auto own = declaration->getRegion(0).getArguments().take_front(map.getNumResults());
  return read.getValue() == getValueOf(declaration) && map.isIdentity() &&
         llvm::equal(read.getIndices(), own);
}

SmallVector<ConstraintOp> mlir::lci::getHardConstraints(ValueOp value) {
  auto program = value->getParentOfType<ProgramOp>();
  auto all = getDeclarationsOn<ConstraintOp>(program, value.getSymName());
  llvm::erase_if(all, [](ConstraintOp constraint) { return !constraint.cannotBeOutvoted(); });
  return all;
}

bool mlir::lci::isAbout(std::optional<ArrayAttr> where, ArrayRef<int64_t> cell) {
  return !where || llvm::any_of(where->getAsValueRange<IntegerSetAttr>(),
                                [&](IntegerSet set) { return containsPoint(set, cell); });
}

static void setIndices(BodyChanges &body, Block &block, ArrayRef<IndexRange> cell) {
  for (auto [argument, range] : llvm::zip(block.getArguments(), cell))
    body.set(argument, Change::within(range));
}

unsigned mlir::lci::getHolds(ConstraintOp constraint, ArrayRef<IndexRange> cell,
                             const Change &candidate, Scene &scene, FamilyMembers &families) {
  Block &block = constraint.getBody().front();
  BodyChanges body(constraint->getParentOfType<ProgramOp>(), scene, families);
  setIndices(body, block, cell);
  body.set(block.getArguments().back(), candidate);
  body.run(block);
  unsigned truths = getTruths(body.get(cast<YieldOp>(block.getTerminator()).getValue()));
  return constraint.getMood() == Mood::Require ? truths : negate(truths);
}

/// The ranges of a select are those of its branches, without the integers in between.
static void addRanges(Value value, const BodyChanges &body, SmallVectorImpl<IndexRange> &ranges) {
  if (auto let = value.getDefiningOp<LetOp>())
    return addRanges(let.getValue(), body, ranges);
  auto choice = value.getDefiningOp<arith::SelectOp>();
  if (!choice || !choice.getCondition().getType().isInteger(1)) {
    ranges.push_back(body.get(value).before);
    return;
  }
  unsigned truths = getTruths(body.get(choice.getCondition()));
  if (truths & StaysTrue)
    addRanges(choice.getTrueValue(), body, ranges);
  if (truths & StaysFalse)
    addRanges(choice.getFalseValue(), body, ranges);
}

Proposed mlir::lci::getProposed(RuleOp rule, ArrayRef<IndexRange> cell, Scene &scene,
                                FamilyMembers &families) {
  Block &block = rule.getBody().front();
  auto program = rule->getParentOfType<ProgramOp>();
  BodyChanges body(program, scene, families);
  setIndices(body, block, cell);
  body.run(block);
  auto emit = cast<EmitOp>(block.getTerminator());
  Proposed proposed{Certainty::Surely, {}};
  if (emit.getCondition())
    proposed.applies = getCertainty(getTruths(body.get(emit.getCondition())));
  if (emit.getProposal()) {
    addRanges(emit.getProposal(), body, proposed.ranges);
  } else if (std::optional<AffineMap> range = emit.getRange()) {
    SmallVector<int64_t> ends = range->getConstantResults();
    proposed.ranges.push_back({ends.front(), ends.back()});
  } else {
    proposed.ranges.push_back(
        getCommittable(program.lookupValue(rule.getValue())).value_or(Change::kUnknown));
  }
  return proposed;
}
