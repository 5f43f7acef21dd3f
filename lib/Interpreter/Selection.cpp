//===- Selection.cpp - Select the surest of the changing cells ------------===//

#include "Selection.h"
#include "Agreement.h"
#include <cmath>

size_t mlir::lci::sortSurest(std::vector<Sureness> &cells, float fraction) {
  llvm::sort(cells, [](const Sureness &left, const Sureness &right) {
    if (int order = compareScores(left.score, right.score))
      return order > 0;
    return left.position < right.position;
  });
  // A single f32 product: a tenth of ten cells is one, though 0.1 is more than a tenth.
  float kept = std::ceil(fraction * static_cast<float>(cells.size()));
  return std::min(cells.size(), static_cast<size_t>(kept));
}
