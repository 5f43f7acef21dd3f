//===- Sizes.h - Sizes on both sides of thresholds --------------*- C++ -*-===//

#ifndef LCI_LIB_SMITH_SIZES_H
#define LCI_LIB_SMITH_SIZES_H

#include "Dice.h"
#include "LCI/Smith/Smith.h"

namespace lci {

/// A number from 1 to `most`: mostly a threshold of that measure, or a multiple of it, or one less
/// or one more; else 1, a prime or any.
int64_t crossThreshold(Dice &dice, Measure measure, int64_t most);

/// Records the measures of a lattice of these extents.
void noteExtents(SmithProgram &program, const std::vector<int64_t> &extents);

} // namespace lci

#endif // LCI_LIB_SMITH_SIZES_H
