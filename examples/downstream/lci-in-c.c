/* Compiles a program to PTX and prints it: lci-in-c P.lmpm BINDINGS. */

#include "lci-c/Dialect.h"
#include "lci-c/Module.h"
#include <stdio.h>
#include <stdlib.h>

/* A file of at most a megabyte. */
static MlirStringRef readFile(const char *path) {
  static char text[1 << 20];
  FILE *file = fopen(path, "rb");
  size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  if (file)
    fclose(file);
  return mlirStringRefCreate(text, length);
}

static void print(MlirStringRef part, void *to) { fwrite(part.data, 1, part.length, to); }

int main(int argc, char **argv) {
  if (argc != 3)
    return fprintf(stderr, "expected a program and its bindings\n"), 1;
  MlirContext context = lciContextCreate();
  MlirModule module = lciModuleImport(context, readFile(argv[1]), argv[1]);
  MlirLogicalResult done = mlirLogicalResultFailure();
  if (module.ptr)
    done = lciModuleToPTX(module, argv[2], "sm_90", print, stdout);
  if (mlirLogicalResultIsFailure(done))
    fprintf(stderr, "%s\n", lciGetError());
  lciModuleDestroy(module);
  lciContextDestroy(context);
  return mlirLogicalResultIsFailure(done);
}
