// Rewrites of lci operations that TableGen writes.
include "LCI/Dialect/LCIOps.td"
include "mlir/IR/PatternBase.td"

def DropLet : Pat<(LCI_LetOp $name, $value), (replaceWithValue $value)>;
