//===- Notation.h - IR in the words of the language -------------------------===//
//
// What diagnostics show: indices, relations and declarations as the program's author writes them.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_NOTATION_H
#define LCI_ANALYSIS_NOTATION_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/AffineExpr.h"

namespace mlir::lci {

/// An expression with names for its dimensions and symbols (d0, s0, … where there is none).
std::string print(AffineExpr expression, ArrayRef<StringRef> dims = {},
                  ArrayRef<StringRef> symbols = {});

/// Names for the indices of a value's cells and for free indices: those that the program's text
/// uses, as far as the printer knows them, else x, y, z, w and i, j, k, ….
SmallVector<std::string> getCellNames(ValueOp value);
SmallVector<std::string> getFreeNames(unsigned number, ArrayRef<std::string> taken);

/// `V[1, 2, 3]`.
std::string printCell(StringRef value, ArrayRef<int64_t> indices);

/// `value 'V'`, `rule 'R'`, `visible 'near'`: a declaration in a sentence.
std::string describe(Operation *declaration);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_NOTATION_H
