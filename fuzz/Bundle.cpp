//===- Bundle.cpp - Fuzz target: bundles ----------------------------------===//
//
// Launch plans in the bundle are parsed, as they are for a GPU. Its code is not loaded: running a
// bundle means trusting its maker.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/Bundle.h"
#include "LCI/Runtime/Plan.h"
#include "Readers.h"

using namespace lci;

static void read(const std::vector<uint8_t> &bytes) {
  Result<Bundle> bundle = decodeParts(bytes, fuzz::kName);
  if (!fuzz::wasRead(bundle))
    return;
  std::vector<uint8_t> written = encodeBundle(*bundle);
  Result<Bundle> again = decodeParts(written, fuzz::kName);
  fuzz::check(again && encodeBundle(*again) == written,
              "a bundle that was written is read as another one");
  bundle->values();
  fuzz::wasRead(bundle->find("cuda"));
  for (const BundledCode &code : bundle->codes)
    for (const BundledFunction &function : code.functions)
      if (!function.plan.empty())
        fuzz::runPlan(function.plan);
}

void fuzz::runBundle(llvm::StringRef input) {
  static const FileKind kind = kindOf(encodeBundle(Bundle()));
  read(bytesOf(input));
  read(seal(kind, bytesOf(input)));
}
