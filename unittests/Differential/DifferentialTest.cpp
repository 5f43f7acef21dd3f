//===- DifferentialTest.cpp - The interpreter against every rung ----------===//
//
// Runs random programs on the interpreter and on every lowering of the compiler, and compares all
// values bit by bit. A program that fails is reduced and printed.
//
//===----------------------------------------------------------------------===//

#include "LCI/Execution/Compile.h"
#include "LCI/InitAllDialects.h"
#include "LCI/Reduce/Reduce.h"
#include "LCI/Runtime/Progress.h"
#include "Rungs.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::SmithProgram;

static llvm::cl::opt<unsigned> programs("programs", llvm::cl::desc("How many programs to run."),
                                        llvm::cl::init(2000));
static llvm::cl::opt<uint64_t> first("first", llvm::cl::desc("Number of the first program."),
                                     llvm::cl::init(1));
static llvm::cl::opt<unsigned>
    maxFailures("max-failures", llvm::cl::desc("Stop after so many failures."), llvm::cl::init(3));
static llvm::cl::opt<unsigned>
    nativeEvery("native-every",
                llvm::cl::desc("Compile every so manieth program to machine code; 0: none."),
                llvm::cl::init(1));
static llvm::cl::opt<bool>
    allWays("all-ways",
            llvm::cl::desc("Compile a program in all ways, not in one of them in turn."));
static llvm::cl::opt<unsigned> onlyWay(
    "way",
    llvm::cl::desc("Compile programs in the way of this number; 35 is kernels, 36 their PTX."));
static llvm::cl::opt<unsigned>
    beyond("beyond",
           llvm::cl::desc("How many programs to run that use what some level still refuses."),
           llvm::cl::init(200));
static llvm::cl::opt<std::string>
    waysFile("ways-file",
             llvm::cl::desc("Write there how many programs each pass changed, and each "
                            "way was taken in."));
static llvm::cl::opt<std::string>
    having("having", llvm::cl::desc("Run only those of the programs that have this construct."));
static llvm::cl::opt<bool> noReduce("no-reduce", llvm::cl::desc("Print programs as they are."));

/// The rungs that a program is run on. Every twentieth program is compiled with everything switched
/// on, alternately for one thread and for several. The others cycle through the other ways; one
/// that was made for a feature takes a way that has it. Passes on ticks that machine code needs as
/// well are also run alone, cyclically.
struct Reach {
  bool native;
  uint64_t number;
  SmithProgram::Aim aim;
  bool includes(const Rung &rung) const {
    if (rung.level != ::lci::SmithLimit::Level::Native)
      return allWays || !rung.alone || number % kNumAlone == *rung.alone;
    uint64_t part = number / 20;
    unsigned turn = number % 20 == 0 ? part % 2 : 2 + (number - part) % (kNumWays - 2);
    turn = onlyWay.getNumOccurrences() ? onlyWay : aimed(turn);
    return native && (allWays || rung.way == turn);
  }

private:
  /// A way with the feature that a program was made for, else the next one in the cycle. Every
  /// fourth of those for kernels goes to PTX.
  unsigned aimed(unsigned turn) const {
    if (aim == SmithProgram::Aim::Kernels)
      return kKernelsWay + (number % 4 == 0);
    if (turn >= kNumCombinations)
      return turn;
    return aim == SmithProgram::Aim::Planes    ? turn & ~kWithoutPlanes
           : aim == SmithProgram::Aim::Windows ? turn & ~kWithoutWindows
                                               : turn;
  }
};

/// A failure: the rung, and the message.
struct Verdict {
  std::string rung, text;
  explicit operator bool() const { return !rung.empty(); }
};

namespace {
/// The number of programs in which each pass ran and changed something, and each way was taken.
struct Tally {
  /// By the category and the name of a remark: changed or taken, or neither.
  std::map<std::pair<std::string, std::string>, std::array<uint64_t, 2>> programs;

  void add(const std::map<std::pair<std::string, std::string>, bool> &seen) {
    for (const auto &[name, isTaken] : seen)
      ++programs[name][isTaken ? 0 : 1];
  }
};

/// Collects the remarks of one program.
class WayNotes : public remark::detail::MLIRRemarkStreamerBase {
public:
  using Seen = std::map<std::pair<std::string, std::string>, bool>;
  explicit WayNotes(Seen &seen) : seen(seen) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    seen[{remark.getCategoryName().str(), remark.getRemarkName().str()}] |=
        remark.getRemarkType() == llvm::remarks::Type::Passed;
  }

private:
  Seen &seen;
};

/// The context in which one program is run, with its diagnostics.
struct Court {
  WayNotes::Seen seen;
  MLIRContext context;
  std::string said;
  ScopedDiagnosticHandler handler;

  explicit Court(const DialectRegistry &registry)
      : context(registry, MLIRContext::Threading::DISABLED),
        handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            llvm::raw_string_ostream(said)
                << diagnostic.getLocation() << ": " << diagnostic << "\n";
          return success();
        }) {
    prepareContext(context);
    if (waysFile.empty())
      return;
    remark::RemarkCategories ours;
    ours.passed = ours.missed = ".*lci.*";
    (void)remark::enableOptimizationRemarks(context, std::make_unique<WayNotes>(seen),
                                            std::make_unique<remark::RemarkEmittingPolicyAll>(),
                                            ours);
  }
};
} // namespace

/// Runs a program on all rungs; the verdict is empty if all agree.
static Verdict judge(const SmithProgram &program, const DialectRegistry &registry, Reach reach,
                     Tally *tally = nullptr) {
  Court court(registry);
  llvm::scope_exit note([&] {
    if (tally)
      tally->add(court.seen);
  });
  std::string &said = court.said;
  FailureOr<Case> test = makeCase(program, court.context);
  if (failed(test))
    return {"import", said};
  FailureOr<Outcome> reference = runReference(*test);
  if (failed(reference))
    return {"interpreter", said};
  for (const Rung &rung : makeRungs()) {
    if (!reach.includes(rung))
      continue;
    FailureOr<Outcome> outcome = rung.run(*test);
    if (failed(outcome))
      return {rung.name, said};
    std::string difference = findDifference(*reference, *outcome, rung.counts);
    if (!difference.empty())
      return {rung.name, difference};
  }
  return {};
}

/// Runs a program on the levels above the one that rejects it, and checks that this one does, with
/// a message: a list of rejected constructs must not outlive its reasons.
static Verdict judgeBeyond(const SmithProgram &program, const DialectRegistry &registry) {
  using Level = ::lci::SmithLimit::Level;
  Court court(registry);
  auto uses = [&](Level level) {
    return llvm::any_of(::lci::smithLimits(), [&](const ::lci::SmithLimit &limit) {
      return limit.refusedBy == level && program.coverage.count(limit.construct);
    });
  };
  auto refused = [&](const std::string &rung, bool failed) -> Verdict {
    if (failed && !court.said.empty())
      return {};
    return {rung, "expected a program that uses what is listed as refused to be refused"};
  };
  FailureOr<Case> test = makeCase(program, court.context);
  if (failed(test))
    return {"import", court.said};
  FailureOr<Outcome> reference = runReference(*test);
  if (uses(Level::Interpreter))
    return refused("interpreter", failed(reference));
  if (failed(reference))
    return {"interpreter", court.said};
  for (const Rung &rung : makeRungs()) {
    bool isRefused = uses(Level::Lowering) && rung.level >= Level::Lowering;
    isRefused |= uses(Level::Native) && rung.level == Level::Native;
    FailureOr<Outcome> outcome = rung.run(*test);
    if (isRefused)
      return refused(rung.name, failed(outcome));
    if (failed(outcome))
      return {rung.name, court.said};
    std::string difference = findDifference(*reference, *outcome, rung.counts);
    if (!difference.empty())
      return {rung.name, difference};
    if (rung.level == Level::Lowering && !uses(Level::Native))
      break; // an ordinary program, which the others are enough of
  }
  return {};
}

/// Reduces a program while it still fails on the same rung.
static SmithProgram reduce(SmithProgram program, const Verdict &verdict,
                           const DialectRegistry &registry, Reach reach) {
  program.declarations =
      ::lci::reduceDeclarations(program.declarations, [&](const ::lci::Declarations &declarations) {
        SmithProgram smaller = program;
        smaller.declarations = declarations;
        return judge(smaller, registry, reach).rung == verdict.rung;
      });
  return program;
}

static void report(uint64_t seed, const SmithProgram &program, const Verdict &verdict) {
  llvm::errs() << "program " << seed << " fails at " << verdict.rung << ": " << verdict.text
               << "\n----\n"
               << program.text() << "----\n";
  for (const auto &[name, size] : program.sizes)
    llvm::errs() << name << " = " << size << "; ";
  llvm::errs() << "epochs = " << program.epochs << "; seed = " << program.seed << "\n";
}

/// One line for each entry: category, name, and the numbers of programs in which it did and did not
/// occur. Rewritten after each program, so that a run that is stopped leaves its counts.
static void writeTally(const Tally &tally, unsigned done) {
  if (waysFile.empty())
    return;
  std::error_code error;
  llvm::raw_fd_ostream file(waysFile, error);
  file << "programs\t" << done << "\n";
  for (const auto &[name, counts] : tally.programs)
    file << name.first << "\t" << name.second << "\t" << counts[0] << "\t" << counts[1] << "\n";
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "Random programs on every rung of the ladder\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  unsigned failures = 0, done = 0, compiled = 0;
  Tally tally;
  ::lci::Progress bar(programs);
  for (; done < programs && failures < maxFailures; ++done) {
    bar.update(done);
    uint64_t seed = first + done;
    SmithProgram program = ::lci::forgeProgram(seed);
    if (!having.empty() && !program.coverage.count(having))
      continue;
    Reach reach{nativeEvery && done % nativeEvery == 0, seed, program.aim};
    compiled += reach.native;
    Verdict verdict = judge(program, registry, reach, &tally);
    writeTally(tally, done + 1);
    if (!verdict)
      continue;
    ++failures;
    bar.finish();
    // A program that cannot even be imported is a bug of the generator: it is shown whole.
    bool isReducible = !noReduce && verdict.rung != "import" && verdict.rung != "interpreter";
    if (isReducible)
      program = reduce(program, verdict, registry, reach);
    report(seed, program, isReducible ? judge(program, registry, reach) : verdict);
  }
  bar.finish();
  unsigned refused = 0;
  for (; refused < beyond && failures < maxFailures; ++refused) {
    SmithProgram program = ::lci::forgeProgram(first + refused, /*beyond=*/true);
    Verdict verdict = judgeBeyond(program, registry);
    failures += static_cast<bool>(verdict);
    if (verdict)
      report(first + refused, program, verdict);
  }
  llvm::outs() << refused << " programs up to the level that refuses them\n";
  llvm::outs() << done << " programs on the rungs below the interpreter, " << compiled
               << " of them in machine code: " << failures << " failures\n";
  return failures != 0;
}
