//===- DifferentialTest.cpp - The reference against every rung --------------===//
//
// Runs random programs on the interpreter and on everything the compiler makes of them, and
// compares all values bit by bit. A program that fails is reduced and printed.
//
//===----------------------------------------------------------------------===//

#include "LCI/Execution/CpuProgram.h"
#include "LCI/InitAllDialects.h"
#include "Rungs.h"
#include "mlir/IR/Diagnostics.h"
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
                llvm::cl::init(20));
static llvm::cl::opt<bool> noReduce("no-reduce", llvm::cl::desc("Print programs as they are."));

/// What is wrong with a program: where, and what.
struct Verdict {
  std::string rung, text;
  explicit operator bool() const { return !rung.empty(); }
};

/// Runs a program everywhere; an empty verdict if all agree.
static Verdict judge(const SmithProgram &program, const DialectRegistry &registry, bool isNative) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  prepareContext(context);
  context.loadAllAvailableDialects();
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      llvm::raw_string_ostream(said) << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return success();
  });
  FailureOr<Case> test = makeCase(program, context);
  if (failed(test))
    return {"import", said};
  FailureOr<Outcome> reference = runReference(*test);
  if (failed(reference))
    return {"interpreter", said};
  for (const Rung &rung : makeRungs()) {
    if (rung.isNative && !isNative)
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

/// Drops declarations, then lines of them, while the program still fails on the same rung.
static SmithProgram reduce(SmithProgram program, const Verdict &verdict,
                           const DialectRegistry &registry, bool isNative) {
  auto stillFails = [&](const SmithProgram &smaller) {
    return judge(smaller, registry, isNative).rung == verdict.rung;
  };
  for (size_t i = program.declarations.size(); i-- > 0;) {
    SmithProgram smaller = program;
    smaller.declarations.erase(smaller.declarations.begin() + i);
    if (stillFails(smaller))
      program = smaller;
  }
  for (std::string &declaration : program.declarations) {
    for (size_t end = declaration.size(); end > 0;) {
      size_t start = declaration.rfind('\n', end - 1);
      if (start == std::string::npos)
        break;
      SmithProgram smaller = program;
      std::string &shorter = smaller.declarations[&declaration - program.declarations.data()];
      shorter.erase(start, end - start);
      if (stillFails(smaller))
        declaration.erase(start, end - start);
      end = start;
    }
  }
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

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "Random programs on every rung of the ladder\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  unsigned failures = 0, done = 0, compiled = 0;
  for (; done < programs && failures < maxFailures; ++done) {
    uint64_t seed = first + done;
    SmithProgram program = ::lci::forgeProgram(seed);
    bool isNative = nativeEvery && done % nativeEvery == 0;
    compiled += isNative;
    Verdict verdict = judge(program, registry, isNative);
    if (!verdict)
      continue;
    ++failures;
    // A program that cannot even be imported is the smith's fault: it is shown whole.
    bool isReducible = !noReduce && verdict.rung != "import" && verdict.rung != "interpreter";
    if (isReducible)
      program = reduce(program, verdict, registry, isNative);
    report(seed, program, isReducible ? judge(program, registry, isNative) : verdict);
  }
  llvm::outs() << done << " programs on the rungs below the interpreter, " << compiled
               << " of them in machine code: " << failures << " failures\n";
  return failures != 0;
}
