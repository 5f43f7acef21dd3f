//===- CandidateOps.td - The best of many candidates -------*- tablegen -*-===//
//
// The agreement of a cell on any token, in the body of a tick.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_CANDIDATEOPS_TD
#define LCI_DIALECT_CANDIDATEOPS_TD

include "LCI/Dialect/LCIDialect.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LCI_AgreeOp : LCI_Op<"agree", [RecursivelySpeculatable, RecursiveMemoryEffects, SingleBlock,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "the best of many candidates, in a total order";
  let description = [{
    Evaluates the body for every token from `lower` up to `upper`, without it, and picks the one that
    `lci.candidate` ranks highest among the admissible: lexicographically by the levels, then the
    score (a NaN loses to every number), then lexicographically by the ties, then proposal before
    keep, then the lowest token. The order is total, so that any order of evaluation finds the same
    `winner`. `found` is false if none is admissible. The optional result `score` is the winner's
    score, or 0 if there is none.

    Example:
    ```mlir
    func.func @best(%scores: tensor<16xf32>, %lo: i64, %hi: i64) -> i64 {
      %w, %found = lci.agree %lo to %hi {
      ^bb0(%k: i64):
        %i = arith.index_cast %k : i64 to index
        %s = tensor.extract %scores[%i] : tensor<16xf32>
        %yes = arith.constant true
        lci.candidate %yes levels() score %s proposed %yes
      }
      return %w : i64
    }
    func.func @highest(%scores: tensor<16xf32>, %lo: i64, %hi: i64) -> f32 {
      %w, %found, %score = lci.agree %lo to %hi score f32 {
      ^bb0(%k: i64):
        %i = arith.index_cast %k : i64 to index
        %s = tensor.extract %scores[%i] : tensor<16xf32>
        %yes = arith.constant true
        lci.candidate %yes levels() score %s proposed %yes
      }
      return %score : f32
    }
    ```

    Constraints:
    - the body takes the candidate.
  }];
  let arguments = (ins
    Arg<I64, "the first candidate">:$lower,
    Arg<I64, "the end of the candidates, which is not one of them">:$upper);
  let results = (outs
    Res<I64, "the best admissible candidate, if there is one">:$winner,
    Res<I1, "whether any candidate is admissible">:$found,
    Res<Optional<F32>,
      "the winner's score, or 0 without one; absent where it is not asked for">:$score);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$lower `to` $upper (`score` type($score)^)? $body attr-dict";
  let extraClassDeclaration = [{
    CandidateOp getCandidate();
  }];
  let hasVerifier = 1;
}

def LCI_CandidateOp : LCI_Op<"candidate", [Pure, Terminator, HasParent<"AgreeOp">,
    AttrSizedOperandSegments]> {
  let summary = "the rank of a candidate";
  let description = [{
    `admissible`: no hard constraint is violated and the token is proposed or kept. `levels`: how many
    soft constraints of each priority hold, highest priority first, or the sum of their priorities
    where they are weighted; then what the policy compares first: `accept` whether the token is
    proposed, `quorum` the votes. `score` is compared after them. `ties` decide between equal scores,
    the larger first: under `accept`, the rule. `proposed` candidates come before keep.

    Example: see `lci.agree`.

    Constraints: none.
  }];
  let arguments = (ins
    Arg<I1,
      "whether it may win: it violates no hard constraint, and is proposed or kept">:$admissible,
    Arg<Variadic<I64>,
      "compared first, larger wins: soft constraints by priority, then the policy's own">:$levels,
    Arg<F32, "compared next, larger wins; a NaN is the worst">:$score,
    Arg<Variadic<I64>,
      "compared between equal scores, larger wins: under accept, the precedence of rules">:$ties,
    Arg<I1, "whether a rule proposes it; compared last, before its token">:$proposed);
  let assemblyFormat = [{
    $admissible `levels` `(` $levels `)` `score` $score (`ties` `(` $ties^ `)`)?
    `proposed` $proposed attr-dict
  }];
}

#endif // LCI_DIALECT_CANDIDATEOPS_TD
