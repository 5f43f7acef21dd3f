//===- BundleChecks.h - Whether a bundle's parts fit each other -*- C++ -*-===//

#ifndef LCI_LIB_RUNTIME_BUNDLECHECKS_H
#define LCI_LIB_RUNTIME_BUNDLECHECKS_H

#include "LCI/Runtime/Bundle.h"

namespace lci {

/// Whether a bundle has what its run looks for, each where it belongs; the error names what
/// contradicts what.
Status checkParts(const Bundle &bundle);

} // namespace lci

#endif // LCI_LIB_RUNTIME_BUNDLECHECKS_H
