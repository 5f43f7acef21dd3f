//===- Notation.h - Print IR in the language's notation ---------*- C++ -*-===//
//
// Text for diagnostics: indices, relations and declarations as the program's author writes them.
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

/// Names for the dimensions of a body or a relation: those from the program's text
/// (`lci.names` of `op` and of the operations around it), else t, x, y, z for a cell's indices by
/// the rank of its value and i, j, … for free ones.
SmallVector<std::string> getIndexNames(Operation *op, unsigned numCell, unsigned numFree);

/// `V[x-1,y]`.
std::string printAccess(StringRef value, AffineMap map, ArrayRef<std::string> names);

/// A union of sets as a condition: `dx == 1 and dy >= 0 or …`, `(dx,dy) in N8` where the last two
/// dimensions are one of the named neighbourhoods; empty where it always holds.
std::string printCondition(ArrayRef<IntegerSet> sets, ArrayRef<std::string> names,
                           unsigned numCell);

/// A capability as the language writes it.
std::string printVisible(VisibleOp visible);

/// The `visible` line that would allow a read of a body.
std::string printMissingVisible(ReadOp read);

/// A read of a body: `V[x-1,y]`.
std::string printRead(ReadOp read);

/// `V[1, 2, 3]`.
std::string printCell(StringRef value, ArrayRef<int64_t> indices);

/// `value 'V'`, `rule 'R'`, `visible 'near'`: a declaration in a sentence.
std::string describe(Operation *declaration);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_NOTATION_H
