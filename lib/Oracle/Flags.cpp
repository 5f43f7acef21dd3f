//===- Flags.cpp - Flags of lmpm-opt that run IR --------------------------===//

#include "LCI/Oracle/Flags.h"
#include "LCI/Dialect/Diagnostics.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Oracle/Checks.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"

using namespace mlir;
using namespace mlir::lci;
namespace cl = llvm::cl;

namespace {
struct Flags {
  cl::opt<bool> verify{"lci-verify-by-running",
                       cl::desc("Run the IR before and after each pass, and compare the results")};
  cl::opt<std::string> other{"lci-check-equiv", cl::value_desc("F.mlir"),
                             cl::desc("Run the IR at the end and that of a file, of whatever "
                                      "levels, and compare the results")};
  cl::opt<int64_t> trials{"lci-trials", cl::init(TrialOptions().trials), cl::value_desc("N"),
                          cl::desc("Runs that are compared, each with other contents")};
  cl::opt<int64_t> epochs{"lci-trial-epochs", cl::init(TrialOptions().epochs), cl::value_desc("N"),
                          cl::desc("Epochs of each")};
  cl::opt<uint64_t> seed{"lci-trial-seed", cl::init(TrialOptions().seed), cl::value_desc("N"),
                         cl::desc("The seed of the contents")};
};
} // namespace

/// Outcomes are kept in memory.
static constexpr int64_t kMaxTrials = 1 << 20;

static llvm::ManagedStatic<Flags> flags;

void mlir::lci::addOracleFlags() { *flags; }

/// A flag that would have no effect, or a number that makes no sense.
static std::string findProblem() {
  if (flags->trials < 1 || flags->trials > kMaxTrials || flags->epochs < 1)
    return "expected from 1 to " + std::to_string(kMaxTrials) + " trials of at least one epoch";
  unsigned numFiles = flags->other.getNumOccurrences();
  if (numFiles > 1)
    return "--lci-check-equiv is given twice";
  if (numFiles > 0 && (flags->other.empty() || flags->other == "-"))
    return "expected the name of a file for --lci-check-equiv";
  if (flags->verify || numFiles > 0)
    return "";
  for (cl::Option *flag :
       {static_cast<cl::Option *>(&flags->trials), static_cast<cl::Option *>(&flags->epochs),
        static_cast<cl::Option *>(&flags->seed)})
    if (flag->getNumOccurrences() > 0)
      return "--" + flag->ArgStr.str() +
             " needs --lci-verify-by-running or --lci-check-equiv=F.mlir";
  return "";
}

LogicalResult mlir::lci::addOracle(PassManager &manager) {
  MLIRContext *context = manager.getContext();
  if (std::string problem = findProblem(); !problem.empty())
    return emitError(UnknownLoc::get(context), problem) << ErrorId::CommandLine;
  if (!flags->verify && flags->other.empty())
    return success();
  context->loadDialect<LCIDialect>(); // with which messages show their identifiers
  TrialOptions options{static_cast<unsigned>(flags->trials), flags->epochs, flags->seed};
  if (flags->verify)
    verifyByRunning(manager, options);
  if (flags->other.empty())
    return success();
  static llvm::SourceMgr sources; // diagnostics of the file show it
  OwningOpRef<ModuleOp> other = loadModule(flags->other, sources, context);
  if (!other)
    return failure();
  checkEquivalent(manager, std::move(other), options);
  return success();
}
