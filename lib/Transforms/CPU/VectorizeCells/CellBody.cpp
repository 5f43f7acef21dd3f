//===- CellBody.cpp - Body of a tick on vectors of cells ------------------===//
//
// Values become vectors, or scalars where they are uniform; loads become contiguous or masked ones,
// look-ups gathers or register permutations; loops are unrolled unless they are long.
//
//===----------------------------------------------------------------------===//

#include "CellBody.h"
#include "LCI/Dialect/CandidateOrder.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/IROps.h"
#include "LCI/Transforms/Support/LanewiseFunctions.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::vectorize;
namespace numerics = ::lci::numerics;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

CellBody::CellBody(TickOp tick, OpBuilder &b, int64_t width, DrawRows &draws, Lanes lanes)
    : tick(tick), b(b), loc(tick.getLoc()), width(width), draws(draws), lanes(std::move(lanes)) {
  for (auto [argument, index] : llvm::zip_equal(tick.getIndexArguments(), this->lanes.indices))
    numbers.map(argument, index);
  numbers.map(tick.getEpochArgument(), tick.getEpoch());
  numbers.map(tick.getPhaseArgument(), tick.getPhase());
  numbers.map(tick.getSeedArgument(), tick.getSeed());
  for (auto [argument, input] : llvm::zip_equal(tick.getInputArguments(), tick.getInputs()))
    numbers.map(argument, input);
  // The index on the last axis differs from lane to lane.
  Value last = tick.getIndexArguments().back();
  SmallVector<int64_t> steps;
  for (int64_t lane = 0; lane < width; ++lane)
    steps.push_back(lane * tick.getStridesOrOnes().back());
  VectorType type = typeOf(b.getIndexType());
  Value moves = arith::ConstantOp::create(b, loc, DenseIntElementsAttr::get(type, steps));
  Value first = vector::BroadcastOp::create(b, loc, type, this->lanes.indices.back());
  vectors[last] = arith::AddIOp::create(b, loc, first, moves);
}

void CellBody::bind(Value value, Value built, bool isVector) {
  if (isVector) {
    vectors[value] = built;
    return;
  }
  vectors.erase(value);
  numbers.map(value, built);
}

void CellBody::bindLike(Value value, Value other) {
  bool isWide = isVector(other);
  bind(value, isWide ? vectors.lookup(other) : numbers.lookupOrDefault(other), isWide);
}

Value CellBody::vectorOf(Value value) {
  if (Value known = vectors.lookup(value))
    return known;
  Value number = numbers.lookupOrDefault(value);
  Value &vector = spread[number];
  if (!vector)
    vector = vector::BroadcastOp::create(b, loc, typeOf(number.getType()), number);
  return vector;
}

Value CellBody::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A mask for `width` × `stride` lanes that has the first `count` of every `stride`th lane.
static Value buildMask(OpBuilder &b, Location loc, int64_t width, int64_t stride, int64_t count) {
  SmallVector<bool> bits;
  for (int64_t lane = 0; lane < width * stride; ++lane)
    bits.push_back(lane % stride == 0 && lane / stride < count);
  auto type = VectorType::get({width * stride}, b.getI1Type());
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(cast<ShapedType>(type), bits));
}

/// Whether whole vectors at all positions of the tick's rows stay within the memory of a source.
static bool staysInside(TickOp tick, MemRefType type,
                        ArrayRef<std::pair<unsigned, int64_t>> moves) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return false;
  SmallVector<IndexRange> ranges = getIndexRanges(tick);
  int64_t last = 0;
  for (auto [position, move] : llvm::enumerate(moves))
    last = last * type.getDimSize(position) + ranges[move.first].upper + move.second;
  return last + tick.getStridesOrOnes().back() <= type.getNumElements();
}

Value CellBody::load(Value source, ArrayRef<std::pair<unsigned, int64_t>> moves) {
  auto type = cast<MemRefType>(source.getType());
  int64_t stride = tick.getStridesOrOnes().back();
  SmallVector<Value> indices;
  for (auto [axis, move] : moves) {
    Value distance = arith::ConstantIndexOp::create(b, loc, move);
    indices.push_back(b.createOrFold<arith::AddIOp>(loc, lanes.indices[axis], distance));
  }
  auto row = VectorType::get({width * stride}, type.getElementType());
  Value loaded;
  if (lanes.count == width && (stride == 1 || staysInside(tick, type, moves))) {
    loaded = vector::LoadOp::create(b, loc, row, source, indices);
  } else {
    Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(row));
    Value mask = buildMask(b, loc, width, stride, lanes.count);
    loaded = vector::MaskedLoadOp::create(b, loc, row, source, indices, mask, zeros);
  }
  if (stride == 1)
    return loaded;
  SmallVector<int64_t> selected;
  for (int64_t lane = 0; lane < width; ++lane)
    selected.push_back(lane * stride);
  return vector::ShuffleOp::create(b, loc, loaded, loaded, selected);
}

void CellBody::store(OpBuilder &b, Location loc, TickOp tick, Value vector, ValueRange indices,
                     int64_t count) {
  int64_t stride = tick.getStridesOrOnes().back();
  int64_t width = cast<VectorType>(vector.getType()).getDimSize(0);
  if (stride == 1 && count == width) {
    vector::StoreOp::create(b, loc, vector, tick.getTarget(), indices);
    return;
  }
  if (stride > 1) {
    SmallVector<int64_t> repeated;
    for (int64_t lane = 0; lane < width * stride; ++lane)
      repeated.push_back(lane / stride);
    vector = vector::ShuffleOp::create(b, loc, vector, vector, repeated);
  }
  Value mask = buildMask(b, loc, width, stride, count);
  vector::MaskedStoreOp::create(b, loc, tick.getTarget(), indices, mask, vector);
}

/// The source of an index, if it has a byte or less. An index of an entry is not negative, so its
/// signedness does not matter.
static Value getNarrow(Value index) {
  auto cast = index.getDefiningOp<arith::IndexCastUIOp>();
  if (!cast)
    return nullptr;
  Value source = cast.getIn();
  if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(source.getDefiningOp()))
    source = source.getDefiningOp()->getOperand(0);
  return source.getType().getIntOrFloatBitWidth() <= 8 ? source : nullptr;
}

/// The linearized position at which each cell looks.
Value CellBody::positionIn(memref::LoadOp load) {
  MemRefType type = load.getMemRefType();
  // As few bits as the entries need, if the indices have as few.
  unsigned bits = type.getNumElements() <= 128 ? 8 : 32;
  SmallVector<Value> sources;
  for (Value index : load.getIndices()) {
    Value narrow = getNarrow(index);
    sources.push_back(narrow ? narrow : index);
    bits = narrow ? bits : 32;
  }
  Type number = b.getIntegerType(bits);
  Value position;
  for (auto [axis, source] : llvm::enumerate(sources)) {
    Value index = vectorOf(source);
    Type from = source.getType();
    if (from.isIndex())
      index = arith::IndexCastOp::create(b, loc, typeOf(number), index);
    else if (from != number)
      index = arith::ExtUIOp::create(b, loc, typeOf(number), index);
    if (position) {
      Value size = vector::BroadcastOp::create(b, loc, typeOf(number),
                                               constant(number, type.getDimSize(axis)));
      position = arith::MulIOp::create(b, loc, position, size);
      position = arith::AddIOp::create(b, loc, position, index);
    } else {
      position = index;
    }
  }
  if (bits == 32)
    return position;
  return arith::ExtUIOp::create(b, loc, typeOf(b.getI32Type()), position);
}

/// Calls a function on chunks of the lanes in sequence. Operands without lanes come before the
/// vectors.
static Value callByLanes(OpBuilder &b, Location loc, Type element, Value table,
                         ArrayRef<Value> vectors,
                         llvm::function_ref<func::FuncOp(int64_t)> getFunction) {
  int64_t width = cast<VectorType>(vectors.front().getType()).getDimSize(0);
  int64_t count = width % kLookedUp == 0 ? kLookedUp : width;
  func::FuncOp function = getFunction(count);
  Value all = arith::ConstantOp::create(b, loc, b.getZeroAttr(VectorType::get({width}, element)));
  for (int64_t first = 0; first < width; first += count) {
    const int64_t one = 1;
    ArrayRef<int64_t> from(first), size(count), step(one);
    SmallVector<Value> arguments(table ? 1 : 0, table);
    for (Value vector : vectors)
      arguments.push_back(
          b.createOrFold<vector::ExtractStridedSliceOp>(loc, vector, from, size, step));
    Value part = func::CallOp::create(b, loc, function, arguments).getResult(0);
    all = b.createOrFold<vector::InsertStridedSliceOp>(loc, part, all, from, step);
  }
  return all;
}

/// The function that looks so many cells up in a table of a few registers, element by element.
static func::FuncOp getLookUp(ModuleOp module, VectorType table, int64_t count) {
  std::string name = (kByLanes + "look_up." + Twine(table.getDimSize(0)) +
                      (table.getElementType().isF32() ? "xf32" : "xi32"))
                         .str();
  auto positions = VectorType::get({count}, IntegerType::get(module.getContext(), 32));
  auto result = positions.clone(table.getElementType());
  auto lookUp = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    Value found = arith::ConstantOp::create(b, loc, b.getZeroAttr(result));
    for (int64_t lane = 0; lane < count; ++lane) {
      Value position = vector::ExtractOp::create(b, loc, arguments[1], lane);
      position = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), position);
      Value element = vector::ExtractOp::create(b, loc, arguments[0], position);
      found = vector::InsertOp::create(b, loc, element, found, lane);
    }
    return found;
  };
  return getInlineFunction(module, name, {table, positions}, result, lookUp);
}

/// Looks positions up in registers. The number of cells is a multiple of that of one look-up.
Value CellBody::permute(Value table, Value position) {
  MemRefType type = cast<MemRefType>(table.getType());
  int64_t size = std::max<int64_t>(llvm::PowerOf2Ceil(type.getNumElements()), kLookedUp / 2);
  auto registers = VectorType::get({size}, type.getElementType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(registers));
  Value mask = buildMask(b, loc, size, 1, type.getNumElements());
  Value entries = vector::MaskedLoadOp::create(b, loc, registers, table, zero, mask, zeros);
  return callByLanes(b, loc, type.getElementType(), entries, position, [&](int64_t count) {
    return getLookUp(tick->getParentOfType<ModuleOp>(), registers, count);
  });
}

void CellBody::buildTable(memref::LoadOp load) {
  Value table = numbers.lookupOrDefault(load.getMemref());
  MemRefType type = load.getMemRefType();
  Value position = positionIn(load);
  if (type.getRank() > 1) {
    SmallVector<ReassociationIndices> all{llvm::to_vector(llvm::seq<int64_t>(type.getRank()))};
    table = memref::CollapseShapeOp::create(b, loc, table, all);
  }
  Type element = type.getElementType();
  if ((element.isF32() || element.isInteger(32)) && type.getNumElements() <= 2 * kLookedUp &&
      width % kLookedUp == 0)
    return bind(load.getResult(), permute(table, position), true);
  VectorType entries = typeOf(element);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(entries));
  Value mask = buildMask(b, loc, width, 1, lanes.count);
  Value gathered = vector::GatherOp::create(b, loc, entries, table, zero, position, mask, zeros);
  bind(load.getResult(), gathered, true);
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

Value CellBody::buildIsBelow(Value draw, Value threshold) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, draw, threshold);
}

static Value buildAll(OpBuilder &b, Location loc, Value flags) {
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::AND, flags);
}

/// The limit of drawn parts of a whole, by word and whole: in 32 bits, unless a lane needs 64.
static Value buildLimit(OpBuilder &b, Location loc, Value word, Value whole) {
  IROps ops(b, loc, whole.getType());
  auto isQuick = numerics::hasQuickLimit(ops, ops.asI32(word), ops.asF32(whole));
  auto quick = [&](OpBuilder &, Location) {
    IROps inner(b, loc, whole.getType());
    auto limit = numerics::quickShareLimit(inner, inner.asI32(word), inner.asF32(whole));
    scf::YieldOp::create(b, loc, limit.value);
  };
  auto wide = [&](OpBuilder &, Location) {
    IROps inner(b, loc, whole.getType());
    Type longs = cast<VectorType>(word.getType()).clone(b.getI64Type());
    Value draw = arith::ExtUIOp::create(b, loc, longs, word);
    auto limit = numerics::shareLimit(inner, inner.asI64(draw), inner.asF32(whole));
    scf::YieldOp::create(b, loc, limit.value);
  };
  return scf::IfOp::create(b, loc, buildAll(b, loc, isQuick.value), quick, wide).getResult(0);
}

/// A register of limits at a time: their intermediate values need not be spilled.
Value CellBody::buildLimits(Value word, Value whole) {
  return callByLanes(b, loc, b.getF32Type(), Value(), {word, whole}, [&](int64_t count) {
    auto words = VectorType::get({count}, b.getI32Type()), wholes = words.clone(b.getF32Type());
    std::string name = (kByLanes + "share_limit." + Twine(count)).str();
    return getInlineFunction(tick->getParentOfType<ModuleOp>(), name, {words, wholes}, wholes,
                             [](OpBuilder &inner, Location where, ValueRange arguments) {
                               return buildLimit(inner, where, arguments[0], arguments[1]);
                             });
  });
}

/// Many draws may be compared with shares of the same whole.
Value CellBody::buildShare(Value word, arith::DivFOp quotient) {
  Value part = vectorOf(quotient.getLhs()), whole = vectorOf(quotient.getRhs());
  IROps ops(b, loc, part.getType());
  Value &limit = limits[{word, whole}];
  if (!limit)
    limit = buildLimits(word, whole);
  return numerics::isShareDrawn(ops, ops.asF32(limit), ops.asF32(part), ops.asF32(whole)).value;
}

Value CellBody::buildDraw(Operation *op) {
  Value word = draws.wordsOf(op);
  Value draw = arith::ExtUIOp::create(b, loc, typeOf(b.getI64Type()), word);
  IROps ops(b, loc, draw.getType());
  auto drawn = ops.asI64(draw);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<BernoulliOp>([&](BernoulliOp bernoulli) {
        if (auto quotient = bernoulli.getProbability().getDefiningOp<arith::DivFOp>())
          return buildShare(word, quotient);
        auto chance = ops.asF32(vectorOf(bernoulli.getProbability()));
        return buildIsBelow(draw, numerics::thresholdOf(ops, chance).value);
      })
      .Case<DrawBelowOp>(
          [&](DrawBelowOp below) { return buildIsBelow(draw, vectorOf(below.getThreshold())); })
      .Case<UniformOp>([&](auto) { return numerics::uniformOf(ops, drawn).value; })
      .Case<RandIntOp>([&](RandIntOp randint) {
        return numerics::randintOf(ops, drawn, ops.asI64(vectorOf(randint.getBound()))).value;
      })
      .Case<NormalOp>([&](auto) { return numerics::normalQuantile(ops, drawn).value; });
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void CellBody::buildElementwise(Operation &op) {
  if (llvm::none_of(op.getOperands(), [&](Value value) { return isVector(value); })) {
    Operation *copy = b.clone(op, numbers);
    for (auto [result, number] : llvm::zip_equal(op.getResults(), copy->getResults()))
      bind(result, number, false);
    return;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return buildTable(load);
  SmallVector<Value> operands =
      llvm::map_to_vector(op.getOperands(), [&](Value value) { return vectorOf(value); });
  Type type = typeOf(op.getResult(0).getType());
  bind(op.getResult(0), clone(b, &op, type, operands)->getResult(0), true);
}

/// A loop that carries vectors. Values created inside of it are not available outside.
ValueRange CellBody::buildLoop(int64_t first, int64_t last, int64_t step, Type index,
                               ArrayRef<Value> initial,
                               llvm::function_ref<SmallVector<Value>(Value, ValueRange)> iterate) {
  auto loop = scf::ForOp::create(b, loc, constant(index, first), constant(index, last),
                                 constant(index, step), initial);
  auto knownSpread = spread;
  auto knownLimits = limits;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next = iterate(loop.getInductionVar(), loop.getRegionIterArgs());
    if (!next.empty()) // else the loop came with its end
      scf::YieldOp::create(b, loc, next);
  }
  spread = std::move(knownSpread);
  limits = std::move(knownLimits);
  return loop.getResults();
}

/// A long loop: all that it carries is per cell.
void CellBody::buildLong(scf::ForOp loop) {
  SmallVector<Value> initial =
      llvm::map_to_vector(loop.getInitArgs(), [&](Value value) { return vectorOf(value); });
  auto iterate = [&](Value index, ValueRange carried) {
    bind(loop.getInductionVar(), index, false);
    for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), carried))
      bind(argument, value, true);
    build(*loop.getBody());
    return llvm::map_to_vector(loop.getBody()->getTerminator()->getOperands(),
                               [&](Value value) { return vectorOf(value); });
  };
  ValueRange results = buildLoop(
      *getConstantIntValue(loop.getLowerBound()), *getConstantIntValue(loop.getUpperBound()),
      *getConstantIntValue(loop.getStep()), loop.getInductionVar().getType(), initial, iterate);
  for (auto [result, value] : llvm::zip_equal(loop.getResults(), results))
    bind(result, value, true);
}

void CellBody::build(scf::ForOp loop) {
  if (*countTrips(loop) > kMaxUnrolledTrips) {
    took(loop, Way::LongLoop);
    return buildLong(loop);
  }
  for (auto [argument, initial] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
    bindLike(argument, initial);
  int64_t first = *getConstantIntValue(loop.getLowerBound());
  int64_t step = *getConstantIntValue(loop.getStep());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (int64_t iteration = 0; iteration < *countTrips(loop); ++iteration) {
    Value index = loop.getInductionVar();
    bind(index, constant(index.getType(), first + iteration * step), false);
    build(*loop.getBody());
    SmallVector<std::pair<Value, bool>> next;
    for (Value value : yield.getOperands())
      next.push_back({isVector(value) ? vectors.lookup(value) : numbers.lookupOrDefault(value),
                      isVector(value)});
    for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), next))
      bind(argument, value.first, value.second);
  }
  for (auto [result, argument] : llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
    bindLike(result, argument);
}

SmallVector<Value> CellBody::rankOf(AgreeOp agree, Value token, Type narrow) {
  Block &body = agree.getBody().front();
  bind(body.getArgument(0), token, false);
  build(body);
  Value number = token;
  if (narrow != token.getType())
    number = b.createOrFold<arith::TruncIOp>(loc, narrow, token);
  SmallVector<Value> ranked{vector::BroadcastOp::create(b, loc, typeOf(narrow), number)};
  for (Value fact : flattenRank(agree.getCandidate()))
    ranked.push_back(vectorOf(fact));
  return ranked;
}

void CellBody::build(AgreeOp agree) {
  CandidateOp candidate = agree.getCandidate();
  int64_t lower = *getConstantIntValue(agree.getLower());
  int64_t upper = *getConstantIntValue(agree.getUpper());
  Type wide = agree.getWinner().getType(), narrow = b.getI64Type();
  if (lower >= 0 && upper <= 32768)
    narrow = b.getIntegerType(upper <= 128 ? 8 : 16);
  SmallVector<Value> best;
  if (matchPattern(candidate.getAdmissible(), m_One()))
    best = rankOf(agree, constant(wide, lower++), narrow);
  else
    for (Value value : buildWorst(b, loc, constant(narrow, lower), candidate))
      best.push_back(vector::BroadcastOp::create(b, loc, typeOf(value.getType()), value));
  auto iterate = [&](Value token, ValueRange known) {
    return buildBetter(b, loc, rankOf(agree, token, narrow), known, candidate.getLevels().size());
  };
  if (upper - lower > kMaxUnrolledTrips) {
    took(agree, Way::LongLoop);
    best = llvm::to_vector_of<Value>(buildLoop(lower, upper, 1, wide, best, iterate));
  } else {
    for (int64_t token = lower; token < upper; ++token)
      best = iterate(constant(wide, token), best);
  }
  Value winner = best[0];
  if (narrow != wide)
    winner = arith::ExtUIOp::create(b, loc, typeOf(wide), winner);
  bind(agree.getWinner(), winner, true);
  bind(agree.getFound(), best[1], true);
  if (agree.getScore())
    bind(agree.getScore(), best[2], true);
}

void CellBody::build(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return build(loop);
  if (auto agree = dyn_cast<AgreeOp>(op))
    return build(agree);
  if (isDraw(&op))
    return bind(op.getResult(0), buildDraw(&op), true);
  auto read = dyn_cast<LoadOp>(op);
  if (!read)
    return buildElementwise(op);
  auto window = *read.getWindow();
  Value source = numbers.lookupOrDefault(read.getSource());
  if (!window.empty() && window.back().first == tick.getRank() - 1)
    return bind(read.getResult(), load(source, window), true);
  SmallVector<Value> indices;
  for (auto [axis, move] : window) {
    Value distance = arith::ConstantIndexOp::create(b, loc, move);
    indices.push_back(b.createOrFold<arith::AddIOp>(loc, lanes.indices[axis], distance));
  }
  bind(read.getResult(), memref::LoadOp::create(b, loc, source, indices), false);
}

void CellBody::build(Block &block) {
  for (Operation &op : block.without_terminator())
    build(op);
}

void CellBody::build() { build(tick.getBody().front()); }
