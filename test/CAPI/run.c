// RUN: %cc %s -o %t && %t 2>&1 | FileCheck %s
// UNSUPPORTED: sanitizer
// A C program runs a program and prints its cells: the same on every back end, and several runs of one.

#include "lci-c/Dialect.h"
#include "lci-c/Module.h"
#include "lci-c/Program.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "value Cell : Token[3] shape Seq(N) boundary wrap\n"
                           "value Count : I32 shape Scalar init 5\n"
                           "param step : I32 = 1\n"
                           "visible Cell[i] <- Cell[i-1]\n"
                           "visible Count <- Count\n"
                           "rule Shift: on Cell[i] emit proposal Cell[i] := Cell[i-1] ?? 0\n"
                           "rule Add: on Count emit proposal Count := (self + step) % 1000\n"
                           "commit Cell[*] using accept\n"
                           "commit Count using accept\n"
                           "observe total := sum(Cell[i])\n";

static int check(MlirLogicalResult done) {
  if (mlirLogicalResultIsFailure(done))
    printf("%s\n", lciGetError());
  return mlirLogicalResultIsFailure(done);
}

static int printCells(LciRun run) {
  int8_t cells[5];
  int32_t count = 0;
  double total = 0;
  if (check(lciRunGetValue(run, "Cell", cells, sizeof cells)) ||
      check(lciRunGetValue(run, "Count", &count, sizeof count)) ||
      check(lciRunObserve(run, "total", &total)))
    return 1;
  printf("%d:", (int)lciRunGetEpoch(run));
  for (int i = 0; i < 5; ++i)
    printf(" %d", cells[i]);
  printf(", %d, %g\n", count, total);
  return 0;
}

static int describe(MlirModule module) {
  LciProgram program = lciProgramCompile(module, "{\"sizes\": {\"N\": 5}}", NULL, 1);
  lci_array form;
  // CHECK: Cell: type 1, rank 1, 5
  // CHECK: Count: type 3, rank 0
  for (int64_t i = 0; i < lciProgramGetNumValues(program); ++i) {
    const char *name = lciProgramGetValueName(program, i);
    if (check(lciProgramDescribeValue(program, name, &form)))
      return 1;
    printf("%s: type %d, rank %d", name, (int)form.type, (int)form.rank);
    printf(form.rank ? ", %d\n" : "\n", form.rank ? (int)form.shape[0] : 0);
  }
  lciProgramDestroy(program);
  return 0;
}

static int runOn(MlirModule module, const char *backend) {
  static const int64_t shape[] = {5}, cells[] = {2, 1, 0, 0, 0}, three = 3;
  lci_array start = {LCI_I64, 1, shape, cells}, step = {LCI_I64, 0, NULL, &three};
  LciProgram program =
      lciProgramCompile(module, "{\"sizes\": {\"N\": 5}, \"params\": {\"step\": 1}}", backend, 1);
  LciRun one = lciRunCreate(program), other = lciRunCreate(program);
  lciProgramDestroy(program); // runs keep it
  int failed = check(lciRunSetInput(one, "Cell", &start)) ||
               check(lciRunSetInput(other, "Cell", &start)) || check(lciRunSetSeed(one, 7)) ||
               check(lciRunSetParameter(one, "step", &step)) ||
               check(lciRunSetEnabled(other, "Add", false)) || check(lciRunAdvance(one, 0)) ||
               printCells(one) || check(lciRunAdvance(other, 2)) || check(lciRunAdvance(one, 4)) ||
               printCells(one) || printCells(other);
  lciRunDestroy(one);
  lciRunDestroy(other);
  printf("%s: %s\n", backend, failed ? "failed" : "done");
  return failed;
}

int main(void) {
  MlirContext context = lciContextCreate();
  MlirModule module =
      lciModuleImport(context, mlirStringRefCreate(text, strlen(text)), "shift.lmpm");
  // CHECK:      0: 2 1 0 0 0, 5, 3
  // CHECK-NEXT: 4: 1 0 0 0 2, 17, 3
  // CHECK-NEXT: 2: 0 0 2 1 0, 5, 3
  // CHECK-NEXT: cpu: done
  // CHECK:      4: 1 0 0 0 2, 17, 3
  // CHECK-NEXT: 2: 0 0 2 1 0, 5, 3
  // CHECK-NEXT: interp: done
  // CHECK:      4: 1 0 0 0 2, 17, 3
  // CHECK-NEXT: 2: 0 0 2 1 0, 5, 3
  // CHECK-NEXT: kernels: done
  int failed = describe(module) || runOn(module, "cpu") || runOn(module, "interp") ||
               runOn(module, "kernels");
  lciModuleDestroy(module);
  lciContextDestroy(context);
  return failed;
}
