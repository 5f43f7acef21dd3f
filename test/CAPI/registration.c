// RUN: %cc %s -o %t && %t 2>&1 | FileCheck %s
// UNSUPPORTED: sanitizer
// The dialect as upstream's C interface takes it, by its handle, and contexts that are prepared again.

#include "lci-c/Dialect.h"
#include "lci-c/Module.h"
#include <stdio.h>
#include <string.h>

/// What a handle of upstream points to (mlir/CAPI/Registration.h).
typedef struct {
  void (*insert)(MlirDialectRegistry registry);
  MlirDialect (*load)(MlirContext context);
  MlirStringRef (*getNamespace)(void);
} Hooks;

int main(void) {
  const Hooks *hooks = mlirGetDialectHandle__lci__().ptr;
  MlirStringRef name = hooks->getNamespace();
  // CHECK: namespace lci
  printf("namespace %.*s\n", (int)name.length, name.data);
  MlirContext context = lciContextCreate();
  // CHECK: loaded 1, and the same again 1
  MlirDialect dialect = hooks->load(context);
  printf("loaded %d, and the same again %d\n", dialect.ptr != NULL,
         hooks->load(context).ptr == dialect.ptr);
  lciRegisterAllPasses();
  lciRegisterAllPasses();
  // CHECK: prepared 1 1
  printf("prepared %d", mlirLogicalResultIsSuccess(lciContextPrepare(context)));
  printf(" %d\n", mlirLogicalResultIsSuccess(lciContextPrepare(context)));
  static const char ir[] = "func.func @f(%a: i32) -> i32 { return %a : i32 }";
  MlirModule module = lciModuleParse(context, mlirStringRefCreate(ir, strlen(ir)), "f.mlir");
  // CHECK: passes run 1
  printf(
      "passes run %d\n",
      mlirLogicalResultIsSuccess(lciModuleRunPasses(module, "canonicalize,lci-to-llvm-pipeline")) ||
          mlirLogicalResultIsSuccess(lciModuleRunPasses(module, "canonicalize")));
  // CHECK: error '' of version 0.1
  printf("error '%s' of version %s\n", lciGetError(), lciGetVersion());
  lciModuleDestroy(module);
  lciContextDestroy(context);
  return 0;
}
