//===- BufferAliasAnalysis.h - Alias analysis of buffers --------*- C++ -*-===//
//
// Upstream's local alias analysis, and what functions of ticks say besides: arguments with
// `llvm.noalias` have no other name, ping-pong buffers stay as different as a loop found them, and
// views of one buffer are disjoint if their offsets, sizes and strides say so. It is the one answer
// for all passes that move, fuse or hoist accesses; other passes add it to their `AliasAnalysis`
// by `addAnalysisImplementation`.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_BUFFERALIASANALYSIS_H
#define LCI_TRANSFORMS_SUPPORT_BUFFERALIASANALYSIS_H

#include "mlir/Analysis/AliasAnalysis/LocalAliasAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {

class BufferAliasAnalysis : public LocalAliasAnalysis {
public:
  AliasResult alias(Value left, Value right);

protected:
  AliasResult aliasImpl(Value left, Value right) override;

private:
  AliasResult aliasChoice(arith::SelectOp select, Value other);
  AliasResult aliasBranch(scf::IfOp branch, Value left, Value right);
  bool carriesDisjoint(scf::ForOp loop, unsigned one, unsigned other);

  /// Iteration arguments known to be disjoint, as long as IR is not changed, then those assumed to
  /// be within steps of inductions.
  llvm::SetVector<std::pair<Value, Value>> disjointCarried;
};

/// Whether no element of one buffer, or view, is an element of the other.
bool areDisjoint(Value left, Value right);

/// Whether an argument of a function is memory that has no other name (`llvm.noalias`).
bool isNoAliasArgument(Value buffer);

/// The buffer that a view, or a view of a view, is a part of.
Value rootOf(Value buffer);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_BUFFERALIASANALYSIS_H
