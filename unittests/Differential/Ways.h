//===- Ways.h - Combinations of options of lowering -------------*- C++ -*-===//

#ifndef LCI_UNITTESTS_DIFFERENTIAL_WAYS_H
#define LCI_UNITTESTS_DIFFERENTIAL_WAYS_H

#include "LCI/Execution/Compile.h"

namespace mlir::lci {

/// One of the `kNumCombinations` of switches, and its name: the first has everything, on one
/// thread, and the second is the same with threads.
CpuOptions combine(unsigned number, std::string &name);

} // namespace mlir::lci

#endif // LCI_UNITTESTS_DIFFERENTIAL_WAYS_H
