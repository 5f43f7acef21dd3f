/*===- lci-c/Module.h - Modules: read, changed, written, from C ------*- C -*-===*\
|*                                                                              *|
|* From the text of a program or IR of any level to IR of another one, LLVM IR  *|
|* or PTX. One thread at a time may work in a context.                          *|
|*                                                                              *|
\*===------------------------------------------------------------------------===*/

#ifndef LCI_C_MODULE_H
#define LCI_C_MODULE_H

#include "lci-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reads the text of a program in the language. `name` stands in messages; null is a name, too. The
 *  caller owns the module: lciModuleDestroy. Null on errors. */
MLIR_CAPI_EXPORTED MlirModule lciModuleImport(MlirContext context, MlirStringRef text,
                                              const char *name);

/** Reads IR of any level, as text or bytecode, and verifies it. The caller owns the module. Null on
 *  errors. */
MLIR_CAPI_EXPORTED MlirModule lciModuleParse(MlirContext context, MlirStringRef ir,
                                             const char *name);

/** A copy of a module in the same context, which the caller owns. Null on errors. */
MLIR_CAPI_EXPORTED MlirModule lciModuleClone(MlirModule module);

/** Frees a module; null is no module. */
MLIR_CAPI_EXPORTED void lciModuleDestroy(MlirModule module);

/** Fails if something in a module is wrong. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciModuleVerify(MlirModule module);

/** Gives the text of a module to `callback`, in one or more parts, with `userData`. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciModulePrint(MlirModule module, MlirStringCallback callback,
                                                    void *userData);

/** The same for the one program of a module, as text of the language. Fails for IR that the
 *  language cannot express, such as that below programs. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciModuleExport(MlirModule module, MlirStringCallback callback,
                                                     void *userData);

/** Runs passes on a module, in place: text as of `lmpm-opt --pass-pipeline`, with
 *  `builtin.module(…)` around it or without. After a failure the module may be half changed, and
 *  nothing but lciModuleDestroy and lciModulePrint should be done with it. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciModuleRunPasses(MlirModule module, const char *pipeline);

/* Machine code. `module` is a program, or functions of ticks, and is not changed. `bindings` is the
 * JSON of a bindings file, whose paths are relative to the working directory, or null for a program
 * that leaves nothing open; functions of ticks take none. */

/** Gives PTX for a chip such as "sm_90" to `callback`; sm_80 if null. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciModuleToPTX(MlirModule module, const char *bindings,
                                                    const char *chip, MlirStringCallback callback,
                                                    void *userData);

/** Gives optimised LLVM IR for this machine to `callback`. */
MLIR_CAPI_EXPORTED MlirLogicalResult lciModuleToLLVMIR(MlirModule module, const char *bindings,
                                                       MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* LCI_C_MODULE_H */
