//===- Machine.h - The machine that code is generated for -------*- C++ -*-===//
//
// Creates LLVM target machines, for this machine or a named one, and tells the size of their
// vectors.
//
//===----------------------------------------------------------------------===//

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

/// The machine this runs on, with position-independent code.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeHostMachine(llvm::CodeGenOptLevel level);

/// A processor by LLVM's name, such as `icelake-server`, and its system, such as
/// `aarch64-linux-gnu`. An empty triple is this machine's system; an empty name of a processor is
/// this machine's, or the baseline of another system.
struct MachineName {
  std::string triple, cpu;
};

/// The named machine; an error lists the possible names.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeMachine(const MachineName &name,
                                                                 llvm::CodeGenOptLevel level);

/// The properties of a machine's vectors on which code for cells depends.
struct VectorUnit {
  int64_t bits;      ///< of a register
  int64_t registers; ///< how many there are
};

/// The widest vectors that support all operations we use. `TargetTransformInfo` gives the width
/// that LLVM prefers for its loops, which on many machines is half.
VectorUnit vectorUnitOf(const llvm::TargetMachine &machine);

} // namespace lci

#endif // LCI_CODEGEN_MACHINE_H
