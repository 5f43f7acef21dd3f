//===- Bodies.cpp - Evaluate the bodies of declarations -------------------===//
//
// Handlers for operations of the bound form that need a snapshot, arguments or a draw site: reads,
// families, models, formulas, parameters and draws. Each implements a clause of docs/semantics.md
// without optimisation: families are enumerated member by member, models are called for one cell at
// a time.
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"
#include "LCI/Analysis/Parameters.h"
#include "Reductions.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

int64_t ValueState::getNumber(ArrayRef<int64_t> cell) const {
  int64_t number = 0;
  for (auto [index, extent] : llvm::zip(cell, getExtents()))
    number = number * extent + index;
  return number;
}

Datum ValueState::get(int64_t number) const {
  if (getKind() != Kind::Latent)
    return Datum{cells.elements[number], nullptr};
  int64_t size = getVocabulary();
  Tensor row({size});
  for (int64_t i = 0; i < size; ++i)
    row.elements[i] = cells.elements[number * size + i];
  return Datum::array(std::move(row));
}

void ValueState::set(int64_t number, const Datum &datum) {
  if (!datum.tensor) {
    cells.elements[number] = datum.bits;
    return;
  }
  for (auto [i, element] : llvm::enumerate(datum.tensor->elements))
    cells.elements[number * datum.tensor->elements.size() + i] = element;
}

// S-ABSENT
static std::vector<int64_t> getShape(const ValueState &state) {
  SmallVector<int64_t> extents = state.getExtents();
  return {extents.begin(), extents.end()};
}

bool ValueState::areRecords(const ::lci::Records &records) const {
  return ::lci::areRecordsOf(records, getShape(*this), numLevels);
}

void ValueState::clearRecords() { records = ::lci::emptyRecords(getShape(*this), numLevels); }

bool ValueState::isPresent(const Datum &datum) const {
  return getKind() != Kind::Token || datum.asInteger() != getVocabulary();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Bodies::Bodies(ProgramOp program, llvm::StringMap<ValueState> &states)
    : program(program), states(states) {
  addHandlers();
  addDrawHandlers();
}

std::optional<Datum> Bodies::yield(Block &block, ArrayRef<Datum> arguments) {
  auto yield = cast<YieldOp>(evaluator.run(block, arguments));
  if (yield.getPresent() && !evaluator.get(yield.getPresent()).asTruth())
    return std::nullopt;
  return evaluator.get(yield.getValue());
}

std::optional<Datum> Bodies::observe(Block &block) {
  llvm::SaveAndRestore<bool> tree(usesTree, true);
  return yield(block, {});
}

// S-PARAM
void Bodies::computeParams(ArrayRef<StringRef> given) {
  FailureOr<SmallVector<ParamOp>> ordered =
      orderParameters(program); // was checked when the interpreter was created
  for (ParamOp param : *ordered)
    if (param.hasInit() && !llvm::is_contained(given, param.getSymName()))
      if (std::optional<Datum> value = yield(param.getInit().front(), {}))
        params[param.getSymName()] = *value;
}

void Bodies::addHandlers() {
  Evaluator &e = evaluator;
  e.on<ReadOp>([this](ReadOp op) { read(op); });
  e.on<ReduceOp>([this](ReduceOp op) { reduce(op); });
  e.on<CollectOp>([this](CollectOp op) { collect(op); });
  // S-STAMP: a declared read counts, even if it is not evaluated.
  e.on<DeclareReadOp>([this](DeclareReadOp op) {
    visitMembers(op, op.getWhere(), op.getOuter(), op.getBody().front(),
                 [](int64_t, std::optional<Datum>) {});
  });
  e.on<EvaluateOp>([this](EvaluateOp op) { evaluateModel(op); });
  e.on<ParamValueOp>([this](ParamValueOp op) { getParam(op); });
  e.on<ApplyOp>([this](ApplyOp op) { apply(op); });
  // S-UNWRAP: the token was proved to be present.
  e.on<UnwrapOp>([&e](UnwrapOp op) {
    if (!e.get(op.getPresent()).asTruth())
      return e.fail(*op, "finds nothing where the program said that something is");
    e.set(op.getResult(), e.get(op.getValue()));
  });
  e.on<EpochOp>([this](EpochOp op) { evaluator.set(op.getResult(), Datum::integer(place.epoch)); });
  e.on<SizeOp>([this](SizeOp op) {
    auto names = program.getSizes().getAsValueRange<StringAttr>();
    int64_t position = std::distance(names.begin(), llvm::find(names, op.getName()));
    evaluator.set(op.getResult(), Datum::integer((*program.getExtents())[position]));
  });
  // S-CHANGE: a first token is no change.
  e.on<ChangesOp>([this](ChangesOp op) {
    bool changes = place.hasKeep && evaluator.get(op.getCandidate()) != place.keep;
    evaluator.set(op.getResult(), Datum::truth(changes));
  });
  // S-PALETTE: a token outside of the vocabulary is looked up as its last token.
  e.on<InPaletteOp>([this](InPaletteOp op) {
    const Datum &palette = palettes[op.getPalette()];
    uint64_t last = palette.tensor->elements.size() - 1;
    uint64_t token = std::min(evaluator.get(op.getToken()).bits, last);
    evaluator.set(op.getResult(), Datum::truth(palette.tensor->elements[token]));
  });
  // S-FUTURE: decided when the program is checked; at run time no read is of the future.
  e.on<ReadsFutureOp>([&e](ReadsFutureOp op) { e.set(op.getResult(), Datum::truth(false)); });
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// S-BOUNDARY: moves an index into its axis; false beyond an open border.
static bool moveInside(int64_t &index, int64_t extent, Boundary boundary) {
  if (boundary == Boundary::Wrap)
    index = ((index % extent) + extent) % extent;
  if (boundary == Boundary::Clamp)
    index = std::clamp<int64_t>(index, 0, extent - 1);
  return index >= 0 && index < extent;
}

// S-READ, S-VISIBLE (which was checked before): from the snapshot; an absent cell reads as the
// vocabulary size, or zero.
void Bodies::read(ReadOp op) {
  const ValueState &state = states.find(op.getValue())->second;
  SmallVector<int64_t> cell = evaluateMap(op.getMap(), evaluator.getIntegers(op.getIndices()));
  SmallVector<int64_t> extents = state.getExtents();
  bool isInside = true;
  for (unsigned axis = 0; axis < cell.size(); ++axis)
    isInside &= moveInside(cell[axis], extents[axis], ValueOp(state.op).getBoundaryOf(axis));
  Datum absent = state.getKind() == Kind::Latent  ? Datum::array(Tensor({state.getVocabulary()}))
                 : state.getKind() == Kind::Token ? Datum::integer(state.getVocabulary())
                                                  : Datum();
  int64_t number = isInside ? state.getNumber(cell) : 0;
  Datum held = isInside ? state.get(number) : absent;
  bool isPresent = isInside && state.isPresent(held);
  if (isPresent)
    latestStamp = std::max(latestStamp, state.getStamp(number));
  evaluator.set(op.getResult(), held);
  evaluator.set(op.getPresent(), Datum::truth(isPresent));
}

// S-INDEX: an element of a parameter; an index outside is clamped to the nearest element.
void Bodies::getParam(ParamValueOp op) {
  Datum param = params[op.getParam()];
  if (op.getIndices().empty())
    return evaluator.set(op.getResult(), param);
  SmallVector<int64_t> at = evaluator.getIntegers(op.getIndices());
  for (auto [index, extent] : llvm::zip(at, param.tensor->shape))
    moveInside(index, extent, Boundary::Clamp);
  uint64_t element = param.tensor->elements[param.tensor->offsetOf(at)];
  evaluator.set(op.getResult(), Datum{element, nullptr});
}

// S-DEF: evaluates a formula's body at those indices.
void Bodies::apply(ApplyOp op) {
  auto formula = SymbolTable::lookupNearestSymbolFrom<DefOp>(op, op.getFormulaAttr());
  SmallVector<Datum> indices =
      llvm::map_to_vector(op.getIndices(), [&](Value index) { return evaluator.get(index); });
  Block &body = formula.getBody().front();
  auto yield = cast<YieldOp>(evaluator.run(body, indices));
  Datum value = evaluator.get(yield.getValue());
  bool isPresent = !yield.getPresent() || evaluator.get(yield.getPresent()).asTruth();
  evaluator.set(op.getResult(), value);
  evaluator.set(op.getPresent(), Datum::truth(isPresent));
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

SmallVector<MemberLimit> Bodies::getMemberLimits(Operation *family) const {
  return llvm::map_to_vector(getLimits(family), [&](const FreeLimits &limit) {
    return MemberLimit{limit.free, evaluator.getInteger(limit.low),
                       evaluator.getInteger(limit.high)};
  });
}

void Bodies::visitMembers(Operation *op, ArrayAttr where, ValueRange outer, Block &body,
                          llvm::function_ref<void(int64_t, std::optional<Datum>)> visit) {
  const Members *members =
      families.find(where, evaluator.getIntegers(outer), body.getNumArguments() - 1);
  if (!members)
    return evaluator.fail(*op, "ranges over infinitely many members, or more than 2^36");
  SmallVector<MemberLimit> limits = getMemberLimits(op);
  auto [first, last] = members->getWithin(limits);
  int64_t rank = 0;
  for (int64_t number = first; number < last; ++number) {
    ArrayRef<int64_t> member = (*members)[number];
    if (!isWithin(member, limits))
      continue;
    SmallVector<Datum> arguments = llvm::map_to_vector(member, Datum::integer);
    arguments.push_back(Datum::integer(rank));
    visit(rank, yield(body, arguments));
    ++rank;
  }
}

// S-REDUCE: members in row-major order of the free indices, absent ones skipped.
void Bodies::reduce(ReduceOp op) {
  // S-TREE: only reductions directly in an observer use the tree.
  bool isOutermost = usesTree;
  llvm::SaveAndRestore<bool> tree(usesTree, false);
  auto body = cast<YieldOp>(op.getBody().front().getTerminator());
  Reducer reducer(op.getKind(), body.getValue().getType(), isOutermost);
  visitMembers(op, op.getWhere(), op.getOuter(), op.getBody().front(),
               [&](int64_t rank, std::optional<Datum> member) { reducer.add(rank, member); });
  std::optional<Datum> result = reducer.finish();
  evaluator.set(op.getResult(), result ? *result : reducer.getAbsent());
  evaluator.set(op.getPresent(), Datum::truth(result.has_value()));
}

// S-COLLECT: members consecutively, then padding; an absent one is the vocabulary size or zero.
void Bodies::collect(CollectOp op) {
  auto type = cast<RankedTensorType>(op.getMembers().getType());
  if (!type.hasStaticShape())
    return evaluator.fail(*op, "expected a known length; run 'lci-bind' first");
  Block &body = op.getBody().front();
  uint64_t padding = 0;
  // Tokens are padded like absent reads, numbers computed from them with zero.
  if (auto read = cast<YieldOp>(body.getTerminator()).getValue().getDefiningOp<ReadOp>()) {
    ValueState &state = states.find(read.getValue())->second;
    if (state.getKind() == Kind::Token)
      padding = state.getVocabulary();
  }
  Tensor members(type.getShape(), padding), present(type.getShape());
  visitMembers(op, op.getWhere(), op.getOuter(), body,
               [&](int64_t rank, std::optional<Datum> member) {
                 if (rank >= type.getDimSize(0))
                   return evaluator.fail(*op, "has more members than its length of " +
                                                  Twine(type.getDimSize(0)));
                 if (!member)
                   return;
                 members.elements[rank] = member->bits;
                 present.elements[rank] = 1;
               });
  evaluator.set(op.getMembers(), Datum::array(std::move(members)));
  evaluator.set(op.getPresent(), Datum::array(std::move(present)));
}

/// Tokens, which are not negative, at the width of another type.
static Datum convert(const Datum &datum, Type to) {
  unsigned width = getWidth(getElementTypeOrSelf(to));
  if (!datum.tensor)
    return Datum{truncate(datum.bits, width), nullptr};
  Tensor result = *datum.tensor;
  for (uint64_t &element : result.elements)
    element = truncate(element, width);
  return Datum::array(std::move(result));
}

// S-MODEL: a function of the module, of its reads and then its weights by name.
void Bodies::evaluateModel(EvaluateOp op) {
  auto model = program.lookupNamed<ModelOp>(op.getModel());
  auto module = program->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<func::FuncOp>(model.getFunction().value_or(""));
  if (!function)
    return evaluator.fail(*op, "asks '" + op.getModel() + "', which is not bound to a function");
  SmallVector<Datum> arguments;
  for (auto [value, type] : llvm::zip(op.getArguments(), function.getArgumentTypes()))
    arguments.push_back(convert(evaluator.get(value), type));
  for (unsigned i = arguments.size(); i < function.getNumArguments(); ++i) {
    auto weight = function.getArgAttrOfType<StringAttr>(i, "lci.weight");
    std::string name = (op.getModel() + "." + (weight ? weight.getValue() : "")).str();
    if (!weights.count(name))
      return evaluator.fail(*op, "expected a weight '" + name + "', but none is given");
    arguments.push_back(weights[name]);
  }
  SmallVector<Datum> results = evaluator.call(function, arguments);
  for (auto [answer, result, type] :
       llvm::zip(op.getAnswers(), results, function.getResultTypes())) {
    if (type.isInteger())
      result = Datum::integer(signExtend(result.bits, getWidth(type)));
    evaluator.set(answer, convert(result, answer.getType()));
  }
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

// S-COUNTER: only number, cell, epoch and phase.
numerics::DrawSite Bodies::getSite(int64_t number) const {
  return {static_cast<uint64_t>(number), place.cellNumber, static_cast<uint64_t>(place.epoch),
          static_cast<uint64_t>(place.phase)};
}

// S-STREAM: keyed by the seed and the identity that the call got when the text was parsed.
numerics::Stream Bodies::getStream(StreamAttr stream) const {
  return numerics::Stream(seed, stream.getDeclaration(), stream.getOrdinal());
}

int64_t Bodies::getDrawNumber(Value number) const {
  return number ? evaluator.getInteger(number) : 0;
}

void Bodies::addDrawHandlers() {
  Evaluator &e = evaluator;
  e.on<BernoulliOp>([this](BernoulliOp op) { // S-THRESHOLD
    float probability = evaluator.get(op.getProbability()).asNumber();
    bool drawn =
        getStream(op.getStream()).bernoulli(getSite(getDrawNumber(op.getNumber())), probability);
    evaluator.set(op.getResult(), Datum::truth(drawn));
  });
  e.on<DrawBelowOp>([this](DrawBelowOp op) { // S-THRESHOLD
    int64_t threshold = evaluator.get(op.getThreshold()).asInteger();
    threshold = std::clamp<int64_t>(threshold, 0, int64_t(1) << 32);
    bool drawn =
        getStream(op.getStream()).isBelow(getSite(getDrawNumber(op.getNumber())), threshold);
    evaluator.set(op.getResult(), Datum::truth(drawn));
  });
  e.on<UniformOp>([this](UniformOp op) { // S-NUMBER-DRAW
    float drawn = getStream(op.getStream()).uniform(getSite(getDrawNumber(op.getNumber())));
    evaluator.set(op.getResult(), Datum::number(drawn));
  });
  e.on<RandIntOp>([this](RandIntOp op) { // S-NUMBER-DRAW
    int64_t bound = evaluator.get(op.getBound()).asInteger();
    int64_t drawn =
        getStream(op.getStream()).randint(getSite(getDrawNumber(op.getNumber())), bound);
    evaluator.set(op.getResult(), Datum::integer(drawn));
  });
  e.on<NormalOp>([this](NormalOp op) { // S-NUMBER-DRAW
    float drawn = getStream(op.getStream()).normal(getSite(getDrawNumber(op.getNumber())));
    evaluator.set(op.getResult(), Datum::number(drawn));
  });
}
