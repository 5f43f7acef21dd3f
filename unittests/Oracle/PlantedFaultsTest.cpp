//===- PlantedFaultsTest.cpp - A wrong pass is named ----------------------===//
//
// Passes of every room are made wrong, one at a time: after it something in the IR is changed. The
// run of the whole pipeline must name that pass and a cell.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/InitAllDialects.h"
#include "LCI/InitAllPasses.h"
#include "LCI/Oracle/Checks.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassRegistry.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

/// Draws, colours, reads of another value and an observer.
static constexpr const char kProgram[] = R"(
value A : Token[2] shape Grid2D(W, H) boundary wrap init bernoulli(0.5)
value B : I32 shape Grid2D(W, H) boundary wrap init 3
visible near: A[x,y] <- A[x+dx,y+dy] when (dx,dy) in N4
visible A[x,y] <- B[x,y]
visible B[x,y] <- A[x,y]
visible B[x,y] <- B[x,y+1]
rule Flip: on A[x,y]
  emit proposal A[x,y] := bernoulli(if sum(near) > 1 then 0.75 else 0.25)
rule Count: on B[x,y]
  emit proposal B[x,y] := if A[x,y] == 1 then (B[x,y+1] + 2) % 7 else 1
schedule A[*] using red_black
commit A[*] using accept
commit B[*] using accept
observe total := sum(A[x,y])
)";

namespace {
/// What is changed behind a pass: a comparison says the opposite, or a choice takes the other.
enum class Wrong { Comparison, Choice };

/// A pass of a room, what brings a program to its level, a pipeline that runs it, and which of the
/// operations of a kind is wrong after it, from the first one on.
struct Fault {
  const char *room, *pass, *before, *pipeline;
  Wrong kind;
  size_t number;
};

/// Lets googletest print a fault.
void PrintTo(const Fault &fault, std::ostream *os) { *os << fault.room << ", " << fault.pass; }

/// Makes a pass wrong.
class Planter : public PassInstrumentation {
public:
  Planter(const Fault &fault, bool &isPlanted) : fault(fault), isPlanted(isPlanted) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (isPlanted || pass->getArgument() != fault.pass)
      return;
    SmallVector<Operation *> found;
    op->walk([&](Operation *inner) {
      if (fault.kind == Wrong::Choice ? isa<arith::SelectOp>(inner) : isa<arith::CmpIOp>(inner))
        found.push_back(inner);
    });
    if (fault.number >= found.size())
      return;
    isPlanted = true;
    if (auto comparison = dyn_cast<arith::CmpIOp>(found[fault.number]))
      comparison.setPredicate(arith::invertPredicate(comparison.getPredicate()));
    else
      found[fault.number]->setOperands(
          1, 2, {found[fault.number]->getOperand(2), found[fault.number]->getOperand(1)});
  }

private:
  const Fault &fault;
  bool &isPlanted;
};

class PlantedFaultsTest : public testing::TestWithParam<Fault> {
protected:
  PlantedFaultsTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  static DialectRegistry makeRegistry() {
    static bool once = (mlir::registerAllPasses(), mlir::lci::registerAllPasses(), true);
    (void)once;
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::lci::registerAllDialects(registry);
    return registry;
  }

  OwningOpRef<ModuleOp> import() {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(kProgram, "p.lmpm"), llvm::SMLoc());
    return importLMPM(sources, &context);
  }

  /// Brings a program to the level of a fault, runs the rest, and returns its errors.
  std::string run(const Fault &fault, bool plants) {
    OwningOpRef<ModuleOp> module = import();
    PassManager before(&context), manager(&context);
    EXPECT_TRUE(succeeded(parsePassPipeline(fault.before, before)));
    EXPECT_TRUE(succeeded(parsePassPipeline(fault.pipeline, manager)));
    std::string errors;
    ScopedDiagnosticHandler listen(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors += diagnostic.str() + "\n";
    });
    EXPECT_TRUE(succeeded(before.run(*module)));
    verifyByRunning(manager, {});
    bool isPlanted = false;
    if (plants)
      manager.addInstrumentation(std::make_unique<Planter>(fault, isPlanted));
    EXPECT_EQ(succeeded(manager.run(*module)), errors.empty());
    EXPECT_EQ(isPlanted, plants);
    return errors;
  }

  MLIRContext context;
};
} // namespace

TEST_P(PlantedFaultsTest, ThePassIsNamed) {
  const Fault &fault = GetParam();
  std::string errors = run(fault, /*plants=*/true);
  std::string named = "after '" + std::string(fault.pass) + "' the module means something else: ";
  EXPECT_EQ(errors.rfind(named, 0), 0u) << errors;
  EXPECT_NE(errors.find("epochs of trial "), std::string::npos) << errors;
}

TEST_P(PlantedFaultsTest, WithoutFaultsNothingIsFound) {
  std::string errors = run(GetParam(), /*plants=*/false);
  // A pass that changed nothing has nothing that could be compared.
  if (errors.find("no pass changed it") == std::string::npos)
    EXPECT_EQ(errors, "");
}

#define TO_TICKS "lci-bind{sizes=W=12,H=6},lci-check-pipeline,lci-lower-rules"
#define TO_BUFFERS TO_TICKS ",lci-bufferize-state"
#define TO_ARITH TO_BUFFERS ",lci-expand-math,lci-expand-draws,lci-expand-philox"
#define TO_LINALG TO_ARITH ",func.func(convert-lci-to-linalg)"

INSTANTIATE_TEST_SUITE_P(
    Rooms, PlantedFaultsTest,
    testing::Values(
        Fault{"Transforms/Program", "lci-simplify-constraints", "lci-bind{sizes=W=12,H=6}",
              "lci-simplify-constraints", Wrong::Comparison, 0},
        Fault{"Conversion/ProgramToTick", "lci-lower-rules",
              "lci-bind{sizes=W=12,H=6},lci-check-pipeline", "lci-lower-rules", Wrong::Choice, 0},
        Fault{"Transforms/Tick", "lci-split-domain", TO_TICKS, "func.func(lci-split-domain,cse)",
              Wrong::Choice, 0},
        Fault{"Transforms/Bufferize", "lci-bufferize-state", TO_TICKS, "lci-bufferize-state",
              Wrong::Comparison, 1},
        Fault{"Transforms/Layout", "lci-assign-layouts", TO_BUFFERS,
              "func.func(lci-assign-layouts),lci-expand-draws", Wrong::Choice, 0},
        Fault{"Transforms/Schedule", "lci-fuse-ticks", TO_BUFFERS,
              "func.func(lci-fuse-ticks{min-cells=0})", Wrong::Choice, 0},
        Fault{"Transforms/Models", "lci-batch-models", TO_BUFFERS, "lci-batch-models",
              Wrong::Choice, 0},
        Fault{"Conversion/DrawsToArith", "lci-expand-draws", TO_BUFFERS, "lci-expand-draws",
              Wrong::Choice, 0},
        Fault{"Conversion/TickToLinalg", "convert-lci-to-linalg", TO_ARITH,
              "func.func(convert-lci-to-linalg)", Wrong::Choice, 0},
        Fault{"Transforms/CPU", "lci-vectorize-cells", TO_BUFFERS, "lci-vectorize-cells",
              Wrong::Choice, 0},
        Fault{"Conversion/LinalgToLoops", "lci-linalg-to-loops", TO_LINALG,
              "func.func(lci-linalg-to-loops,convert-scf-to-cf)", Wrong::Choice, 0},
        Fault{"Transforms/GPU", "lci-tile-parallel-loops",
              TO_LINALG ",func.func(lci-expose-threads,convert-linalg-to-parallel-loops)",
              "func.func(lci-tile-parallel-loops)", Wrong::Choice, 1}));
