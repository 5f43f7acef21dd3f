//===- Records.cpp - Records of commits, as separate states ---------------===//
//
// S-RECORD: names, types and number of the states that record a value's commits, and the part of
// `Agreement` that computes a stamp, score, replica or level for a cell. Where the new contents are
// already known, they are not agreed on again.
//
//===----------------------------------------------------------------------===//

#include "Records.h"
#include "Agreement.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "LCI/Runtime/Records.h"
#include "LCI/Transforms/Support/IROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <set>

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

std::string RecordState::name() const {
  std::string name = ValueOp(value).getSymName().str();
  switch (part.kind) {
  case CommitPart::Stamp:
    return name + ::lci::kStampSuffix;
  case CommitPart::Score:
    return name + ::lci::kScoreSuffix;
  case CommitPart::Replica:
    return name + ::lci::kReplicaSuffix;
  case CommitPart::Level:
    return name + ::lci::kLevelSuffix + std::to_string(part.level);
  case CommitPart::Content:
    break;
  }
  return name;
}

RankedTensorType RecordState::type() const {
  Builder b(ValueOp(value).getContext());
  Type element = part.kind == CommitPart::Score ? Type(b.getF32Type()) : b.getI64Type();
  return RankedTensorType::get(*ValueOp(value).getExtents(), element);
}

/// The number of ranks of the soft constraints on a value (S-RANK).
static unsigned getNumLevels(ValueOp value, CommitOp commit) {
  std::set<int64_t> priorities;
  auto program = value->getParentOfType<ProgramOp>();
  for (auto constraint : getDeclarationsOn<ConstraintOp>(program, value.getSymName()))
    if (!constraint.cannotBeOutvoted())
      priorities.insert(constraint.getPriority());
  bool alike =
      commit.getPolicy() == Policy::SatisfyCount || commit.getPolicy() == Policy::SatisfyWeighted;
  if (commit.getWeighted() || priorities.empty())
    return 0;
  return alike ? 1 : priorities.size();
}

SmallVector<RecordState> mlir::lci::getRecordStates(ValueOp value, CommitOp commit) {
  SmallVector<RecordState> states{
      {value, {CommitPart::Stamp}}, {value, {CommitPart::Score}}, {value, {CommitPart::Replica}}};
  for (unsigned level = 0, end = getNumLevels(value, commit); level < end; ++level)
    states.push_back({value, {CommitPart::Level, level}});
  return states;
}

//===----------------------------------------------------------------------===//
// Contents written by a commit
//===----------------------------------------------------------------------===//

/// S-STAMP: one more than the cell's stamp and those of the winning rule's reads.
FailureOr<Value> Agreement::getNewStamp(const Winner &winner) {
  Location loc = body.loc();
  Value latest = voices.front().stamp;
  if (!isSingle()) {
    FailureOr<Candidate> candidate = findCandidate(winner.token);
    if (failed(candidate))
      return failure();
    for (Voice &voice : llvm::drop_begin(voices)) {
      Value isWinner = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             candidate->precedence, getPrecedence(voice));
      latest = arith::SelectOp::create(b, loc, isWinner, voice.stamp, latest);
    }
  }
  latest = arith::MaxSIOp::create(b, loc, latest, body.stamp());
  return arith::AddIOp::create(b, loc, latest, body.integer(1)).getResult();
}

LogicalResult Agreement::buildRecord(Value replacement) {
  Value changes = body.negate(sameToken(replacement, keep.value));
  // A cell that stays absent holds no token that a candidate could be.
  Value token = replacement;
  if (keep.present)
    token = arith::SelectOp::create(b, body.loc(), changes, token, body.integer(0));
  if (part.kind != CommitPart::Replica && failed(lowerRules()))
    return failure();
  FailureOr<Value> written = getPart({token, changes});
  if (failed(written))
    return failure();
  InstallOp::create(b, body.loc(), *written, changes, isSettled, Value(), {},
                    b.getDenseI64ArrayAttr({}));
  return success();
}

FailureOr<Value> Agreement::getPart(const Winner &winner) {
  if (part.kind == CommitPart::Content)
    return winner.token;
  if (part.kind == CommitPart::Replica)
    return body.import(body.replica());
  if (part.kind == CommitPart::Stamp)
    return getNewStamp(winner);
  FailureOr<Candidate> candidate = findCandidate(winner.token);
  if (failed(candidate))
    return failure();
  if (part.kind == CommitPart::Level)
    return candidate->levels[part.level];
  Value zero = body.number(0.0f); // -0 + 0 is 0
  Value score = arith::AddFOp::create(b, body.loc(), candidate->score, zero);
  IROps ops(b, body.loc(), score.getType());
  return ops.canonical(ops.asF32(score)).value;
}
