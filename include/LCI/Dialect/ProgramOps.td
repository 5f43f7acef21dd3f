//===- ProgramOps.td - The declarations of a program -------*- tablegen -*-===//
//
// Levels 1 and 2 of the ladder: a program and the declarations it holds; those on the cells of a
// value are in RuleOps.td. Within a program every affine map and set has one symbol for each of the
// program's sizes, in their order, until `lci-bind` replaces the symbols by constants.
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
  let arguments = (ins
    Arg<SymbolNameAttr,
      "the name of the program, and later of the function that runs its epochs">:$sym_name,
    Arg<StrArrayAttr,
      "the names of the sizes, in the order of the symbols of maps and sets">:$sizes,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the number for each size, from 0; absent until the program is bound">:$extents,
    Arg<DefaultValuedAttr<I64Attr, "1000">,
      "the least priority that makes a constraint hard">:$hard_priority);
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
  let arguments = (ins
    Arg<SymbolNameAttr, "the name of the value, in bindings and results too">:$sym_name,
    Arg<LCI_KindAttr, "what a cell holds; events and rules make the value a set">:$kind,
    Arg<OptionalAttr<AffineMapAttr>,
      "how many tokens there are, or components of a vector; absent for other kinds">:$vocabulary,
    Arg<OptionalAttr<AffineMapAttr>,
      "the extent of each axis, over the sizes; absent for a set">:$shape,
    Arg<OptionalAttr<LCI_BoundaryArrayAttr>,
      "for each axis, what a read beyond its ends finds; absent for a set">:$boundary);
  let regions = (region MaxSizedRegion<1>:$init);
  let assemblyFormat = [{
    $sym_name `` $kind (`vocabulary` $vocabulary^)? (`shape` $shape^)? (`boundary` $boundary^)?
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
  let arguments = (ins
    Arg<SymbolNameAttr,
      "the name of the parameter, by which bindings and the command line set it">:$sym_name,
    Arg<LCI_KindAttr, "which numbers it holds, i32 or f32">:$kind,
    Arg<OptionalAttr<AffineMapAttr>,
      "the extent of each axis of an array, over the sizes; absent for a scalar">:$shape,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the integers that it was bound with, in row-major order; absent if runs choose">:$elements);
  let regions = (region MaxSizedRegion<1>:$init);
  let assemblyFormat = [{
    $sym_name `` $kind (`shape` $shape^)? (`elements` $elements^)? attr-dict-with-keyword $init
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
  let arguments = (ins
    Arg<SymbolNameAttr, "the name of the formula, by which it is applied">:$sym_name);
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
  let arguments = (ins
    Arg<StrAttr, "the name in the text, by which bindings give the members">:$name);
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
  let arguments = (ins
    Arg<StrAttr, "the name in the text, by which bindings give the cells">:$name,
    Arg<UnitAttr,
      "whether bindings give the first and last index on each axis, and not a mask">:$rectangle);
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
  let arguments = (ins
    Arg<StrAttr, "the name in the text, by which bodies call the model">:$name,
    Arg<OptionalAttr<StrAttr>,
      "the function that implements it; absent until bound, or if it means logits">:$function);
  let assemblyFormat = "$name (`is` $function^)? attr-dict";
  let hasVerifier = 1;
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
  let arguments = (ins
    Arg<SymbolNameAttr, "the name of the observation, under which a run reports it">:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

#endif // LCI_DIALECT_PROGRAMOPS_TD
