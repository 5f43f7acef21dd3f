//===- BundleChecks.h - Consistency of a bundle's parts ---------*- C++ -*-===//

#ifndef LCI_LIB_RUNTIME_BUNDLECHECKS_H
#define LCI_LIB_RUNTIME_BUNDLECHECKS_H

#include "LCI/Runtime/Bundle.h"

namespace lci {

/// Checks that a bundle has all parts that its run needs, each in its position; the error names the
/// contradiction.
/// contradicts what.
Status checkParts(const Bundle &bundle);

} // namespace lci

#endif // LCI_LIB_RUNTIME_BUNDLECHECKS_H
