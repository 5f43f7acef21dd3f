//===- Selection.h - Select the surest of the changing cells ----*- C++ -*-===//
//
// The choice of strategy `confidence`, for both interpreters.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_INTERPRETER_SELECTION_H
#define LCI_LIB_INTERPRETER_SELECTION_H

#include <cstddef>
#include <vector>

namespace mlir::lci {

/// The sureness of a cell's change, and the cell's position in row-major order.
struct Sureness {
  float score;
  size_t position;
};

/// S-SELECT: sorts the surest to the front, the best first, and returns how many are kept.
size_t sortSurest(std::vector<Sureness> &cells, float fraction);

} // namespace mlir::lci

#endif // LCI_LIB_INTERPRETER_SELECTION_H
