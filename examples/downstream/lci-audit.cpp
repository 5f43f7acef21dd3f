//===- lci-audit.cpp - Another project's compiler with the lci dialect ----===//

#include "AuditValues.h"
#include "LCI/InitAllDialects.h"
#include "LCI/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::lci::registerAllDialects(registry); // with all that its pipelines need
  mlir::lci::registerAllPasses();
  registerAuditPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "A compiler that embeds lci\n", registry));
}
