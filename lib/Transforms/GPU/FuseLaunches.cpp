//===- FuseLaunches.cpp - Launches side by side, one kernel ---------------===//
//
// A launch takes a GPU two microseconds, however little it does: copies of a halo's parts, the even
// and the odd rows of a colour, the corners of a field with borders. Launches of which none waits
// for another one become one kernel, each of whose blocks does what a block of one of them did.
// Upstream joins loops that go over the same places; these go over different ones.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Ways.h"
#include "LaunchFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::lci {
#define GEN_PASS_DEF_FUSELAUNCHESPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Launches that are compared with each other, at most.
static constexpr size_t kMostCompared = 64;

/// How many times as much a few threads of a kernel may have to do as the others.
static constexpr int64_t kMoreWork = 2;

//===----------------------------------------------------------------------===//
// One kernel of several
//===----------------------------------------------------------------------===//

namespace {

/// The places of blocks or threads, by axes from `x` on.
using Places = SmallVector<Value, 3>;

/// Makes one launch of some that wait for none of each other. The largest one's blocks and threads
/// keep their places; the blocks of the others follow on the last axis that it has, and find theirs
/// by division.
class JoinedLaunch {
public:
  JoinedLaunch(OpBuilder &b, ArrayRef<LaunchFacts *> parts, LaunchFacts *largest)
      : b(b), loc(largest->launch.getLoc()), largest(*largest) {
    threads = *largest->threads;
    for (LaunchFacts *part : parts) {
      int64_t its = countAll(*part->threads);
      if (its > countAll(threads))
        threads = {its, 1, 1};
      if (part == largest)
        continue;
      others.push_back(part);
      numOthers += countAll(*part->blocks);
    }
    own = *largest->blocks;
    if (!findGrid()) {
      own = {countAll(own), 1, 1};
      findGrid();
    }
  }

  void emit() {
    launch = gpu::LaunchOp::create(b, loc, index(grid[0]), index(grid[1]), index(grid[2]),
                                   index(threads[0]), index(threads[1]), index(threads[2]));
    b.setInsertionPointToStart(&launch.getBody().front());
    gpu::TerminatorOp::create(b, loc);
    b.setInsertionPointToStart(&launch.getBody().front());
    Places blocks = placesOf(launch.getBlockIds());
    scf::IfOp choice = enterIfBelow(blocks[axis], own[axis], /*orElse=*/true);
    emitPart(largest, own == *largest.blocks ? blocks : split(blocks[0], *largest.blocks));
    blocks[axis] = enterElse(choice, blocks[axis], own[axis]);
    Value number = join(blocks, grid);
    for (LaunchFacts *part : ArrayRef(others).drop_back()) {
      int64_t end = countAll(*part->blocks);
      choice = enterIfBelow(number, end, /*orElse=*/true);
      emitPart(*part, split(number, *part->blocks));
      number = enterElse(choice, number, end);
    }
    LaunchFacts &last = *others.back();
    if (countAll(grid) > countAll(own) + numOthers)
      enterIfBelow(number, countAll(*last.blocks), /*orElse=*/false);
    emitPart(last, split(number, *last.blocks));
  }

private:
  /// Adds to the last axis of the largest part's grid what the others need; false if that would be
  /// more than a grid may have, or many blocks for nothing.
  bool findGrid() {
    axis = own[2] > 1 ? 2 : own[1] > 1 ? 1 : 0;
    int64_t slice = countAll(own) / own[axis];
    grid = own;
    grid[axis] += llvm::divideCeil(numOthers, slice);
    int64_t spare = countAll(grid) - countAll(own) - numOthers;
    return axis == 0 || (grid[axis] <= kMostBlocks && kSmallPart * spare <= countAll(own));
  }

  /// Goes on with what is done if a number is below another one.
  scf::IfOp enterIfBelow(Value number, int64_t end, bool orElse) {
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number, index(end));
    auto choice = scf::IfOp::create(b, loc, is, /*withElseRegion=*/orElse);
    b.setInsertionPointToStart(choice.thenBlock());
    return choice;
  }

  /// Goes on with what is done if it is not. Returns by how much it is beyond.
  Value enterElse(scf::IfOp choice, Value number, int64_t end) {
    b.setInsertionPointToStart(choice.elseBlock());
    return arith::SubIOp::create(b, loc, number, index(end));
  }

  /// What a block at a place of a part's does.
  void emitPart(LaunchFacts &part, const Places &block) {
    OpBuilder::InsertionGuard guard(b);
    IRMapping mapping;
    map(mapping, part.launch.getBlockIds(), block);
    map(mapping, part.launch.getThreadIds(), enterThreads(*part.threads));
    map(mapping, part.launch.getGridSize(), indices(*part.blocks));
    map(mapping, part.launch.getBlockSize(), indices(*part.threads));
    OpBuilder outside = OpBuilder::atBlockBegin(&launch.getBody().front());
    for (Operation &op : part.launch.getBody().front().without_terminator())
      // A thread's own memory is reserved once, whatever its block does.
      (isa<memref::AllocaOp>(op) ? outside : b).clone(op, mapping);
  }

  /// Leaves out the threads that a smaller block has not, and tells the place of one of the others.
  Places enterThreads(const Sides &sides) {
    Places places = placesOf(launch.getThreadIds());
    if (sides == threads)
      return places;
    Value number = join(places, threads);
    if (countAll(sides) < countAll(threads))
      enterIfBelow(number, countAll(sides), /*orElse=*/false);
    return split(number, sides);
  }

  /// A number's place among so many by axes, the first of which changes with each number.
  Places split(Value number, const Sides &sides) {
    Places places;
    int64_t left = countAll(sides);
    for (int64_t side : sides) {
      left /= side;
      if (side == 1) {
        places.push_back(index(0));
      } else if (left == 1) {
        places.push_back(number);
      } else {
        places.push_back(arith::RemUIOp::create(b, loc, number, index(side)));
        number = arith::DivUIOp::create(b, loc, number, index(side));
      }
    }
    return places;
  }

  /// The number of a place among so many by axes.
  Value join(const Places &places, const Sides &sides) {
    Value number;
    int64_t before = 1;
    for (auto [place, side] : llvm::zip_equal(places, sides)) {
      Value part = place;
      if (before > 1 && side > 1)
        part = arith::MulIOp::create(b, loc, place, index(before));
      if (side > 1)
        number = number ? arith::AddIOp::create(b, loc, number, part).getResult() : part;
      before *= side;
    }
    return number ? number : index(0);
  }

  static Places placesOf(gpu::KernelDim3 places) { return {places.x, places.y, places.z}; }

  static void map(IRMapping &mapping, gpu::KernelDim3 from, const Places &to) {
    for (auto [old, value] : llvm::zip_equal(placesOf(from), to))
      mapping.map(old, value);
  }

  Places indices(const Sides &sides) { return {index(sides[0]), index(sides[1]), index(sides[2])}; }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  /// A part of a grid that is not worth to be saved.
  static constexpr int64_t kSmallPart = 8;

  OpBuilder &b;
  Location loc;
  LaunchFacts &largest;
  SmallVector<LaunchFacts *> others;
  int64_t numOthers = 0;    ///< blocks of those
  Sides own, grid, threads; ///< blocks of the largest, and of all
  unsigned axis = 0;        ///< on which the others follow
  gpu::LaunchOp launch;
};

} // namespace

//===----------------------------------------------------------------------===//
// Which ones
//===----------------------------------------------------------------------===//

/// In which round each launch can run, after all those before it for which it has to wait.
static SmallVector<unsigned> findRounds(ArrayRef<LaunchFacts> launches) {
  SmallVector<unsigned> rounds;
  for (auto [number, launch] : llvm::enumerate(launches)) {
    unsigned round = 0;
    for (auto [before, itsRound] : llvm::zip(launches.take_front(number), rounds))
      if (itsRound >= round && !launch.isIndependentOf(before))
        round = itsRound + 1;
    rounds.push_back(round);
  }
  return rounds;
}

namespace {
struct FuseLaunches : lci::impl::FuseLaunchesPassBase<FuseLaunches> {
  using FuseLaunchesPassBase::FuseLaunchesPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"few-blocks", fewBlocks, 0}, {"most-work", mostWork, 0}});
  }

  void runOnOperation() override {
    getOperation().walk([&](Block *block) { joinIn(*block); });
  }

private:
  using Group = SmallVector<LaunchFacts *>;

  /// Launches with nothing between them but what computes.
  void joinIn(Block &block) {
    SmallVector<LaunchFacts> run;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isPure(&op))
        continue;
      auto launch = dyn_cast<gpu::LaunchOp>(op);
      std::optional<LaunchFacts> facts = launch ? findFacts(launch) : std::nullopt;
      if (!facts || run.size() == kMostCompared)
        joinSome(run);
      if (facts)
        run.push_back(std::move(*facts));
    }
    joinSome(run);
  }

  /// Round by round, behind the last one.
  void joinSome(SmallVector<LaunchFacts> &run) {
    SmallVector<SmallVector<Group>> rounds;
    bool any = false;
    for (auto [facts, number] : llvm::zip(run, findRounds(run))) {
      LaunchFacts &launch = facts;
      rounds.resize(std::max<size_t>(rounds.size(), number + 1));
      SmallVector<Group> &groups = rounds[number];
      auto *fit = llvm::find_if(groups, [&](Group &group) { return mayJoin(group, launch); });
      any |= fit != groups.end();
      (fit == groups.end() ? groups.emplace_back() : *fit).push_back(&launch);
    }
    if (any)
      place(run.back().launch, rounds);
    run.clear();
  }

  void place(gpu::LaunchOp last, ArrayRef<SmallVector<Group>> rounds) {
    OpBuilder b(last->getContext());
    b.setInsertionPoint(last->getNextNode());
    for (ArrayRef<Group> groups : rounds)
      for (ArrayRef<LaunchFacts *> group : groups) {
        if (group.size() > 1) {
          OpBuilder::InsertionGuard guard(b);
          took(group.front()->launch, Way::JoinedLaunches);
          JoinedLaunch(b, group, largestOf(group)).emit();
          numJoined += group.size();
          for (LaunchFacts *part : group)
            part->launch.erase();
        } else {
          group.front()->launch->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
        }
      }
  }

  /// Whether a launch can be a part of another one at all.
  static bool isFit(LaunchFacts &launch) {
    return launch.blocks && launch.threads && !launch.meets && !launch.launch.hasClusterSize() &&
           !launch.launch.getDynamicSharedMemorySize();
  }

  /// Whether a launch gains by being one with others: all threads of a kernel have as many
  /// registers as those that need the most, and to what takes long a launch is nothing.
  bool mayJoin(ArrayRef<LaunchFacts *> group, LaunchFacts &launch) {
    if (!isFit(launch) || !isFit(*group.front()))
      return false;
    Group all(group);
    all.push_back(&launch);
    LaunchFacts *largest = largestOf(all);
    int64_t blocks = 0;
    for (LaunchFacts *part : all)
      blocks += countAll(*part->blocks);
    return blocks <= fewBlocks || llvm::all_of(all, [&](LaunchFacts *part) {
             return part == largest || (countAll(*part->blocks) * part->work <= mostWork &&
                                        part->work <= kMoreWork * largest->work);
           });
  }

  /// The one of the most blocks, of equals the first one.
  static LaunchFacts *largestOf(ArrayRef<LaunchFacts *> group) {
    return *llvm::max_element(group, [](LaunchFacts *one, LaunchFacts *other) {
      return countAll(*one->blocks) < countAll(*other->blocks);
    });
  }
};
} // namespace
