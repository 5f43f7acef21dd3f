//===- TickSlicer.h - Rewrite a tick on planes ------------------*- C++ -*-===//
//
// A box of cells becomes boxes of words: full ones, and partial ones at either
// end of the rows. Each is a tick on words.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_TICKSLICER_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_TICKSLICER_H

#include "BodySlicer.h"
#include "LCI/Dialect/Layout.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci::bitslice {

/// The reason why a tick cannot be computed on planes, if there is one. The target and all arrays
/// read through stencils are assumed to have one layout of planes.
std::optional<std::string> findObstacle(TickOp tick, DataFlowSolver &solver);

/// With `threads` words are threads of kernels, else elements of vectors of `vectorBits` bits;
/// `eagerBlocks` blocks of each draw are compared eagerly.
struct SlicingOptions {
  bool threads;
  int64_t vectorBits;
  unsigned eagerBlocks;
};

class TickSlicer {
public:
  /// `inputs` and `target` are the planes of the tick's operands.
  TickSlicer(OpBuilder &builder, TickOp tick, const BodyAnalysis &analysis,
             ArrayRef<ValueRange> inputs, ValueRange target, Value counts,
             const SlicingOptions &options)
      : builder(builder), tick(tick), loc(tick.getLoc()), analysis(analysis), inputs(inputs),
        target(target), counts(counts), threads(options.threads), vectorBits(options.vectorBits),
        eagerBlocks(options.eagerBlocks), stages(findStages(tick)),
        layout(layoutOf(tick.getTarget().getType())), begins(findBegins()) {}

  void slice();

private:
  /// The cells of a box on the last axis that are contiguous in planes.
  struct Run {
    SubRow row;
    int64_t first, count;
  };
  /// Words of a run, and the mask of their cells that belong to it.
  struct Piece {
    int64_t firstWord, numWords;
    uint64_t mask;
  };
  /// For each axis of an array but the last: the tick's axis that indexes it, and the offset.
  using Moves = SmallVector<std::pair<unsigned, int64_t>>;
  /// A word that a load reads.
  struct Word {
    Value plane;
    Moves moves;
    int64_t position; ///< in the row, for the run's word 0
    bool operator==(const Word &other) const {
      return plane == other.plane && moves == other.moves && position == other.position;
    }
  };
  /// The read of a plane by a load: two words of `words` and the cells by which the first one is
  /// shifted; or one word twice.
  struct Read {
    unsigned first, second, funnel;
    bool operator==(const Read &other) const {
      return first == other.first && second == other.second && funnel == other.funnel;
    }
  };
  using Source = SmallVector<Read>; ///< for each plane

  SmallVector<Run> runs();
  static SmallVector<Piece> pieces(const Run &run);
  void findWords(const Run &run);
  Source sourceOf(LoadOp load, const Run &run);
  unsigned addWord(Word word);
  Value viewOf(const Word &word, const Piece &piece);
  Value targetView(int64_t plane, const Run &run, const Piece &piece);
  Value cellsOf(int64_t plane, const Run &run);

  /// The position of a word of cells: the indices on the other axes, its index in the row, and the
  /// half, unless it is whole.
  struct Place {
    SmallVector<Value> rows;
    Value word, half;
  };
  /// The results of the body for a word of cells.
  struct Outcome {
    Value condition;
    Planes token;
    SmallVector<Value> tallies;
  };
  using LoadPlane = llvm::function_ref<Value(const Read &)>;
  using Draw = llvm::function_ref<Value(const DrawSite &, const Threshold &)>;

  SmallVector<OpFoldResult> findBegins();
  void emit(const Run &run, const Piece &piece);
  Outcome buildOutcome(OpBuilder &inner, const Run &run, const Place &place, LoadPlane load,
                       Draw draw);
  void mapScalars(IRMapping &scalars, const Place &place);
  void setBox(TickOp onWords, const Piece &piece);
  Value loadWord(OpBuilder &inner, const Word &word, ValueRange indices);
  SmallVector<Value> loadOld(OpBuilder &inner, TickOp onWords);
  Value rowAt(OpBuilder &inner, unsigned axis, Value row);
  Value wordAt(OpBuilder &inner, Value word, const Piece &piece);
  void buildBody(TickOp onWords, const Run &run, const Piece &piece);
  Planes lastIndex(OpBuilder &inner, const Run &run, const Place &place, Width width);
  /// Installs and counts an outcome for the cells of a word that are members.
  SmallVector<Value> install(OpBuilder &inner, const Outcome &outcome, Value members,
                             ValueRange oldPlanes);
  SmallVector<Value> count(OpBuilder &inner, const Outcome &outcome, Value members,
                           ValueRange oldCounts);
  Value countIn(OpBuilder &inner, const Outcome &outcome, Value members, int64_t slot, Value sum);

  // Draws (SliceDraws.cpp).
  void prepareDraws();
  Masks buildMasks(Operation *draw);
  Value outside(Value value);
  DrawSite siteOf(OpBuilder &inner, const Place &place, StreamAttr stream, Value number);

  // Halves of words in which draws are not decided by the first planes (UndecidedDraws.cpp).
  /// The rows of the list's buffer with, for each entry: its indices in the piece, the words that
  /// loads read, the resulting planes and their cells, the states of each draw and, if draws depend
  /// on each other, the cells that wait for any.
  struct List {
    Value buffer;
    SmallVector<int64_t> place, reads, planes, members, isLess, isUndecided, isPending;
  };
  /// The states of all words' draws, in buffers of the piece's shape, and the list.
  struct Rest {
    SmallVector<Read> reads; ///< of all loads
    SmallVector<Value> isLess, isUndecided;
    List list;
    SmallVector<unsigned> placeBits; ///< of an index on each axis
  };
  /// One pass over the list: draws of that stage compare that block. In the last pass for a block,
  /// cells without undecided draws get their tokens.
  struct Sweep {
    unsigned stage;
    Value block;
    bool isLast;
  };
  /// The arrays that the list's entries are read from and written to.
  struct Views {
    SmallVector<Value> words, targets;
  };
  Value allocate(ArrayRef<int64_t> shape, unsigned bits = kWordBits);
  SmallVector<Read> collectReads();
  int64_t numberFields(Rest &rest) const;
  Rest allocateRest(const Piece &piece);
  static SmallVector<Value> indicesOf(const Word &word, ArrayRef<Value> at);
  void emitRest(const Rest &rest, const Run &run, const Piece &piece);
  Value emitList(const Rest &rest, const Views &views, const Piece &piece);
  Value listVector(OpBuilder &inner, const Rest &rest, const Views &views, const Piece &piece,
                   ValueRange at, Value length);
  Value listWord(OpBuilder &inner, const Rest &rest, ValueRange at, Value length);
  void emitGather(const Rest &rest, const Views &views, Value length);
  Value emitPadding(const List &list, Value length);
  unsigned lastStage() const { return *llvm::max_element(stages); }
  void emitBlock(const Rest &rest, const Run &run, const Piece &piece, Value block, Value length);
  void emitSweep(const Rest &rest, const Run &run, const Piece &piece, const Sweep &sweep,
                 Value length);
  void buildEntry(OpBuilder &inner, const Rest &rest, ArrayRef<Value> slots, const Run &run,
                  const Piece &piece, const Sweep &sweep, Value entry);
  Comparison lookAt(OpBuilder &inner, DrawPlanes &planes, Comparison known, const Sweep &sweep);
  Value pendingOf(OpBuilder &inner, const List &list, Value entry);
  void settle(OpBuilder &inner, const List &list, ArrayRef<Value> slots, const Outcome &outcome,
              Value before, Value after, Value entry);
  Value emitScatter(const Rest &rest, const Views &views, Value length);

  OpBuilder &builder;
  TickOp tick;
  Location loc;
  const BodyAnalysis &analysis;
  ArrayRef<ValueRange> inputs;
  ValueRange target;
  Value counts;
  bool threads;
  int64_t vectorBits;
  unsigned eagerBlocks;
  SmallVector<unsigned> stages; ///< of the draws
  LayoutAttr layout;
  SmallVector<OpFoldResult> begins; ///< of the box
  SmallVector<Word> words;
  llvm::MapVector<StreamAttr, std::pair<Value, Value>> keys; ///< of the body's draws
  Value drawnPhase;                                          ///< an opaque copy for draws
  llvm::DenseMap<Operation *, Masks> masks;                  ///< of their thresholds
  llvm::DenseMap<Operation *, Source> sources;
};

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_TICKSLICER_H
