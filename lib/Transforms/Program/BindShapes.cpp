//===- BindShapes.cpp - Infer lengths of tensors from the sizes -----------===//
//
// A collected family has as many elements as its largest member count, a latent
// vector its components. Types in bodies are inferred from those of their
// operands.
//
//===----------------------------------------------------------------------===//

#include "BindSteps.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/DeclarationIndex.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Absent values
//===----------------------------------------------------------------------===//

/// The result of an absent read: the vocabulary size, or zero.
static Value createAbsent(OpBuilder &builder, Location loc, ValueOp value) {
  if (value.getKind() == Kind::Token)
    return arith::ConstantIntOp::create(builder, loc, *value.getVocabularySize(), 64);
  Attribute zero = builder.getZeroAttr(value.getCellType());
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(zero));
}

LogicalResult mlir::lci::bindAbsentValues(ProgramOp program, const BindOptions &options) {
  if (options.absent.empty())
    return success();
  for (auto rule : program.getOps<RuleOp>())
    if (options.absent.contains(rule.getValue()))
      return emitError(rule.getLoc()) << ErrorId::MayBeAbsent << describe(rule) << " proposes for '"
                                      << rule.getValue() << "', which was said to be absent";
  program.walk([&](ReadOp read) {
    if (!options.absent.contains(read.getValue()))
      return;
    OpBuilder builder(read);
    Value absent = createAbsent(builder, read.getLoc(), program.lookupValue(read.getValue()));
    // A later unwrap reports this name as the missing input.
    Location named = NameLoc::get(read.getValueAttr().getAttr(), read.getLoc());
    Value no = arith::ConstantIntOp::create(builder, named, 0, 1);
    read.replaceAllUsesWith(ValueRange{absent, no});
    read.erase();
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static LogicalResult setLength(CollectOp collect) {
  // A single read has one member, even where its rule applies to no cell.
  std::optional<int64_t> length = collect.getNumFree() ? getLargestFamily(collect) : 1;
  if (!length)
    return emitError(collect.getLoc(),
                     "cannot count the members of this family, which a model is given")
           << ErrorId::WrongModel;
  auto setLength = [&](Value result) {
    auto type = cast<RankedTensorType>(result.getType());
    result.setType(RankedTensorType::get({*length}, type.getElementType()));
  };
  setLength(collect.getMembers());
  setLength(collect.getPresent());
  return success();
}

/// The type of a whole parameter.
static Type getArrayType(ParamOp param) {
  SmallVector<int64_t> extents;
  for (AffineExpr extent : param.getShape()->getResults())
    extents.push_back(cast<AffineConstantExpr>(extent).getValue());
  return RankedTensorType::get(extents, param.getElementType());
}

/// The length of an operation's vector result, where it is not that of its operands.
static std::optional<int64_t> getLength(Operation *op) {
  if (auto spread = dyn_cast<SpreadOp>(op))
    return cast<AffineConstantExpr>(spread.getLength().getResult(0)).getValue();
  if (auto product = dyn_cast<MatVecOp>(op))
    return cast<RankedTensorType>(product.getMatrix().getType()).getDimSize(0);
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return cast<RankedTensorType>(softmax.getVector().getType()).getDimSize(0);
  if (!isa<ConcatOp>(op))
    return std::nullopt;
  int64_t length = 0;
  for (Type type : op->getOperandTypes())
    length += isa<RankedTensorType>(type) ? cast<RankedTensorType>(type).getDimSize(0) : 1;
  return length;
}

/// Sets the lengths of an operation's results by the value that it reads or by its operands.
static void refine(Operation *op, ProgramOp program) {
  if (auto read = dyn_cast<ReadOp>(op))
    read.getResult().setType(program.lookupValue(read.getValue()).getCellType());
  else if (auto param = dyn_cast<ParamValueOp>(op)) {
    if (isa<RankedTensorType>(param.getType()))
      param.getResult().setType(getArrayType(program.lookupSymbol<ParamOp>(param.getParam())));
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    Type member = cast<YieldOp>(reduce.getBody().front().getTerminator()).getValue().getType();
    if (isa<RankedTensorType>(member))
      reduce.getResult().setType(member);
  } else if (std::optional<int64_t> length = getLength(op)) {
    Type element = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
    op->getResult(0).setType(RankedTensorType::get({*length}, element));
  } else if (isa<LetOp, UnwrapOp>(op) || OpTrait::hasElementwiseMappableTraits(op)) {
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
        for (Value result : op->getResults())
          if (auto old = dyn_cast<RankedTensorType>(result.getType()))
            result.setType(type.clone(old.getElementType()));
  }
}

/// The candidate of a constraint or of a score has the type of a cell.
static void refineCandidates(ProgramOp program) {
  auto setType = [&](Block &body, StringRef value) {
    body.getArguments().back().setType(program.lookupValue(value).getCellType());
  };
  for (auto constraint : program.getOps<ConstraintOp>())
    setType(constraint.getBody().front(), constraint.getValue());
  program.walk([&](EmitOp emit) {
    if (!emit.getScore().empty())
      setType(emit.getScore().front(), cast<RuleOp>(emit->getParentOp()).getValue());
  });
}

LogicalResult mlir::lci::bindShapes(ProgramOp program) {
  DeclarationIndex index(program);
  refineCandidates(program);
  WalkResult result = program.walk([&](Operation *op) {
    refine(op, program);
    auto collect = dyn_cast<CollectOp>(op);
    return collect && failed(setLength(collect)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
