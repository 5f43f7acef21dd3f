//===- TickOps.td - Level 3: one phase of one value --------*- tablegen -*-===//
//
// The tick form: functions on tensors in SSA form, in which one operation computes one phase of one
// value for all its cells, from the body for a single cell.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_TICKOPS_TD
#define LCI_DIALECT_TICKOPS_TD

include "LCI/Dialect/LCIEnums.td"
include "LCI/Dialect/LCITypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

def LCI_State : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef], "a tensor or a strided memref">;

def LCI_TickOp : LCI_Op<"tick", [IsolatedFromAbove, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRangesFromOptional"]>,
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getIterationDomain", "getIterationDomainTileFromResultTile", "getLoopIteratorTypes",
      "generateResultTileValue", "getResultTilePosition", "getTiledImplementation"]>,
    SingleBlock]> {
  let summary = "one phase of one value: the new contents of each of its cells";
  let description = [{
    For every cell of the domain the body computes whether the cell changes and to what. On tensors
    the result is `target` with those cells replaced; all reads are of the operands, hence of the
    state before the tick, also where an operand is the target itself. On memrefs the target is
    written in place, cell by cell in any order; the pass that creates that form has proved that no
    cell reads a memory location that another cell of the tick writes. `name` is the value's,
    or that of an observation or a record (`Cell.stamp`).

    The domain is the box given by `offsets`, `extents` and `strides` (without them, all cells of the
    target), less the cells outside `cells`, a set over the cell's indices with the phase as symbol.
    Constant offsets and extents are `static_offsets` and `static_extents`. The body takes the cell's
    indices, `epoch`, `phase` and `seed`, then the `inputs`. Within it draws refer to this epoch,
    phase and cell. `class_stride` is the distance along the last axis of neighbours in the phase's
    class, from which a draw derives its counter.

    The targets, the boxed arrays, the counts and the scores are destinations
    (`DestinationStyleOpInterface`). By
    `TilingInterface` upstream's transforms tile the box, whose cells are the iterations: a tile is the
    tick with a smaller box. With counts its loops are reductions, because all tiles add to the same
    ones.

    `counts`, if given, is a tensor of counters; `lci.install` adds to them. `scores`, if given, holds
    an f32 for each cell: for a cell that changes, the score of the change; for others it is
    unspecified.

    On memrefs there may be several targets, such as the planes of an array: `lci.install` has a token
    for each, and cells have the same indices in all of them. Arrays that are `boxed` have an
    element for each cell of the box instead, counted from its first cell, which is stored whether the
    cell changes or not. With `packed` an element holds that many cells of the value, as the bits of a
    word: what is called a cell here is then a word.

    Example:
    ```mlir
    func.func @flip(%s: tensor<8xi64>, %e: i64, %p: i64, %seed: i64) -> tensor<8xi64> {
      %n = lci.tick @A at %e, %p, %seed inputs(%s : tensor<8xi64>) target(%s : tensor<8xi64>)
          cells affine_set<(d0)[s0] : ((d0 - s0) mod 2 == 0)> class_stride 2 {
      ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64, %in: tensor<8xi64>):
        %v = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> i64
        %one = arith.constant 1 : i64
        %w = arith.subi %one, %v : i64
        %yes = arith.constant true
        lci.install %w if %yes : i64
      } -> tensor<8xi64>
      return %n : tensor<8xi64>
    }
    ```

    Constraints:
    - the body takes one index per axis of the target, three integers (epoch, phase, seed), and the
      inputs' types in order;
    - on tensors there is a result of the target's type, one for `counts` and one for `scores`; on
      memrefs none;
    - `counts` has one axis and holds integers of several bits; it and the inputs are tensors where the target is;
    - `scores` has the target's shape and holds f32;
    - there is a target; all have the shape of the first one, and on tensors it is the only one;
    - boxed arrays are memrefs with the target's axes, and as large as the box, as far as that is known;
    - `packed` is positive;
    - `cells` has the target's axes as dimensions and one symbol, the phase, and divides by positive
      numbers;
    - offsets, extents and strides come together, one per axis; strides, and the class's, are positive;
    - the box lies within the target, as far as its numbers are known; a target of unknown extents has
      one;
    - a memref with a layout of planes has the shape of its layout;
    - no tick is nested in another one.
  }];
  let arguments = (ins
    Arg<FlatSymbolRefAttr, "the state that the tick computes, or the observation">:$name,
    Arg<I64, "the epoch that the tick computes, from 0">:$epoch,
    Arg<I64, "the phase of the epoch that the tick computes, from 0">:$phase,
    Arg<I64, "the seed of the run, the root of all draws">:$seed,
    Arg<Variadic<AnyType>,
      "the arrays and scalars that the body reads, as they were before the tick">:$inputs,
    Arg<Variadic<LCI_State>,
      "the arrays whose cells are replaced, memrefs in place, a tensor in a copy">:$targets,
    Arg<Variadic<AnyStridedMemRef>,
      "arrays with an element for each cell of the box, which is always stored">:$boxed,
    Arg<Optional<LCI_State>,
      "the counters that the body's tallies add to; absent where nothing is counted">:$counts,
    Arg<Optional<LCI_State>,
      "where the score of each change is stored; absent if none is asked for">:$scores,
    Arg<Variadic<Index>, "the dynamic first indices of the box, in the order of the axes">:$offsets,
    Arg<Variadic<Index>,
      "the dynamic numbers of cells of the box, in the order of the axes">:$extents,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "{}">,
      "the first index of the box on each axis, dynamic if an operand gives it">:$static_offsets,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "{}">,
      "the box's number of cells on each axis, dynamic if an operand gives it">:$static_extents,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the distance between cells of the box on each axis, from 1; absent without a box">:$strides,
    Arg<OptionalAttr<IntegerSetAttr>,
      "the cells of the box that take part, by indices and phase; absent for all">:$cells,
    Arg<DefaultValuedAttr<I64Attr, "1">,
      "the distance along the last axis of neighbours in the phase's class, from 1">:$class_stride,
    Arg<DefaultValuedAttr<I64Attr, "1">,
      "how many cells of the value an element holds, as bits of a word, from 1">:$packed);
  let results = (outs
    Res<Variadic<AnyRankedTensor>,
      "on tensors the target, the counts and the scores after the tick, else none">:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `at` $epoch `,` $phase `,` $seed
    (`inputs` `(` $inputs^ `:` type($inputs) `)`)? `target` `(` $targets `:` type($targets) `)`
    (`boxed` `(` $boxed^ `:` type($boxed) `)`)?
    (`counts` `(` $counts^ `:` type($counts) `)`)?
    (`scores` `(` $scores^ `:` type($scores) `)`)?
    (`box` custom<DynamicIndexList>($offsets, $static_offsets)
      custom<DynamicIndexList>($extents, $static_extents) `step` $strides^)?
    (`cells` $cells^)? `class_stride` $class_stride (`packed` $packed^)? attr-dict-with-keyword $body
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let useCustomPropertiesEncoding = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    /// The first target, on tensors the only one.
    ::mlir::Value getTarget() { return getTargets().front(); }
    ::mlir::OpOperand &getTargetMutable() { return *getTargetsMutable().begin(); }
    bool hasOneTarget() { return getTargets().size() == 1 && getBoxed().empty(); }
    /// Whether an element is a cell, with one token and truth values as tallies, as in the ticks of a
    /// program; those on words are not.
    bool isCellwise();
    unsigned getRank() { return ::llvm::cast<::mlir::ShapedType>(getTarget().getType()).getRank(); }
    bool hasTensorSemantics() { return ::llvm::isa<::mlir::TensorType>(getTarget().getType()); }
    /// Whether the body calls a function, which represents a model.
    bool callsModel();
    bool hasBox() { return getStrides().has_value(); }
    /// The box of the domain; all cells of the target where none is given.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedExtents();
    ::llvm::SmallVector<int64_t> getStridesOrOnes();
    /// Arguments of the body.
    ::mlir::Block::BlockArgListType getIndexArguments() { return getBody().getArguments().take_front(getRank()); }
    ::mlir::BlockArgument getEpochArgument() { return getBody().getArgument(getRank()); }
    ::mlir::BlockArgument getPhaseArgument() { return getBody().getArgument(getRank() + 1); }
    ::mlir::BlockArgument getSeedArgument() { return getBody().getArgument(getRank() + 2); }
    ::mlir::Block::BlockArgListType getInputArguments() { return getBody().getArguments().drop_front(getRank() + 3); }
    InstallOp getInstall();
    /// Replaces the box.
    void setBox(::llvm::ArrayRef<::mlir::OpFoldResult> offsets, ::llvm::ArrayRef<::mlir::OpFoldResult> extents,
                ::llvm::ArrayRef<int64_t> strides);
    /// The targets, the boxed arrays, the counts and the scores.
    ::mlir::MutableOperandRange getDpsInitsMutable();
    /// On tensors: the counts and the scores after the tick, null where there are none.
    ::mlir::Value getCountsAfter() { return getCounts() ? getResult(1) : ::mlir::Value(); }
    ::mlir::Value getScoresAfter() {
      return getScores() ? getResults().back() : ::mlir::Value();
    }
  }];
}

def LCI_LoadOp : LCI_Op<"load", [AlwaysSpeculatable,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the contents of a cell at an affine index";
  let description = [{
    Reads the element `map(indices)` of `source`, an input of the enclosing tick. Beyond a wrapped or
    clamped border (`boundary`) the index is wrapped or clamped. Beyond an open one the result is
    unspecified: the body must not depend on it, and computes presence from the indices. A map that
    moves every index by a constant is a window, which lowers to shifted views; other maps are
    gathers.

    On a memref a window reads storage with its halo: the map is over storage indices, and every
    index of the tick stays inside. Its boundary is open on every axis. A load of a tensor is pure;
    one of a memref reads memory, so that it stays after earlier stores.

    Example: see `lci.tick`.

    Constraints:
    - one index per dimension of the map, one result and one boundary per axis of the source;
    - the map has no symbols and divides by positive numbers;
    - a window on a memref stays inside of it for all cells of the tick's box, as far as that is known;
    - the result is the element type.
  }];
  let arguments = (ins
    Arg<LCI_State,
      "the array that is read: cells, or the storage of a window with its halo">:$source,
    Arg<AffineMapAttr,
      "the index on each axis of the source, before its boundary wraps or clamps it">:$map,
    Arg<Variadic<Index>, "one for each dimension of the map, usually the cell's">:$indices,
    Arg<LCI_BoundaryArrayAttr,
      "for each axis of the source, what an index beyond its ends means">:$boundary);
  let results = (outs Res<AnyType, "the element; beyond an open border it is unspecified">:$result);
  let assemblyFormat = [{
    $source `[` $map `]` `(` $indices `)` $boundary attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    Boundary getBoundaryOf(unsigned axis);
    /// For a window, the axis of the enclosing tick and the constant move for each axis of the
    /// source, no two with the same axis; else nothing.
    ::std::optional<::llvm::SmallVector<::std::pair<unsigned, int64_t>>> getWindow();
  }];
}

def LCI_TableOp : LCI_Op<"table", [Pure,
    TypesMatchWith<"the result is an element", "table", "result",
                   "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "an entry of a table at integers of few values";
  let description = [{
    The element of `table`, an input of the enclosing tick, at unsigned `indices`. It represents an
    expression of few integers of few values, which `lci-tabulate` evaluated for all of them. It
    lowers to a load, or, where tokens are bits, to selects by the bits of the indices.

    Example:
    ```mlir
    func.func @f(%s: tensor<8xi64>, %squares: tensor<3xi64>, %e: i64) -> tensor<8xi64> {
      %n = lci.tick @A at %e, %e, %e inputs(%squares : tensor<3xi64>) target(%s : tensor<8xi64>)
          class_stride 1 {
      ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %table: tensor<3xi64>):
        %two = arith.constant 2 : i8
        %v = lci.table %table[%two] : tensor<3xi64>[i8]
        %yes = arith.constant true
        lci.install %v if %yes : i64
      } -> tensor<8xi64>
      return %n : tensor<8xi64>
    }
    ```

    Constraints:
    - one index per axis of the table, each within it: the pass that creates a table knows the ranges
      of its indices.
  }];
  let arguments = (ins
    Arg<AnyRankedTensor, "what an expression gives for each combination of its integers">:$table,
    Arg<Variadic<AnySignlessIntegerOrIndex>,
      "the position on each axis of the table, unsigned, within it">:$indices);
  let results = (outs Res<AnyType, "the entry at these positions">:$result);
  let assemblyFormat = [{
    $table `[` $indices `]` attr-dict `:` type($table) `[` type($indices) `]`
  }];
  let hasVerifier = 1;
}

def LCI_InstallOp : LCI_Op<"install", [Terminator, HasParent<"TickOp">, AttrSizedOperandSegments]> {
  let summary = "the new contents of the cell, if it changes";
  let description = [{
    Ends the body of a tick: where `condition` holds, the cell becomes `token`. Each true value of
    `tallies` adds one to the counter named at its position in `slots`. Where `settled` holds the
    cell is unchanged and nothing is counted, whatever the other operands are: they need not be
    computed there, and no model need be called; what is `boxed` is unspecified there. `score` is
    stored in the tick's `scores` where `condition` holds. A cell may become what it was.

    A tick of several targets has as many tokens. A tally that is no truth value, but an integer, is
    added itself: the number of cells of a word, for example.

    Example:
    ```mlir
    func.func @keep(%s: tensor<8xi64>, %lock: i1, %e: i64, %p: i64, %seed: i64) -> tensor<8xi64> {
      %n = lci.tick @A at %e, %p, %seed inputs(%lock : i1) target(%s : tensor<8xi64>) class_stride 1 {
      ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64, %locked: i1):
        %zero = arith.constant 0 : i64
        %yes = arith.constant true
        lci.install %zero if %yes unless %locked : i64
      } -> tensor<8xi64>
      return %n : tensor<8xi64>
    }
    ```

    Constraints:
    - there is a token for each target, of its element type (or its row, for a vector), and one
      boxed value for each boxed array;
    - a tally is a truth value or has the type of the counters;
    - as many slots as tallies, each a position of the tick's counts; none without counts;
    - a score if and only if the tick has scores.
  }];
  let arguments = (ins
    Arg<Variadic<AnyType>,
      "what the cell holds after the tick in each target, if it is written">:$tokens,
    Arg<Variadic<AnyType>, "what is stored in each boxed array">:$boxed,
    Arg<I1, "whether the token is written to the cell, if it is not settled">:$condition,
    Arg<Optional<I1>,
      "whether the cell is unchanged and nothing is counted; never if absent">:$settled,
    Arg<Optional<F32>,
      "the score of the change, written with the token; given if the tick has scores">:$score,
    Arg<Variadic<AnySignlessInteger>,
      "each adds one to its counter if it is true, or itself">:$tallies,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "{}">,
      "the position of each tally's counter in the tick's counts">:$slots);
  let assemblyFormat = [{
    $tokens (`boxed` `(` $boxed^ `:` type($boxed) `)`)? `if` $condition (`unless` $settled^)?
    (`score` $score^)? (`tally` custom<Tallies>($tallies, type($tallies)) `to` $slots^)?
    attr-dict `:` type($tokens)
  }];
  let hasVerifier = 1;
  let useCustomPropertiesEncoding = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$token, "::mlir::Value":$condition,
      "::mlir::Value":$settled, "::mlir::Value":$score, "::mlir::ValueRange":$tallies,
      "::llvm::ArrayRef<int64_t>":$slots), [{
    build($_builder, $_state, ::mlir::ValueRange(token), ::mlir::ValueRange(), condition, settled,
          score, tallies, slots);
  }]>];
  let extraClassDeclaration = [{
    /// The token of the first target, on tensors the only one.
    ::mlir::Value getToken() { return getTokens().front(); }
    ::mlir::OpOperand &getTokenMutable() { return *getTokensMutable().begin(); }
  }];
}

def LCI_KeepSurestOp : LCI_Op<"keep_surest", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "undo the changes of all but the surest cells";
  let description = [{
    Of the n cells in which `after` differs from `before` (in some bit), the ⌈fraction · n⌉ with the
    best `scores` keep the contents of `after`; the others get those of `before`. The product is one
    of f32. A NaN is the worst score; of equal ones the first in row-major order is kept. The number
    of cells kept is added to the counter `slot` of `counts`.

    On tensors the results are the state and the counts; on memrefs `after` is written in place.

    Example:
    ```mlir
    func.func @half(%before: tensor<8xi64>, %after: tensor<8xi64>, %scores: tensor<8xf32>)
        -> tensor<8xi64> {
      %s = lci.keep_surest 0.5 of %before, %after by %scores
          : tensor<8xi64>, tensor<8xi64>, tensor<8xf32> -> tensor<8xi64>
      return %s : tensor<8xi64>
    }
    ```

    Constraints:
    - `before` and `after` hold the same elements in the same shape, and `scores` f32 in that shape;
    - on tensors there is a result of the type of `after`, and one for `counts`; on memrefs none;
    - the fraction is from 0 to 1, and there is a slot, a position of the counts, if and only if
      there are counts;
    - it is not nested in a tick.
  }];
  let arguments = (ins
    Arg<F32Attr,
      "the part of the changes that is kept, from 0 to 1, rounded up to whole cells">:$fraction,
    Arg<LCI_State, "the cells as they were before the tick">:$before,
    Arg<LCI_State, "the cells with all changes; a memref is written in place">:$after,
    Arg<LCI_State, "how sure each change is; those of unchanged cells mean nothing">:$scores,
    Arg<Optional<LCI_State>, "the counters of the run; absent where nothing is counted">:$counts,
    Arg<OptionalAttr<I64Attr>,
      "the position in the counts of the counter of changes; given with counts">:$slot);
  let results = (outs
    Res<Variadic<AnyRankedTensor>,
      "on tensors the cells and the counts afterwards, else none">:$results);
  let assemblyFormat = [{
    $fraction `of` $before `,` $after `by` $scores
    (`counts` `(` $counts^ `:` type($counts) `)` `to` $slot)? attr-dict
    `:` type($before) `,` type($after) `,` type($scores) (`->` type($results)^)?
  }];
  let hasVerifier = 1;
}

def LCI_VaryingOp : LCI_Op<"varying", [Pure]> {
  let summary = "a constant that becomes an argument of outlined functions";
  let description = [{
    The constant `value`, which folds do not see. Operations that differ only in such constants become
    one function when they are outlined (`lci-outline-ticks`): there they are arguments. The boxes
    of a schedule by red and black are an example: the even rows of the red phase and the odd ones of
    the black phase differ in their first row, and in the phase's number in their draws.

    `lci-bitslice` creates them, and `convert-lci-to-linalg` converts those in callers to constants.

    Example:
    ```mlir
    func.func @odd() -> index {
      %first = lci.varying 1 : index
      return %first : index
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins Arg<I64Attr, "the constant, which folds do not see">:$value);
  let results = (outs
    Res<AnyTypeOf<[Index, I64]>, "the constant, or the argument that it becomes">:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def LCI_RefreshHaloOp : LCI_Op<"refresh_halo", [AttrSizedOperandSegments]> {
  let summary = "copies a value's edges into the halo around it";
  let description = [{
    The storage of a value holds its cells and, on each axis, `low` more elements before and `high`
    after them. Those of a wrapped axis become copies of the cells at the other end, those of a
    clamped axis copies of the nearest cell, at corners on all axes at once (`boundary`). A halo may
    be wider than the value. Elements beyond an open border become `fill`, and are unchanged without
    it. Each row ends with `spare` elements of padding.

    With `rows [begin, count]` only cells whose index on the first axis is one of `count` from `begin`
    on have changed: copies of others are unchanged.

    `lci-bufferize-state` creates one at the entry of a function and one after each phase that wrote
    the value, `lci-time-tile-ticks` one of some rows; `convert-lci-to-linalg` converts it to copies
    of strips.

    Example:
    ```mlir
    func.func @torus(%s: memref<10x12xi8>, %zero: i8) {
      lci.refresh_halo %s low [1, 2] high [1, 2] [#lci.boundary<wrap>, #lci.boundary<open>]
          fill %zero : memref<10x12xi8>, i8
      return
    }
    func.func @some_rows(%s: memref<10x12xi8>, %first: index, %many: index) {
      lci.refresh_halo %s rows [%first, %many] low [1, 2] high [1, 2] spare 3
          [#lci.boundary<wrap>, #lci.boundary<clamp>] : memref<10x12xi8>
      return
    }
    ```

    Constraints:
    - the storage has static extents;
    - one low and one high width, from 0 to less than 2^60, and one boundary for each axis;
    - a memref with a layout of planes has the shape of its layout;
    - at least one cell remains on each axis;
    - `spare` is not negative;
    - `fill` has the element type;
    - rows have a first one and a number;
    - it is not nested in a tick.
  }];
  let arguments = (ins
    Arg<AnyStridedMemRef,
      "the cells and their halo, which is written", [MemRead, MemWrite]>:$storage,
    Arg<DenseI64ArrayAttr, "how many elements of halo precede the cells on each axis">:$low,
    Arg<DenseI64ArrayAttr, "how many elements of halo follow the cells on each axis">:$high,
    Arg<DefaultValuedAttr<I64Attr, "0">,
      "how many elements of padding end each row, after its halo">:$spare,
    Arg<LCI_BoundaryArrayAttr,
      "for each axis, which cells its halo repeats; none if open">:$boundary,
    Arg<Optional<AnyType>, "what elements beyond an open border become; unchanged if absent">:$fill,
    Arg<Optional<Index>,
      "the first row of cells that has changed, from 0; absent if all may have">:$begin,
    Arg<Optional<Index>, "how many rows have changed; given with the first one">:$count);
  let assemblyFormat = [{
    $storage (`rows` `[` $begin^ `,` $count `]`)? `low` $low `high` $high
    (`spare` $spare^)? $boundary (`fill` $fill^)? attr-dict `:` type($storage) (`,` type($fill)^)?
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$storage, "::llvm::ArrayRef<int64_t>":$low,
      "::llvm::ArrayRef<int64_t>":$high, "::mlir::ArrayAttr":$boundary,
      CArg<"::mlir::Value", "{}">:$fill, CArg<"int64_t", "0">:$spare), [{
    build($_builder, $_state, storage, low, high, spare, boundary, fill, ::mlir::Value(),
          ::mlir::Value());
  }]>];
  let extraClassDeclaration = [{
    Boundary getBoundaryOf(unsigned axis);
    /// The number of cells in the storage along an axis.
    int64_t getExtent(unsigned axis);
    /// The same with the halo on both sides.
    int64_t getWidth(unsigned axis);
    /// Elements of padding after the halo of the last axis; unverified, the attribute may be any
    /// number.
    int64_t countSpare() { return static_cast<int64_t>(getSpare()); }
  }];
}

#endif // LCI_DIALECT_TICKOPS_TD
