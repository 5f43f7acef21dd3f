//===- ExpressionOps.td - Expressions in declarations ------*- tablegen -*-===//
//
// Reads, families, calls of models and the language's concepts, as they occur in the bodies of
// rules, constraints, formulas and observers. Functions and draws: FunctionOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_EXPRESSIONOPS_TD
#define LCI_DIALECT_EXPRESSIONOPS_TD

include "LCI/Dialect/LCIEnums.td"
include "LCI/Dialect/LCITypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LCI_YieldOp : LCI_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "the value of a body, and whether there is one";
  let description = [{
    Ends the bodies of declarations and of reductions with `value`. Without the boolean `present`
    the value is there.

    Example:
    ```mlir
    lci.program @p sizes [] {
      lci.param @k f32 {
        %c = arith.constant 0.5 : f32
        lci.yield %c : f32
      }
    }
    ```

    Constraints: those of the enclosing operation.
  }];
  let arguments = (ins LCI_Answerable:$value, Optional<I1>:$present);
  let assemblyFormat = "$value (`present` $present^)? attr-dict `:` type($value)";
}

def LCI_EmitOp : LCI_Op<"emit", [Terminator, AttrSizedOperandSegments, HasParent<"RuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a rule's proposal, its condition and its score";
  let description = [{
    Proposes `proposal`, or with `any` every entry of the vocabulary, or those from the first to
    the second result of `range` (both included). Where `condition` is false the rule does not apply
    to the cell. The region `score`, if not empty, is the score as a function of the candidate. An
    f32 `sureness` is a score of the proposal alone: the committed token then scores −∞.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)>
        boundary [#lci.boundary<wrap>] {
      }
      lci.rule @Any on @A {
      ^bb0(%i: index):
        lci.emit any score {
        ^bb0(%candidate: i64):
          %s = arith.sitofp %candidate : i64 to f32
          lci.yield %s : f32
        }
      }
    }
    ```

    Constraints:
    - either `any` or a proposal; `range` with `any` only;
    - the region takes the candidate and yields a number, an integer or a model's answer;
    - the proposal has the type of the value's cells.
  }];
  let arguments = (ins UnitAttr:$any, OptionalAttr<AffineMapAttr>:$range,
    Optional<LCI_Answerable>:$proposal, Optional<I1>:$condition, Optional<F32>:$sureness);
  let regions = (region MaxSizedRegion<1>:$score);
  let assemblyFormat = [{
    (`any` $any^ (`in` $range^)?)? ($proposal^ `:` type($proposal))? (`when` $condition^)?
    (`sureness` $sureness^)? (`score` $score^)? attr-dict
  }];
}

def LCI_ReadOp : LCI_Op<"read", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the contents of a cell of the snapshot, and whether there are any";
  let description = [{
    Reads the cell `map(indices)` of `value` in the state committed before the tick. `present` is
    false beyond an open border and where a token has not been committed yet; `result` is then the
    vocabulary size for a token and zero for a number. Beyond a wrapped or clamped border the index
    is wrapped or clamped.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<wrap>] {
      }
      lci.def @left {
      ^bb0(%i: index):
        %v, %p = lci.read @A[affine_map<(d0)[s0] -> (d0 - 1)>](%i) : f32
        lci.yield %v present %p : f32
      }
    }
    ```

    Constraints:
    - it occurs where there is a snapshot: in a rule, a constraint, a formula or an observer;
    - `value` is a declared value with a shape and the map has a result for each of its axes;
    - the map has one dimension per index operand and the program's symbols;
    - the result has the type of the value's cells.
  }];
  let arguments = (ins FlatSymbolRefAttr:$value, AffineMapAttr:$map, Variadic<Index>:$indices);
  let results = (outs LCI_Datum:$result, I1:$present);
  let assemblyFormat = "$value `[` $map `]` `(` $indices `)` attr-dict `:` type($result)";
}

def LCI_UnwrapOp : LCI_Op<"unwrap", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value that must be there";
  let description = [{
    The identity on `value`, with the claim that `present` is always true where the operation is
    evaluated. The claim is proved when the program is bound, or the program is rejected; it is
    never assumed.

    Example:
    ```mlir
    func.func @f(%v: i64, %p: i1) -> i64 {
      %w = lci.unwrap %v, %p : i64
      return %w : i64
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins LCI_Datum:$value, I1:$present);
  let results = (outs LCI_Datum:$result);
  let assemblyFormat = "$value `,` $present attr-dict `:` type($value)";
  let hasFolder = 1;
}

def LCI_LetOp : LCI_Op<"let", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a name that the program gives to a value";
  let description = [{
    The identity on `value`. It keeps the author's `name` for export and explanations, and folds
    away.

    Example:
    ```mlir
    func.func @f(%v: i64) -> i64 {
      %n = lci.let "n" = %v : i64
      return %n : i64
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins StrAttr:$name, LCI_Answerable:$value);
  let results = (outs LCI_Answerable:$result);
  let assemblyFormat = "$name `=` $value attr-dict `:` type($value)";
  let hasFolder = 1;
}

def LCI_EvaluateOp : LCI_Op<"evaluate", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a model";
  let description = [{
    Calls `model`. The `arguments` are families as `lci.collect` makes them: pairs of members and
    presence. Before the model is bound, `answers` is an `!lci.answer`; afterwards it is the results
    of the function.

    Tokens are `i64` on this operation, also where the function takes and returns `i32`: the
    lowering to a call converts them.

    Example: see `lci.collect`.

    Constraints:
    - `model` is a declared model;
    - the result is one answer, one token, a token and a number, or a tensor of logits.
  }];
  let arguments = (ins StrAttr:$model, Variadic<AnyRankedTensor>:$arguments);
  let results = (outs Variadic<LCI_Answerable>:$answers);
  let assemblyFormat = "$model `(` $arguments `)` attr-dict `:` functional-type($arguments, $answers)";
  let hasVerifier = 1;
}

def LCI_ApplyOp : LCI_Op<"apply", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a formula at some indices";
  let description = [{
    The `result` of `formula` at `indices`, and whether it is `present`.

    Example:
    ```mlir
    lci.program @p sizes [] {
      lci.def @half {
        %h = arith.constant 0.5 : f32
        lci.yield %h : f32
      }
      lci.param @k f32 {
        %v, %p = lci.apply @half() : f32
        lci.yield %v : f32
      }
    }
    ```

    Constraints:
    - `formula` is a `lci.def` that takes as many indices and yields the result's type;
    - in a bound program, where formulas are inlined, it occurs in formulas only.
  }];
  let arguments = (ins FlatSymbolRefAttr:$formula, Variadic<Index>:$indices);
  let results = (outs LCI_Datum:$result, I1:$present);
  let assemblyFormat = "$formula `(` $indices `)` attr-dict `:` type($result)";
}

def LCI_SizeOp : LCI_Op<"size", [Pure]> {
  let summary = "a size of the program as an integer";
  let description = [{
    The extent of the size `name` as `result`.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.param @n i32 {
        %n = lci.size "N"
        lci.yield %n : i64
      }
    }
    ```

    Constraints:
    - the program has a size of that name.
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs I64:$result);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}

def LCI_EpochOp : LCI_Op<"epoch", [Pure]> {
  let summary = "the current epoch, from 0";
  let description = [{
    Example: see `lci.param`.

    Constraints: none.
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def LCI_ParamValueOp : LCI_Op<"param_value", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a parameter, or an element of one";
  let description = [{
    With one of `indices` per axis of `param` an element; without any, a scalar or the whole array.

    Example:
    ```mlir
    lci.program @p sizes ["Q"] {
      lci.param @level f32 shape affine_map<()[s0] -> (s0)> {
      }
      lci.observe @first {
        %zero = arith.constant 0 : i64
        %v = lci.param_value @level[%zero] : f32
        lci.yield %v : f32
      }
    }
    ```

    Constraints:
    - `param` is a declared parameter with as many axes as there are indices, if there are any;
    - the result has its element type, or is a tensor of it.
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Variadic<I64>:$indices);
  let results = (outs LCI_Datum:$result);
  let assemblyFormat = "$param (`[` $indices^ `]`)? attr-dict `:` type($result)";
}

def LCI_ChangesOp : LCI_Op<"changes", [Pure, HasParent<"ConstraintOp">]> {
  let summary = "whether the candidate differs from the cell's contents";
  let description = [{
    False where the cell holds nothing yet: the first token of a cell does not count as a change.

    Example: see `lci.constraint`.

    Constraints:
    - the operand is the candidate of the enclosing constraint.
  }];
  let arguments = (ins LCI_Datum:$candidate);
  let results = (outs I1:$result);
  let assemblyFormat = "$candidate attr-dict `:` type($candidate)";
  let hasVerifier = 1;
}

def LCI_InPaletteOp : LCI_Op<"in_palette", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "whether a token belongs to a palette";
  let description = [{
    True if `token` is in the set of tokens that the bindings give `palette` at run time.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)>
        boundary [#lci.boundary<wrap>] {
      }
      lci.palette "blue-ish"
      lci.region "sky"
      lci.constraint @Paint require on @A region "sky" axis 0 priority 50 {
      ^bb0(%i: index, %candidate: i64):
        %in = lci.in_palette %candidate, "blue-ish"
        lci.yield %in : i1
      }
    }
    ```

    Constraints:
    - `palette` is a declared palette.
  }];
  let arguments = (ins I64:$token, StrAttr:$palette);
  let results = (outs I1:$result);
  let assemblyFormat = "$token `,` $palette attr-dict";
}

def LCI_ReadsFutureOp : LCI_Op<"reads_future", [Pure, HasParent<"ConstraintOp">]> {
  let summary = "whether a path of visibility leads from a cell to a later one";
  let description = [{
    The later cell is later in the first axis of the value; the path may lead through other values.
    Decided when the program is checked, never while it runs.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)>
        boundary [#lci.boundary<open>] {
      }
      lci.constraint @Topology forbid on @A priority 1000 {
      ^bb0(%i: index, %candidate: i64):
        %f = lci.reads_future
        lci.yield %f : i1
      }
    }
    ```

    Constraints: none.
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

def LCI_SampleTilesOp : LCI_Op<"sample_tiles", [Pure]> {
  let summary = "the event that schedules every ruled value for an epoch";
  let description = [{
    Proposed to a set of events, it gives `strategy` in `epoch` to every value that has rules and no
    schedule.

    Example:
    ```mlir
    lci.program @p sizes [] {
      lci.value @MaskPlan event {
      }
      lci.rule @Schedule on @MaskPlan {
        %e = lci.epoch
        %tiles = lci.sample_tiles red_black epoch %e
        lci.emit %tiles : !lci.event
      }
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins LCI_StrategyAttr:$strategy, I64:$epoch);
  let results = (outs LCI_EventType:$event);
  let assemblyFormat = "$strategy `epoch` $epoch attr-dict";
}

#endif // LCI_DIALECT_EXPRESSIONOPS_TD
