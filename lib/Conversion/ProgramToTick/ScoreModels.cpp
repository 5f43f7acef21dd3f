//===- ScoreModels.cpp - Score models batched over the vocabulary ---------===//
//
// Where any token may be proposed and a model scores each, its function is rewritten for the whole
// vocabulary at once: values that depend on the candidate gain a last dimension, one element for
// each token; all others are computed once. The result is called once for the cell and returns the
// same as a model that returns logits, which all later passes know. The order of every sum is
// unchanged, hence the bits.
//
//===----------------------------------------------------------------------===//

#include "Agreement.h"
#include "LCI/Transforms/Models/BatchFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::lci;

/// The model call by which a score depends on its candidate; null if there is none.
static EvaluateOp getScoreModel(EmitOp emit) {
  if (emit.getScore().empty())
    return nullptr;
  auto calls = emit.getScore().front().getOps<EvaluateOp>();
  return calls.empty() ? EvaluateOp() : *calls.begin();
}

/// Whether an argument of the call depends on the candidate.
static bool varies(EvaluateOp evaluate, Value argument) {
  return argument.getParentBlock() == evaluate->getBlock();
}

static RankedTensorType widen(Type type, int64_t vocabulary) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(type).getShape());
  shape.push_back(vocabulary);
  return RankedTensorType::get(shape, getElementTypeOrSelf(type));
}

//===----------------------------------------------------------------------===//
// The function for all tokens
//===----------------------------------------------------------------------===//

/// The diagonal of a matrix of logits: of each candidate, the logit for itself.
static Value takeDiagonal(OpBuilder &b, Location loc, Value logits) {
  int64_t vocabulary = cast<RankedTensorType>(logits.getType()).getDimSize(0);
  auto type = RankedTensorType::get(vocabulary, b.getF32Type());
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  auto takeOne = [&](OpBuilder &inner, Location, ValueRange) {
    Value token = linalg::IndexOp::create(inner, loc, 0);
    Value logit = tensor::ExtractOp::create(inner, loc, logits, ValueRange{token, token});
    linalg::YieldOp::create(inner, loc, logit);
  };
  return linalg::GenericOp::create(b, loc, TypeRange(type), ValueRange(), empty,
                                   b.getMultiDimIdentityMap(1), utils::IteratorType::parallel,
                                   takeOne)
      .getResult(0);
}

/// Fills the body of `all` with that of `model`, batched by the length of the result.
static LogicalResult fillForAll(func::FuncOp all, func::FuncOp model) {
  Location loc = model.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(all.addEntryBlock());
  int64_t vocabulary = cast<RankedTensorType>(all.getResultTypes().front()).getDimSize(0);
  BatchFunction forAll(b, vocabulary);
  for (auto [argument, wide] : llvm::zip_equal(model.getArguments(), all.getArguments()))
    forAll.setArgument(argument, wide, argument.getType() != wide.getType());
  if (failed(BatchFunction::generalize(model)) || failed(forAll.emit(model)))
    return failure();
  Value score = forAll.getBatched(model.getBody().front().getTerminator()->getOperands().back());
  if (cast<RankedTensorType>(score.getType()).getRank() == 2)
    score = takeDiagonal(b, loc, score);
  func::ReturnOp::create(b, loc, score);
  return success();
}

/// The function that scores all tokens, with arguments of `types`; created on first use.
static FailureOr<func::FuncOp> getForAll(func::FuncOp model, ArrayRef<Type> types,
                                         int64_t vocabulary) {
  std::string name = (model.getName() + ".each").str();
  for (auto [narrow, wide] : llvm::zip_equal(model.getArgumentTypes(), types))
    name += narrow == wide ? "0" : "1";
  auto module = model->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder b(model);
  auto scores = RankedTensorType::get(vocabulary, b.getF32Type());
  auto all = func::FuncOp::create(b, model.getLoc(), name, b.getFunctionType(types, scores));
  all.setPrivate();
  if (failed(fillForAll(all, model)))
    return failure();
  return all;
}

//===----------------------------------------------------------------------===//
// Its arguments
//===----------------------------------------------------------------------===//

/// Inserts one candidate's argument into the batched one.
static Value insertMember(OpBuilder &b, Location loc, Value member, Value into, Value candidate) {
  auto index = [&](int64_t i) -> Value { return arith::ConstantIndexOp::create(b, loc, i); };
  auto insert = [&](Value at, Value to) -> Value {
    Value element = tensor::ExtractOp::create(b, loc, member, at);
    Type narrow = getElementTypeOrSelf(into.getType());
    if (element.getType() != narrow) // tokens are i64 here and narrower in a model
      element = arith::TruncIOp::create(b, loc, narrow, element);
    return tensor::InsertOp::create(b, loc, element, to, ValueRange{at, candidate});
  };
  int64_t length = cast<RankedTensorType>(member.getType()).getDimSize(0);
  if (length == 1)
    return insert(index(0), into);
  auto loop = scf::ForOp::create(b, loc, index(0), index(length), index(1), into);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, loc, insert(loop.getInductionVar(), loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

/// Computes the varying arguments of the call for every token, and batches them.
LogicalResult Agreement::widenArguments(EvaluateOp evaluate, func::FuncOp model) {
  int64_t vocabulary = *body.value().getVocabularySize();
  SmallVector<Value> varying, wide;
  for (auto [argument, type] : llvm::zip(evaluate.getArguments(), model.getArgumentTypes())) {
    if (!varies(evaluate, argument))
      continue;
    RankedTensorType all = widen(type, vocabulary);
    varying.push_back(argument);
    wide.push_back(tensor::EmptyOp::create(b, body.loc(), all.getShape(), all.getElementType()));
  }
  Location loc = body.loc();
  auto index = [&](int64_t i) -> Value { return arith::ConstantIndexOp::create(b, loc, i); };
  auto loop = scf::ForOp::create(b, loc, index(0), index(vocabulary), index(1), wide);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value candidate = loop.getInductionVar();
    body.map(evaluate->getBlock()->getArgument(0),
             arith::IndexCastOp::create(b, loc, b.getI64Type(), candidate));
    if (failed(body.lower(*evaluate->getBlock(), evaluate)))
      return failure();
    SmallVector<Value> next;
    for (auto [argument, into] : llvm::zip(varying, loop.getRegionIterArgs()))
      next.push_back(insertMember(b, loc, body.lookup(argument), into, candidate));
    scf::YieldOp::create(b, loc, next);
  }
  for (auto [argument, result] : llvm::zip(varying, loop.getResults()))
    body.map(argument, result);
  return success();
}

LogicalResult Agreement::scoreAllTokens(Voice &voice) {
  EvaluateOp evaluate = getScoreModel(voice.emit);
  if (!evaluate || isList())
    return success();
  FailureOr<func::FuncOp> model = body.getModel(evaluate);
  if (failed(model) || failed(widenArguments(evaluate, *model)))
    return failure();
  int64_t vocabulary = *body.value().getVocabularySize();
  SmallVector<Type> types(model->getArgumentTypes());
  for (auto [type, argument] : llvm::zip(types, evaluate.getArguments()))
    if (varies(evaluate, argument))
      type = widen(type, vocabulary);
  FailureOr<func::FuncOp> all = getForAll(*model, types, vocabulary);
  if (failed(all))
    return failure();
  voice.scores = body.callModel(evaluate, *all).getResult(0);
  return success();
}
