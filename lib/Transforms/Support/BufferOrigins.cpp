//===- BufferOrigins.cpp - Alias analysis of ping-pong buffers ------------===//

#include "LCI/Transforms/Support/BufferOrigins.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lci;

/// The loop that carries a buffer, or whose result it is, if the loop only permutes its buffers;
/// else null.
static scf::ForOp getExchange(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                       : buffer.getDefiningOp<scf::ForOp>();
  if (!loop)
    return nullptr;
  llvm::SmallDenseSet<Value> yielded;
  for (Value next : loop.getYieldedValues()) {
    if (!isa<MemRefType>(next.getType()))
      continue;
    auto carried = dyn_cast<BlockArgument>(next);
    if (!carried || carried.getOwner() != loop.getBody() || !yielded.insert(next).second)
      return nullptr;
  }
  return loop;
}

/// The buffers that initialize a loop.
static SmallVector<Value> initialBuffers(scf::ForOp loop) {
  return llvm::filter_to_vector(loop.getInits(),
                                [](Value init) { return isa<MemRefType>(init.getType()); });
}

/// The possible origins of a buffer in host code; none if they are unknown.
static SmallVector<Value> sourcesOf(Value buffer) {
  SmallVector<Value> choices, sources;
  if (auto choice = buffer.getDefiningOp<arith::SelectOp>())
    choices = {choice.getTrueValue(), choice.getFalseValue()};
  else if (scf::ForOp loop = getExchange(buffer))
    choices = initialBuffers(loop);
  for (Value choice : choices) {
    SmallVector<Value> found = sourcesOf(choice);
    if (found.empty())
      return {};
    llvm::append_range(sources, found);
  }
  if (buffer.getDefiningOp<memref::AllocOp>() || isNoAliasArgument(buffer))
    sources.push_back(buffer);
  return sources;
}

bool lci::lieApart(Value left, Value right) {
  scf::ForOp loop = getExchange(left);
  if (loop && loop == getExchange(right)) { // permuted: they stay distinct if they were
    SmallVector<Value> inits = initialBuffers(loop);
    return left != right && llvm::all_of(llvm::enumerate(inits), [&](auto first) {
             return llvm::all_of(ArrayRef(inits).drop_front(first.index() + 1),
                                 [&](Value second) { return lieApart(first.value(), second); });
           });
  }
  SmallVector<Value> mine = sourcesOf(left), theirs = sourcesOf(right);
  return !mine.empty() && !theirs.empty() &&
         llvm::none_of(theirs, [&](Value source) { return llvm::is_contained(mine, source); });
}
