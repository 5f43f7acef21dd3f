//===- LCIDialect.td - Definition of the lci dialect -------*- tablegen -*-===//
//
// Purpose, type system and undefined behaviour of the dialect in one place.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_LCIDIALECT_TD
#define LCI_DIALECT_LCIDIALECT_TD

include "mlir/IR/OpBase.td"

def LCI_Dialect : Dialect {
  let name = "lci";
  let cppNamespace = "::mlir::lci";
  let summary = "logical clock indexing: values that change only by agreement";
  let description = [{
    The dialect models *consensual programming*. A program declares values (arrays of cells with
    Lamport clocks), which cells are visible to which, rules that propose, constraints, commit
    policies and schedules; a cell changes only when a proposal wins the agreement of its tick.

    It represents three levels of the ladder:

    1. **program form**: `lci.program` holds symbols and regions and no order of execution.
       Sizes are names; they are the symbols of every affine map and set inside the program.
    2. **bound form**: the same operations with every size known; maps and sets have no symbols.
    3. **tick form**: functions on tensors in which `lci.tick` computes one phase of one value.

    Inside bodies an integer or a token is `i64`, a number `f32`, a boolean `i1`, a cell's
    index `index`. Computation is upstream `arith` and `math`; the dialect adds only what upstream
    lacks: reads, reductions over families, draws, correctly rounded functions, the agreement.

    The compiler chooses the arrangement of a value's cells in memory (`lci-assign-layouts`,
    `lci-split-colours`). The attribute `lci.arrangement` on a `lci.value`, or on the argument of a
    function of ticks that holds its cells, overrides it: `#lci.arrangement<rows>` keeps cells in
    row-major order, `<planes>` requests planes of bits, `<colours>` separate storage for the colours
    of a row. The latter two are an error where that is impossible.

    It is not a general stencil or actor dialect: no operation but the commit of a tick may change
    a value, and there is no undefined behaviour. Integers are mathematical; passes prove that they
    fit 64 bits or reject the program.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class LCI_Op<string mnemonic, list<Trait> traits = []> : Op<LCI_Dialect, mnemonic, traits>;

#endif // LCI_DIALECT_LCIDIALECT_TD
