// RUN: %cc %s -o %t && %t 2>&1 | FileCheck %s
// UNSUPPORTED: sanitizer
// Threads run programs side by side, and take turns on one: the bits are those of one thread.

#include "lci-c/Dialect.h"
#include "lci-c/Module.h"
#include "lci-c/Program.h"
#include <stdio.h>
#include <string.h>
#include <threads.h>

enum { kCells = 64, kThreads = 6 };

static const char text[] =
    "value Cell : Token[7] shape Seq(64) boundary wrap init[i] i % 7\n"
    "visible Cell[i] <- Cell[i-1]\n"
    "rule Turn: on Cell[i] emit proposal Cell[i] := (self + randint(7)) % 7\n"
    "visible Cell[i] <- Cell[i]\n"
    "commit Cell[*] using accept\n";

typedef struct {
  LciRun run;
  int8_t cells[kCells];
  bool failed;
} Job;

/// Epoch by epoch, so that threads meet.
static int work(void *of) {
  Job *job = of;
  for (int i = 0; i < 20 && !job->failed; ++i)
    job->failed = mlirLogicalResultIsFailure(lciRunAdvance(job->run, 1));
  if (job->failed ||
      mlirLogicalResultIsFailure(lciRunGetValue(job->run, "Cell", job->cells, kCells)))
    return fprintf(stderr, "%s\n", lciGetError());
  return 0;
}

int main(void) {
  MlirContext context = lciContextCreate();
  MlirModule module =
      lciModuleImport(context, mlirStringRefCreate(text, strlen(text)), "turn.lmpm");
  LciProgram programs[] = {lciProgramCompile(module, NULL, "cpu", 1),
                           lciProgramCompile(module, NULL, "kernels", 1)};
  if (!programs[0].ptr || !programs[1].ptr)
    return fprintf(stderr, "%s\n", lciGetError()), 1;
  lciModuleDestroy(module);
  lciContextDestroy(context);
  static Job jobs[kThreads];
  thrd_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    jobs[i].run = lciRunCreate(programs[i % 2]);
    lciRunSetSeed(jobs[i].run, 5);
    thrd_create(&threads[i], work, &jobs[i]);
  }
  int same = 0;
  for (int i = 0; i < kThreads; ++i) {
    thrd_join(threads[i], NULL);
    same += !jobs[i].failed && memcmp(jobs[i].cells, jobs[0].cells, kCells) == 0;
    lciRunDestroy(jobs[i].run);
  }
  lciProgramDestroy(programs[0]);
  lciProgramDestroy(programs[1]);
  // CHECK: 6 of 6 have the same cells
  printf("%d of %d have the same cells\n", same, kThreads);
  return 0;
}
