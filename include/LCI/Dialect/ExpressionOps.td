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
  let arguments = (ins
    Arg<LCI_Answerable,
      "what the body computes, of the type that the enclosing operation asks for">:$value,
    Arg<Optional<I1>, "whether the value is there; always if absent">:$present);
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
  let arguments = (ins
    Arg<UnitAttr, "whether every token of the vocabulary, or of the range, is proposed">:$any,
    Arg<OptionalAttr<AffineMapAttr>,
      "the first and the last token proposed, over the sizes; absent for all tokens">:$range,
    Arg<Optional<LCI_Answerable>,
      "the content that is proposed for the cell; absent if any token is">:$proposal,
    Arg<Optional<I1>, "whether the rule applies to the cell; always if absent">:$condition,
    Arg<Optional<F32>,
      "the score of the proposal alone, keep having minus infinity; absent otherwise">:$sureness);
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
  let arguments = (ins
    Arg<FlatSymbolRefAttr, "the value that is read">:$value,
    Arg<AffineMapAttr,
      "the index on each axis of the value, before its boundary wraps or clamps it">:$map,
    Arg<Variadic<Index>, "one for each dimension of the map">:$indices);
  let results = (outs
    Res<LCI_Datum,
      "what the cell held before the tick; where absent, the vocabulary's size or zero">:$result,
    Res<I1, "false beyond an open border and for a token not yet committed">:$present);
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
  let arguments = (ins
    Arg<LCI_Datum, "what is claimed to be there">:$value,
    Arg<I1, "whether it is there: always, or the program is rejected">:$present);
  let results = (outs Res<LCI_Datum, "the value as it is">:$result);
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
  let arguments = (ins
    Arg<StrAttr, "the name in the text, kept for export and explanations">:$name,
    Arg<LCI_Answerable, "what the name stands for">:$value);
  let results = (outs Res<LCI_Answerable, "the value as it is">:$result);
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
  let arguments = (ins
    Arg<StrAttr, "the name of the model, as it is declared">:$model,
    Arg<Variadic<AnyRankedTensor>,
      "for each family the members and their presence, as they are collected">:$arguments);
  let results = (outs
    Res<Variadic<LCI_Answerable>,
      "an opaque answer; once the model is bound, the results of its function">:$answers);
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
  let arguments = (ins
    Arg<FlatSymbolRefAttr, "the formula that is applied">:$formula,
    Arg<Variadic<Index>, "one for each index of the formula, in its order">:$indices);
  let results = (outs
    Res<LCI_Datum, "what the formula yields there">:$result,
    Res<I1, "whether the formula has a value there">:$present);
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
  let arguments = (ins Arg<StrAttr, "the name of the size, one of the program's">:$name);
  let results = (outs Res<I64, "the number of the size, which binding makes a constant">:$result);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}

def LCI_EpochOp : LCI_Op<"epoch", [Pure]> {
  let summary = "the current epoch, from 0";
  let description = [{
    Example: see `lci.param`.

    Constraints: none.
  }];
  let results = (outs Res<I64, "how many epochs precede this one">:$result);
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
  let arguments = (ins
    Arg<FlatSymbolRefAttr, "the parameter that is read">:$param,
    Arg<Variadic<I64>,
      "one for each axis; outside, the nearest element is meant; none for the whole">:$indices);
  let results = (outs
    Res<LCI_Datum, "the element, the scalar or the whole array, as it is in this epoch">:$result);
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
  let arguments = (ins
    Arg<LCI_Datum, "the candidate that the enclosing constraint judges">:$candidate);
  let results = (outs
    Res<I1, "whether the cell holds something else; false if it holds nothing">:$result);
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
  let arguments = (ins
    Arg<I64, "the token looked up; beyond the largest vocabulary it counts as the last one">:$token,
    Arg<StrAttr, "the name of the palette, as it is declared">:$palette);
  let results = (outs Res<I1, "whether the token is in the set that the bindings give">:$result);
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
  let results = (outs
    Res<I1,
      "whether any cell of the constraint's value sees a later one, directly or not">:$result);
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
  let arguments = (ins
    Arg<LCI_StrategyAttr, "the strategy for ruled values without a schedule">:$strategy,
    Arg<I64, "the epoch that it holds for, usually the current one">:$epoch);
  let results = (outs Res<LCI_EventType, "what a rule proposes to a set of events">:$event);
  let assemblyFormat = "`` $strategy `epoch` $epoch attr-dict";
}

#endif // LCI_DIALECT_EXPRESSIONOPS_TD
