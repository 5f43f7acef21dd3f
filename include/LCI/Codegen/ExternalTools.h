//===- ExternalTools.h - Linker and assembler -------------------*- C++ -*-===//
//
// Steps that LLVM's library does not do: they run a program on PATH.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CODEGEN_EXTERNALTOOLS_H
#define LCI_CODEGEN_EXTERNALTOOLS_H

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

} // namespace lci

#endif // LCI_CODEGEN_EXTERNALTOOLS_H
