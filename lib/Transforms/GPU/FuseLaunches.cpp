//===- FuseLaunches.cpp - Horizontal fusion of kernel launches ------------===//
//
// A launch takes a GPU two microseconds, however little it does: copies of a halo's parts, the even
// and the odd rows of a colour, the corners of a field with borders. Independent launches become
// one kernel, each of whose blocks does the work of a block of one of them. Upstream fuses loops
// over the same iteration space; these differ in theirs.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Ways.h"
#include "LaunchAccesses.h"
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

/// Limit of launches that are compared with each other.
static constexpr size_t kMaxCompared = 64;

/// Limit of the ratio of work per thread between the other launches and the largest one.
static constexpr int64_t kMoreWork = 2;

//===----------------------------------------------------------------------===//
// One kernel from several
//===----------------------------------------------------------------------===//

namespace {

/// Indices of blocks or threads, by axes from `x` on.
using Places = SmallVector<Value, 3>;

/// Fuses independent launches. The largest one's blocks and threads keep their indices; the blocks
/// of the others follow on the last axis of its grid, and find theirs by division.
class FusedLaunch {
public:
  FusedLaunch(OpBuilder &b, ArrayRef<LaunchAccesses *> parts, LaunchAccesses *largest)
      : b(b), loc(largest->launch.getLoc()), largest(*largest) {
    threads = *largest->threads;
    for (LaunchAccesses *part : parts) {
      int64_t its = countAll(*part->threads);
      if (its > countAll(threads))
        threads = {its, 1, 1};
      if (part == largest)
        continue;
      others.push_back(part);
      numOthers += countAll(*part->blocks);
    }
    largestBlocks = *largest->blocks;
    if (!findGrid()) {
      largestBlocks = {countAll(largestBlocks), 1, 1};
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
    scf::IfOp choice = enterIfBelow(blocks[axis], largestBlocks[axis], /*orElse=*/true);
    emitPart(largest,
             largestBlocks == *largest.blocks ? blocks : delinearize(blocks[0], *largest.blocks));
    blocks[axis] = enterElse(choice, blocks[axis], largestBlocks[axis]);
    Value number = linearize(blocks, grid);
    for (LaunchAccesses *part : ArrayRef(others).drop_back()) {
      int64_t end = countAll(*part->blocks);
      choice = enterIfBelow(number, end, /*orElse=*/true);
      emitPart(*part, delinearize(number, *part->blocks));
      number = enterElse(choice, number, end);
    }
    LaunchAccesses &last = *others.back();
    if (countAll(grid) > countAll(largestBlocks) + numOthers)
      enterIfBelow(number, countAll(*last.blocks), /*orElse=*/false);
    emitPart(last, delinearize(number, *last.blocks));
  }

private:
  /// Extends the last axis of the largest launch's grid by the blocks of the others; false if that
  /// exceeds the limit of a grid, or wastes many blocks.
  bool findGrid() {
    axis = largestBlocks[2] > 1 ? 2 : largestBlocks[1] > 1 ? 1 : 0;
    int64_t slice = countAll(largestBlocks) / largestBlocks[axis];
    grid = largestBlocks;
    grid[axis] += llvm::divideCeil(numOthers, slice);
    int64_t spare = countAll(grid) - countAll(largestBlocks) - numOthers;
    return axis == 0 || (grid[axis] <= kMaxBlocks && kSmallPart * spare <= countAll(largestBlocks));
  }

  /// Continues in a branch that is taken if a number is below another one.
  scf::IfOp enterIfBelow(Value number, int64_t end, bool orElse) {
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number, index(end));
    auto choice = scf::IfOp::create(b, loc, is, /*withElseRegion=*/orElse);
    b.setInsertionPointToStart(choice.thenBlock());
    return choice;
  }

  /// Continues in the else branch. Returns the difference.
  Value enterElse(scf::IfOp choice, Value number, int64_t end) {
    b.setInsertionPointToStart(choice.elseBlock());
    return arith::SubIOp::create(b, loc, number, index(end));
  }

  /// The body of a launch, for the block at these indices of it.
  void emitPart(LaunchAccesses &part, const Places &block) {
    OpBuilder::InsertionGuard guard(b);
    IRMapping mapping;
    map(mapping, part.launch.getBlockIds(), block);
    map(mapping, part.launch.getThreadIds(), enterThreads(*part.threads));
    map(mapping, part.launch.getGridSize(), indices(*part.blocks));
    map(mapping, part.launch.getBlockSize(), indices(*part.threads));
    OpBuilder outside = OpBuilder::atBlockBegin(&launch.getBody().front());
    for (Operation &op : part.launch.getBody().front().without_terminator())
      // Private memory of a thread is reserved once, whatever its block does.
      (isa<memref::AllocaOp>(op) ? outside : b).clone(op, mapping);
  }

  /// Masks the threads that a smaller block does not have, and returns the indices of the others.
  Places enterThreads(const Sides &sides) {
    Places places = placesOf(launch.getThreadIds());
    if (sides == threads)
      return places;
    Value number = linearize(places, threads);
    if (countAll(sides) < countAll(threads))
      enterIfBelow(number, countAll(sides), /*orElse=*/false);
    return delinearize(number, sides);
  }

  /// Delinearizes a number; the first axis is the fastest.
  Places delinearize(Value number, const Sides &sides) {
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

  /// Linearizes indices.
  Value linearize(const Places &places, const Sides &sides) {
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

  /// The fraction of a grid that may be wasted.
  static constexpr int64_t kSmallPart = 8;

  OpBuilder &b;
  Location loc;
  LaunchAccesses &largest;
  SmallVector<LaunchAccesses *> others;
  int64_t numOthers = 0;              ///< blocks of the others
  Sides largestBlocks, grid, threads; ///< blocks of the largest, and of all
  unsigned axis = 0;                  ///< on which the blocks of the others follow
  gpu::LaunchOp launch;
};

} // namespace

//===----------------------------------------------------------------------===//
// Choice of launches
//===----------------------------------------------------------------------===//

/// The round of each launch: after those of all earlier launches that it depends on.
static SmallVector<unsigned> findRounds(ArrayRef<LaunchAccesses> launches) {
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
struct FuseLaunches : mlir::lci::impl::FuseLaunchesPassBase<FuseLaunches> {
  using FuseLaunchesPassBase::FuseLaunchesPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"max-work", maxWork, 0}});
  }

  void runOnOperation() override {
    getOperation().walk([&](Block *block) { fuseIn(*block); });
  }

private:
  using Group = SmallVector<LaunchAccesses *>;

  /// Collects launches that are separated by pure operations only.
  void fuseIn(Block &block) {
    SmallVector<LaunchAccesses> run;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isPure(&op))
        continue;
      auto launch = dyn_cast<gpu::LaunchOp>(op);
      std::optional<LaunchAccesses> accesses = launch ? findAccesses(launch) : std::nullopt;
      if (!accesses || run.size() == kMaxCompared)
        fuseSome(run);
      if (accesses)
        run.push_back(std::move(*accesses));
    }
    fuseSome(run);
  }

  /// Emits the launches by rounds, behind the last one.
  void fuseSome(SmallVector<LaunchAccesses> &run) {
    SmallVector<SmallVector<Group>> rounds;
    bool any = false;
    for (auto [accesses, number] : llvm::zip(run, findRounds(run))) {
      LaunchAccesses &launch = accesses;
      rounds.resize(std::max<size_t>(rounds.size(), number + 1));
      SmallVector<Group> &groups = rounds[number];
      auto *fit = llvm::find_if(groups, [&](Group &group) { return mayFuse(group, launch); });
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
      for (ArrayRef<LaunchAccesses *> group : groups) {
        if (group.size() > 1) {
          OpBuilder::InsertionGuard guard(b);
          took(group.front()->launch, Way::FusedLaunches);
          FusedLaunch(b, group, largestOf(group)).emit();
          numJoined += group.size();
          for (LaunchAccesses *part : group)
            part->launch.erase();
        } else {
          group.front()->launch->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
        }
      }
  }

  /// Whether a launch can be fused at all.
  static bool isFit(LaunchAccesses &launch) {
    return launch.blocks && launch.threads && !launch.synchronizes &&
           !launch.launch.hasClusterSize() && !launch.launch.getDynamicSharedMemorySize();
  }

  /// Whether a launch profits from fusion: all threads of a kernel have as many registers as those
  /// that need the most, and for long launches the overhead is negligible.
  bool mayFuse(ArrayRef<LaunchAccesses *> group, LaunchAccesses &launch) {
    if (!isFit(launch) || !isFit(*group.front()))
      return false;
    Group all(group);
    all.push_back(&launch);
    LaunchAccesses *largest = largestOf(all);
    int64_t blocks = 0;
    for (LaunchAccesses *part : all)
      blocks += countAll(*part->blocks);
    return blocks <= fewBlocks(getOperation()) || llvm::all_of(all, [&](LaunchAccesses *part) {
             return part == largest || (countAll(*part->blocks) * part->work <= maxWork &&
                                        part->work <= kMoreWork * largest->work);
           });
  }

  /// The first of those with the most blocks.
  static LaunchAccesses *largestOf(ArrayRef<LaunchAccesses *> group) {
    return *llvm::max_element(group, [](LaunchAccesses *one, LaunchAccesses *other) {
      return countAll(*one->blocks) < countAll(*other->blocks);
    });
  }
};
} // namespace
