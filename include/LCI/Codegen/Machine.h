//===- Machine.h - The machine that code is made for ------------*- C++ -*-===//

#ifndef LCI_CODEGEN_MACHINE_H
#define LCI_CODEGEN_MACHINE_H

#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace lci {

/// The machine this runs on, whose code may be loaded anywhere.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeHostMachine(llvm::CodeGenOptLevel level);

/// What of a machine's vectors decides how cells are computed.
struct VectorUnit {
  int64_t bits;      ///< of a register
  int64_t registers; ///< how many there are
};

/// The widest vectors that all of our operations have. `TargetTransformInfo` knows what LLVM
/// prefers for loops of its own, which on many machines are half as wide.
VectorUnit vectorUnitOf(const llvm::TargetMachine &machine);

} // namespace lci

#endif // LCI_CODEGEN_MACHINE_H
