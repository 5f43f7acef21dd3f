//===- FamilyOps.td - Families and operations over them ----*- tablegen -*-===//
//
// Families of free indices: reductions, collections, declared reads, and gathers of capabilities.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_FAMILYOPS_TD
#define LCI_DIALECT_FAMILYOPS_TD

include "LCI/Dialect/LCIEnums.td"
include "LCI/Dialect/LCITypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LCI_ReduceOp : LCI_Op<"reduce", [RecursivelySpeculatable, RecursiveMemoryEffects,
    AttrSizedOperandSegments, SingleBlock]> {
  let summary = "one value from the members of a family";
  let description = [{
    The members are the solutions of the union of sets `where`, whose dimensions are the `outer`
    indices and then the free ones, in row-major order of the free indices, each once. The body
    takes the free indices and the member's rank among all members; absent members are skipped.
    The free indices at the positions `limited` also lie within `limits`, a first and a last value
    for each, which may be computed; the sets bound them too. `kind` is the combination, `result` its
    outcome, and `present` tells whether there is one.

    `sum` and `product` start with the first member and combine one at a time; `min` and `max` are
    IEEE 754-2019's; `mean` is the sum divided by the count, as an f32; `count` counts the members
    for which the body is true; `argmin` and `argmax` give the rank of the first best one. All but
    `count` apply to each component where the members are vectors, and ranks are then f32. Without a
    member, `sum`, `count` and `any` are zero or false, `product` is one, `all` is true and the
    others are absent.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<wrap>] {
      }
      lci.def @around {
      ^bb0(%i: index):
        %s, %some = lci.reduce sum [affine_set<(d0, d1)[s0] : (d1 + 1 >= 0, 1 - d1 >= 0)>](%i) : f32 {
        ^bb0(%d: index, %rank: index):
          %v, %p = lci.read @A[affine_map<(d0, d1)[s0] -> (d0 + d1)>](%i, %d) : f32
          lci.yield %v present %p : f32
        }
        lci.yield %s : f32
      }
    }
    ```

    Constraints:
    - every set has one dimension per `outer` operand and per free index, and the program's symbols;
    - the body takes the free indices and the rank;
    - two `limits` for each of `limited`, which are positions of free indices;
    - `count`, `all` and `any` have a body of type `i1`; the result is `i64` for `count`, `argmin`
      and `argmax`, `i1` for `all` and `any`, `f32` for `mean`, else the type the body yields;
    - where the body yields a tensor, so is the result, and the kind is not `count`.
  }];
  let arguments = (ins
    Arg<LCI_ReductionAttr, "how members are combined, and what the result is without any">:$kind,
    Arg<LCI_SetArrayAttr,
      "the members, as a union of sets over the outer indices, then the free ones">:$where,
    Arg<Variadic<Index>,
      "the first dimensions of the sets, usually the indices of the cell">:$outer,
    Arg<Variadic<I64>,
      "for each limited free index a first and a last value, both of them included">:$limits,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the positions of free indices, from 0, that have limits; absent for none">:$limited);
  let results = (outs
    Res<LCI_Datum, "the combination of the members that are present">:$result,
    Res<I1, "false if no member is present and the combination has no value for none">:$present);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `` $kind $where `(` $outer `)` (`limits` `(` $limits^ `)` `of` $limited)? `:` type($result) $body
    attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumFree() { return getBody().getNumArguments() - 1; }
  }];
}

def LCI_CollectOp : LCI_Op<"collect", [RecursivelySpeculatable, RecursiveMemoryEffects,
    AttrSizedOperandSegments, SingleBlock]> {
  let summary = "the members of a family as a tensor";
  let description = [{
    The argument of a model: a tensor `members` in row-major order of the free indices, padded to
    the family's largest size, and a tensor `present` of booleans. An absent token's id is the
    vocabulary size, an absent number is zero. A family without free index has one member. The
    length is unknown until the program is bound. The family is `where`, `outer`, `limits` and
    `limited` as in `lci.reduce`.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<open>] {
      }
      lci.model "Model"
      lci.rule @R on @A {
      ^bb0(%i: index):
        %v, %p = lci.collect [affine_set<(d0, d1)[s0] : (d1 + 1 >= 0, 1 - d1 >= 0)>](%i)
            : tensor<?xf32>, tensor<?xi1> {
        ^bb0(%d: index, %rank: index):
          %w, %q = lci.read @A[affine_map<(d0, d1)[s0] -> (d0 + d1)>](%i, %d) : f32
          lci.yield %w present %q : f32
        }
        %a = lci.evaluate "Model"(%v, %p) : (tensor<?xf32>, tensor<?xi1>) -> !lci.answer
        lci.emit %a : !lci.answer
      }
    }
    ```

    Constraints:
    - as for `lci.reduce`; both results are one-dimensional and equally long;
    - the element type is the type that the body yields.
  }];
  let arguments = (ins
    Arg<LCI_SetArrayAttr,
      "the members, as a union of sets over the outer indices, then the free ones">:$where,
    Arg<Variadic<Index>,
      "the first dimensions of the sets, usually the indices of the cell">:$outer,
    Arg<Variadic<I64>,
      "for each limited free index a first and a last value, both of them included">:$limits,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the positions of free indices, from 0, that have limits; absent for none">:$limited);
  let results = (outs
    Res<1DTensorOf<[I1, I64, F32]>,
      "in row-major order, then padding; absent ones are the vocabulary's size or zero">:$members,
    Res<1DTensorOf<[I1]>, "whether each member is there; false for padding">:$present);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $where `(` $outer `)` (`limits` `(` $limits^ `)` `of` $limited)? `:` type($members) `,`
    type($present) $body attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumFree() { return getBody().getNumArguments() - 1; }
  }];
}

def LCI_DeclareReadOp : LCI_Op<"declare_read", [HasParent<"RuleOp">, AttrSizedOperandSegments,
    SingleBlock]> {
  let summary = "a read that a rule declares";
  let description = [{
    An item of the rule's `read {…}`. Its members count as read whether or not the rule uses them: a
    commit's stamp is later than theirs. The family is written as in `lci.reduce`; `name` is the
    item's name in the text. Below the bound form it becomes the stamps of its members, where commits
    are recorded; else it is dropped.

    Example:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<open>] {
      }
      lci.rule @R on @A {
      ^bb0(%i: index):
        lci.declare_read "neighbors" [affine_set<(d0, d1)[s0] : (d1 + 1 >= 0, 1 - d1 >= 0)>](%i) {
        ^bb0(%d: index, %rank: index):
          %w, %q = lci.read @A[affine_map<(d0, d1)[s0] -> (d0 + d1)>](%i, %d) : f32
          lci.yield %w present %q : f32
        }
        %zero = arith.constant 0.0 : f32
        lci.emit %zero : f32
      }
    }
    ```

    Constraints:
    - every set has one dimension per `outer` operand and per free index, and the program's symbols;
    - the body takes the free indices and the rank.
  }];
  let arguments = (ins
    Arg<StrAttr, "the name of the item in the rule's list of reads">:$name,
    Arg<LCI_SetArrayAttr,
      "the members, as a union of sets over the outer indices, then the free ones">:$where,
    Arg<Variadic<Index>,
      "the first dimensions of the sets, usually the indices of the cell">:$outer,
    Arg<Variadic<I64>,
      "for each limited free index a first and a last value, both of them included">:$limits,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the positions of free indices, from 0, that have limits; absent for none">:$limited);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name $where `(` $outer `)` (`limits` `(` $limits^ `)` `of` $limited)? $body attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumFree() { return getBody().getNumArguments() - 1; }
  }];
}

def LCI_GatherOp : LCI_Op<"gather", [Pure, Terminator, HasParent<"VisibleOp">,
    AttrSizedOperandSegments]> {
  let summary = "the indices of a capability that are computed from parameters";
  let description = [{
    Ends the body of an `lci.visible`. `indices` are the last dimensions of its map. The free indices
    at the positions `limited` (counted without the cell's) also lie within `limits`, a first and a
    last value for each.

    Example:
    ```mlir
    lci.program @p sizes ["N", "M"] {
      lci.param @nbr i32 shape affine_map<()[s0, s1] -> (s1)> {
      }
      lci.value @A f32 shape affine_map<()[s0, s1] -> (s0)> boundary [#lci.boundary<open>] {
      }
      lci.visible @A sees @A[affine_map<(d0, d1, d2)[s0, s1] -> (d2)>]
          where [affine_set<(d0, d1)[s0, s1] : (d1 >= 0, s1 - 1 - d1 >= 0)>] label "near" gathering {
      ^bb0(%i: index, %m: index):
        %at = arith.index_cast %m : index to i64
        %found = lci.param_value @nbr[%at] : i64
        %cell = arith.index_cast %found : i64 to index
        %zero = arith.constant 0 : i64
        lci.gather %cell limits(%zero, %at) of [0]
      }
    }
    ```

    Constraints:
    - two `limits` for each of `limited`, which are positions of free indices.
  }];
  let arguments = (ins
    Arg<Variadic<Index>,
      "the last dimensions of the enclosing map, computed from indices and parameters">:$indices,
    Arg<Variadic<I64>,
      "for each limited free index a first and a last value, both of them included">:$limits,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the positions of limited free indices, from 0 after the cell's; absent for none">:$limited);
  let assemblyFormat = "($indices^)? (`limits` `(` $limits^ `)` `of` $limited)? attr-dict";
  let hasVerifier = 1;
}

#endif // LCI_DIALECT_FAMILYOPS_TD
