//===- Optimize.h - Optimization of LLVM IR for one machine -----*- C++ -*-===//
//
// LLVM's pipeline, and the project's transformations of LLVM IR that run before, between or after
// it because LLVM lacks them or undoes them. Each returns how often it applied.
//
//===----------------------------------------------------------------------===//

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

/// Is called with a transformation's name when it changed something.
using ChangeListener = std::function<void(llvm::StringRef)>;

/// LLVM's pipeline at a level from 0 to 3, then the transformations below. The machine must outlive
/// the optimizer, unless it runs at once. Ticks check `stop`, if there is one (`stopTicks`).
std::function<llvm::Error(llvm::Module *)> makeOptimizer(unsigned level,
                                                         llvm::TargetMachine &machine,
                                                         const StopFlag *stop = nullptr,
                                                         ChangeListener listener = nullptr);

/// Makes local functions without results, as ticks are, return at once while a flag is raised.
/// Returns their number.
unsigned stopTicks(llvm::Module &module, const StopFlag &flag);

/// Implements the functions `lci.lanes.look_up.…` by register permutations, if the machine has
/// them. Returns their number.
unsigned permuteLookups(llvm::Module &module, const llvm::TargetMachine &machine);

/// Implements the function `lci.transpose_bits` by products of bit matrices, if the machine has
/// them. Returns the number of functions.
unsigned transposeBits(llvm::Module &module, const llvm::TargetMachine &machine);

/// Splits phis of aggregates of which only fields are used. Returns their number.
unsigned splitAggregatePhis(llvm::Function &function);

/// Shows the code generator which factors of 64-bit products have 32 bits, if products of these are
/// cheaper. Returns their number.
unsigned narrowMultiplies(llvm::Function &function, const llvm::TargetMachine &machine);

/// Replaces tests for NaN on bits by comparisons of numbers. Returns their number. Run it after all
/// optimizations: one could fold the new comparison to false.
unsigned compareNaNs(llvm::Function &function);

/// Replaces NaN by a constant in one instruction, if the machine has it. Returns their number. Run
/// it after `compareNaNs`.
unsigned fixupNaNs(llvm::Function &function, const llvm::TargetMachine &machine);

/// Counts lanes by masked additions, if the machine has them. Returns their number. Run it after
/// all optimizations, which would undo it.
unsigned maskCounts(llvm::Function &function, const llvm::TargetMachine &machine);

/// Marks a function that only connects hundreds of calls, or the operands of one, as not to be
/// optimized, with all its values on the stack, and returns whether it did: LLVM's time is
/// quadratic in it, and the loops are in the called functions.
bool skipHugeFunction(llvm::Function &function);

/// Keeps LLVM's loop vectorizer from loops that would take it practically forever. Returns their
/// number.
unsigned limitVectorizer(llvm::LoopInfo &loops);

/// Lets a function with vectors wider than the stack's alignment spill them at multiples of their
/// size, and returns whether it did. Otherwise spills may cross cache lines, depending on the
/// caller's stack.
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
