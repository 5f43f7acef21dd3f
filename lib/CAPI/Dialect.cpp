//===- Dialect.cpp - The dialect and its passes, to C ---------------------===//

#include "lci-c/Dialect.h"
#include "Calls.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Execution/Compile.h"
#include "LCI/InitAllDialects.h"
#include "LCI/InitAllPasses.h"
#include "LCI/Runtime/CArrays.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include <mutex>

using namespace mlir;
using namespace mlir::lci::capi;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(LCI, lci, mlir::lci::LCIDialect)

static void addEveryDialect(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::lci::registerAllDialects(registry);
}

const DialectRegistry &mlir::lci::capi::everyDialect() {
  static const DialectRegistry *registry = [] {
    auto *made = new DialectRegistry();
    addEveryDialect(*made);
    return made;
  }();
  return *registry;
}

static void prepare(MLIRContext &context) {
  context.appendDialectRegistry(everyDialect());
  context.printOpOnDiagnostic(false);
  mlir::lci::prepareContext(context);
}

MlirContext lciContextCreate() {
  MLIRContext *made = nullptr;
  (void)call(nullptr, [&](Messages &) {
    auto context = std::make_unique<MLIRContext>();
    prepare(*context);
    made = context.release();
    return success();
  });
  return wrap(made);
}

void lciContextDestroy(MlirContext context) { delete unwrap(context); }

MlirLogicalResult lciContextPrepare(MlirContext context) {
  return wrap(call(unwrap(context), [&](Messages &messages) -> LogicalResult {
    if (!context.ptr)
      return messages.fail(::lci::missing("a context"));
    prepare(*unwrap(context));
    return success();
  }));
}

MlirLogicalResult lciRegisterAllDialects(MlirDialectRegistry registry) {
  return wrap(call(nullptr, [&](Messages &messages) -> LogicalResult {
    if (!registry.ptr)
      return messages.fail(::lci::missing("a registry"));
    addEveryDialect(*unwrap(registry));
    return success();
  }));
}

void lciRegisterAllPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    mlir::registerAllPasses();
    mlir::lci::registerAllPasses();
  });
}
