//===- CommandLine.cpp - The flags of lmpm-run ----------------------------===//
//
// Declares every flag once, with its help. The form of a flag's value is checked here, its meaning
// in LCI/Driver.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "LCI/Dialect/Targets.h"
#include "LCI/Driver/Explain.h"
#include "LCI/Driver/Outputs.h"
#include "LCI/Runtime/FileUse.h"
#include "LCI/Tools/FlagParsers.h"
#include "LCI/Tools/LimitFlags.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir::lci;
using llvm::StringRef;
namespace cl = llvm::cl;

static constexpr const char *overview =
    "lmpm-run - runs a program of the language, or of level 1 or 2 of the ladder\n\n"
    "  A run takes a program, what the program leaves open (sizes, parameters,\n"
    "  inputs: a bindings file, or flags, which win), and a number of epochs. It\n"
    "  prints a summary and writes what it is asked for.\n";

static constexpr const char *examples = R"(
EXAMPLES:

  A glider gun's first 90 epochs, as a picture:
    lmpm-run life.lmpm --set W=64 --set H=64 --input Cell=gun.npy --epochs 90 \
      --picture Cell=gun.png

  A magnet at another temperature, observed every ten epochs:
    lmpm-run ising.lmpm --bindings bindings.json --set beta=0.3 --epochs 5000 \
      --observe ising.csv --observe-every 10

  The same program compiled and interpreted, compared bit for bit:
    lmpm-run ising.lmpm --bindings bindings.json --epochs 3 --check

  The same bits from four threads:
    lmpm-run life.lmpm --set W=8192 --set H=8192 --epochs 1000 --threads 4

  How much planes of bits save, and epochs that go over memory together:
    lmpm-run life.lmpm --set W=4096 --set H=4096 --epochs 100 \
      --lowering "bitslice=false fused-epochs=1"

  Two replicas, each with rules of its own, and what they agree on:
    lmpm-run p.lmpm --replica 1 --disable Right --checkpoint a
    lmpm-run p.lmpm --replica 2 --disable Left --checkpoint b
    lmpm-run p.lmpm --merge a b --checkpoint ab

  Why one cell became what it became, and what happens without a constraint:
    lmpm-run seed.lmpm --bindings bindings.json --explain-cell 'Vid[2,5,7]@e=1'
    lmpm-run seed.lmpm --bindings bindings.json --disable HardLock --report r.json

  A long run that survives Ctrl-C and power cuts, and goes on bit for bit:
    lmpm-run ising.lmpm --bindings b.json --epochs 1000000 --checkpoint c --checkpoint-every 1000
    lmpm-run ising.lmpm --bindings b.json --epochs 1000000 --checkpoint c --resume c

  A stranger's program: no more than that, whatever it asks for
    lmpm-run theirs.lmpm --bindings b.json --limit-memory 2G --limit-seconds 60

EXIT STATUS: 0 done, 1 an error (said on standard error), 124 out of time, 130 interrupted.
)";

namespace {
/// All flags.
struct Flags {
  cl::OptionCategory category{"lmpm-run options"};

  cl::opt<std::string> program{cl::Positional, cl::Required, cl::desc("PROGRAM.lmpm|PROGRAM.mlir"),
                               cl::cat(category)};
  cl::opt<std::string> bindings{"bindings", cl::value_desc("F.json"), cl::cat(category),
                                cl::desc("Sizes, parameters, inputs, palettes, regions, models")};
  cl::list<std::string> sets{"set", cl::value_desc("NAME=VALUE"), cl::cat(category),
                             cl::desc("Set a size, a vocabulary or a parameter (a number, "
                                      "[1, 2], or a file)")};
  cl::list<std::string> inputs{"input", cl::value_desc("NAME=F.npy"), cl::cat(category),
                               cl::desc("Give a value or an array parameter; -1 is an absent "
                                        "token")};
  cl::list<std::string> outputs{"output", cl::value_desc("VALUE=F.npy"), cl::cat(category),
                                cl::desc("Write a value; tokens in the smallest signed type")};
  cl::list<std::string> stamps{"stamps", cl::value_desc("VALUE=F.npy"), cl::cat(category),
                               cl::desc("Write when each cell was committed (Lamport stamps)")};
  cl::list<std::string> pictures{"picture", cl::value_desc("VALUE=F.png"), cl::cat(category),
                                 cl::desc("Draw a value: tokens in colours, numbers in grey")};
  cl::list<std::string> codebooks{"codebook", cl::value_desc("VALUE=F.npy"), cl::cat(category),
                                  cl::desc("Colours (V,3) or patches (V,h,w,3) for --picture")};
  cl::opt<int64_t> epochs{"epochs", cl::value_desc("N"), cl::cat(category),
                          cl::desc("Epochs to run (default: the bindings', else 1)")};
  cl::opt<uint64_t> seed{"seed", cl::value_desc("S"), cl::cat(category),
                         cl::desc("Seed of all draws (default: the bindings', else 0)")};
  cl::opt<BackendKind, false, ChoiceParser<BackendKind>> backend{
      "backend", cl::desc("What runs the program:"), cl::init(BackendKind::CPU), cl::cat(category),
      cl::values(clEnumValN(BackendKind::CPU, "cpu", "compiled for this machine (default)"),
                 clEnumValN(BackendKind::CUDA, "cuda", "compiled for an NVIDIA GPU"),
                 clEnumValN(BackendKind::Kernels, "kernels",
                            "the kernels of a GPU, one thread after the other on this machine"),
                 clEnumValN(BackendKind::Interpreter, "interp", "the reference interpreter"))};
  cl::opt<std::string> cudaDriver{"cuda-driver", cl::value_desc("F.so"), cl::cat(category),
                                  cl::init(::lci::kCudaDriver),
                                  cl::desc("The library of NVIDIA's driver (default: the "
                                           "machine's)")};
  cl::opt<bool> tf32{"tf32", cl::cat(category),
                     cl::desc("Multiply the matrices of models by the tensor cores of a GPU: "
                              "eleven bits of each number, other bits in the results")};
  cl::opt<int64_t> threads{"threads", cl::value_desc("N"), cl::init(1), cl::cat(category),
                           cl::desc("Threads that share a tick (default 1); the results "
                                    "are the same")};
  cl::opt<std::string> lowering{"lowering", cl::value_desc("OPTIONS"), cl::cat(category),
                                cl::desc("Options of lci-to-llvm-pipeline (see lmpm-opt --help); "
                                         "the results are the same")};
  cl::opt<std::string> schedule{"schedule", cl::value_desc("F.mlir"), cl::cat(category),
                                cl::desc("Lower by a schedule, as lmpm-tune finds; auto: the one "
                                         "found before, if any; the results are the same")};
  cl::opt<bool> check{"check", cl::cat(category),
                      cl::desc("Run the interpreter beside it; stop at the first different bit")};
  cl::opt<std::string> report{"report", cl::value_desc("F.json"), cl::cat(category),
                              cl::desc("Write what was satisfied, violated, decisive, and counts")};
  cl::opt<std::string> observe{"observe", cl::value_desc("F.csv"), cl::cat(category),
                               cl::desc("Write what the program's observers see")};
  cl::opt<int64_t> observeEvery{"observe-every", cl::value_desc("K"), cl::init(1),
                                cl::cat(category), cl::desc("Observe every K epochs (default 1)")};
  cl::opt<std::string> checkpoint{"checkpoint", cl::value_desc("F"), cl::cat(category),
                                  cl::desc("Write the state of the run, at the end and on Ctrl-C")};
  cl::opt<int64_t> checkpointEvery{"checkpoint-every", cl::value_desc("K"), cl::init(0),
                                   cl::cat(category), cl::desc("... and every K epochs")};
  cl::opt<std::string> resume{"resume", cl::value_desc("F"), cl::cat(category),
                              cl::desc("Go on from a checkpoint, as if never interrupted")};
  cl::opt<uint64_t> replica{"replica", cl::value_desc("N"), cl::cat(category),
                            cl::desc("Which of several replicas this run is (default 0)")};
  cl::list<std::string> merges{"merge", cl::multi_val(2), cl::value_desc("A B"), cl::cat(category),
                               cl::desc("Join checkpoints of replicas, and go on from there")};
  cl::list<std::string> enable{"enable", cl::value_desc("NAME"), cl::cat(category),
                               cl::desc("Switch a rule or constraint on")};
  cl::list<std::string> disable{"disable", cl::value_desc("NAME"), cl::cat(category),
                                cl::desc("Switch a rule or constraint off; recompiles nothing")};
  cl::list<std::string> explain{"explain-cell", cl::value_desc("VALUE[i,j]@e=N"), cl::cat(category),
                                cl::desc("Print candidates, checks, scores and the winner")};
  cl::opt<bool> remarks{"remarks", cl::cat(category),
                        cl::desc("Show what was proved and how names were matched")};
  LimitFlags limits{"lmpm-run", category};
  cl::opt<Counting, false, ChoiceParser<Counting>> counters{
      "counters", cl::desc("What is counted, which takes up to a sixth of the time:"),
      cl::init(Counting::Changed), cl::cat(category),
      cl::values(clEnumValN(Counting::None, "none", "nothing"),
                 clEnumValN(Counting::Changed, "changed", "commits that change a cell (default)"),
                 clEnumValN(Counting::Full, "full",
                            "what constraints decided, too (default with --report)"))};
  cl::opt<bool> lowered{"lowered", cl::cat(category),
                        cl::desc("Run IR of a level below programs, from ticks to kernels and the "
                                 "llvm dialect; it can do what machine code can")};
  cl::opt<bool> quiet{"quiet", cl::cat(category), cl::desc("Print no summary")};
};
} // namespace

/// Reports an error of the command line.
static bool reject(const std::string &message) { return !rejectFlag(message); }

/// Splits the `VALUE=FILE` of a flag.
static bool parseFiles(const cl::list<std::string> &texts, StringRef flag,
                       std::vector<NamedFile> &files) {
  for (const std::string &text : texts) {
    ::lci::Result<NamedFile> file = parseNamedFile(text, flag);
    if (!file)
      return reject(file.error());
    files.push_back(std::move(*file));
  }
  return true;
}

/// Checks that a number is not below a bound.
static bool checkAtLeast(const char *flag, int64_t number, int64_t bound) {
  if (number >= bound)
    return true;
  return reject(std::string("expected ") + flag + " of at least " + std::to_string(bound) +
                ", but got " + std::to_string(number));
}

/// Rejects a second occurrence of a flag, since only one could take effect.
static bool checkGivenOnce(cl::OptionCategory &category) {
  for (auto [name, option] : cl::getRegisteredOptions())
    if (llvm::is_contained(option->Categories, &category) && option->getNumOccurrences() > 1 &&
        option->getNumOccurrencesFlag() == cl::Optional)
      return reject("--" + name.str() + " is given twice");
  return true;
}

/// Checks numbers against their bounds, and flags that need another one.
static bool checkFlags(const Flags &flags) {
  if (!checkAtLeast("--epochs", flags.epochs, 0) ||
      !checkAtLeast("--observe-every", flags.observeEvery, 1) ||
      (flags.checkpointEvery.getNumOccurrences() > 0 &&
       !checkAtLeast("--checkpoint-every", flags.checkpointEvery, 1)) ||
      !checkAtLeast("--threads", flags.threads, 1))
    return false;
  if (flags.threads > kMaxThreads)
    return reject("expected --threads of at most " + std::to_string(kMaxThreads) + ", but got " +
                  std::to_string(flags.threads));
  if (flags.threads.getNumOccurrences() > 0 && flags.backend != BackendKind::CPU)
    return reject("--threads is for --backend=cpu; the others have one thread");
  if (flags.lowered && flags.backend.getNumOccurrences() > 0)
    return reject("--backend lowers a program, but --lowered runs IR from the level that it is on");
  if (flags.tf32 && flags.backend != BackendKind::CUDA && flags.backend != BackendKind::Kernels)
    return reject("--tf32 is for --backend=cuda and kernels; the others multiply exactly");
  if (flags.tf32 && flags.check)
    return reject("--check compares bits, which --tf32 gives up");
  if (flags.cudaDriver.getNumOccurrences() > 0 && flags.backend != BackendKind::CUDA)
    return reject("--cuda-driver is for --backend=cuda; the others load none");
  if (!flags.lowering.empty() && flags.backend != BackendKind::CPU)
    return reject("--lowering is for --backend=cpu; the others choose nothing");
  if (!flags.schedule.empty() && flags.backend == BackendKind::Interpreter)
    return reject("--schedule is for compiled code; the interpreter has none");
  if (!flags.schedule.empty() && !flags.lowering.empty())
    return reject("expected --schedule or --lowering, but got both");
  if (flags.threads.getNumOccurrences() > 0 && StringRef(flags.lowering).contains("threads="))
    return reject("expected --threads or 'threads' in --lowering, but got both");
  if (flags.checkpointEvery > 0 && flags.checkpoint.empty())
    return reject("--checkpoint-every needs --checkpoint F");
  if (flags.observeEvery.getNumOccurrences() > 0 && flags.observe.empty())
    return reject("--observe-every needs --observe F.csv");
  if (!flags.resume.empty() && !flags.merges.empty())
    return reject("expected --resume or --merge, but got both");
  bool countsNone = flags.counters == Counting::None;
  if (countsNone && (flags.check || flags.backend == BackendKind::Interpreter))
    return reject("--counters=none is for compiled code; the interpreter counts");
  if (countsNone && !(flags.checkpoint.empty() && flags.resume.empty() && flags.merges.empty()))
    return reject(
        "--counters=none goes without --checkpoint, --resume and --merge: a checkpoint says "
        "how much was committed");
  if (flags.check && flags.backend == BackendKind::Interpreter)
    return reject("--check compares compiled code with the interpreter; with --backend=interp "
                  "there is nothing to compare");
  return true;
}

/// The values of all occurrences of a flag.
static std::vector<std::string> wordsOf(const cl::list<std::string> &list) {
  return std::vector<std::string>(list.begin(), list.end());
}

/// Converts the flags to options of a run.
static RunOptions toOptions(const Flags &flags) {
  RunOptions options;
  options.program = flags.program;
  options.bindings = flags.bindings;
  options.sets = wordsOf(flags.sets);
  options.inputs = wordsOf(flags.inputs);
  if (flags.epochs.getNumOccurrences() > 0)
    options.epochs = flags.epochs;
  if (flags.seed.getNumOccurrences() > 0)
    options.seed = flags.seed;
  options.backend = flags.backend;
  options.threads = flags.threads;
  options.lowering = flags.lowering;
  options.schedule = flags.schedule;
  options.cudaDriver = flags.cudaDriver;
  options.tf32 = flags.tf32;
  options.check = flags.check;
  options.report = ::lci::outputPath(flags.report);
  options.observe = ::lci::outputPath(flags.observe);
  options.observeEvery = flags.observeEvery;
  options.checkpoint = ::lci::outputPath(flags.checkpoint);
  options.checkpointEvery = flags.checkpointEvery;
  options.resume = flags.resume;
  options.merges = wordsOf(flags.merges);
  if (flags.replica.getNumOccurrences() > 0)
    options.replica = flags.replica;
  options.enable = wordsOf(flags.enable);
  options.disable = wordsOf(flags.disable);
  options.explain = wordsOf(flags.explain);
  options.remarks = flags.remarks;
  options.isLowered = flags.lowered;
  if (flags.counters.getNumOccurrences() > 0)
    options.counters = flags.counters;
  options.quiet = flags.quiet;
  options.fixesArguments = true;
  return options;
}

std::optional<RunOptions> parseCommandLine(int argc, char **argv) {
  // libLLVM.so registers a flag of this name, for link-time optimisation.
  if (cl::Option *other = cl::getRegisteredOptions().lookup("threads"))
    other->removeArgument();
  // The parser keeps pointers to its options, hence static.
  static Flags flags;
  addExplainFlag(flags.category);
  static cl::extrahelp more(examples);
  cl::HideUnrelatedOptions(flags.category);
  WordCheck words(
      argc, argv, flags.category,
      {1, 1, "program", "as in lmpm-run life.lmpm --set W=64 --set H=64; --help shows the flags"});
  words.addNumbers(flags.epochs, flags.seed, flags.threads, flags.observeEvery,
                   flags.checkpointEvery, flags.replica);
  words.addSwitches(flags.tf32, flags.check, flags.remarks, flags.lowered, flags.quiet);
  if (!words.isGood() || !cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()) ||
      !checkGivenOnce(flags.category) || !checkFlags(flags))
    return std::nullopt;
  RunOptions options = toOptions(flags);
  if (!parseFiles(flags.outputs, "--output", options.outputs) ||
      !parseFiles(flags.stamps, "--stamps", options.stamps) ||
      !parseFiles(flags.pictures, "--picture", options.pictures) ||
      !parseFiles(flags.codebooks, "--codebook", options.codebooks))
    return std::nullopt;
  for (std::vector<NamedFile> *written : {&options.outputs, &options.stamps, &options.pictures})
    for (NamedFile &file : *written)
      file.file = ::lci::outputPath(file.file);
  return options;
}
