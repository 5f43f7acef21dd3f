//===- LCIEnums.td - Closed sets of words of the language --*- tablegen -*-===//

#ifndef LCI_DIALECT_LCIENUMS_TD
#define LCI_DIALECT_LCIENUMS_TD

include "LCI/Dialect/LCIDialect.td"
include "mlir/IR/EnumAttr.td"

class LCI_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::lci";
  let genSpecializedAttr = 0;
}
// The attribute's printer begins with a space: an operation puts `` before it.
class LCI_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<LCI_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def LCI_Kind : LCI_Enum<"Kind", "what the cells of a value, or a parameter, hold", [
  I32EnumAttrCase<"Token", 0, "token">, I32EnumAttrCase<"I32", 1, "i32">,
  I32EnumAttrCase<"F32", 2, "f32">, I32EnumAttrCase<"Latent", 3, "latent">,
  I32EnumAttrCase<"Event", 4, "event">, I32EnumAttrCase<"Rule", 5, "rule">]>;
def LCI_KindAttr : LCI_EnumAttr<LCI_Kind, "kind">;

def LCI_Boundary : LCI_Enum<"Boundary", "what lies beyond the last cell of an axis", [
  I32EnumAttrCase<"Open", 0, "open">, I32EnumAttrCase<"Wrap", 1, "wrap">,
  I32EnumAttrCase<"Clamp", 2, "clamp">]>;
def LCI_BoundaryAttr : LCI_EnumAttr<LCI_Boundary, "boundary"> {
  let assemblyFormat = "`<` $value `>`"; // occurs in arrays, where the delimiters are needed
}
def LCI_BoundaryArrayAttr : TypedArrayAttrBase<LCI_BoundaryAttr, "one boundary for each axis">;

def LCI_Arrangement : LCI_Enum<"Arrangement", "how the cells of an array are to lie in memory", [
  I32EnumAttrCase<"Rows", 0, "rows">, I32EnumAttrCase<"Planes", 1, "planes">,
  I32EnumAttrCase<"Colours", 2, "colours">]>;
def LCI_ArrangementAttr : LCI_EnumAttr<LCI_Arrangement, "arrangement"> {
  let assemblyFormat = "`<` $value `>`";
}

def LCI_Reduction : LCI_Enum<"Reduction", "how the members of a family are combined", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Product", 1, "product">,
  I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Mean", 4, "mean">, I32EnumAttrCase<"Count", 5, "count">,
  I32EnumAttrCase<"Any", 6, "any">, I32EnumAttrCase<"All", 7, "all">,
  I32EnumAttrCase<"ArgMin", 8, "argmin">, I32EnumAttrCase<"ArgMax", 9, "argmax">]>;
def LCI_ReductionAttr : LCI_EnumAttr<LCI_Reduction, "reduction">;

def LCI_Elementary : LCI_Enum<"Elementary", "a correctly rounded function of one number", [
  I32EnumAttrCase<"Exp", 0, "exp">, I32EnumAttrCase<"Exp2", 1, "exp2">,
  I32EnumAttrCase<"Log", 2, "log">, I32EnumAttrCase<"Log2", 3, "log2">,
  I32EnumAttrCase<"Sin", 4, "sin">, I32EnumAttrCase<"Cos", 5, "cos">,
  I32EnumAttrCase<"Tan", 6, "tan">, I32EnumAttrCase<"Tanh", 7, "tanh">,
  I32EnumAttrCase<"Sigmoid", 8, "sigmoid">, I32EnumAttrCase<"Erf", 9, "erf">,
  I32EnumAttrCase<"Atan", 10, "atan">, I32EnumAttrCase<"Sqrt", 11, "sqrt">,
  I32EnumAttrCase<"Rsqrt", 12, "rsqrt">]>;
def LCI_ElementaryAttr : LCI_EnumAttr<LCI_Elementary, "elementary">;

def LCI_ElementaryBinary : LCI_Enum<"ElementaryBinary", "a function of two numbers with one fixed sequence of operations", [
  I32EnumAttrCase<"Pow", 0, "pow">, I32EnumAttrCase<"Atan2", 1, "atan2">]>;
def LCI_ElementaryBinaryAttr : LCI_EnumAttr<LCI_ElementaryBinary, "elementary_binary">;

def LCI_Mood : LCI_Enum<"Mood", "whether a constraint's predicate must or must not hold", [
  I32EnumAttrCase<"Require", 0, "require">, I32EnumAttrCase<"Forbid", 1, "forbid">]>;
def LCI_MoodAttr : LCI_EnumAttr<LCI_Mood, "mood">;

def LCI_Policy : LCI_Enum<"Policy", "how a commit chooses among the candidates that constraints leave", [
  I32EnumAttrCase<"SatisfyMax", 0, "satisfy_max">,
  I32EnumAttrCase<"SatisfyCount", 1, "satisfy_count">,
  I32EnumAttrCase<"SatisfyWeighted", 2, "satisfy_weighted">,
  I32EnumAttrCase<"Accept", 3, "accept">, I32EnumAttrCase<"Sample", 4, "sample">,
  I32EnumAttrCase<"Metropolis", 5, "metropolis">, I32EnumAttrCase<"Quorum", 6, "quorum">]>;
def LCI_PolicyAttr : LCI_EnumAttr<LCI_Policy, "policy">;

def LCI_Strategy : LCI_Enum<"Strategy", "which cells are up for agreement in which phase", [
  I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"RedBlack", 1, "red_black">,
  I32EnumAttrCase<"FourColor", 2, "four_color">, I32EnumAttrCase<"Recolor", 3, "recolor">,
  I32EnumAttrCase<"Random", 4, "random">, I32EnumAttrCase<"Raster", 5, "raster">,
  I32EnumAttrCase<"Wavefront", 6, "wavefront">, I32EnumAttrCase<"Masked", 7, "masked">,
  I32EnumAttrCase<"Confidence", 8, "confidence">]>;
def LCI_StrategyAttr : LCI_EnumAttr<LCI_Strategy, "strategy">;

#endif // LCI_DIALECT_LCIENUMS_TD
