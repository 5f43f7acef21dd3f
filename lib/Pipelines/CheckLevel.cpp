//===- CheckLevel.cpp - Check the level of IR before a pass ---------------===//
//
// Rejects modules that the following pipeline or pass would leave unchanged because they are of
// another level. The level is told from the operations: programs, ticks on tensors, ticks on
// buffers, and loops or linalg. PassLevels.def lists the levels of each pass.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Pipelines/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKLEVELPASS
#include "LCI/Pipelines/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Level 2: bound programs, and no ticks.
static LogicalResult checkBound(ModuleOp module) {
  for (auto program : module.getOps<ProgramOp>())
    if (!program.isBound()) {
      InFlightDiagnostic error = emitError(program.getLoc(), "expected a bound program, but '")
                                 << ErrorId::PassOrder << program.getSymName()
                                 << "' has sizes without numbers";
      error.attachNote() << "run lci-bind first";
      return error;
    }
  WalkResult walked = module.walk([](TickOp tick) {
    InFlightDiagnostic error = emitError(tick.getLoc(), "expected a bound program, but got ticks")
                               << ErrorId::PassOrder;
    error.attachNote() << "what lci-lower-rules has made is checked no more";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// Level 3: ticks, and no program.
static LogicalResult checkLowered(ModuleOp module) {
  auto programs = module.getOps<ProgramOp>();
  if (programs.empty())
    return success();
  ProgramOp program = *programs.begin();
  InFlightDiagnostic error = emitError(program.getLoc(), "expected ticks, but got program '")
                             << ErrorId::PassOrder << program.getSymName() << "'";
  error.attachNote() << "run lci-bind, lci-check-pipeline and lci-lower-rules first";
  return error;
}

/// Level 3 on buffers: no ticks on tensors, and no program.
static LogicalResult checkBuffers(ModuleOp module) {
  if (failed(checkLowered(module)))
    return failure();
  WalkResult walked = module.walk([](TickOp tick) {
    if (!tick.hasTensorSemantics())
      return WalkResult::advance();
    InFlightDiagnostic error =
        emitError(tick.getLoc(), "expected ticks on buffers, but got ticks on tensors")
        << ErrorId::PassOrder;
    error.attachNote() << "run lci-to-buffers-pipeline first, or lci-to-gpu-buffers-pipeline";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// Level 4: linalg and loops, and neither programs nor ticks.
static LogicalResult checkLinalg(ModuleOp module) {
  WalkResult walked = module.walk([](Operation *op) {
    if (!isa<ProgramOp, TickOp>(op))
      return WalkResult::advance();
    InFlightDiagnostic error =
        emitError(op->getLoc(), "expected linalg or loops on buffers, but got ")
        << ErrorId::PassOrder << (isa<ProgramOp>(op) ? "a program" : "ticks");
    error.attachNote() << "run lci-to-linalg-pipeline first";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// Level 5: kernels, if there is anything.
static LogicalResult checkKernels(ModuleOp module) {
  if (module.getBody()->empty() || !module.getOps<gpu::GPUModuleOp>().empty())
    return success();
  InFlightDiagnostic error =
      emitError(module.getBody()->front().getLoc(), "expected kernels in a gpu.module, but got '")
      << ErrorId::PassOrder << module.getBody()->front().getName() << "'";
  error.attachNote() << "run lci-to-kernels-pipeline or lci-linalg-to-kernels-pipeline first";
  return error;
}

using LevelCheck = LogicalResult (*)(ModuleOp);
/// From level 2 on.
static constexpr LevelCheck kLevelChecks[] = {checkBound, checkLowered, checkLinalg, checkKernels};
static constexpr int64_t kFirstChecked = 2, kLevelOfTicks = 3;
static constexpr int64_t kLastChecked = kFirstChecked + std::size(kLevelChecks) - 1;

//===----------------------------------------------------------------------===//
// The levels of a pass
//===----------------------------------------------------------------------===//

namespace {
/// The contents of a module, from the top of the ladder down.
enum Level : unsigned {
  Programs = 1,
  TensorTicks = 2,
  BufferTicks = 4,
  Loops = 8,
  Any = Programs | TensorTicks | BufferTicks | Loops
};

struct LevelText {
  Level level;
  const char *name;
  const char *maker; ///< to run on IR of a higher level
};
} // namespace

static constexpr LevelText kLevels[] = {
    {Programs, "programs", "lmpm-translate --import-lmpm"},
    {TensorTicks, "ticks on tensors", "lci-bind, lci-check-pipeline and lci-lower-rules"},
    {BufferTicks, "ticks on buffers", "lci-bufferize-state"},
    {Loops, "loops or operations of linalg on buffers", "lci-to-linalg-pipeline"},
};

static std::optional<unsigned> findLevels(StringRef pass) {
  static const llvm::StringMap<unsigned> known = [] {
    return llvm::StringMap<unsigned>{
#define LCI_PASS_LEVELS(flag, levels) {flag, levels},
#include "LCI/Pipelines/PassLevels.def"
    };
  }();
  auto found = known.find(pass);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

/// The level that an operation belongs to, or 0.
static unsigned levelOf(Operation *op) {
  if (isa<ProgramOp>(op))
    return Programs;
  if (auto tick = dyn_cast<TickOp>(op))
    return tick.hasTensorSemantics() ? TensorTicks : BufferTicks;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  bool isLoop = isa<scf::ParallelOp, gpu::GPUModuleOp, gpu::LaunchOp, LLVM::LLVMFuncOp>(op);
  return isLoop || (generic && generic.hasPureBufferSemantics()) ? Loops : 0;
}

/// Whether a module holds something of the levels that a pass works on, or nothing of any level.
static LogicalResult checkBefore(ModuleOp module, StringRef pass, unsigned wanted) {
  llvm::MapVector<unsigned, Operation *> found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (unsigned level = levelOf(op))
      found.try_emplace(level, op);
  });
  auto isWanted = [&](auto &entry) { return (entry.first & wanted) != 0; };
  if (found.empty() || llvm::any_of(found, isWanted))
    return success();
  auto [level, op] = found.front();
  SmallVector<StringRef> names;
  const LevelText *first = nullptr, *there = nullptr;
  for (const LevelText &text : kLevels) {
    if (text.level & wanted)
      names.push_back(text.name);
    if (text.level & wanted && !first)
      first = &text;
    if (text.level == level)
      there = &text;
  }
  InFlightDiagnostic error = emitError(op->getLoc(), "expected ")
                             << ErrorId::PassOrder << llvm::join(names, " or ") << " for '" << pass
                             << "', but got " << there->name;
  if (level < first->level)
    error.attachNote() << "run " << first->maker << " first";
  return error;
}

namespace {
struct CheckLevelPass : mlir::lci::impl::CheckLevelPassBase<CheckLevelPass> {
  using CheckLevelPassBase::CheckLevelPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (!before.empty() && !findLevels(before))
      return emitError(UnknownLoc::get(context), "expected a pass of this project, but got '")
             << ErrorId::PassOption << before.getValue() << "'";
    if (buffers && level != kLevelOfTicks)
      return emitError(UnknownLoc::get(context),
                       "expected 'buffers' with level 3 alone, but got level ")
             << ErrorId::PassOption << level.getValue();
    if (level >= kFirstChecked && level <= kLastChecked)
      return success();
    return emitError(UnknownLoc::get(context), "expected level 2 to 5, but got ")
           << ErrorId::PassOption << level.getValue();
  }

  void runOnOperation() override {
    if (failed(check(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  LogicalResult check(ModuleOp module) const {
    if (!before.empty())
      return checkBefore(module, before, *findLevels(before));
    return buffers ? checkBuffers(module) : kLevelChecks[level - kFirstChecked](module);
  }
};
} // namespace
