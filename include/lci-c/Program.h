/*===- lci-c/Program.h - Programs: compiled and run, from C ----------*- C -*-===*\
|*                                                                              *|
|* A program is bound, proved and compiled once; its runs each take inputs, and *|
|* go on between epochs as long as one likes. Programs and runs are told from   *|
|* those that were destroyed, whose use is an error like others. Calls of       *|
|* several threads on one program and its runs take turns.                      *|
|*                                                                              *|
|* Arrays are those of the bundles' interface, LCI/Runtime/lci.h.               *|
|*                                                                              *|
\*===------------------------------------------------------------------------===*/

#ifndef LCI_C_PROGRAM_H
#define LCI_C_PROGRAM_H

#include "LCI/Runtime/lci.h"
#include "lci-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A compiled program. */
typedef struct {
  void *ptr;
} LciProgram;
/** A run of one. */
typedef struct {
  void *ptr;
} LciRun;

/** Binds, proves and compiles the one program of a module, which is not changed and may be
 * destroyed at once. `bindings` is the JSON of a bindings file, whose paths are relative to the
 * working directory, or null. `backend` is "cpu" (also if null), "interp", "kernels" (those of a
 * GPU, run on this machine) or "cuda"; on the CPU as many threads share a tick as `threads` says.
 * The caller owns the program: lciProgramDestroy. Null on errors. */
MLIR_CAPI_EXPORTED LciProgram lciProgramCompile(MlirModule module, const char *bindings,
                                                const char *backend, int64_t threads);
/** Frees a program; its runs live on until they are destroyed. Null is no program. */
MLIR_CAPI_EXPORTED void lciProgramDestroy(LciProgram program);

/** The number of the program's values; -1 on errors. */
MLIR_CAPI_EXPORTED int64_t lciProgramGetNumValues(LciProgram program);
/** The name of a value, which lives as long as the program and its runs; null if there is none of
 *  that number. */
MLIR_CAPI_EXPORTED const char *lciProgramGetValueName(LciProgram program, int64_t number);
/** The form of a value: the type in which lciRunGetValue writes it, and its shape, which lives as
 *  long as the program and its runs; no data. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciProgramDescribeValue(LciProgram program, const char *name,
                                                             lci_array *form);

/** A run that has not started. The caller owns it: lciRunDestroy. Null on errors. */
MLIR_CAPI_EXPORTED LciRun lciRunCreate(LciProgram program);
/** Frees a run; null is no run. */
MLIR_CAPI_EXPORTED void lciRunDestroy(LciRun run);

/* Before the first lciRunAdvance, and an error after it. Arrays are copied. */

/** Sets the seed, that of the bindings if it is not set. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciRunSetSeed(LciRun run, uint64_t seed);
/** Sets a value at the start: integers for tokens (-1: none, where the program does not need one)
 *  and integers, or numbers. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciRunSetInput(LciRun run, const char *name,
                                                    const lci_array *value);
/** Sets a parameter; whether the program has one of that name and shape is said by lciRunAdvance.
 */
MLIR_CAPI_EXPORTED MlirLogicalResult lciRunSetParameter(LciRun run, const char *name,
                                                        const lci_array *numbers);
/** Switches a rule or a constraint on or off; whether there is one, lciRunAdvance says. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciRunSetEnabled(LciRun run, const char *name, bool on);

/** Computes so many more epochs; the first call starts the run, also with 0. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciRunAdvance(LciRun run, int64_t epochs);
/** The number of epochs that are done; fewer than were asked for where nothing changes any more; -1
 *  on errors. */
MLIR_CAPI_EXPORTED int64_t lciRunGetEpoch(LciRun run);
/** Writes a value to exactly so many bytes as its form needs. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciRunGetValue(LciRun run, const char *name, void *to,
                                                    size_t bytes);
/** Writes the number that an observer of the program sees now; NaN where it sees nothing. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciRunObserve(LciRun run, const char *name, double *number);

#ifdef __cplusplus
}
#endif

#endif /* LCI_C_PROGRAM_H */
