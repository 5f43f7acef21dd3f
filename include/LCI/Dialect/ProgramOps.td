//===- ProgramOps.td - The declarations of a program -------*- tablegen -*-===//
//
// Levels 1 and 2 of the ladder: a program and the declarations it holds. Within a program every
// affine map and set has one symbol for each of the program's sizes, in their order, until
// `lci-bind` replaces the symbols by constants.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_PROGRAMOPS_TD
#define LCI_DIALECT_PROGRAMOPS_TD

include "LCI/Dialect/LCIEnums.td"
include "LCI/Dialect/LCITypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/SymbolInterfaces.td"

class LCI_Declaration<string mnemonic, list<Trait> traits = []>
    : LCI_Op<mnemonic, !listconcat(traits, [HasParent<"ProgramOp">])>;

def LCI_ProgramOp : LCI_Op<"program", [IsolatedFromAbove, NoTerminator, SingleBlock, Symbol, SymbolTable]> {
  let summary = "a program: declarations in the order of their text";
  let description = [{
    Holds values, parameters, formulas, visibility, rules, constraints, schedules, commits and
    observers. The order of the declarations matters in one way only: it numbers them, and a draw's
    stream and the order of rules among equals follow that number.

    `sizes` lists the names of compile-time constants; `extents` gives the constants once the program
    is bound. `hard_priority` is the priority from which a constraint cannot be outvoted.

    Example:
    ```mlir
    lci.program @empty sizes ["W", "H"] {
    }
    lci.program @bound sizes ["W", "H"] = [64, 32] {
    }
    ```

    Constraints:
    - sizes are named once each;
    - it holds declarations only, which use no SSA values of each other;
    - a value has one commit and one schedule at most;
    - no formula applies itself, nor one that applies it;
    - `extents`, if present, has one number for each size, none negative;
    - every map and set inside has one symbol per size, or none once the program is bound;
    - the divisors of a map or set are positive constants or, before the program is bound, sizes;
    - the results of a map or set for indices of up to 2^31 in size fit 64 bits.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$sizes,
    OptionalAttr<DenseI64ArrayAttr>:$extents,
    DefaultValuedAttr<I64Attr, "1000">:$hard_priority);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `sizes` $sizes (`=` $extents^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether every size has a number, and maps and sets have no symbols.
    bool isBound() { return getExtents().has_value(); }
    /// The number of symbols that maps and sets of this program have.
    unsigned getNumSymbols() { return isBound() ? 0 : getSizes().size(); }
    /// The declared value of that name, or null.
    ValueOp lookupValue(::llvm::StringRef name);
    /// The palette, region or model of that name, or null.
    template <typename NamedOp>
    NamedOp lookupNamed(::llvm::StringRef name) {
      for (auto op : getOps<NamedOp>())
        if (op.getName() == name)
          return op;
      return nullptr;
    }
    /// The 0-based number of a declaration in this program.
    static int64_t getDeclarationNumber(::mlir::Operation *declaration);
  }];
}

def LCI_ValueOp : LCI_Declaration<"value", [Symbol]> {
  let summary = "a named array of cells, or a set";
  let description = [{
    A cell holds a committed token, number or vector (its `kind`), or nothing yet, and a Lamport
    stamp. `vocabulary` gives the number of tokens, or the components of a latent vector. `shape`
    gives the extent of each axis and is missing for a set. `boundary` gives for each axis the meaning
    of a read beyond the last cell. The region `init`, if not empty, computes the initial contents
    from the indices.

    Example:
    ```mlir
    lci.program @p sizes ["W", "H", "VQ"] {
      lci.value @Vid token vocabulary affine_map<()[s0, s1, s2] -> (s2)>
        shape affine_map<()[s0, s1, s2] -> (s0, s1)> boundary [#lci.boundary<wrap>, #lci.boundary<open>] {
      }
      lci.value @U f32 shape affine_map<()[s0, s1, s2] -> (s0)> boundary [#lci.boundary<open>] {
      ^bb0(%i: index):
        %zero = arith.constant 0.0 : f32
        lci.yield %zero : f32
      }
    }
    ```

    Constraints:
    - tokens and latent vectors have a vocabulary of one result, others have none;
    - events and rules have no shape, all others have one, with a boundary for each axis;
    - bound extents and vocabularies are positive, and a value's numbers fit memory that 64 bits
      address: there are less than 2^60;
    - `init` takes one index per axis and yields the contents of a cell.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, LCI_KindAttr:$kind,
    OptionalAttr<AffineMapAttr>:$vocabulary, OptionalAttr<AffineMapAttr>:$shape,
    OptionalAttr<LCI_BoundaryArrayAttr>:$boundary);
  let regions = (region MaxSizedRegion<1>:$init);
  let assemblyFormat = [{
    $sym_name $kind (`vocabulary` $vocabulary^)? (`shape` $shape^)? (`boundary` $boundary^)?
    attr-dict-with-keyword $init
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isSet() { return !getShape(); }
    unsigned getRank() { return getShape() ? getShape()->getNumResults() : 0; }
    Boundary getBoundaryOf(unsigned axis);
    /// Extents of a bound value; in an unbound program, nothing.
    ::std::optional<::llvm::SmallVector<int64_t>> getExtents();
    /// Number of tokens (or components) of a bound value.
    ::std::optional<int64_t> getVocabularySize();
    /// The type a read of one cell has in a body: i64, f32 or a tensor of f32.
    ::mlir::Type getCellType();
    bool hasInit() { return !getInit().empty(); }
  }];
}

def LCI_ParamOp : LCI_Declaration<"param", [Symbol]> {
  let summary = "a number, or an array of numbers, set at run time";
  let description = [{
    A parameter of a `kind` comes from the bindings, from the command line or, where neither gives it,
    from the region `init`, which is evaluated once per epoch. `shape` gives the extents of an array.
    Changing a parameter recompiles nothing, unless the program holds its `elements`, in row-major
    order: because its text does, or because the phases of a schedule follow from it (`recolor` of
    cells that are gathered). A run must then give the same elements, or none.

    Example:
    ```mlir
    lci.program @p sizes ["Q"] {
      lci.param @level f32 shape affine_map<()[s0] -> (s0)> {
      }
      lci.param @beta f32 {
        %e = lci.epoch
        %x = arith.sitofp %e : i64 to f32
        %step = arith.constant 0.001 : f32
        %b = arith.mulf %x, %step : f32
        lci.yield %b : f32
      }
    }
    ```

    Constraints:
    - the kind is `i32` or `f32`; bound extents are as those of values;
    - only a scalar has a region, and it yields the parameter's type;
    - only an `i32` of known extents has `elements`, as many as its shape says, of 32 bits.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, LCI_KindAttr:$kind, OptionalAttr<AffineMapAttr>:$shape,
    OptionalAttr<DenseI64ArrayAttr>:$elements);
  let regions = (region MaxSizedRegion<1>:$init);
  let assemblyFormat = [{
    $sym_name $kind (`shape` $shape^)? (`elements` $elements^)? attr-dict-with-keyword $init
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getRank() { return getShape() ? getShape()->getNumResults() : 0; }
    /// i64 or f32.
    ::mlir::Type getElementType();
    /// Extents, none of a scalar; nothing where sizes have no numbers yet.
    ::std::optional<::llvm::SmallVector<int64_t>> getExtents();
    bool hasInit() { return !getInit().empty(); }
  }];
}

def LCI_DefOp : LCI_Declaration<"def", [Symbol]> {
  let summary = "a formula with a name";
  let description = [{
    Stateless: it has no stamp, and its visibility is that of its reads. `lci-bind` inlines it.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<wrap>] {
      }
      lci.def @twice {
      ^bb0(%i: index):
        %v, %p = lci.read @A[affine_map<(d0)[s0] -> (d0)>](%i) : f32
        %s = arith.addf %v, %v : f32
        lci.yield %s present %p : f32
      }
    }
    ```

    Constraints:
    - the arguments of the body are indices.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

class LCI_Named<string mnemonic, string what, string text> : LCI_Declaration<mnemonic> {
  let summary = what;
  let description = text # [{ The name is a string, as in the text: a value may have the same.

    Example:
    ```mlir
    lci.program @p sizes [] {
      lci.}] # mnemonic # [{ "a name"
    }
    ```

    Constraints:
    - no other }] # mnemonic # [{ of the program has the name.
  }];
  let arguments = (ins StrAttr:$name);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}
def LCI_PaletteOp : LCI_Named<"palette", "a named set of tokens", [{
    Its members come from the bindings at run time; changing them recompiles nothing.}]> {
  let extraClassDeclaration = [{
    /// The number of tokens it selects from: that of the largest vocabulary of the program.
    int64_t getVocabularySize();
  }];
}
def LCI_RegionOp : LCI_Named<"region", "a named set of cells of the trailing axes", [{
    A mask of cells, or, with `rectangle`, all cells between bounds; both come from the bindings at
    run time. It covers all axes of a value from the axis that its use gives.}]> {
  let arguments = (ins StrAttr:$name, UnitAttr:$rectangle);
  let assemblyFormat = "$name (`rectangle` $rectangle^)? attr-dict";
}

def LCI_ModelOp : LCI_Declaration<"model"> {
  let summary = "a named function of reads that proposes";
  let description = [{
    Only a `name` until the program is bound; `lci-bind` then records the `function`, a `func.func` of
    the enclosing module that implements it. A score model that is bound to no function means the
    logits of the model it accompanies. The name is a string, as those of palettes.

    Example:
    ```mlir
    func.func private @LocalGen(tensor<8xi64>, tensor<8xi1>) -> tensor<256xf32>
    lci.program @p sizes [] {
      lci.model "Model"
      lci.model "Bound" is "LocalGen"
    }
    ```

    Constraints:
    - no other model of the program has the name;
    - `function`, if present, names a function of the enclosing module.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<StrAttr>:$function);
  let assemblyFormat = "$name (`is` $function^)? attr-dict";
  let hasVerifier = 1;
}

def LCI_VisibleOp : LCI_Declaration<"visible", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a capability: which cells a cell may read";
  let description = [{
    A cell `c` of `value` may read the cell `map(c, f)` of `source` for every `f` for which
    `(c, f)` lies in one of the sets of `where`; free indices follow the cell's indices as
    dimensions. Nothing else is visible, not even the cell itself. `label` names the family.

    If the body is not empty, it computes indices from parameters. They are the map's last
    dimensions, and the cells are the gathered ones. The sets do not constrain them. Cells of an open
    axis must all be inside: that is checked when the parameters are known.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<wrap>] {
      }
      lci.visible @A sees @A[affine_map<(d0, d1)[s0] -> (d0 + d1)>]
        where [affine_set<(d0, d1)[s0] : (d1 + 1 >= 0, 1 - d1 >= 0)>] label "near"
    }
    ```

    Constraints:
    - both names are values; the map's dimensions are the cell's indices, then the free ones;
    - the map has one result for each axis of the source;
    - the body, if not empty, takes the cell's indices and the free ones and ends in `lci.gather`;
    - every set of `where` has the map's symbols and dimensions, less those that are computed.
  }];
  let arguments = (ins FlatSymbolRefAttr:$value, FlatSymbolRefAttr:$source, AffineMapAttr:$map,
    LCI_SetArrayAttr:$where, OptionalAttr<StrAttr>:$label);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = [{
    $value `sees` $source `[` $map `]` `where` $where (`label` $label^)?
    (`gathering` $body^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The terminator of the body, or null where no indices are computed.
    GatherOp getGather();
    /// The number of dimensions of the map that are the cell's indices and free ones.
    unsigned getNumIndices();
  }];
}

def LCI_RuleOp : LCI_Declaration<"rule", [Symbol,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "proposes a token for a cell from what the cell may read";
  let description = [{
    Applies at the cells of `value` that lie in one of the sets of `where` (everywhere without it).
    The body takes the cell's indices, reads the snapshot and ends in `lci.emit`. Several rules on
    one value propose independently. A rule on a set of events takes no index and emits an event.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)>
        boundary [#lci.boundary<wrap>] {
      }
      lci.rule @Flip on @A {
      ^bb0(%i: index):
        %v, %p = lci.read @A[affine_map<(d0)[s0] -> (d0)>](%i) : i64
        %one = arith.constant 1 : i64
        %w = arith.subi %one, %v : i64
        lci.emit %w : i64
      }
    }
    ```

    Constraints:
    - `value` is a declared value; the body takes one index per axis;
    - the sets have the cell's indices as dimensions.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$value,
    OptionalAttr<LCI_SetArrayAttr>:$where);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `on` $value (`where` $where^)? attr-dict-with-keyword $body";
}

def LCI_ConstraintOp : LCI_Declaration<"constraint", [Symbol,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a condition on the candidate of a cell";
  let description = [{
    Applies to the cells of `value` that lie in one of the sets of `where` and, if given, in the named
    `region`, which covers the trailing axes of the value from `axis` on. There the predicate, a body
    over the cell's indices and the candidate, must hold (`mood` `require`) or must not (`forbid`). A
    constraint whose `priority` reaches the program's `hard_priority`, or that is marked `hard`,
    cannot be outvoted.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)>
        boundary [#lci.boundary<wrap>] {
      }
      lci.constraint @Lock forbid on @A where [affine_set<(d0)[s0] : (3 - d0 >= 0)>] priority 100 {
      ^bb0(%i: index, %candidate: i64):
        %c = lci.changes %candidate : i64
        lci.yield %c : i1
      }
    }
    ```

    Constraints:
    - `value` is a declared value; the body takes one index per axis and the candidate;
    - the body yields an `i1`; `region` and `axis` are given together.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, LCI_MoodAttr:$mood, FlatSymbolRefAttr:$value,
    OptionalAttr<LCI_SetArrayAttr>:$where, OptionalAttr<StrAttr>:$region,
    OptionalAttr<I64Attr>:$axis, DefaultValuedAttr<I64Attr, "0">:$priority, UnitAttr:$hard);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name $mood `on` $value (`where` $where^)? (`region` $region^ `axis` $axis)?
    `priority` $priority (`hard` $hard^)? attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    /// Whether no vote can override it, under the program's `hard_priority`.
    bool cannotBeOutvoted();
  }];
}

def LCI_ScheduleOp : LCI_Declaration<"schedule", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the cells of a value that are scheduled in each phase of an epoch";
  let description = [{
    A value with rules and without a schedule has one phase with all its cells. `strategy` assigns
    cells to phases. `axes` names the axes that distinguish phases under `red_black`, `raster` (in
    their order) and `wavefront`; all of them without it. `tile` gives the extents of tiles of cells
    that share a colour, `fraction` the fraction of cells that `random` and `confidence` select.
    `phase` is the phase of the epoch in which the schedule's first one is, 0 without it. `legalize`
    is the action where a phase is not independent: `snapshot` (two buffers), `recolor` or `strict`
    (reject).

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)>
        boundary [#lci.boundary<wrap>] {
      }
      lci.schedule @A using red_black legalize "snapshot"
    }
    ```

    Constraints:
    - `value` is a declared value with a shape; `axes` are axes of it, at least one and each once;
    - the strategy takes the options that are given: `axes` with `red_black`, `raster` and `wavefront`,
      `tile` with `red_black` and `four_color`;
    - `tile` has one positive extent for each axis; `four_color` colours two axes;
    - `phase` lies within 0 and 65535;
    - `fraction`, from 0 to 1, is given with `random` and `confidence`, and with these only.
  }];
  let arguments = (ins FlatSymbolRefAttr:$value, LCI_StrategyAttr:$strategy,
    OptionalAttr<DenseI64ArrayAttr>:$axes, OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<F32Attr>:$fraction, OptionalAttr<I64Attr>:$phase, OptionalAttr<StrAttr>:$legalize);
  let assemblyFormat = [{
    $value `using` $strategy (`axes` $axes^)? (`tile` $tile^)? (`fraction` $fraction^)?
    (`phase` $phase^)? (`legalize` $legalize^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The phase of the epoch in which the schedule's first one is.
    int64_t getFirstPhase() { return getPhase().value_or(0); }
  }];
}

def LCI_CommitOp : LCI_Declaration<"commit", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the agreement on candidates for a value's cells";
  let description = [{
    Names the `policy`. The region `temperature`, if not empty, yields the temperature of `sample` and
    `metropolis` as an f32 computed from parameters and the epoch. `weighted` converts soft
    constraints to score; `quorum` is the number of rules that the policy `quorum` requires.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)>
        boundary [#lci.boundary<wrap>] {
      }
      lci.commit @A using metropolis {
        %t = arith.constant 2.0 : f32
        lci.yield %t : f32
      }
    }
    ```

    Constraints:
    - `value` is a declared value and has one commit;
    - `sample` and `metropolis` have a temperature, no other policy has;
    - `quorum`, at least 1, is given with the policy `quorum` only;
    - `quorum` is not `weighted`: it uses no score.
  }];
  let arguments = (ins FlatSymbolRefAttr:$value, LCI_PolicyAttr:$policy,
    OptionalAttr<I64Attr>:$quorum, UnitAttr:$weighted);
  let regions = (region MaxSizedRegion<1>:$temperature);
  let assemblyFormat = [{
    $value `using` $policy (`of` $quorum^)? (`weighted` $weighted^)? attr-dict-with-keyword $temperature
  }];
}

def LCI_ObserveOp : LCI_Declaration<"observe", [Symbol]> {
  let summary = "a number that is observed and changes nothing";
  let description = [{
    Needs no visibility and runs when requested. Its outermost reductions over whole values use one
    fixed tree over the index.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)>
        boundary [#lci.boundary<wrap>] {
      }
      lci.observe @population {
        %n, %some = lci.reduce sum [affine_set<(d0)[s0] : (d0 >= 0, s0 - 1 - d0 >= 0)>]() : i64 {
        ^bb0(%i: index, %rank: index):
          %v, %p = lci.read @A[affine_map<(d0)[s0] -> (d0)>](%i) : i64
          lci.yield %v present %p : i64
        }
        lci.yield %n : i64
      }
    }
    ```

    Constraints:
    - the body takes no argument and yields an `i1`, an integer or a number.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

#endif // LCI_DIALECT_PROGRAMOPS_TD
