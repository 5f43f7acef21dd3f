//===- FunctionOps.td - Functions and random draws ---------*- tablegen -*-===//
//
// Correctly rounded functions (upstream's fold through the host's libm and lower to approximations
// of a target), floor division, and counter-based random draws.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_FUNCTIONOPS_TD
#define LCI_DIALECT_FUNCTIONOPS_TD

include "LCI/Dialect/LCIEnums.td"
include "LCI/Dialect/LCITypes.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LCI_F32Like : TypeOrValueSemanticsContainer<F32, "f32-like">;
def LCI_I64Like : TypeOrValueSemanticsContainer<I64, "i64-like">;

def LCI_ElementaryOp : LCI_Op<"elementary", [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits> {
  let summary = "a correctly rounded function of a number";
  let description = [{
    The f32 nearest to the exact `function` of `operand`; NaN is canonical. `lci-expand-math` expands
    it to one fixed sequence of f64 operations. Applies to each element of a vector or tensor.

    Example:
    ```mlir
    func.func @f(%x: f32) -> f32 {
      %y = lci.elementary exp %x : f32
      return %y : f32
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins
    Arg<LCI_ElementaryAttr, "the function that is evaluated">:$function,
    Arg<LCI_F32Like, "the point at which it is evaluated">:$operand);
  let results = (outs
    Res<LCI_F32Like, "the f32 nearest to the exact value; every NaN is the canonical one">:$result);
  let assemblyFormat = "`` $function $operand attr-dict `:` type($result)";
  let hasFolder = 1;
}

def LCI_ElementaryBinaryOp : LCI_Op<"elementary_binary", [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits> {
  let summary = "a function of two numbers, defined by its sequence of operations";
  let description = [{
    `function` of `lhs` and `rhs`. `pow` and `atan2` cannot be checked exhaustively; one exact
    sequence of f64 operations is their definition.

    Example:
    ```mlir
    func.func @f(%x: f32, %y: f32) -> f32 {
      %z = lci.elementary_binary pow %x, %y : f32
      return %z : f32
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins
    Arg<LCI_ElementaryBinaryAttr, "the function that is evaluated">:$function,
    Arg<LCI_F32Like, "the base of a power; the ordinate y of atan2(y, x)">:$lhs,
    Arg<LCI_F32Like, "the exponent of a power; the abscissa x of atan2(y, x)">:$rhs);
  let results = (outs
    Res<LCI_F32Like, "what the fixed sequence of f64 operations gives, rounded to f32">:$result);
  let assemblyFormat = "`` $function $lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

class LCI_FloorOp<string mnemonic, string what, string text> : LCI_Op<mnemonic,
    [Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  // Not elementwise-mappable: upstream's narrowing takes such operations to fewer bits, of which
  // these have 64.
  let summary = what;
  let description = text # [{, so that the operation may be moved freely; the range check rejects a
    divisor that may be zero.

    Example:
    ```mlir
    func.func @f(%x: i64, %y: i64) -> i64 {
      %z = lci.}] # mnemonic # [{ %x, %y : i64
      return %z : i64
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins
    Arg<LCI_I64Like, "the dividend">:$lhs,
    Arg<LCI_I64Like,
      "the divisor; by zero the quotient is zero and the remainder the dividend">:$rhs);
  let results = (outs Res<LCI_I64Like, what>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}
def LCI_FloorDivOp : LCI_FloorOp<"floordiv", "the quotient rounded towards negative infinity", [{
    The largest integer not above the quotient. Division by zero gives zero}]>;
def LCI_FloorModOp : LCI_FloorOp<"floormod", "the remainder with the divisor's sign", [{
    `lhs - floordiv(lhs, rhs) * rhs`. Division by zero leaves the dividend}]>;

def LCI_PowerOp : LCI_Op<"power", [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits> {
  let summary = "a constant natural power by repeated multiplication";
  let description = [{
    `base^exponent` is `((x * x) * x) * …` from the left, and one for exponent 0.

    Example:
    ```mlir
    func.func @f(%x: f32) -> f32 {
      %y = lci.power %x, 2 : f32
      return %y : f32
    }
    ```

    Constraints:
    - the exponent is from 0 to 64.
  }];
  let arguments = (ins
    Arg<AnyTypeOf<[LCI_F32Like, LCI_I64Like]>, "the factor">:$base,
    Arg<ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<64>]>,
      "how many factors there are">:$exponent);
  let results = (outs
    Res<AnyTypeOf<[LCI_F32Like, LCI_I64Like]>,
      "the product, from the left; one without a factor">:$result);
  let assemblyFormat = "$base `,` $exponent attr-dict `:` type($result)";
  let hasCanonicalizer = 1;
}

def LCI_ThresholdOp : LCI_Op<"threshold", [Pure,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "the exclusive bound of draws that are true with a probability";
  let description = [{
    ⌈`probability`·2^32⌉, from 0 (for every p up to 0, and for NaN) to 2^32 (from p = 1 on). Exact.

    Example:
    ```mlir
    func.func @f(%p: f32) -> i64 {
      %t = lci.threshold %p
      return %t : i64
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins
    Arg<F32, "the chance of a draw below the threshold; a NaN means 0">:$probability);
  let results = (outs
    Res<I64, "how many of the 2^32 draws are below it, from none to all">:$result);
  let assemblyFormat = "$probability attr-dict";
  let hasFolder = 1;
}

def LCI_DrawStreamAttr : ConfinedAttr<LCI_StreamAttr, [AttrConstraint<
    CPred<"::llvm::isUInt<32>(::llvm::cast<::mlir::lci::StreamAttr>($_self).getDeclaration()) && "
          "::llvm::isUInt<32>(::llvm::cast<::mlir::lci::StreamAttr>($_self).getOrdinal())">,
    "with two numbers from 0 to 4294967295">]>;

class LCI_DrawOp<string mnemonic, dag extra, dag result, string what, string text, string sample>
    : LCI_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = text # [{ The draw depends on the seed, the `stream`, the epoch, the phase, the
    cell and the draw `number` (zero without one) and on nothing else, hence it is pure.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<wrap>] {
      ^bb0(%i: index):
        %p = arith.constant 0.5 : f32
        %n = arith.constant 6 : i64
        }] # sample # [{
        %half = arith.constant 0.5 : f32
        lci.yield %half : f32
      }
    }
    ```

    Constraints:
    - the numbers of the stream have 32 bits.
  }];
  let arguments = !con(extra, (ins
    Arg<Optional<I64>,
      "a rank or candidate, modulo 2^32, that tells a cell's draws apart; 0 if absent">:$number,
    Arg<LCI_DrawStreamAttr,
      "the identity of the call that draws, fixed when the text is read">:$stream));
  let results = result;
}
def LCI_BernoulliOp : LCI_DrawOp<"bernoulli",
    (ins Arg<F32, "the chance of true: never up to 0 and for NaN, always from 1 on">:$probability),
    (outs Res<I1, "whether the draw is below the threshold of this probability">:$result),
    "true with a probability, exact to 32 bits", [{
    A threshold draw: true iff the 32 drawn bits are below ⌈p·2^32⌉, so that p = 1 is always.}],
    "%b = lci.bernoulli %p stream <0, 0>"> {
  let assemblyFormat = "$probability (`number` $number^)? `stream` $stream attr-dict";
}
def LCI_DrawBelowOp : LCI_DrawOp<"draw_below",
    (ins Arg<I64, "how many of the 2^32 draws are below it, from 0 to 2^32">:$threshold),
    (outs Res<I1, "whether the draw is below the threshold">:$result),
    "true where a draw is below a threshold", [{
    A threshold draw: true iff the 32 drawn bits are below `threshold`, from 0 to 2^32.
    `lci.bernoulli` of p is `lci.draw_below` of `lci.threshold` of p.}],
    "%b = lci.draw_below %n stream <0, 0>"> {
  let assemblyFormat = "$threshold (`number` $number^)? `stream` $stream attr-dict";
}
def LCI_UniformOp : LCI_DrawOp<"uniform",
    (ins),
    (outs Res<F32, "from 0 to less than 1, a multiple of 2^-24">:$result),
    "a number in [0, 1), a multiple of 2^-24", [{
    A number draw: (draw >> 8) · 2^-24.}], "%b = lci.uniform stream <0, 0>"> {
  let assemblyFormat = "(`number` $number^)? `stream` $stream attr-dict";
}
def LCI_RandIntOp : LCI_DrawOp<"randint",
    (ins Arg<I64, "how many integers to draw from; outside, 0 or 2^32 is meant">:$bound),
    (outs Res<I64, "from 0 to less than the bound; 0 if there is none">:$result),
    "an integer from 0 up to a bound, without it", [{
    A number draw: ⌊draw · `bound` / 2^32⌋, where a bound below 0 counts as 0, and above 2^32 as 2^32.}], "%b = lci.randint %n stream <0, 0>"> {
  let assemblyFormat = "$bound (`number` $number^)? `stream` $stream attr-dict";
}
def LCI_NormalOp : LCI_DrawOp<"normal",
    (ins),
    (outs Res<F32, "a number of mean 0 and variance 1">:$result),
    "a number from the standard normal distribution", [{
    A number draw, through one fixed algorithm.}], "%b = lci.normal stream <0, 0>"> {
  let assemblyFormat = "(`number` $number^)? `stream` $stream attr-dict";
}

def LCI_PhiloxOp : LCI_Op<"philox", [Pure, SameOperandsAndResultType,
    InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]
    # ElementwiseMappable.traits> {
  let summary = "blocks of random words, each from a counter";
  let description = [{
    Philox4x32-10 (Salmon, Moraes, Dror, Shaw: SC11): four words of 32 bits of `counters` become four
    `words`, under a key of the two words `low` and `high`. Each word is the low half of a 64-bit
    integer. Several counters are several blocks, whose computations are interleaved to hide the
    latency of products. Applies to each element of a vector or tensor. `lci-expand-draws`,
    `lci-bitslice` and `lci-vectorize-cells` create it from draws; `lci-expand-philox` expands it to
    the multiplications of a target.

    Example:
    ```mlir
    func.func @f(%cell: i64, %epoch: i64, %low: i64, %high: i64) -> i64 {
      %zero = arith.constant 0 : i64
      %words:4 = lci.philox %zero, %cell, %epoch, %zero key %low, %high : i64
      return %words#0 : i64
    }
    ```

    Constraints:
    - every operand is below 2^32; otherwise the result is unspecified;
    - there are four words of each counter, and as many results.
  }];
  let arguments = (ins
    Arg<Variadic<LCI_I64Like>,
      "four words for each block, each the low half of its integer, below 2^32">:$counters,
    Arg<LCI_I64Like, "the first word of the key, below 2^32">:$low,
    Arg<LCI_I64Like, "the second word of the key, below 2^32">:$high);
  let results = (outs
    Res<Variadic<LCI_I64Like>,
      "four random words below 2^32 for each block, in the order of the counters">:$words);
  let assemblyFormat = [{
    $counters `key` $low `,` $high attr-dict
    `:` custom<OneType>(ref($counters), type($counters), type($low), type($high))
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def LCI_LookupOp : LCI_Op<"lookup", [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits> {
  let summary = "any function of three bits, for all bits of words";
  let description = [{
    Bit *i* of the result is bit 4 · *a* + 2 · *b* + *c* of `table`, where *a*, *b* and *c* are bits
    *i* of the operands: one instruction of a GPU (`lop3`) and of a processor with AVX-512
    (`vpternlog`), which number tables in the same way. `lci-map-to-lut3` creates it from boolean
    operations. Applies to each element of a vector or tensor.

    Example:
    ```mlir
    func.func @majority(%a: i64, %b: i64, %c: i64) -> i64 {
      %most = lci.lookup %a, %b, %c in 232 : i64
      return %most : i64
    }
    ```

    Constraints:
    - the table has eight bits.
  }];
  let arguments = (ins
    Arg<SignlessIntegerLike, "the bits of weight 4 in positions in the table">:$a,
    Arg<SignlessIntegerLike, "the bits of weight 2">:$b,
    Arg<SignlessIntegerLike, "the bits of weight 1">:$c,
    Arg<ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<255>]>,
      "the function: what it gives for each three bits, from 000 in the lowest bit on">:$table);
  let results = (outs
    Res<SignlessIntegerLike,
      "the function of the three bits at each position of the words">:$result);
  let assemblyFormat = "$a `,` $b `,` $c `in` $table attr-dict `:` type($result)";
}

#endif // LCI_DIALECT_FUNCTIONOPS_TD
