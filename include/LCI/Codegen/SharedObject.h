//===- SharedObject.h - Machine code as files -------------------*- C++ -*-===//

#ifndef LCI_CODEGEN_SHAREDOBJECT_H
#define LCI_CODEGEN_SHAREDOBJECT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace lci {

/// Adds a function of that name which takes the addresses of another one's arguments, so that
/// callers need not know their types.
void addEntry(llvm::Function &function, llvm::StringRef name);

/// The object file of a module, for a machine that supports it.
std::string objectOf(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace lci

#endif // LCI_CODEGEN_SHAREDOBJECT_H
