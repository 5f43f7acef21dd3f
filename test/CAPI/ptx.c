// RUN: %cc %s -o %t && %t 2>&1 | FileCheck %s
// UNSUPPORTED: sanitizer
// A C program goes from the text of a program to PTX, at once by bindings and level by level by passes.

#include "lci-c/Dialect.h"
#include "lci-c/Module.h"
#include <stdio.h>
#include <string.h>

static const char life[] =
    "value Cell : Token[2] shape Grid2D(W, H) boundary wrap init bernoulli(0.3)\n"
    "visible Cell[x,y] <- Cell[x,y]\n"
    "visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8\n"
    "rule Life: on Cell[x,y]\n"
    "  let n = sum(near)\n"
    "  emit proposal Cell[x,y] := if n == 3 or (n == 2 and self == 1) then 1 else 0\n"
    "commit Cell[*] using accept\n";

/// Where texts go.
static void print(MlirStringRef part, void *to) { fwrite(part.data, 1, part.length, to); }

static int check(MlirLogicalResult done) {
  if (mlirLogicalResultIsFailure(done))
    fprintf(stderr, "%s\n", lciGetError());
  return mlirLogicalResultIsFailure(done);
}

static int atOnce(MlirModule module) {
  static const char bindings[] = "{\"sizes\": {\"W\": 64, \"H\": 48}}";
  // CHECK: lci.program
  // CHECK-SAME: sizes ["W", "H"]
  // CHECK: .target sm_90
  // CHECK: .visible .entry program_kernel
  // CHECK: define void @program(
  return check(lciModulePrint(module, print, stdout)) ||
         check(lciModuleToPTX(module, bindings, "sm_90", print, stdout)) ||
         check(lciModuleToLLVMIR(module, bindings, print, stdout));
}

static int levelByLevel(MlirModule module) {
  static const char toTicks[] =
      "lci-bind{sizes=W=64,H=48},lci-check-pipeline{remarks=false},lci-lower-rules";
  // CHECK: lci.tick
  if (check(lciModuleRunPasses(module, toTicks)) || check(lciModuleVerify(module)) ||
      check(lciModulePrint(module, print, stdout)))
    return 1;
  // CHECK: .target sm_80
  // CHECK: .visible .entry
  if (check(lciModuleToPTX(module, NULL, NULL, print, stdout)))
    return 1;
  // CHECK: llvm.func @program
  return check(
             lciModuleRunPasses(module, "builtin.module(lci-to-llvm-pipeline{vector-bits=256})")) ||
         check(lciModulePrint(module, print, stdout));
}

int main(void) {
  MlirContext context = lciContextCreate();
  MlirModule module =
      lciModuleImport(context, mlirStringRefCreate(life, strlen(life)), "life.lmpm");
  MlirModule copy = lciModuleClone(module);
  int failed = !module.ptr || !copy.ptr || atOnce(module) || levelByLevel(copy);
  // The module is as it was, and is a text of the language.
  // CHECK: value Cell : Token[2]
  failed = failed || check(lciModuleExport(module, print, stdout));
  lciModuleDestroy(copy);
  lciModuleDestroy(module);
  lciContextDestroy(context);
  // CHECK: done 0
  printf("done %d\n", failed);
  return failed;
}
