//===- ExpandPhilox.cpp - Blocks of random words as arithmetic ------------===//
//
// Expands `lci.philox` to its ten rounds: for vector units in 64-bit lanes, where words stay below
// 2^32, and for the threads of a GPU in 32-bit registers with an instruction for both halves of a
// product. Only blocks inside of ticks and linalg operations are computed by such threads.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/DrawsToArith/Passes.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Philox.h"
#include "LCI/Transforms/Support/IROps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::lci {
#define GEN_PASS_DEF_EXPANDPHILOXPASS
#include "LCI/Conversion/DrawsToArith/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

/// The words below 2^32 in lanes of 64 bits. The rounds of all blocks are interleaved.
static SmallVector<Value> expandInLanes(OpBuilder &builder, PhiloxOp op) {
  IROps ops(builder, op.getLoc(), op.getLow().getType());
  numerics::Key<IROps> key{ops.asI64(op.getLow()), ops.asI64(op.getHigh())};
  SmallVector<numerics::Words<IROps>> blocks;
  for (size_t first = 0; first < op.getCounters().size(); first += 4) {
    auto word = [&](size_t i) { return ops.asI64(op.getCounters()[first + i]); };
    blocks.push_back({word(0), word(1), word(2), word(3)});
  }
  for (unsigned round = 0; round < numerics::kRounds; ++round)
    numerics::philoxRound(ops, blocks, key, round);
  SmallVector<Value> words;
  for (const numerics::Words<IROps> &block : blocks)
    for (IROps::I64 word : block)
      words.push_back(word.value);
  return words;
}

namespace {
/// The same in registers of 32 bits.
class InRegisters {
public:
  InRegisters(OpBuilder &builder, PhiloxOp op)
      : b(builder), loc(op.getLoc()), wide(op.getLow().getType()), narrow(b.getI32Type()) {
    if (auto shaped = dyn_cast<ShapedType>(wide))
      narrow = shaped.clone(narrow);
  }

  SmallVector<Value> expand(PhiloxOp op);

private:
  Value constant(uint32_t number);
  Value exclusive(Value x, Value y, Value z);
  void buildRound(MutableArrayRef<Value> words, ArrayRef<Value> key);

  OpBuilder &b;
  Location loc;
  Type wide, narrow;
};
} // namespace

Value InRegisters::constant(uint32_t number) {
  TypedAttr attribute = b.getI32IntegerAttr(static_cast<int32_t>(number));
  if (auto shaped = dyn_cast<ShapedType>(narrow))
    attribute = DenseElementsAttr::get(shaped, Attribute(attribute));
  return arith::ConstantOp::create(b, loc, attribute);
}

Value InRegisters::exclusive(Value x, Value y, Value z) {
  return b.createOrFold<arith::XOrIOp>(loc, b.createOrFold<arith::XOrIOp>(loc, x, y), z);
}

void InRegisters::buildRound(MutableArrayRef<Value> words, ArrayRef<Value> key) {
  SmallVector<Value> first, second; // the low and the high half of a product
  Value factors[] = {constant(numerics::kMultipliers[0]), constant(numerics::kMultipliers[1])};
  b.createOrFold<arith::MulUIExtendedOp>(first, loc, words[0], factors[0]);
  b.createOrFold<arith::MulUIExtendedOp>(second, loc, words[2], factors[1]);
  words[0] = exclusive(second[1], words[1], key[0]);
  words[2] = exclusive(first[1], words[3], key[1]);
  words[1] = second[0];
  words[3] = first[0];
}

SmallVector<Value> InRegisters::expand(PhiloxOp op) {
  auto low = [&](Value value) { return b.createOrFold<arith::TruncIOp>(loc, narrow, value); };
  SmallVector<Value> words = llvm::map_to_vector(op.getCounters(), low);
  SmallVector<Value> key{low(op.getLow()), low(op.getHigh())};
  for (unsigned round = 0; round < numerics::kRounds; ++round) {
    for (size_t first = 0; first < words.size(); first += 4)
      buildRound(MutableArrayRef(words).slice(first, 4), key);
    for (auto [word, grows] : llvm::zip_equal(key, numerics::kWeyl))
      word = b.createOrFold<arith::AddIOp>(loc, word, constant(grows));
  }
  return llvm::map_to_vector(
      words, [&](Value word) { return b.createOrFold<arith::ExtUIOp>(loc, wide, word); });
}

/// Whether a block is computed for cells. Keys are computed by the host, which has lanes.
static bool isOfCells(PhiloxOp op) {
  return op->getParentOfType<TickOp>() || op->getParentOfType<linalg::LinalgOp>();
}

namespace {
struct ExpandPhilox : mlir::lci::impl::ExpandPhiloxPassBase<ExpandPhilox> {
  using ExpandPhiloxPassBase::ExpandPhiloxPassBase;

  void runOnOperation() override {
    bool threads = isForGPU(getOperation());
    getOperation()->walk([&](PhiloxOp op) {
      OpBuilder builder(op);
      numBlocks += op.getCounters().size() / 4;
      bool isInRegisters = threads && isOfCells(op);
      SmallVector<Value> words =
          isInRegisters ? InRegisters(builder, op).expand(op) : expandInLanes(builder, op);
      op.replaceAllUsesWith(words);
      op.erase();
    });
  }
};
} // namespace
