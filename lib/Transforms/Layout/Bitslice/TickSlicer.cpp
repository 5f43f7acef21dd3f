//===- TickSlicer.cpp - Rewrite a tick on planes --------------------------===//
//
// Splits a tick's box into runs (cells of a row in one plane word order) and
// pieces (full or partial words), and emits a tick on words for each piece:
// loads are funnel shifts of two words, the body is a circuit.
// Draws: SliceDraws.cpp.
//
//===----------------------------------------------------------------------===//

#include "TickSlicer.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Dialect/TickWindows.h"
#include "LCI/Transforms/Support/Ways.h"
#include "UndecidedLists.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

std::optional<std::string> bitslice::findObstacle(TickOp tick, DataFlowSolver &solver) {
  if (tick.getRank() == 0)
    return "a value of one cell";
  if (!layoutOf(tick.getTarget().getType()) &&
      llvm::any_of(tick.getInputs().getTypes(),
                   [](Type type) { return layoutOf(type) != nullptr; }))
    return "a target without planes beside inputs on planes";
  if (tick.getScores())
    return "scores";
  if (!tick.isCellwise())
    return "several targets, or elements that are no cells";
  if (tick.getCells())
    return "a set of cells that is no box";
  if (!getConstantIntValue(tick.getMixedOffsets().back()) ||
      !getConstantIntValue(tick.getMixedExtents().back()))
    return "a box with unknown ends on the last axis";
  if (!findDraws(tick).empty()) {
    LayoutAttr layout = layoutOf(tick.getTarget().getType());
    if (layout && static_cast<int64_t>(tick.getClassStride()) != layout.getSplit())
      return "draws whose cells do not lie together";
    unsigned bits = llvm::Log2_64(kWordBits / kHalfBits);
    for (auto [axis, extent] : llvm::enumerate(tick.getMixedExtents())) {
      std::optional<int64_t> most = findMaxExtent(extent, solver);
      if (!most)
        return "draws in a box of unknown size";
      bool isLast = axis + 1 == tick.getRank(); // cells may begin within its first word
      int64_t places = isLast ? llvm::divideCeil(*most, kWordBits) + 1 : *most;
      bits += llvm::Log2_64_Ceil(std::max<int64_t>(places, 1));
    }
    if (bits > kHalfBits)
      return "draws in a box of more words than 32 bits count";
  }
  return BodyAnalysis::findObstacle(tick, solver);
}

//===----------------------------------------------------------------------===//
// Runs and pieces
//===----------------------------------------------------------------------===//

SmallVector<TickSlicer::Run> TickSlicer::runs() {
  int64_t offset = *getConstantIntValue(tick.getMixedOffsets().back());
  int64_t extent = *getConstantIntValue(tick.getMixedExtents().back());
  int64_t stride = tick.getStridesOrOnes().back(), split = layout.getSplit();
  SmallVector<Run> found;
  int64_t numRuns = split / stride;
  for (int64_t i = 0; i < std::min(numRuns, extent); ++i) {
    int64_t first = offset + i * stride;
    int64_t count = llvm::divideCeilSigned(extent - i, numRuns);
    found.push_back({subRowOf(layout, first % split), first / split, count});
  }
  return found;
}

SmallVector<TickSlicer::Piece> TickSlicer::pieces(const Run &run) {
  int64_t end = run.first + run.count, low = run.first / kWordBits, high = (end - 1) / kWordBits;
  uint64_t from = ~uint64_t(0) << (run.first % kWordBits);
  uint64_t upTo = ~uint64_t(0) >> (kWordBits - 1 - (end - 1) % kWordBits);
  if (low == high)
    return {{low, 1, from & upTo}};
  SmallVector<Piece> found;
  if (~from != 0)
    found.push_back({low++, 1, from});
  int64_t last = ~upTo != 0 ? high : high + 1;
  if (last > low)
    found.push_back({low, last - low, ~uint64_t(0)});
  if (~upTo != 0)
    found.push_back({high, 1, upTo});
  return found;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

unsigned TickSlicer::addWord(Word word) {
  auto *found = llvm::find(words, word);
  unsigned position = std::distance(words.begin(), found);
  if (found == words.end())
    words.push_back(std::move(word));
  return position;
}

/// The halo that a memref has before its first cell: none in a view of the cells alone.
static SmallVector<int64_t> haloOf(Type type, LayoutAttr layout) {
  auto shape = cast<MemRefType>(type).getShape();
  bool isInterior = shape == layout.getCells();
  return isInterior ? SmallVector<int64_t>(shape.size(), 0) : SmallVector<int64_t>(layout.getLow());
}

TickSlicer::Source TickSlicer::sourceOf(LoadOp load, const Run &run) {
  unsigned number = cast<BlockArgument>(load.getSource()).getArgNumber() - tick.getRank() - 3;
  LayoutAttr from = layoutOf(load.getSource().getType());
  SmallVector<int64_t> halo = haloOf(load.getSource().getType(), from);
  auto window = *load.getWindow();
  int64_t split = from.getSplit();
  // Its cell is the tick's, moved; offsets on the other axes are added to those of the planes.
  int64_t index = run.row.residue + window.back().second - halo.back();
  SubRow row = subRowOf(from, index - llvm::divideFloorSigned(index, split) * split);
  int64_t move = llvm::divideFloorSigned(index, split);
  int64_t position = row.wordsBelow() + llvm::divideFloorSigned(move, kWordBits);
  Source source;
  unsigned funnel = move - llvm::divideFloorSigned(move, kWordBits) * kWordBits;
  Moves moves;
  for (auto [axis, width] : llvm::enumerate(ArrayRef(halo).drop_back()))
    moves.push_back({window[axis].first, window[axis].second + from.getLow()[axis] - width});
  for (int64_t i = 0; i < from.getPlanes(); ++i) {
    Value plane = inputs[number][row.residue * from.getPlanes() + i];
    unsigned first = addWord({plane, moves, position});
    source.push_back({first, funnel ? addWord({plane, moves, position + 1}) : first, funnel});
  }
  return source;
}

void TickSlicer::findWords(const Run &run) {
  words.clear();
  sources.clear();
  tick.getBody().walk([&](LoadOp load) { sources[load] = sourceOf(load, run); });
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Boxes of every other row, such as those of two colours, differ in the first row alone: with an
/// opaque offset the same code computes all of them.
SmallVector<OpFoldResult> TickSlicer::findBegins() {
  SmallVector<OpFoldResult> begins = tick.getMixedOffsets();
  for (auto [begin, stride] :
       llvm::zip(MutableArrayRef(begins).drop_back(), tick.getStridesOrOnes()))
    if (std::optional<int64_t> constant = getConstantIntValue(begin); constant && stride != 1)
      begin = VaryingOp::create(builder, loc, builder.getIndexType(), *constant).getResult();
  return begins;
}

Value TickSlicer::viewOf(const Word &word, const Piece &piece) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<OpFoldResult> extents = tick.getMixedExtents();
  for (auto [axis, move] : word.moves) {
    offsets.push_back(buildMoved(builder, loc, begins[axis], move));
    sizes.push_back(extents[axis]);
    strides.push_back(builder.getIndexAttr(tick.getStridesOrOnes()[axis]));
  }
  offsets.push_back(builder.getIndexAttr(word.position + piece.firstWord));
  sizes.push_back(builder.getIndexAttr(piece.numWords));
  strides.push_back(builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, word.plane, offsets, sizes, strides);
}

Value TickSlicer::targetView(int64_t plane, const Run &run, const Piece &piece) {
  Moves home;
  for (auto [axis, low] : llvm::enumerate(layout.getLow().drop_back()))
    home.push_back({axis, low});
  Value words = target[run.row.residue * layout.getPlanes() + plane];
  return viewOf({words, home, run.row.wordsBelow()}, piece);
}

/// The words of a plane that hold the cells of a run's rows, without halo.
Value TickSlicer::cellsOf(int64_t plane, const Run &run) {
  SmallVector<OpFoldResult> offsets, sizes;
  for (auto [low, cells] : llvm::zip(layout.getLow(), layout.getCells().drop_back())) {
    offsets.push_back(builder.getIndexAttr(low));
    sizes.push_back(builder.getIndexAttr(cells));
  }
  offsets.push_back(builder.getIndexAttr(run.row.wordsBelow()));
  sizes.push_back(builder.getIndexAttr(llvm::divideCeilSigned(run.row.count, kWordBits)));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  Value words = target[run.row.residue * layout.getPlanes() + plane];
  return memref::SubViewOp::create(builder, loc, words, offsets, sizes, ones);
}

void TickSlicer::emit(const Run &run, const Piece &piece) {
  SmallVector<Value> targets;
  for (int64_t plane = 0; plane < layout.getPlanes(); ++plane)
    targets.push_back(cellsOf(plane, run));
  std::optional<Rest> rest;
  if (!keys.empty() && !threads) // a thread completes its draws itself
    rest = allocateRest(piece);
  SmallVector<Value> states;
  if (rest)
    llvm::append_range(states, llvm::concat<Value>(rest->isLess, rest->isUndecided));
  DenseI64ArrayAttr none = builder.getDenseI64ArrayAttr({});
  auto onWords =
      TickOp::create(builder, loc, TypeRange(), tick.getNameAttr(), tick.getEpoch(), drawnPhase,
                     tick.getSeed(), ValueRange(), targets, states, counts, Value(), ValueRange(),
                     ValueRange(), none, none, DenseI64ArrayAttr(), IntegerSetAttr(),
                     builder.getI64IntegerAttr(1), builder.getI64IntegerAttr(kWordBits));
  setBox(onWords, piece);
  buildBody(onWords, run, piece);
  isolateBody(onWords);
  if (rest)
    emitRest(*rest, run, piece);
}

/// The rows of the tick's box, and the words of a piece.
void TickSlicer::setBox(TickOp onWords, const Piece &piece) {
  SmallVector<OpFoldResult> offsets = begins, extents = tick.getMixedExtents();
  SmallVector<int64_t> strides = tick.getStridesOrOnes();
  offsets.back() = builder.getIndexAttr(piece.firstWord);
  extents.back() = builder.getIndexAttr(piece.numWords);
  strides.back() = 1;
  onWords.setBox(offsets, extents, strides);
}

/// Loads a word of a plane whose first word belongs to the run's first cells.
Value TickSlicer::loadWord(OpBuilder &inner, const Word &word, ValueRange indices) {
  unsigned last = indices.size() - 1;
  SmallVector<AffineExpr> axes;
  for (auto [axis, move] : word.moves)
    axes.push_back(inner.getAffineDimExpr(axis) + move);
  axes.push_back(inner.getAffineDimExpr(last) + word.position);
  return loadInside(inner, loc, word.plane,
                    AffineMap::get(indices.size(), 0, axes, inner.getContext()), indices);
}

/// Loads what a word of each target was.
SmallVector<Value> TickSlicer::loadOld(OpBuilder &inner, TickOp onWords) {
  Moves home;
  for (unsigned axis = 0; axis + 1 < tick.getRank(); ++axis)
    home.push_back({axis, 0});
  return llvm::map_to_vector(onWords.getTargets(), [&](Value words) {
    return loadWord(inner, {words, home, 0}, onWords.getIndexArguments());
  });
}

/// The index of the cells in a row of the box.
Value TickSlicer::rowAt(OpBuilder &inner, unsigned axis, Value row) {
  Value stride = arith::ConstantIndexOp::create(inner, loc, tick.getStridesOrOnes()[axis]);
  Value offset = getValueOrCreateConstantIndexOp(inner, loc, begins[axis]);
  row = inner.createOrFold<arith::MulIOp>(loc, row, stride);
  return inner.createOrFold<arith::AddIOp>(loc, row, offset);
}

Value TickSlicer::wordAt(OpBuilder &inner, Value word, const Piece &piece) {
  Value first = arith::ConstantIndexOp::create(inner, loc, piece.firstWord);
  return inner.createOrFold<arith::AddIOp>(loc, word, first);
}

/// Builds the body of a tick on words: planes, states of draws, counts.
void TickSlicer::buildBody(TickOp onWords, const Run &run, const Piece &piece) {
  SmallVector<Type> types(tick.getRank(), builder.getIndexType());
  types.append(3, builder.getI64Type());
  OpBuilder inner(builder.getContext(), builder.getListener());
  inner.createBlock(&onWords.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
  ValueRange indices = onWords.getIndexArguments();
  SmallVector<Value> read =
      llvm::map_to_vector(words, [&](const Word &word) { return loadWord(inner, word, indices); });
  Circuits circuits(inner, loc);
  Value cells = circuits.constant(piece.mask), decided = cells;
  SmallVector<Value> isLess, isUndecided;
  auto load = [&](const Read &wanted) {
    return funnel(inner, loc, read[wanted.first], read[wanted.second], wanted.funnel);
  };
  auto draw = [&](const DrawSite &site, const Threshold &threshold) {
    DrawPlanes planes(inner, loc, site, threshold, eagerBlocks);
    if (threads)
      return planes.compareAll(cells);
    Comparison result = planes.compareEagerly();
    isLess.push_back(result.isLess);
    isUndecided.push_back(circuits.both(result.isUndecided, cells));
    decided = circuits.both(decided, circuits.negate(result.isUndecided));
    return result.isLess;
  };
  Place place{SmallVector<Value>(indices.drop_back()), indices.back(), nullptr};
  Outcome outcome = buildOutcome(inner, run, place, load, draw);
  SmallVector<Value> states;
  if (isLess.size() > 1) // with a single draw, decided cells are done
    states = isLess;
  llvm::append_range(states, isUndecided);
  SmallVector<Value> planes = install(inner, outcome, decided, loadOld(inner, onWords));
  SmallVector<int64_t> slots = getCountedSlots(tick);
  SmallVector<Value> zeros(slots.size(), circuits.zeros());
  SmallVector<Value> sums = count(inner, outcome, decided, zeros);
  Value always = arith::ConstantIntOp::create(inner, loc, 1, 1);
  InstallOp::create(inner, loc, planes, states, always, Value(), Value(), sums, slots);
}

void TickSlicer::mapScalars(IRMapping &scalars, const Place &place) {
  for (auto [argument, row] : llvm::zip(tick.getIndexArguments(), place.rows))
    scalars.map(argument, row);
  scalars.map(tick.getEpochArgument(), tick.getEpoch());
  scalars.map(tick.getPhaseArgument(), tick.getPhase());
  scalars.map(tick.getSeedArgument(), tick.getSeed());
  for (auto [argument, operands] : llvm::zip_equal(tick.getInputArguments(), inputs))
    if (!layoutOf(argument.getType()))
      scalars.map(argument, operands.front());
}

/// The lowest six bits of a cell's index are its bit in the word, the others the word's index. In
/// half a word the sixth one is the half.
Planes TickSlicer::lastIndex(OpBuilder &inner, const Run &run, const Place &place, Width width) {
  static constexpr uint64_t places[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                        0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  Circuits circuits(inner, loc);
  Planes number;
  for (uint64_t bits : places)
    number.words.push_back(circuits.constant(bits));
  if (place.half) {
    Value half = arith::IndexCastOp::create(inner, loc, inner.getI64Type(), place.half);
    number.words.back() = circuits.broadcast(half, {1, false}).words.front();
  }
  Value word = arith::IndexCastOp::create(inner, loc, inner.getI64Type(), place.word);
  llvm::append_range(number.words, circuits.broadcast(word, width).words);
  Planes split = circuits.constant(APInt(64, layout.getSplit()), {32, false});
  return circuits.sum({{circuits.product(number, split, width), 0, false}}, run.row.residue, width);
}

TickSlicer::Outcome TickSlicer::buildOutcome(OpBuilder &inner, const Run &run, const Place &place,
                                             LoadPlane loadPlane, Draw draw) {
  IRMapping scalars;
  mapScalars(scalars, place);
  Circuits circuits(inner, loc);
  auto load = [&](LoadOp op) {
    Planes planes;
    for (const Read &read : sources.find(op)->second)
      planes.words.push_back(loadPlane(read));
    return planes;
  };
  auto index = [&](Width width) { return lastIndex(inner, run, place, width); };
  auto below = [&](StreamAttr stream, Value number, const Threshold &threshold) {
    return draw(siteOf(inner, place, stream, number), threshold);
  };
  auto masksOf = [&](Operation *draw) { return masks.lookup(draw); };
  bool hasTernaryLogic = threads || vectorBits == kWordBits * kLanes; // a GPU, or AVX-512
  BodySlicer body(tick, analysis, inner, scalars, {load, index, below, masksOf, hasTernaryLogic});
  body.slice();
  InstallOp install = tick.getInstall();
  Outcome outcome{body.wordOf(install.getCondition()), body.planesOf(install.getToken()), {}};
  for (Value tally : install.getTallies())
    outcome.tallies.push_back(body.wordOf(tally));
  return outcome;
}

SmallVector<Value> TickSlicer::install(OpBuilder &inner, const Outcome &outcome, Value members,
                                       ValueRange oldPlanes) {
  Circuits circuits(inner, loc);
  Value condition = circuits.both(outcome.condition, members);
  SmallVector<Value> planes;
  for (int64_t i = 0; i < layout.getPlanes(); ++i)
    planes.push_back(circuits.choose(condition, circuits.bitOf(outcome.token, i), oldPlanes[i]));
  return planes;
}

/// A sum plus the number of members that a counter counts.
Value TickSlicer::countIn(OpBuilder &inner, const Outcome &outcome, Value members, int64_t slot,
                          Value sum) {
  Circuits circuits(inner, loc);
  for (auto [tally, wanted] : llvm::zip_equal(outcome.tallies, tick.getInstall().getSlots())) {
    if (wanted != slot)
      continue;
    Value cells = math::CtPopOp::create(inner, loc, circuits.both(tally, members));
    sum = inner.createOrFold<arith::AddIOp>(loc, sum, cells);
  }
  return sum;
}

SmallVector<Value> TickSlicer::count(OpBuilder &inner, const Outcome &outcome, Value members,
                                     ValueRange oldCounts) {
  SmallVector<Value> counts;
  for (auto [slot, old] : llvm::zip_equal(getCountedSlots(tick), oldCounts))
    counts.push_back(countIn(inner, outcome, members, slot, old));
  return counts;
}

void TickSlicer::slice() {
  prepareDraws();
  for (const Run &run : runs()) {
    findWords(run);
    for (const Piece &piece : pieces(run)) {
      if (~piece.mask != 0)
        took(tick, Way::PartOfWord);
      emit(run, piece);
    }
  }
}
