//===- MapLookups.cpp - Boolean circuits as look-ups of three bits --------===//
//
// GPUs compute any function of three bits in one instruction, and their assemblers make it of
// boolean operations as they come: LLVM turns circuits around before, so that what was the carry of
// an adder is no longer seen to be a function of three bits. Here a circuit is covered as field
// programmable gate arrays are: each gate is known by its *cuts*, sets of up to three values that
// it is a function of; those that make the fewest look-ups are taken. First shared gates count for
// as much as each of their users is worth (area flow), then look-ups are counted as they are (exact
// area; Mishchenko, Chatterjee, Brayton: DAC 2006).
//
// A cover has the circuit's own values. Others may take fewer look-ups: so what a gate is of up to
// six values is decomposed anew (LCI/Numerics/LookupNetwork.h), as one more cut of several
// look-ups.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Integers.h"
#include "LCI/Numerics/LookupNetwork.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace mlir::lci {
#define GEN_PASS_DEF_MAPLOOKUPSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
using ::lci::numerics::kInputs;
using ::lci::numerics::kMostInputs;
using ::lci::numerics::LookupNetwork;

/// What the table of each of three operands itself is.
static constexpr std::array<unsigned, 3> kOperands = {0xF0, 0xCC, 0xAA};
static constexpr unsigned kAlways = 0xFF;

/// Cuts of a gate that are remembered, and how often look-ups are counted again.
static constexpr size_t kMostCuts = 12;
static constexpr int kRounds = 3;

/// Of a network that is looked for: the look-ups it may have, and how many values there may be on
/// the way to six.
static constexpr unsigned kMostLookups = 4;
static constexpr size_t kMostLeaves = 8;

namespace {
/// Up to three values, and what a gate is as a function of them; or up to six, of which it is a
/// network.
struct Cut {
  SmallVector<Value, 3> leaves;
  unsigned table = 0;
  LookupNetwork network = {};
  double flow = 0; ///< look-ups that a user stands for
  size_t rank = 0; ///< among cuts of the same flow
};

/// The gates of a block and how they are covered.
class Circuit {
public:
  explicit Circuit(Block &block);

  /// Writes the cover in place of the gates; returns the number of look-ups.
  int64_t rewrite();

private:
  struct Gate {
    Operation *op;
    SmallVector<Cut, kMostCuts> cuts;
    size_t best = 0;
    unsigned users = 0; ///< look-ups that use it, and others that do
    unsigned level = 0; ///< gates on the longest way to it
    bool isRoot = false;
  };

  Gate *find(Value value);
  unsigned levelOf(ValueRange values);
  SmallVector<Cut, kMostCuts> cutsOf(Value value);
  void addCut(Gate &gate, const Cut &left, const Cut &right);
  void enumerate(Gate &gate);
  unsigned use(const Cut &cut);
  unsigned release(const Cut &cut);
  void chooseExactly(Gate &gate, bool fewestValues);
  uint64_t tableOf(Value value, ArrayRef<Value> leaves, llvm::DenseMap<Value, uint64_t> &known);
  SmallVector<Value, 2> newOperands(const Gate &gate, ArrayRef<Value> leaves);
  bool widen(SmallVectorImpl<Value> &leaves);
  bool decompose(Gate &gate, ArrayRef<Value> leaves);
  void decompose(Gate &gate);
  Value emit(Gate &gate);
  Value emitNetwork(OpBuilder &builder, const Cut &cut, ValueRange leaves, Location loc);

  llvm::MapVector<Value, Gate> gates; ///< in the order of the block
  /// By table, what was found with how many look-ups at most.
  std::map<std::pair<uint64_t, unsigned>, std::optional<LookupNetwork>> networks;
  IRMapping written;
};
} // namespace

//===----------------------------------------------------------------------===//
// Gates
//===----------------------------------------------------------------------===//

/// Whether both operands of an or are shifted, as where a neighbour's bits come in: one
/// instruction.
static bool isFunnel(Operation *op) {
  return isa<arith::OrIOp>(op) && llvm::all_of(op->getOperands(), [](Value operand) {
           return isa_and_nonnull<arith::ShLIOp, arith::ShRUIOp>(operand.getDefiningOp());
         });
}

static bool isGate(Operation *op) {
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) && !isFunnel(op) &&
         (op->getResult(0).getType().isInteger(32) || op->getResult(0).getType().isInteger(64));
}

static uint64_t combine(Operation *op, uint64_t left, uint64_t right) {
  if (isa<arith::AndIOp>(op))
    return left & right;
  return isa<arith::OrIOp>(op) ? left | right : left ^ right;
}

/// What a table gives of three values, each of which is given by a table itself.
static unsigned compose(unsigned table, const std::array<unsigned, 3> &values) {
  return ::lci::numerics::lookUp(values[0], values[1], values[2], table) & kAlways;
}

/// A table on the leaves of a cut as one on others, which include them.
static unsigned spread(const Cut &cut, ArrayRef<Value> leaves) {
  std::array<unsigned, 3> values{};
  for (auto [value, leaf] : llvm::zip(values, cut.leaves))
    value = kOperands[llvm::find(leaves, leaf) - leaves.begin()];
  return compose(cut.table, values);
}

/// Takes away the leaves that make no difference.
static void reduce(Cut &cut) {
  for (size_t i = cut.leaves.size(); i-- > 0;) {
    Cut narrow;
    std::array<unsigned, 3> values{}; // of the leaves, as of those that are left; leaf i is zero
    for (auto [j, leaf] : llvm::enumerate(cut.leaves))
      if (j != i) {
        values[j] = kOperands[narrow.leaves.size()];
        narrow.leaves.push_back(leaf);
      }
    narrow.table = compose(cut.table, values);
    values[i] = kAlways;
    if (narrow.table == compose(cut.table, values))
      cut = std::move(narrow);
  }
}

static bool haveSameLeaves(const Cut &one, const Cut &other) {
  return one.leaves.size() == other.leaves.size() && llvm::all_of(one.leaves, [&](Value leaf) {
           return llvm::is_contained(other.leaves, leaf);
         });
}

Circuit::Circuit(Block &block) {
  for (Operation &op : block)
    if (isGate(&op))
      gates[op.getResult(0)].op = &op;
  for (auto &[value, gate] : gates) {
    for (Operation *user : value.getUsers()) {
      gate.isRoot |= !gates.contains(user->getNumResults() == 1 ? user->getResult(0) : Value());
      ++gate.users;
    }
    gate.level = levelOf(gate.op->getOperands()) + 1;
    enumerate(gate);
  }
}

Circuit::Gate *Circuit::find(Value value) {
  auto *found = gates.find(value);
  return found == gates.end() ? nullptr : &found->second;
}

/// The highest level among values.
unsigned Circuit::levelOf(ValueRange values) {
  unsigned level = 0;
  for (Value value : values)
    if (Gate *gate = find(value))
      level = std::max(level, gate->level);
  return level;
}

/// Whether a value has the same bit everywhere, as constants may.
static bool isAlways(Value value) {
  APInt bits;
  return matchPattern(value, m_ConstantInt(&bits)) && (bits.isZero() || bits.isAllOnes());
}

SmallVector<Cut, kMostCuts> Circuit::cutsOf(Value value) {
  if (isAlways(value))
    return {Cut{{}, matchPattern(value, m_Zero()) ? 0 : kAlways}};
  Cut itself{{value}, kOperands[0]};
  Gate *gate = find(value);
  if (!gate)
    return {itself};
  SmallVector<Cut, kMostCuts> cuts = gate->cuts;
  cuts.push_back(itself);
  return cuts;
}

/// A cut of a gate from one of each operand, unless it has too many leaves or is known.
void Circuit::addCut(Gate &gate, const Cut &left, const Cut &right) {
  Cut cut{left.leaves};
  for (Value leaf : right.leaves)
    if (!llvm::is_contained(cut.leaves, leaf))
      cut.leaves.push_back(leaf);
  if (cut.leaves.size() > kOperands.size())
    return;
  cut.table = combine(gate.op, spread(left, cut.leaves), spread(right, cut.leaves));
  reduce(cut);
  if (llvm::any_of(gate.cuts, [&](const Cut &other) { return haveSameLeaves(cut, other); }))
    return;
  cut.flow = 1;
  for (Value leaf : cut.leaves)
    if (Gate *shared = find(leaf))
      cut.flow += shared->cuts.front().flow / std::max(shared->users, 1u);
  cut.rank = gate.cuts.size();
  gate.cuts.push_back(std::move(cut));
}

/// Every pair of cuts of the operands; those that make least of it first.
void Circuit::enumerate(Gate &gate) {
  SmallVector<Cut, kMostCuts> rights = cutsOf(gate.op->getOperand(1));
  for (const Cut &left : cutsOf(gate.op->getOperand(0)))
    for (const Cut &right : rights)
      addCut(gate, left, right);
  llvm::sort(gate.cuts, [](const Cut &a, const Cut &b) {
    return std::tie(a.flow, a.rank) < std::tie(b.flow, b.rank);
  });
  gate.cuts.truncate(std::min(gate.cuts.size(), kMostCuts));
}

//===----------------------------------------------------------------------===//
// The cover
//===----------------------------------------------------------------------===//

static unsigned lookupsOf(const Cut &cut) {
  return cut.network.empty() ? 1 : static_cast<unsigned>(cut.network.size());
}

/// How many look-ups a cut takes, with those of its leaves that nobody else uses.
unsigned Circuit::use(const Cut &cut) {
  unsigned lookups = lookupsOf(cut);
  for (Value leaf : cut.leaves)
    if (Gate *gate = find(leaf); gate && gate->users++ == 0)
      lookups += use(gate->cuts[gate->best]);
  return lookups;
}

unsigned Circuit::release(const Cut &cut) {
  unsigned lookups = lookupsOf(cut);
  for (Value leaf : cut.leaves)
    if (Gate *gate = find(leaf); gate && --gate->users == 0)
      lookups += release(gate->cuts[gate->best]);
  return lookups;
}

/// Takes the cut that adds the fewest look-ups to what the others take; of equals the one that
/// reaches furthest back, so that what two gates share goes once both have another way, or the one
/// of the fewest values, so that few gates have several users.
void Circuit::chooseExactly(Gate &gate, bool fewestValues) {
  release(gate.cuts[gate.best]);
  std::tuple<unsigned, size_t, unsigned> least(-1, -1, -1);
  for (auto [i, cut] : llvm::enumerate(gate.cuts)) {
    unsigned lookups = use(cut);
    release(cut);
    std::tuple cost(lookups, fewestValues ? cut.leaves.size() : 0, levelOf(cut.leaves));
    if (cost < least) {
      least = cost;
      gate.best = i;
    }
  }
  use(gate.cuts[gate.best]);
}

/// What a value is as a function of some, on which it depends alone.
uint64_t Circuit::tableOf(Value value, ArrayRef<Value> leaves,
                          llvm::DenseMap<Value, uint64_t> &known) {
  if (const auto *leaf = llvm::find(leaves, value); leaf != leaves.end())
    return kInputs[leaf - leaves.begin()];
  Gate *gate = find(value);
  if (!gate)
    return matchPattern(value, m_Zero()) ? 0 : ~uint64_t(0);
  if (auto before = known.find(value); before != known.end())
    return before->second;
  uint64_t left = tableOf(gate->op->getOperand(0), leaves, known);
  uint64_t right = tableOf(gate->op->getOperand(1), leaves, known);
  return known[value] = combine(gate->op, left, right);
}

/// The operands of a gate that are not among some values yet.
SmallVector<Value, 2> Circuit::newOperands(const Gate &gate, ArrayRef<Value> leaves) {
  SmallVector<Value, 2> operands;
  for (Value operand : gate.op->getOperands())
    if (!llvm::is_contained(leaves, operand) && !isAlways(operand))
      operands.push_back(operand);
  return operands;
}

/// Puts the operands of a leaf in its place: of the leaf by which the fewest come in, and of equals
/// one whose operands other leaves have too, or else the last one.
bool Circuit::widen(SmallVectorImpl<Value> &leaves) {
  Value taken;
  std::tuple<int, int, int> least(kMostLeaves, 0, 0);
  for (Value leaf : leaves) {
    Gate *gate = find(leaf);
    if (!gate)
      continue;
    SmallVector<Value, 2> added = newOperands(*gate, leaves);
    int others = 0;
    for (Value other : leaves)
      if (Gate *near = find(other); near && near != gate)
        others += llvm::count_if(newOperands(*near, leaves),
                                 [&](Value operand) { return llvm::is_contained(added, operand); });
    std::tuple cost(int(added.size()), -others, -int(gate->level));
    if (cost < least) {
      least = cost;
      taken = leaf;
    }
  }
  if (!taken)
    return false;
  SmallVector<Value, 2> added = newOperands(*find(taken), leaves);
  leaves.erase(llvm::find(leaves, taken));
  llvm::append_range(leaves, added);
  return leaves.size() <= kMostLeaves;
}

/// Takes a network of these values, if there is one that takes fewer look-ups than the gate's best
/// cut.
bool Circuit::decompose(Gate &gate, ArrayRef<Value> leaves) {
  Cut wide;
  llvm::append_range(wide.leaves, leaves);
  unsigned now = release(gate.cuts[gate.best]);
  unsigned others = use(wide) - lookupsOf(wide);
  release(wide);
  use(gate.cuts[gate.best]);
  unsigned atLeast = leaves.size() / 2;
  if (now <= others + atLeast)
    return false;
  unsigned most = std::min(now - others - 1, kMostLookups);
  llvm::DenseMap<Value, uint64_t> known;
  uint64_t table = tableOf(gate.op->getResult(0), leaves, known);
  auto [found, isNew] = networks.try_emplace({table, most});
  if (isNew)
    found->second = ::lci::numerics::findNetwork(table, most);
  if (!found->second)
    return false;
  wide.network = *found->second;
  release(gate.cuts[gate.best]);
  gate.best = gate.cuts.size();
  gate.cuts.push_back(std::move(wide));
  use(gate.cuts[gate.best]);
  return true;
}

/// Looks at ever more of the gates before this one.
void Circuit::decompose(Gate &gate) {
  SmallVector<Value, kMostLeaves> leaves{gate.op->getResult(0)};
  while (widen(leaves))
    if (leaves.size() > kOperands.size() && leaves.size() <= kMostInputs)
      decompose(gate, leaves);
}

/// The look-ups of a network.
Value Circuit::emitNetwork(OpBuilder &builder, const Cut &cut, ValueRange leaves, Location loc) {
  SmallVector<Value> values(kMostInputs, leaves.front());
  llvm::copy(leaves, values.begin());
  for (const auto &[operands, table] : cut.network)
    values.push_back(LookupOp::create(builder, loc, values[operands[0]], values[operands[1]],
                                      values[operands[2]], table));
  return values.back();
}

/// A gate as it is, if it is one of two values, and else a look-up.
Value Circuit::emit(Gate &gate) {
  const Cut &cut = gate.cuts[gate.best];
  OpBuilder builder(gate.op);
  Type type = gate.op->getResult(0).getType();
  SmallVector<Value> leaves =
      llvm::map_to_vector(cut.leaves, [&](Value leaf) { return written.lookupOrDefault(leaf); });
  if (!cut.network.empty())
    return emitNetwork(builder, cut, leaves, gate.op->getLoc());
  if (leaves.empty())
    return arith::ConstantOp::create(builder, gate.op->getLoc(),
                                     builder.getIntegerAttr(type, cut.table == 0 ? 0 : -1));
  if (leaves.size() == 1 && cut.table == kOperands[0])
    return leaves.front();
  bool isItself = llvm::all_of(gate.op->getOperands(), [&](Value operand) {
    return llvm::is_contained(cut.leaves, operand) || matchPattern(operand, m_Constant());
  });
  if (isItself)
    return builder.clone(*gate.op, written)->getResult(0);
  leaves.resize(kOperands.size(), leaves.front());
  return LookupOp::create(builder, gate.op->getLoc(), leaves[0], leaves[1], leaves[2], cut.table);
}

int64_t Circuit::rewrite() {
  for (auto &[value, gate] : gates)
    gate.users = gate.isRoot ? 1 : 0;
  for (auto &[value, gate] : gates)
    if (gate.isRoot)
      use(gate.cuts.front());
  auto chooseAll = [&](bool fewestValues) {
    for (auto &[value, gate] : gates)
      if (gate.users > 0)
        chooseExactly(gate, fewestValues);
  };
  for (int round = 0; round < kRounds; ++round)
    chooseAll(/*fewestValues=*/false);
  chooseAll(/*fewestValues=*/true);
  for (auto &[value, gate] : gates)
    if (gate.isRoot || gate.users > 1)
      decompose(gate);
  chooseAll(/*fewestValues=*/false);
  int64_t lookups = 0;
  for (auto &[value, gate] : gates) {
    if (gate.users == 0)
      continue;
    written.map(value, emit(gate));
    if (written.lookup(value).getDefiningOp<LookupOp>())
      lookups += lookupsOf(gate.cuts[gate.best]);
  }
  for (auto &[value, gate] : llvm::reverse(gates)) {
    if (Value by = written.lookupOrNull(value))
      Value(value).replaceAllUsesWith(by);
    gate.op->erase();
  }
  return lookups;
}

namespace {
struct MapLookups : mlir::lci::impl::MapLookupsPassBase<MapLookups> {
  void runOnOperation() override {
    getOperation()->walk([&](Block *block) { numLookups += Circuit(*block).rewrite(); });
  }
};
} // namespace
