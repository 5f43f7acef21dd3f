//===- Machine.h - The machine that code is made for ------------*- C++ -*-===//

#ifndef LCI_CODEGEN_MACHINE_H
#define LCI_CODEGEN_MACHINE_H

#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace lci {

/// The machine this runs on, whose code may be loaded anywhere.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeHostMachine(llvm::CodeGenOptLevel level);

/// A processor by the name that LLVM has for it, such as `icelake-server`, and the system it runs,
/// such as `aarch64-linux-gnu`. Nothing said of either means this machine's system, and its
/// processor or the least that a system asks for.
struct MachineName {
  std::string triple, cpu;
};

/// A machine that is named; an error says what it could have been.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeMachine(const MachineName &name,
                                                                 llvm::CodeGenOptLevel level);

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
