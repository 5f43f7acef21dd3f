//===- HoistInvariantBuffers.cpp - Hoist invariant tables -----------------===//
//
// Each tick that draws, or looks something up, fills a table before, by a kernel of a few threads.
// Tables are hoisted out of all loops and branches that do not change the buffers from which they
// are computed, and equal ones are shared. Upstream hoists values out of loops, but no operations
// that write to memory.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/LinalgUtils.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::lci {
#define GEN_PASS_DEF_HOISTINVARIANTBUFFERSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Loops that fill a buffer allocated by the function, without another writer.
struct Table {
  scf::ForOp fill;
  Value buffer;
  SmallVector<Value> reads; ///< other buffers
};

} // namespace

/// Whether a buffer is only read and freed, except within the operation `but`.
static bool isOnlyRead(Value buffer, Operation *but) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (but->isAncestor(user) || isa<memref::LoadOp, memref::DeallocOp>(user))
      return true;
    if (isa<ViewLikeOpInterface>(user))
      return isOnlyRead(user->getResult(0), but);
    auto linalg = dyn_cast<linalg::LinalgOp>(user);
    return linalg && !linalg.isDpsInit(&use);
  });
}

/// Matches loops that fill a table.
static std::optional<Table> asTable(scf::ForOp loop) {
  Table table{loop, nullptr, {}};
  bool isFit = loop.getNumResults() == 0;
  loop.walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      table.reads.push_back(load.getMemref());
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      Value buffer = store.getMemref();
      isFit &= buffer.getDefiningOp<memref::AllocOp>() && (!table.buffer || table.buffer == buffer);
      table.buffer = buffer;
    } else {
      isFit &= isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op) || isPlain(op);
    }
  });
  isFit &= table.buffer && !llvm::is_contained(table.reads, table.buffer) &&
           isOnlyRead(table.buffer, loop);
  return isFit ? std::optional(table) : std::nullopt;
}

/// Whether an operation, or one inside of it, may write the sources of a table. Operations with
/// unknown effects, or on unknown buffers, may.
static bool mayChange(const Table &table, Operation *op) {
  return op
      ->walk<WalkOrder::PreOrder>([&](Operation *inner) {
        if (inner == table.fill)
          return WalkResult::skip();
        if (inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
          return WalkResult::advance();
        auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
        SmallVector<MemoryEffects::EffectInstance> found;
        if (effects)
          effects.getEffects(found);
        bool changes = !effects;
        for (MemoryEffects::EffectInstance &effect : found)
          if (isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect()))
            changes |= !effect.getValue() || llvm::any_of(table.reads, [&](Value read) {
              return !areDisjoint(read, effect.getValue());
            });
        return changes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

class TableHoister {
public:
  explicit TableHoister(func::FuncOp function) : function(function) {}

  void run() {
    SmallVector<Table> tables;
    function.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      std::optional<Table> table = asTable(loop);
      if (table)
        tables.push_back(*table);
      return table ? WalkResult::skip() : WalkResult::advance();
    });
    for (Table &table : tables)
      hoist(table);
    for (size_t i = 0; i < tables.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        if (tables[k].fill && areEqual(tables[k], tables[i])) {
          share(tables[k], tables[i]);
          break;
        }
  }

  int64_t numHoisted = 0, numShared = 0;

private:
  /// Moves a table's loops, and the allocation of its buffer, in front of the operations around
  /// them, as long as the result is the same.
  void hoist(Table &table) {
    llvm::SetVector<Value> used(table.fill->operand_begin(), table.fill->operand_end());
    getUsedValuesDefinedAbove(table.fill->getRegions(), used);
    used.remove(table.buffer);
    Operation *alloc = table.buffer.getDefiningOp();
    bool isMoved = false;
    while (isa<scf::ForOp, scf::IfOp>(table.fill->getParentOp())) {
      Operation *around = table.fill->getParentOp();
      bool isSame = llvm::all_of(used, [&](Value value) {
        return !around->isAncestor(value.getParentBlock()->getParentOp());
      });
      if (!isSame || mayChange(table, around))
        break;
      table.fill->moveBefore(around);
      if (around->isAncestor(alloc))
        alloc->moveBefore(table.fill);
      isMoved = true;
    }
    numHoisted += isMoved;
  }

  /// Whether the first table has the same contents where the second one is filled.
  static bool areEqual(Table first, Table second) {
    if (first.fill->getBlock() != second.fill->getBlock() ||
        first.buffer.getType() != second.buffer.getType() ||
        !first.fill->isBeforeInBlock(second.fill))
      return false;
    for (Operation *op = first.fill->getNextNode(); op != second.fill; op = op->getNextNode())
      if (mayChange(first, op))
        return false;
    llvm::DenseMap<Value, Value> same;
    same[first.buffer] = second.buffer;
    auto check = [&](Value one, Value other) {
      auto known = same.find(one);
      return success((known != same.end() ? known->second : one) == other);
    };
    auto mark = [&](Value one, Value other) { same[one] = other; };
    return OperationEquivalence::isEquivalentTo(first.fill, second.fill, check, mark,
                                                OperationEquivalence::IgnoreLocations);
  }

  /// Readers of the second table read the first one.
  void share(const Table &first, Table &second) {
    second.fill->erase();
    second.fill = nullptr;
    for (Operation *user : llvm::make_early_inc_range(second.buffer.getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    second.buffer.replaceAllUsesWith(first.buffer);
    second.buffer.getDefiningOp()->erase();
    ++numShared;
  }

  func::FuncOp function;
};

struct HoistInvariantBuffers
    : mlir::lci::impl::HoistInvariantBuffersPassBase<HoistInvariantBuffers> {
  void runOnOperation() override {
    TableHoister hoister(getOperation());
    hoister.run();
    numHoisted += hoister.numHoisted;
    numShared += hoister.numShared;
  }
};

} // namespace
