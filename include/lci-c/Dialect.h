/*===- lci-c/Dialect.h - The dialect and its passes, to C ------------*- C -*-===*\
|*                                                                              *|
|* Contexts that know the dialect lci, and its registration where contexts and *|
|* pass managers are upstream's.                                                *|
|*                                                                              *|
\*===------------------------------------------------------------------------===*/

#ifndef LCI_C_DIALECT_H
#define LCI_C_DIALECT_H

#include "lci-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The dialect alone, for mlirDialectHandleInsertDialect and its like of upstream's C interface. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(LCI, lci);

/** A context with every dialect of every level, from programs to the llvm and nvvm dialects. The
 *  caller owns it: lciContextDestroy. */
MLIR_CAPI_EXPORTED MlirContext lciContextCreate(void);

/** Frees a context, after all modules in it; null is no context. Programs of lciProgramCompile have
 *  contexts of their own. */
MLIR_CAPI_EXPORTED void lciContextDestroy(MlirContext context);

/** Has a context of upstream's C interface know every dialect of every level. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciContextPrepare(MlirContext context);

/** The same for a registry, which the caller keeps. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciRegisterAllDialects(MlirDialectRegistry registry);

/** Registers the passes and pipelines of upstream and of this project, for pass managers of
 *  upstream's C interface. lciModuleRunPasses does it by itself. A second call changes nothing. */
MLIR_CAPI_EXPORTED void lciRegisterAllPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* LCI_C_DIALECT_H */
