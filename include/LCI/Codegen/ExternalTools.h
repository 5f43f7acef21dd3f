//===- ExternalTools.h - Linker, assembler, pattern compiler ----*- C++ -*-===//
//
// Steps that LLVM's and MLIR's libraries do not do: they run a program.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CODEGEN_EXTERNALTOOLS_H
#define LCI_CODEGEN_EXTERNALTOOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace lci {

/// Links an object file to a shared one, by the linker that is found.
llvm::Expected<std::string> linkShared(llvm::StringRef object);

/// Whether NVIDIA's assembler is on this machine.
bool hasAssembler();
/// Machine code of PTX for one chip, such as `sm_90`.
llvm::Expected<std::string> assemblePTX(llvm::StringRef ptx, llvm::StringRef chip);

/// The output of MLIR's compiler of patterns for a file.
struct CompiledPatterns {
  /// Patterns in the pdl dialect; empty if there was an error.
  std::string ir;
  /// `FILE:LINE:COLUMN: error: …` and so on.
  std::string messages;
};

/// Compiles a file of PDLL by `mlir-pdll`, which is looked for in a folder first and then on PATH.
/// Files that it includes are looked for in `includes`.
llvm::Expected<CompiledPatterns>
compilePatterns(llvm::StringRef file, llvm::ArrayRef<std::string> includes, llvm::StringRef folder);

} // namespace lci

#endif // LCI_CODEGEN_EXTERNALTOOLS_H
