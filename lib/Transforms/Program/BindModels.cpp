//===- BindModels.cpp - Bind models to functions --------------------------===//
//
// The results of a model become those of its function, and emissions concrete:
// logits mean one candidate for each entry of the vocabulary, scored by its
// logit; a token with a number is a proposal with that sureness. See
// semantics.md, reads and names.
//
//===----------------------------------------------------------------------===//

#include "BindSteps.h"
#include "LCI/Analysis/Notation.h"

using namespace mlir;
using namespace mlir::lci;

/// Marks an argument of a model's function as a weight.
static constexpr StringLiteral kWeight = "lci.weight";

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Whether a function's argument accepts a family's members; tokens are narrower in functions.
static bool accepts(Type argument, Type given) {
  if (argument == given)
    return true;
  auto tensor = cast<RankedTensorType>(given);
  return tensor.getElementType().isInteger(64) &&
         argument == tensor.clone(IntegerType::get(given.getContext(), 32));
}

static SmallVector<Type> getDataArguments(func::FuncOp function) {
  SmallVector<Type> types;
  for (auto [position, type] : llvm::enumerate(function.getArgumentTypes()))
    if (!function.getArgAttr(position, kWeight))
      types.push_back(type);
  return types;
}

/// The argument types that a function is expected to have for these families.
static SmallVector<Type> getExpectedArguments(EvaluateOp evaluate) {
  SmallVector<Type> types;
  for (Type type : evaluate.getArguments().getTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(tensor.getElementType().isInteger(64)
                        ? tensor.clone(IntegerType::get(type.getContext(), 32))
                        : tensor);
  }
  return types;
}

/// Weights come after the arguments that a cell provides.
static LogicalResult checkOrder(EvaluateOp evaluate, func::FuncOp function, size_t numData) {
  for (size_t position = 0; position < numData; ++position)
    if (auto weight = function.getArgAttrOfType<StringAttr>(position, kWeight)) {
      InFlightDiagnostic error = emitError(evaluate.getLoc(), "expected model '")
                                 << ErrorId::WrongModel << evaluate.getModel()
                                 << "' to take its weights last, but got '" << weight.getValue()
                                 << "' before what the cell gives";
      error.attachNote(function.getLoc()) << "this function is bound to it";
      return error;
    }
  return success();
}

/// Weights are tensors of types that weight files support.
static LogicalResult checkWeights(EvaluateOp evaluate, func::FuncOp function) {
  for (auto [position, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto weight = function.getArgAttrOfType<StringAttr>(position, kWeight);
    auto tensor = dyn_cast<RankedTensorType>(type);
    Type element = tensor ? tensor.getElementType() : Type();
    bool isHeld =
        element && (element.isF32() || element.isInteger(1) || element.isInteger(8) ||
                    element.isInteger(16) || element.isInteger(32) || element.isInteger(64));
    if (!weight || (isHeld && tensor.hasStaticShape()))
      continue;
    InFlightDiagnostic error = emitError(evaluate.getLoc(), "expected the weight '")
                               << ErrorId::WrongModel << weight.getValue() << "' of model '"
                               << evaluate.getModel() << "' to be a tensor of f32, i1, i8, i16, "
                               << "i32 or i64 with a static shape, but got " << type;
    error.attachNote(function.getLoc()) << "this function is bound to it";
    return error;
  }
  return success();
}

static LogicalResult checkArguments(EvaluateOp evaluate, func::FuncOp function) {
  SmallVector<Type> data = getDataArguments(function);
  if (failed(checkOrder(evaluate, function, data.size())) ||
      failed(checkWeights(evaluate, function)))
    return failure();
  bool fits = data.size() == evaluate.getArguments().size() &&
              llvm::all_of(llvm::zip(data, evaluate.getArguments().getTypes()),
                           [](auto pair) { return accepts(std::get<0>(pair), std::get<1>(pair)); });
  if (fits)
    return success();
  InFlightDiagnostic error = emitError(evaluate.getLoc(), "expected model '")
                             << ErrorId::WrongModel << evaluate.getModel() << "' to take ("
                             << getExpectedArguments(evaluate) << ") and its weights, but got ("
                             << data << ")";
  error.attachNote(function.getLoc()) << "this function is bound to it; weights carry 'lci.weight'";
  return failure();
}

/// The types of an evaluation's results in a body, by the function's results; nothing if these are
/// invalid. Tokens are `i64` in bodies.
static std::optional<SmallVector<Type>> getAnswers(func::FuncOp function) {
  TypeRange types = function.getResultTypes();
  Type i64 = IntegerType::get(function.getContext(), 64);
  auto isToken = [](Type type) { return type.isInteger(64) || type.isInteger(32); };
  if (types.size() == 2 && isToken(types[0]) && types[1].isF32())
    return SmallVector<Type>{i64, types[1]};
  if (types.size() != 1)
    return std::nullopt;
  if (isToken(types[0]))
    return SmallVector<Type>{i64};
  auto tensor = dyn_cast<RankedTensorType>(types[0]);
  if (types[0].isF32() || (tensor && tensor.getRank() == 1 && tensor.getElementType().isF32()))
    return SmallVector<Type>{types[0]};
  return std::nullopt;
}

static LogicalResult checkAnswers(EvaluateOp evaluate, func::FuncOp function, int64_t vocabulary) {
  std::optional<SmallVector<Type>> answers = getAnswers(function);
  auto logits = answers ? dyn_cast<RankedTensorType>(answers->front()) : RankedTensorType();
  if (answers && (!logits || logits.getDimSize(0) == vocabulary))
    return success();
  std::string scores = "tensor<" + std::to_string(vocabulary) + "xf32>, ";
  InFlightDiagnostic error =
      emitError(evaluate.getLoc(), "expected model '")
      << ErrorId::WrongModel << evaluate.getModel() << "' to return " << (vocabulary ? scores : "")
      << "a token, or a token and an f32, but got (" << function.getResultTypes() << ")";
  error.attachNote(function.getLoc()) << "this function is bound to it";
  return failure();
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static LogicalResult bindDeclarations(ProgramOp program, const BindOptions &options) {
  auto module = program->getParentOfType<ModuleOp>();
  for (auto model : program.getOps<ModelOp>()) {
    auto found = options.models.find(model.getName());
    if (found != options.models.end())
      model.setFunction(StringRef(found->second));
    if (!model.getFunction())
      continue;
    auto function =
        module ? module.lookupSymbol<func::FuncOp>(*model.getFunction()) : func::FuncOp();
    if (!function)
      return emitError(model.getLoc(), "model '")
             << ErrorId::NoSuchModel << model.getName() << "' is bound to '" << *model.getFunction()
             << "', but there is no such function";
  }
  return prepareModels(program);
}

static func::FuncOp getFunction(EvaluateOp evaluate) {
  auto program = evaluate->getParentOfType<ProgramOp>();
  auto model = program.lookupNamed<ModelOp>(evaluate.getModel());
  auto module = program->getParentOfType<ModuleOp>();
  if (!model.getFunction() || !module)
    return nullptr;
  return module.lookupSymbol<func::FuncOp>(*model.getFunction());
}

static LogicalResult reportUnbound(EvaluateOp evaluate) {
  InFlightDiagnostic error = emitError(evaluate.getLoc(), "model '")
                             << ErrorId::UnboundName << evaluate.getModel() << "' is not bound";
  error.attachNote() << "name its file and function under \"models\" in the bindings";
  return failure();
}

//===----------------------------------------------------------------------===//
// Emissions
//===----------------------------------------------------------------------===//

namespace {
/// Rewrites an emission whose proposal or score is a model's result.
class EmitBinder {
public:
  explicit EmitBinder(EmitOp emit)
      : emit(emit), rule(cast<RuleOp>(emit->getParentOp())), builder(emit),
        vocabulary(getVocabulary()) {}

  LogicalResult run() {
    proposal = emit.getProposal();
    sureness = emit.getSureness();
    isAny = emit.getAny();
    if (EvaluateOp evaluate = getEvaluation(proposal)) {
      FailureOr<SmallVector<Value>> answers = bind(evaluate);
      if (failed(answers))
        return failure();
      if (failed(takeAnswers(evaluate, *answers)))
        return failure();
    }
    if (failed(bindScore()))
      return failure();
    isAny |= static_cast<bool>(logits);
    replace();
    return success();
  }

private:
  int64_t getVocabulary() {
    ValueOp value = rule->getParentOfType<ProgramOp>().lookupValue(rule.getValue());
    return value.getVocabularySize().value_or(0);
  }

  static EvaluateOp getEvaluation(Value value) {
    while (value && value.getDefiningOp<LetOp>())
      value = value.getDefiningOp<LetOp>().getValue();
    return value ? value.getDefiningOp<EvaluateOp>() : EvaluateOp();
  }

  /// Recreates the evaluation with the types that its function returns.
  FailureOr<SmallVector<Value>> bind(EvaluateOp evaluate) {
    func::FuncOp function = getFunction(evaluate);
    if (!function)
      return reportUnbound(evaluate);
    if (failed(checkArguments(evaluate, function)) ||
        failed(checkAnswers(evaluate, function, vocabulary)))
      return failure();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(evaluate);
    auto bound = EvaluateOp::create(builder, evaluate.getLoc(), *getAnswers(function),
                                    evaluate.getModelAttr(), evaluate.getArguments());
    return SmallVector<Value>(bound.getAnswers());
  }

  LogicalResult takeAnswers(EvaluateOp evaluate, ArrayRef<Value> answers) {
    if (answers.front().getType().isF32())
      return emitError(evaluate.getLoc(), "model '") << ErrorId::WrongModel << evaluate.getModel()
                                                     << "' returns a number, which is no proposal";
    if (isa<RankedTensorType>(answers.front().getType())) {
      logits = answers.front();
      proposal = Value();
      return success();
    }
    proposal = answers.front();
    modelScore = answers.size() == 2 ? answers[1] : Value();
    return success();
  }

  LogicalResult bindScore() {
    if (emit.getScore().empty()) {
      if (logits)
        scoreByLogits(logits, emit.getScore().emplaceBlock());
      sureness = modelScore ? modelScore : sureness;
      return success();
    }
    Block &body = emit.getScore().front();
    auto yield = cast<YieldOp>(body.getTerminator());
    EvaluateOp evaluate = getEvaluation(yield.getValue());
    if (!evaluate)
      return success();
    if (!getFunction(evaluate))
      return useModelsScore(evaluate, body);
    return useScoreModel(evaluate, yield, body);
  }

  /// Without a function, a score model means the score of the proposing model.
  LogicalResult useModelsScore(EvaluateOp evaluate, Block &body) {
    if (!logits && !modelScore) {
      InFlightDiagnostic error = emitError(evaluate.getLoc(), "model '")
                                 << ErrorId::UnboundName << evaluate.getModel()
                                 << "' is not bound, and the proposal has no score of its own";
      error.attachNote() << "name its file and function under \"models\" in the bindings";
      return failure();
    }
    body.clear();
    if (logits) {
      scoreByLogits(logits, body);
      return success();
    }
    sureness = modelScore;
    emit.getScore().getBlocks().clear();
    return success();
  }

  LogicalResult useScoreModel(EvaluateOp evaluate, YieldOp yield, Block &body) {
    FailureOr<SmallVector<Value>> answers = bind(evaluate);
    if (failed(answers))
      return failure();
    Value answer = answers->back();
    if (isa<RankedTensorType>(answer.getType())) {
      builder.setInsertionPoint(yield);
      yield.getValueMutable().assign(extract(answer, body.getArgument(0)));
      hoist(body);
      return success();
    }
    if (!answer.getType().isF32())
      return emitError(evaluate.getLoc(), "expected model '")
             << ErrorId::WrongModel << evaluate.getModel() << "' to return a score, but got "
             << answer.getType();
    yield.getValueMutable().assign(answer);
    if (!isAny && !logits && !dependsOn(answer, body.getArgument(0)))
      moveOut(body, answer);
    else
      hoist(body);
    return success();
  }

  /// Moves operations that do not depend on the candidate out of the score, among them calls of
  /// models: they are computed once per cell.
  void hoist(Block &body) {
    Value candidate = body.getArgument(0);
    for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
      if (!llvm::any_of(op.getResults(),
                        [&](Value result) { return dependsOn(result, candidate); }))
        op.moveBefore(emit);
  }

  /// Whether a value depends on the candidate.
  static bool dependsOn(Value value, Value candidate) {
    if (value == candidate)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getParentRegion() != candidate.getParentRegion())
      return false;
    bool found = false;
    op->walk([&](Operation *inner) {
      found |= llvm::any_of(inner->getOperands(),
                            [&](Value operand) { return dependsOn(operand, candidate); });
    });
    return found;
  }

  /// A score that does not depend on the candidate cannot rank keep: it is the proposal's sureness.
  void moveOut(Block &body, Value score) {
    for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
      op.moveBefore(emit);
    sureness = score;
    emit.getScore().getBlocks().clear();
  }

  Value extract(Value scores, Value candidate) {
    Location loc = emit.getLoc();
    Value index =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), candidate).getResult();
    return tensor::ExtractOp::create(builder, loc, scores, index);
  }

  /// Fills a score body with the logit of the candidate.
  void scoreByLogits(Value scores, Block &body) {
    if (body.getNumArguments() == 0)
      body.addArgument(builder.getI64Type(), emit.getLoc());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&body);
    Value score = extract(scores, body.getArgument(0));
    YieldOp::create(builder, emit.getLoc(), score, Value());
  }

  void replace() {
    builder.setInsertionPoint(emit);
    auto bound = EmitOp::create(builder, emit.getLoc(), isAny ? builder.getUnitAttr() : UnitAttr(),
                                emit.getRangeAttr(), proposal, emit.getCondition(), sureness);
    bound.getScore().takeBody(emit.getScore());
    bound->setDiscardableAttrs(emit->getDiscardableAttrDictionary());
    emit.erase();
  }

  EmitOp emit;
  RuleOp rule;
  OpBuilder builder;
  int64_t vocabulary;
  bool isAny = false;
  Value proposal, sureness, logits, modelScore;
};
} // namespace

/// Erases evaluations without users, and the names given to them.
static void eraseUnused(ProgramOp program) {
  SmallVector<Operation *> candidates;
  program.walk([&](Operation *op) {
    bool isName = isa<LetOp>(op) && isa<AnswerType>(op->getResult(0).getType());
    if (isName || isa<EvaluateOp, CollectOp>(op))
      candidates.push_back(op);
  });
  for (Operation *op : llvm::reverse(candidates)) // users before their operands
    if (op->use_empty())
      op->erase();
}

LogicalResult mlir::lci::bindModels(ProgramOp program, const BindOptions &options) {
  if (failed(bindDeclarations(program, options)))
    return failure();
  SmallVector<EmitOp> emits;
  program.walk([&](EmitOp emit) { emits.push_back(emit); });
  for (EmitOp emit : emits)
    if (failed(EmitBinder(emit).run()))
      return failure();
  eraseUnused(program);
  WalkResult result = program.walk([](EvaluateOp evaluate) {
    if (!isa<AnswerType>(evaluate.getAnswers().getTypes().front()))
      return WalkResult::advance();
    emitError(evaluate.getLoc(), "expected the answer of model '")
        << ErrorId::WrongModel << evaluate.getModel() << "' to be proposed or to be a score";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
