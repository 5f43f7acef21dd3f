//===- HaloSlicer.cpp - Refresh of halos on planes ------------------------===//
//
// On the last axis a halo is a few bits of a word or two, copied from other
// words of the row; on the other axes it is whole rows of words. On a CPU the
// words of the last axis come first, those of all planes of a row together. If
// a halo is whole words on all axes, GPU threads fill one word each and need
// not wait for each other.
//
//===----------------------------------------------------------------------===//

#include "HaloSlicer.h"
#include "Circuits.h"
#include "LCI/Dialect/TickBuilders.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;

namespace {

/// Consecutive bits of a word that are copied from another word of the row, or have the fill value
/// beyond an open border.
struct BitRun {
  int64_t word, bit, count;                       ///< target
  int64_t residue = 0, fromWord = 0, fromBit = 0; ///< source
  bool isFilled = false;

  uint64_t mask() const { return (~uint64_t(0) >> (kWordBits - count)) << bit; }
};

/// A word of a plane and its bits in the halo.
struct HaloWord {
  ArrayRef<BitRun> parts;
  int64_t plane;
};

/// Fills the halo at both ends of the rows of one residue.
class RowHalo {
public:
  RowHalo(OpBuilder &builder, RefreshHaloOp op, LayoutAttr layout, ValueRange planes)
      : builder(builder), op(op), loc(op.getLoc()), layout(layout), planes(planes),
        boundary(op.getBoundaryOf(layout.getCells().size() - 1)) {}

  void build(int64_t residue) {
    row = subRowOf(layout, residue);
    runs.clear();
    for (int64_t cell = -row.low; cell < 0; ++cell)
      addCell(cell);
    for (int64_t cell = row.count; cell < row.count + row.high; ++cell)
      addCell(cell);
    emit(collectWords());
  }

private:
  void addCell(int64_t cell) {
    int64_t extent = layout.getCells().back(), split = layout.getSplit();
    int64_t index = cell * split + row.residue;
    BitRun bit{row.wordsBelow() + llvm::divideFloorSigned(cell, kWordBits), 0, 1};
    bit.bit = cell - llvm::divideFloorSigned(cell, kWordBits) * kWordBits;
    if (boundary == Boundary::Open) {
      if (!op.getFill())
        return;
      bit.isFilled = true;
    } else {
      int64_t inside = boundary == Boundary::Clamp
                           ? std::clamp<int64_t>(index, 0, extent - 1)
                           : index - llvm::divideFloorSigned(index, extent) * extent;
      bit.residue = inside % split;
      int64_t number = inside / split;
      bit.fromWord = subRowOf(layout, bit.residue).wordsBelow() + number / kWordBits;
      bit.fromBit = number % kWordBits;
    }
    if (runs.empty() || !append(runs.back(), bit))
      runs.push_back(bit);
  }

  static bool append(BitRun &run, const BitRun &bit) {
    bool follows = run.word == bit.word && run.bit + run.count == bit.bit &&
                   run.isFilled == bit.isFilled && run.residue == bit.residue &&
                   run.fromWord == bit.fromWord && run.fromBit + run.count == bit.fromBit;
    bool goesOn = bit.isFilled ? run.isFilled && run.word == bit.word : follows;
    run.count += goesOn;
    return goesOn;
  }

  /// A word of every row that changed; halos of the other axes follow later.
  Value column(int64_t residue, int64_t plane, int64_t word) {
    SmallVector<OpFoldResult> offsets, sizes;
    for (auto [extent, low] :
         llvm::zip_equal(layout.getCells().drop_back(), layout.getLow().drop_back())) {
      offsets.push_back(builder.getIndexAttr(low));
      sizes.push_back(builder.getIndexAttr(extent));
    }
    if (op.getBegin() && !offsets.empty()) {
      offsets.front() = buildMoved(builder, loc, op.getBegin(), layout.getLow().front());
      sizes.front() = op.getCount();
    }
    offsets.push_back(builder.getIndexAttr(word));
    sizes.push_back(builder.getIndexAttr(1));
    SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
    return memref::SubViewOp::create(builder, loc, planes[residue * layout.getPlanes() + plane],
                                     offsets, sizes, strides);
  }

  /// The words of each plane to fill.
  SmallVector<HaloWord> collectWords() const {
    SmallVector<HaloWord> words;
    for (const auto *run = runs.begin(); run != runs.end();) {
      const auto *end = std::find_if(run, runs.end(),
                                     [&](const BitRun &other) { return other.word != run->word; });
      for (int64_t plane = 0; plane < layout.getPlanes(); ++plane)
        words.push_back({ArrayRef(run, end), plane});
      run = end;
    }
    return words;
  }

  /// Fills all words of a row in one operation, which visits each row once. If a word is both a
  /// source and a target, its source bits are cells, which do not change.
  void emit(ArrayRef<HaloWord> words) {
    if (words.empty())
      return;
    SmallVector<Value> ins, outs;
    for (const auto &[parts, plane] : words) {
      outs.push_back(column(row.residue, plane, parts.front().word));
      for (const BitRun &part : parts)
        if (!part.isFilled)
          ins.push_back(column(part.residue, plane, part.fromWord));
    }
    unsigned rank = layout.getCells().size();
    SmallVector<AffineMap> maps(ins.size() + outs.size(), builder.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        builder, loc, TypeRange(), ins, outs, maps, iterators,
        [&](OpBuilder &inner, Location, ValueRange arguments) {
          ValueRange sources = arguments.take_front(ins.size());
          SmallVector<Value> filled;
          for (auto [word, old] : llvm::zip_equal(words, arguments.drop_front(ins.size())))
            filled.push_back(fill(inner, word, sources, old));
          linalg::YieldOp::create(inner, loc, filled);
        });
    generic->setAttr("lci.name", builder.getStringAttr("halo"));
  }

  /// Whether a word contains cells, not only halo.
  bool hasCells(int64_t word) const {
    int64_t first = row.wordsBelow();
    return word >= first && word < first + llvm::divideCeilSigned(row.count, kWordBits);
  }

  /// Computes a word with its halo bits from the first sources, which it consumes. Other bits of a
  /// word without cells are unused.
  Value fill(OpBuilder &inner, const HaloWord &word, ValueRange &sources, Value old) {
    Circuits circuits(inner, loc);
    bool isNew = !hasCells(word.parts.front().word);
    for (const BitRun &part : word.parts) {
      Value bits;
      if (part.isFilled) {
        bits = fillBit(circuits, word.plane);
      } else {
        bits = move(inner, sources.front(), part.bit - part.fromBit);
        sources = sources.drop_front();
      }
      old = isNew ? bits : circuits.choose(circuits.constant(part.mask()), bits, old);
      isNew = false;
    }
    return old;
  }

  Value fillBit(Circuits &circuits, int64_t plane) {
    return circuits.broadcast(op.getFill(), {unsigned(plane) + 1, false}).words.back();
  }

  Value move(OpBuilder &inner, Value word, int64_t distance) {
    Value amount =
        arith::ConstantIntOp::create(inner, loc, std::abs(distance), kWordBits).getResult();
    return distance < 0 ? inner.createOrFold<arith::ShRUIOp>(loc, word, amount)
                        : inner.createOrFold<arith::ShLIOp>(loc, word, amount);
  }

  OpBuilder &builder;
  RefreshHaloOp op;
  Location loc;
  LayoutAttr layout;
  ValueRange planes;
  Boundary boundary;
  SubRow row;
  SmallVector<BitRun> runs;
};

} // namespace

/// Whether each word of a row's halo is an unmodified word of the row: on a torus whose rows fill
/// their words.
static bool areWholeWords(RefreshHaloOp op, LayoutAttr layout) {
  int64_t extent = layout.getCells().back();
  return op.getBoundaryOf(layout.getCells().size() - 1) == Boundary::Wrap && extent > 0 &&
         extent % (kWordBits * layout.getSplit()) == 0;
}

/// Refreshes whole rows of a plane, including their last axis's halo; or that axis as well.
static void refreshWords(OpBuilder &builder, RefreshHaloOp op, LayoutAttr layout, Value plane,
                         int64_t number, bool onLast) {
  SmallVector<int64_t> low(layout.getLow()), high(layout.getHigh());
  SmallVector<Attribute> borders(op.getBoundary().getValue());
  low.back() = high.back() = 0;
  if (onLast) {
    SubRow row = subRowOf(layout, number / layout.getPlanes());
    low.back() = row.wordsBelow();
    high.back() = row.numWords() - low.back() - row.count / kWordBits;
  } else {
    borders.back() = BoundaryAttr::get(builder.getContext(), Boundary::Open);
  }
  auto isPositive = [](int64_t width) { return width > 0; };
  if (llvm::none_of(low, isPositive) && llvm::none_of(high, isPositive))
    return;
  Value fill;
  if (op.getFill())
    fill = Circuits(builder, op.getLoc())
               .broadcast(op.getFill(), {unsigned(number % layout.getPlanes()) + 1, false})
               .words.back();
  RefreshHaloOp::create(builder, op.getLoc(), plane, low, high, /*spare=*/0,
                        builder.getArrayAttr(borders), fill, op.getBegin(), op.getCount());
}

void bitslice::refreshPlanes(OpBuilder &builder, RefreshHaloOp op, LayoutAttr layout,
                             ValueRange planes, bool threads) {
  bool onLast = threads && areWholeWords(op, layout);
  RowHalo halo(builder, op, layout, planes);
  if (!onLast)
    for (int64_t residue = 0; residue < layout.getSplit(); ++residue)
      halo.build(residue);
  for (auto [number, plane] : llvm::enumerate(planes))
    refreshWords(builder, op, layout, plane, number, onLast);
}
