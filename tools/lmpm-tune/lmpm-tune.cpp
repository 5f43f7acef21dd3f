//===- lmpm-tune.cpp - Searches for the schedule of a program -------------===//
//
// Parses the command line and writes files; LCI/Tune searches.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Execution/Compile.h"
#include "LCI/InitAllDialects.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/FileUse.h"
#include "LCI/Runtime/Progress.h"
#include "LCI/Tools/FlagParsers.h"
#include "LCI/Tools/KeptOutput.h"
#include "LCI/Tools/LimitFlags.h"
#include "LCI/Tune/Tune.h"
#include "mlir/InitAllDialects.h"
#include "llvm/Support/FileSystem.h"
#include <set>

using namespace llvm;
using namespace mlir::lci;

static const char overview[] = R"(lmpm-tune - searches for the schedule of a program

A program can be lowered in many ways that give the same bits: how many epochs go over memory
together, by what tiles, in which layout, with which tables. This tool ranks candidates by a model
that counts instructions and bytes, runs the best ones in turns, compares their cells, and writes
the fastest as a schedule, which is transform IR:

  lmpm-tune heat.lmpm --set W=4096 --set H=4096 -o heat.mlir
  lmpm-run heat.lmpm --set W=4096 --set H=4096 --schedule heat.mlir

Without -o the schedule goes to a cache, where lmpm-run --schedule=auto finds it.
)";

static const char examples[] = R"(
EXAMPLES
  Look at the search: every candidate as CSV, and as a picture
    lmpm-tune heat.lmpm --set W=4096 --set H=4096 --trace search.csv
  A schedule by hand, whose knobs and alternatives are searched
    lmpm-tune heat.lmpm --bindings b.json --schedule mine.mlir -o best.mlir
  What the model says, without running anything, also of a GPU
    lmpm-tune heat.lmpm --bindings b.json --measure 0
    lmpm-tune heat.lmpm --bindings b.json --backend=cuda

EXIT STATUS: 0 done, 1 an error, or a candidate with other cells than the default, which is a bug of
the compiler: its schedule is written beside the other one.
)";

namespace {
struct Flags {
  cl::OptionCategory category{"lmpm-tune options"};
  cl::opt<std::string> program{cl::Positional, cl::Required, cl::desc("PROGRAM.lmpm|PROGRAM.mlir"),
                               cl::cat(category)};
  cl::opt<std::string> bindings{"bindings", cl::value_desc("F.json"), cl::cat(category),
                                cl::desc("Sizes, parameters, inputs, palettes, regions, models")};
  cl::list<std::string> sets{"set", cl::value_desc("NAME=VALUE"), cl::cat(category),
                             cl::desc("Set a size, a vocabulary or a parameter")};
  cl::list<std::string> inputs{"input", cl::value_desc("NAME=F.npy"), cl::cat(category),
                               cl::desc("Give a value or an array parameter")};
  cl::opt<BackendKind, false, ChoiceParser<BackendKind>> backend{
      "backend", cl::desc("What the program is compiled for:"), cl::init(BackendKind::CPU),
      cl::cat(category),
      cl::values(
          clEnumValN(BackendKind::CPU, "cpu", "this machine (default)"),
          clEnumValN(BackendKind::CUDA, "cuda", "an NVIDIA GPU; without one the model alone"),
          clEnumValN(BackendKind::Kernels, "kernels", "kernels, by the model alone"))};
  cl::opt<int64_t> threads{"threads", cl::value_desc("N"), cl::init(1), cl::cat(category),
                           cl::desc("Threads that share a tick (default 1)")};
  cl::opt<int64_t> epochs{"epochs", cl::value_desc("N"), cl::cat(category),
                          cl::desc("Epochs of each run (default: as many as a clock needs)")};
  cl::opt<std::string> schedule{"schedule", cl::value_desc("F.mlir"), cl::cat(category),
                                cl::desc("Search among the knobs and alternatives of this schedule "
                                         "(default: the pipeline's)")};
  cl::opt<int64_t> candidates{"candidates", cl::value_desc("N"), cl::init(64), cl::cat(category),
                              cl::desc("Candidates that the model ranks, at most (default 64)")};
  cl::opt<int64_t> measure{"measure", cl::value_desc("N"), cl::init(32), cl::cat(category),
                           cl::desc("Of which so many are run, at most (default 32; 0: none)")};
  cl::opt<int64_t> seconds{"candidate-seconds", cl::value_desc("N"), cl::init(60),
                           cl::cat(category),
                           cl::desc("Give a candidate up that takes longer (default 60)")};
  cl::opt<uint64_t> seed{"seed", cl::value_desc("S"), cl::init(0), cl::cat(category),
                         cl::desc("Decides which candidates are tried, if not all (default 0)")};
  cl::opt<std::string> output{"o", cl::value_desc("F.mlir"), cl::cat(category),
                              cl::desc("Write the schedule there (default: the cache)")};
  cl::opt<std::string> receipt{"receipt", cl::value_desc("F.json"), cl::cat(category),
                               cl::desc("Write what was tried, and how it came out")};
  cl::opt<std::string> trace{"trace", cl::value_desc("F.csv"), cl::cat(category),
                             cl::desc("Write every candidate, and a picture to F.svg")};
  cl::opt<std::string> times{"times", cl::value_desc("F.csv"), cl::cat(category),
                             cl::desc("Take the times of an earlier trace in place of a clock's")};
  LimitFlags limits{"lmpm-tune", category};
  cl::opt<bool> quiet{"quiet", cl::cat(category), cl::desc("Print no summary")};
};
} // namespace

static bool isAtLeast(const cl::opt<int64_t> &flag, int64_t bound) {
  return flag >= bound || !rejectFlag("expected --" + flag.ArgStr + " of at least " + Twine(bound) +
                                      ", but got " + Twine(flag));
}

static bool isAtMost(const cl::opt<int64_t> &flag, int64_t bound) {
  return flag <= bound || !rejectFlag("expected --" + flag.ArgStr + " of at most " + Twine(bound) +
                                      ", but got " + Twine(flag));
}

static bool checkFlags(const Flags &flags) {
  if (!isAtLeast(flags.threads, 1) || !isAtLeast(flags.candidates, 1) ||
      !isAtLeast(flags.measure, 0) || !isAtLeast(flags.seconds, 1))
    return false;
  if (flags.epochs.getNumOccurrences() > 0 && !isAtLeast(flags.epochs, 1))
    return false;
  if (!isAtMost(flags.threads, kMaxThreads) || !isAtMost(flags.candidates, kMostCandidates))
    return false;
  if (flags.schedule == kAutomatic)
    return !rejectFlag("expected a file for --schedule, but got 'auto'",
                       "lmpm-run takes the schedule that was found before");
  if (flags.threads > 1 && flags.backend != BackendKind::CPU)
    return !rejectFlag("--threads is for --backend=cpu; the others have one thread");
  return true;
}

/// Prints an error; returns false.
static bool complain(const ::lci::Failure &failure) {
  errs() << "lmpm-tune: error: " << failure.text() << "\n";
  return false;
}

static TuneOptions toOptions(const Flags &flags) {
  TuneOptions options;
  options.run.program = flags.program;
  options.run.backend = flags.backend;
  options.run.threads = flags.threads;
  options.run.fixesArguments = true;
  if (flags.epochs.getNumOccurrences() > 0)
    options.run.epochs = flags.epochs;
  options.seed = flags.seed;
  options.candidates = flags.candidates;
  options.measured = flags.measure;
  options.seconds = flags.seconds;
  options.times = flags.times;
  return options;
}

static bool readSchedule(const Flags &flags, TuneOptions &options) {
  if (flags.schedule.getNumOccurrences() == 0)
    return true;
  ::lci::Result<std::vector<uint8_t>> read = ::lci::readFile(flags.schedule);
  if (!read)
    return complain(read.failure());
  options.schedule = std::string(read->begin(), read->end());
  options.scheduleName = flags.schedule;
  return true;
}

/// A bar for each part of the search, and Ctrl-C.
static void showProgress(TuneOptions &options) {
  ::lci::catchInterrupt();
  auto bar = std::make_shared<std::unique_ptr<::lci::Progress>>();
  auto shown = std::make_shared<std::string>();
  options.progress = [bar, shown](StringRef doing, size_t done, size_t all, double best) {
    if (*shown != doing || !*bar) {
      bar->reset();
      *bar = std::make_unique<::lci::Progress>(all);
      *shown = doing.str();
    }
    std::string note = doing.str();
    if (best < 1)
      note += ", best " + std::to_string(best).substr(0, 5) + " of the default's time";
    (*bar)->update(std::min(done, all), note);
    return !::lci::interrupted();
  };
}

/// Writes a file, or says why it cannot.
static bool write(const std::string &path, const std::string &text) {
  if (path.empty())
    return true;
  ::lci::Status written = ::lci::writeFileAtomically(path, text);
  return written || complain(written.failure());
}

/// Where the schedule goes: the file of the flag, or that of the cache.
static std::string findOutput(const Flags &flags, const TuningKey &key) {
  if (!flags.output.empty())
    return ::lci::outputPath(flags.output);
  SmallString<128> path(scheduleCache());
  sys::fs::create_directories(path);
  sys::path::append(path, key.fileName());
  return path.str().str();
}

static std::string pictureBeside(StringRef trace) {
  SmallString<128> path(trace);
  sys::path::replace_extension(path, "svg");
  return path.str().str();
}

/// Whether all files can be written, and none twice: before a search rather than after it.
static bool checkOutputs(const Flags &flags) {
  std::vector<std::string> paths{flags.output, flags.receipt, flags.trace};
  if (!flags.trace.empty())
    paths.push_back(pictureBeside(flags.trace));
  std::set<std::string> seen;
  for (const std::string &path : paths) {
    if (path.empty())
      continue;
    std::string named = ::lci::outputPath(path);
    if (!seen.insert(::lci::sinkOf(named).value_or(named)).second)
      return !rejectFlag("expected a file for each output, but got '" + Twine(path) + "' twice");
    if (::lci::Status able = ::lci::prepareToWrite(named); !able)
      return complain(able.failure());
  }
  return true;
}

/// Writes the files; a candidate with other bits is a bug that its schedule shows.
static int finish(const Flags &flags, const TuneResult &result) {
  std::string output = findOutput(flags, result.key);
  bool isWritten = write(output, result.contenders[result.best].schedule) &&

                   write(::lci::outputPath(flags.receipt), result.receipt());
  if (!flags.trace.empty())
    isWritten = isWritten && write(::lci::outputPath(flags.trace), result.trace()) &&
                write(pictureBeside(flags.trace), result.picture());
  if (!flags.quiet)
    outs() << result.summary();
  if (!flags.quiet && isWritten)
    outs() << "written: " << output << "\n";
  const Contender *wrong = result.findWrong();
  if (!wrong)
    return !isWritten;
  errs() << "lmpm-tune: error: "
         << lmpm::withErrorId("the candidate '" + wrong->name +
                                  "' has other cells than the default, a bug of the compiler or of "
                                  "the schedule; it is in '" +
                                  output + ".wrong'",
                              lmpm::ErrorId::CheckFailed)
         << "\n";
  write(output + ".wrong", wrong->schedule);
  return 1;
}

int main(int argc, char **argv) {
  initTool("lmpm-tune");
  if (cl::Option *other = cl::getRegisteredOptions().lookup("threads"))
    other->removeArgument(); // of libLLVM.so, for link-time optimisation
  static Flags flags;
  static cl::extrahelp more(examples);
  cl::HideUnrelatedOptions(flags.category);
  WordCheck words(argc, argv, flags.category,
                  {1, 1, "program", "as in lmpm-tune life.lmpm --set W=64 --set H=64"});
  words.addNumbers(flags.threads, flags.epochs, flags.candidates, flags.measure, flags.seconds,
                   flags.seed);
  words.addSwitches(flags.quiet);
  if (!words.isGood() || !cl::ParseCommandLineOptions(argc, argv, overview, &errs()) ||
      !checkFlags(flags))
    return 1;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::lci::registerAllDialects(registry);
  // Another process measures, which a process with threads cannot start.
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  prepareContext(context);
  SourceMgr sources;
  DriverDiagnostics diagnostics(sources, &context, errs(), /*showRemarks=*/false);
  auto bindings = readBindings(flags.bindings, to_vector(flags.sets), &context);
  if (failed(bindings))
    return 1;
  for (const std::string &input : flags.inputs)
    if (::lci::Status set = bindings->setInput(input); !set)
      return rejectFlag(set.error());
  auto module = loadModule(flags.program, sources, &context, /*verifies=*/false);
  if (!module || failed(verifyListed(*module)))
    return 1;
  TuneOptions options = toOptions(flags);
  if (!readSchedule(flags, options) || !checkOutputs(flags))
    return 1;
  showProgress(options);
  mlir::FailureOr<TuneResult> result = tune(*module, *bindings, options);
  options.progress = nullptr; // removes the bar
  return failed(result) ? 1 : finish(flags, *result);
}
