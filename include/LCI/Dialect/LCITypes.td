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
