//===- Ways.cpp - Strategies chosen by passes -----------------------------===//

#include "LCI/Transforms/Support/Ways.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

using namespace mlir;
using namespace mlir::lci;

static constexpr WayInfo kWays[] = {
#define LCI_WAY(name, pass, text) {#name, pass, text},
#include "LCI/Transforms/Support/Ways.def"
#undef LCI_WAY
};

ArrayRef<WayInfo> mlir::lci::getWays() { return kWays; }

void mlir::lci::took(Operation *op, Way way) {
  const WayInfo &info = kWays[static_cast<size_t>(way)];
  LDBG(info.pass.data()) << info.text;
  remark::passed(op->getLoc(), remark::RemarkOpts::name(info.name).category(info.pass))
      << info.text;
}
