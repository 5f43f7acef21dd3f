//===- RuleOps.td - What cells see, propose and agree on ---*- tablegen -*-===//
//
// The declarations on the cells of a value: visibility, rules, constraints, schedules and commits.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_RULEOPS_TD
#define LCI_DIALECT_RULEOPS_TD

include "LCI/Dialect/ProgramOps.td"

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
  let arguments = (ins
    Arg<FlatSymbolRefAttr, "the value whose cells may read">:$value,
    Arg<FlatSymbolRefAttr, "the value whose cells may be read">:$source,
    Arg<AffineMapAttr,
      "the cell that may be read, over the reader's indices, free ones and gathered ones">:$map,
    Arg<LCI_SetArrayAttr,
      "which cells may read at which free indices, as a union of sets over both">:$where,
    Arg<OptionalAttr<StrAttr>,
      "the name of the family in the text, by which rules read it; absent for none">:$label);
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
  let arguments = (ins
    Arg<SymbolNameAttr, "the name of the rule, by which a run switches it">:$sym_name,
    Arg<FlatSymbolRefAttr, "the value that the rule makes proposals for">:$value,
    Arg<OptionalAttr<LCI_SetArrayAttr>,
      "the cells where the rule may apply, as a union of sets; absent for all of them">:$where);
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
  let arguments = (ins
    Arg<SymbolNameAttr, "the name of the constraint, by which runs switch and count it">:$sym_name,
    Arg<LCI_MoodAttr, "whether the body must be true of a candidate, or must be false">:$mood,
    Arg<FlatSymbolRefAttr, "the value whose candidates are judged">:$value,
    Arg<OptionalAttr<LCI_SetArrayAttr>,
      "the cells that it speaks of, as a union of sets; absent for all of them">:$where,
    Arg<OptionalAttr<StrAttr>,
      "the name of the region that it is limited to; absent for none">:$region,
    Arg<OptionalAttr<I64Attr>,
      "the first axis of the value that the region covers; given with a region">:$axis,
    Arg<DefaultValuedAttr<I64Attr, "0">,
      "its level among soft constraints, and its weight; hard from hard_priority on">:$priority,
    Arg<UnitAttr, "whether it is hard at any priority">:$hard);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `` $mood `on` $value (`where` $where^)? (`region` $region^ `axis` $axis)?
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
    their order; -1 - axis for one from its end to its start) and `wavefront`; all of them without it. `tile` gives the extents of tiles of cells
    that share a colour, `fraction` the fraction of cells that `random` and `confidence` select.
    `phase` is the phase of the epoch in which the schedule's first one is, 0 without it. `legalize`
    is the action where a phase is not independent: `snapshot` (two buffers), which is the default,
    `recolor` or `strict` (reject).

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
  let arguments = (ins
    Arg<FlatSymbolRefAttr, "the value whose cells are assigned to phases">:$value,
    Arg<LCI_StrategyAttr, "how cells are assigned to phases">:$strategy,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the axes that tell phases apart, in order, -1 - axis if reversed; all if absent">:$axes,
    Arg<OptionalAttr<DenseI64ArrayAttr>,
      "the extents of tiles of one colour, one for each axis; absent for single cells">:$tile,
    Arg<OptionalAttr<F32Attr>,
      "the part of the cells (random) or changes (confidence) selected, from 0 to 1">:$fraction,
    Arg<OptionalAttr<I64Attr>,
      "the phase of the epoch in which its first one is, from 0 to 65535; 0 if absent">:$phase,
    Arg<OptionalAttr<StrAttr>,
      "what dependent cells of a phase cause: snapshot (if absent), recolor or strict">:$legalize);
  let assemblyFormat = [{
    $value `using` `` $strategy (`axes` $axes^)? (`tile` $tile^)? (`fraction` $fraction^)?
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
  let arguments = (ins
    Arg<FlatSymbolRefAttr, "the value whose cells are agreed on">:$value,
    Arg<LCI_PolicyAttr,
      "how candidates are ranked, and how the winner is chosen among the equals">:$policy,
    Arg<OptionalAttr<I64Attr>,
      "how many rules have to propose the winner, at least 1; given with that policy only">:$quorum,
    Arg<UnitAttr,
      "whether soft constraints add their priorities to the score, and rank nothing">:$weighted);
  let regions = (region MaxSizedRegion<1>:$temperature);
  let assemblyFormat = [{
    $value `using` `` $policy (`of` $quorum^)? (`weighted` $weighted^)? attr-dict-with-keyword $temperature
  }];
}

#endif // LCI_DIALECT_RULEOPS_TD
