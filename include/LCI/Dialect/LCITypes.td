//===- LCITypes.td - Types and attributes of the dialect ---*- tablegen -*-===//

#ifndef LCI_DIALECT_LCITYPES_TD
#define LCI_DIALECT_LCITYPES_TD

include "LCI/Dialect/LCIDialect.td"
include "mlir/IR/AttrTypeBase.td"

class LCI_Type<string name, string mnemonicText> : TypeDef<LCI_Dialect, name> {
  let mnemonic = mnemonicText;
}

def LCI_AnswerType : LCI_Type<"Answer", "answer"> {
  let summary = "what a model says, before its signature is known";
  let description = [{
    The result of `lci.evaluate` while the model is only a name. Binding the model replaces it by
    the results of the bound function: a token, a token and a score, or one logit for each entry of
    the vocabulary.
  }];
}

def LCI_EventType : LCI_Type<"Event", "event"> {
  let summary = "an element of a schedule log";
  let description = [{
    The result of `lci.sample_tiles`. Proposing it to a set adds it to the set.
  }];
}

def LCI_StreamAttr : AttrDef<LCI_Dialect, "Stream"> {
  let mnemonic = "stream";
  let summary = "identity of a draw: the declaration it stands in and its ordinal there";
  let description = [{
    Fixed when the program is read, so that no transformation can merge or reorder two draws.
    `declaration` is the number of the declaration, `ordinal` that of the draw in it.

    Example: `#lci.stream<3, 0>` is the first draw of the fourth declaration.
  }];
  let parameters = (ins "int64_t":$declaration, "int64_t":$ordinal);
  let assemblyFormat = "`<` $declaration `,` $ordinal `>`";
}

def LCI_LayoutAttr : AttrDef<LCI_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "where the cells of an array lie, if not one after the other";
  let description = [{
    As the memory space of a memref it states that its elements are stored otherwise than the type
    tells: in `planes` bits, bit-sliced, 64 cells of the last axis to a word, bit i of the tokens in
    array i. With a `split` of s, cells of the last axis whose indices have the same remainder modulo
    s are contiguous, in separate arrays. `cells` are the array's extents, `low` and `high` the widths
    of the halo around them, also where the memref is a view of the cells alone.

    There are from 1 to 64 planes; extents and widths are less than 2^60. `lci-assign-layouts` creates
    it, `lci-bitslice` creates the words.

    Example: `#lci.layout<split 1 planes 1 cells [256, 256] low [1, 1] high [1, 1]>`
  }];
  let parameters = (ins "int64_t":$split, "int64_t":$planes,
    ArrayRefParameter<"int64_t">:$cells, ArrayRefParameter<"int64_t">:$low,
    ArrayRefParameter<"int64_t">:$high);
  let assemblyFormat = [{
    `<` `split` $split `planes` $planes `cells` `[` $cells `]` `low` `[` $low `]`
    `high` `[` $high `]` `>`
  }];
  let genVerifyDecl = 1;
}

def LCI_CPUTargetAttr : AttrDef<LCI_Dialect, "CPUTarget"> {
  let mnemonic = "cpu";
  let summary = "a CPU that code is compiled for";
  let description = [{
    As `lci.target` of a module it tells passes what they compile for. `vector_bits` is the width of
    a vector register, from 32 to 4096, `vector_registers` is how many there are, and `threads` is
    how many threads share a tick, from 1 to 1024. What is not said is as in `#lci.cpu`: AVX-512 and
    one thread. Passes take a module without a target for one with `#lci.cpu`.

    Example: `#lci.cpu<vector_bits = 256, vector_registers = 16, threads = 4>` has AVX2.
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "::mlir::lci::kDefaultVectorBits">:$vector_bits,
    DefaultValuedParameter<"int64_t", "::mlir::lci::kDefaultVectorRegisters">:$vector_registers,
    DefaultValuedParameter<"int64_t", "1">:$threads);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
}

def LCI_GPUTargetAttr : AttrDef<LCI_Dialect, "GPUTarget"> {
  let mnemonic = "gpu";
  let summary = "a GPU that kernels are compiled for";
  let description = [{
    As `lci.target` of a module it tells passes what they compile for. `chip` is the architecture,
    from `sm_75` on, and `features` the version of PTX, by default the first that knows the chip.
    `block_threads` is how many threads a block has, up to 1024. Launches of few blocks, by the
    number of `multiprocessors`, are compiled otherwise than others. With `tf32` matrices of models
    are multiplied by tensor cores, from `sm_80` on.

    Example: `#lci.gpu<chip = "sm_90", tf32 = true>`
  }];
  let parameters = (ins
    StringRefParameter<"the architecture", "::mlir::lci::kDefaultChip">:$chip,
    StringRefParameter<"the version of PTX", "\"\"">:$features,
    DefaultValuedParameter<"int64_t", "::mlir::lci::kDefaultBlockThreads">:$block_threads,
    DefaultValuedParameter<"int64_t", "::mlir::lci::kDefaultMultiprocessors">:$multiprocessors,
    DefaultValuedParameter<"bool", "false">:$tf32);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
}

// A boolean, an integer or token, a number, or a vector of numbers.
def LCI_Scalar : AnyTypeOf<[I1, I64, F32], "a truth value (i1), an integer or token (i64) or a number (f32)">;
def LCI_Scalars : RankedTensorOf<[I1, I64, F32]>;
def LCI_Datum : AnyTypeOf<[I1, I64, F32, LCI_Scalars], "a scalar or a tensor of scalars">;
def LCI_Answerable : AnyTypeOf<[I1, I64, F32, LCI_Scalars, LCI_AnswerType, LCI_EventType],
    "a scalar, a tensor, a model's answer or an event">;

def LCI_SetArrayAttr : TypedArrayAttrBase<AnyAttr, "a union of integer sets"> {
  let predicate = And<[TypedArrayAttrBase<AnyAttr, "">.predicate,
    CPred<"::llvm::all_of(::llvm::cast<::mlir::ArrayAttr>($_self), "
          "[](::mlir::Attribute a) { return ::llvm::isa<::mlir::IntegerSetAttr>(a); })">]>;
}

#endif // LCI_DIALECT_LCITYPES_TD
