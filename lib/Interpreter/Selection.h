//===- Selection.h - The surest of the cells that would change --*- C++ -*-===//

#ifndef LCI_LIB_INTERPRETER_SELECTION_H
#define LCI_LIB_INTERPRETER_SELECTION_H

#include <cstddef>
#include <vector>

namespace mlir::lci {

/// How sure a cell is of what it would become, and where it stands in row-major order.
struct Sureness {
  float score;
  size_t position;
};

/// S-SELECT: brings the surest to the front, the best first, and returns how many are to be kept.
size_t sortSurest(std::vector<Sureness> &cells, float fraction);

} // namespace mlir::lci

#endif // LCI_LIB_INTERPRETER_SELECTION_H
