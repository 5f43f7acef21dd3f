/*===- lci-c/Support.h - Messages and texts of the compiler, to C ----*- C -*-===*\
|*                                                                              *|
|* How the functions of lci-c say that something is wrong. Each function takes  *|
|* null in place of anything and says so; one that fails returns a failure or a *|
|* null result, and lciGetError() the reason. All messages, warnings among      *|
|* them, also go to a callback. Nothing is printed.                             *|
|*                                                                              *|
|* Types that begin with Mlir are those of mlir-c, of which no function is      *|
|* needed: who has upstream's C interface of the same libMLIR.so may give its   *|
|* objects to these functions, and the other way around.                        *|
|*                                                                              *|
\*===------------------------------------------------------------------------===*/

#ifndef LCI_C_SUPPORT_H
#define LCI_C_SUPPORT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How grave a message is. Notes belong to the message before them. */
typedef enum { LciError, LciWarning, LciRemark, LciNote } LciSeverity;

/** One message. Its texts live until the callback returns. */
typedef struct {
  LciSeverity severity;
  /** The sentence. */
  const char *message;
  /** The kind of mistake, such as "not-visible", which `lmpm-opt --explain` explains; empty where
   *  there is none, as in messages of MLIR itself. */
  const char *id;
  /** The name of the text that is meant, and the place in it, from 1; empty and zero without. */
  const char *file;
  unsigned line, column;
} LciDiagnostic;

/** Is told a message. It must not call functions of lci-c. */
typedef void (*LciDiagnosticCallback)(const LciDiagnostic *diagnostic, void *userData);

/** Has every message of later calls of this thread go to `callback` as well, with `userData`; null
 *  ends that. */
MLIR_CAPI_EXPORTED void lciSetDiagnosticCallback(LciDiagnosticCallback callback, void *userData);

/** Why the last call of this thread failed: its messages, as tools print them, a line each. Empty
 * if it did not fail. Where it was given null, the failure of an earlier call follows. The text
 * lives until the next call of this thread. */
MLIR_CAPI_EXPORTED const char *lciGetError(void);

/** The version of the compiler, which is that of its bundles and tools. The text is constant. */
MLIR_CAPI_EXPORTED const char *lciGetVersion(void);

#ifdef __cplusplus
}
#endif

#endif /* LCI_C_SUPPORT_H */
