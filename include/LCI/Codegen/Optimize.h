//===- Optimize.h - LLVM IR for one machine ---------------------*- C++ -*-===//

#ifndef LCI_CODEGEN_OPTIMIZE_H
#define LCI_CODEGEN_OPTIMIZE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace llvm {
class Function;
class LoopInfo;
class Module;
class TargetMachine;
} // namespace llvm

namespace lci {
class StopFlag;

/// Told of what follows here that it changed something, by its function's name.
using ChangeListener = std::function<void(llvm::StringRef)>;

/// LLVM's own pipeline at a level from 0 to 3, then what it lacks. The machine must outlive the
/// optimizer, unless it runs once at once. Ticks look at `stop`, if there is one (`stopTicks`).
std::function<llvm::Error(llvm::Module *)> makeOptimizer(unsigned level,
                                                         llvm::TargetMachine &machine,
                                                         const StopFlag *stop = nullptr,
                                                         ChangeListener listener = nullptr);

/// Lets local functions that give nothing back, as ticks are, return at once while a flag is
/// raised. Returns how many do.
unsigned stopTicks(llvm::Module &module, const StopFlag &flag);

/// Lets the functions `lci.lanes.look_up.…` permute registers, if the machine can. Returns how many
/// do.
unsigned permuteLookUps(llvm::Module &module, const llvm::TargetMachine &machine);

/// Lets the function `lci.transpose_bits` multiply matrices of bits, if the machine can. Returns
/// how many do.
unsigned transposeBits(llvm::Module &module, const llvm::TargetMachine &machine);

/// Takes apart what phis carry of aggregates of which only fields are asked for. Returns how many
/// there were.
unsigned splitCarriedFields(llvm::Function &function);

/// Lets the machine know which factors of 64-bit products have 32 bits, if products of these are
/// cheaper. Returns how many.
unsigned narrowFactors(llvm::Function &function, const llvm::TargetMachine &machine);

/// Lets tests for NaN that look at bits compare numbers. Returns how many. For code that no
/// optimization goes over any more: one could take the new comparison for always false.
unsigned testNaNsByNumbers(llvm::Function &function);

/// Puts a constant in the place of NaN by one instruction, if the machine has it. Returns how many.
/// After `testNaNsByNumbers`.
unsigned fixNaNs(llvm::Function &function, const llvm::TargetMachine &machine);

/// Counts lanes by additions under a mask, if the machine has them. Returns how many. For code that
/// no optimization goes over any more, which would take it back.
unsigned countUnderMasks(llvm::Function &function, const llvm::TargetMachine &machine);

/// Keeps from LLVM's optimizations what only holds hundreds of calls together, or of operands for
/// one, lets it carry everything on the stack, and says whether this is such a function: LLVM takes
/// time that grows with the square of it, and the loops are in the functions that it calls.
bool hurryThroughCalls(llvm::Function &function);

/// Keeps LLVM's loop vectorizer from loops of which it would ask more than it can in a lifetime.
/// Returns how many.
unsigned leaveUniformChains(llvm::LoopInfo &loops);

/// Lets a function that has vectors wider than the stack is aligned put those for which there is no
/// register at multiples of their size, and says whether it has. Else each would be stored and
/// loaded across two lines of the cache, or not, as its caller's stack happens to lie.
bool alignSpills(llvm::Function &function);

/// Operations of a circuit.
struct LogicCounts {
  unsigned before = 0, after = 0;
};

/// Covers the bitwise logic of vectors by operations of three operands (`vpternlog`), if the
/// machine has them.
LogicCounts fuseTernaryLogic(llvm::Function &function, const llvm::TargetMachine &machine);

} // namespace lci

#endif // LCI_CODEGEN_OPTIMIZE_H
