//===- lmpm-smith.cpp - Random programs with their bindings ---------------===//
//
// `lmpm-smith --seed=N --output-dir=D` writes a program that `lmpm-run D/program.lmpm --bindings
// D/bindings.json` runs; `--coverage` counts the constructs in the programs of many seeds.
//
//===----------------------------------------------------------------------===//

#include "LCI/Smith/Smith.h"
#include "LCI/Tools/FlagParsers.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

static cl::OptionCategory category("lmpm-smith options");

static cl::opt<uint64_t> seed("seed", cl::value_desc("N"), cl::init(0), cl::cat(category),
                              cl::desc("Number of the program"));
static cl::opt<std::string> outputDir("output-dir", cl::value_desc("D"), cl::cat(category),
                                      cl::desc("Write the program, its bindings and arrays there "
                                               "(else the text to the terminal)"));
static cl::opt<unsigned> coverage("coverage", cl::value_desc("N"), cl::cat(category),
                                  cl::desc("Count the constructs of N programs instead"));
static cl::opt<bool> beyond("beyond", cl::cat(category),
                            cl::desc("Also use what some level of the compiler still refuses"));

static const char overview[] = R"(lmpm-smith - writes a random program that runs

  lmpm-smith --seed=7 --output-dir=D
  lmpm-run D/program.lmpm --bindings D/bindings.json --check
)";

static StringRef nameOf(lci::SmithLimit::Level level) {
  using Level = lci::SmithLimit::Level;
  return level == Level::Interpreter ? "the interpreter"
         : level == Level::Lowering  ? "lci-lower-rules"
                                     : "lci-batch-models";
}

/// The number of programs with a measure below, at and above a threshold.
struct Crossing {
  unsigned below = 0, at = 0, above = 0;

  void add(const std::set<int64_t> &numbers, int64_t threshold) {
    auto any = [&](auto isSo) { return llvm::any_of(numbers, isSo); };
    below += any([&](int64_t number) { return number < threshold; });
    at += any([&](int64_t number) { return number == threshold; });
    above += any([&](int64_t number) { return number > threshold; });
  }
};

/// Prints how many programs lie on each side of each threshold; returns the number of thresholds
/// that are not crossed.
static unsigned printCrossings(ArrayRef<lci::SmithProgram> programs) {
  unsigned missing = 0;
  for (const mlir::lci::SizeThreshold &threshold : mlir::lci::kThresholds) {
    Crossing crossing;
    for (const lci::SmithProgram &program : programs)
      if (auto found = program.measures.find(threshold.measure); found != program.measures.end())
        crossing.add(found->second, threshold.number);
    outs() << crossing.below << " below, " << crossing.at << " at, " << crossing.above << " above\t"
           << threshold.number << " " << threshold.text << "\n";
    missing += !crossing.below || !crossing.at || !crossing.above;
  }
  outs() << std::size(mlir::lci::kThresholds) - missing << " of "
         << std::size(mlir::lci::kThresholds) << " thresholds are crossed\n";
  return missing;
}

/// Prints how often each construct occurs; fails if one never does or is not listed, or if a
/// threshold is not crossed.
static int printCoverage() {
  std::map<std::string, int64_t> counts;
  for (const std::string &name : lci::smithConstructs())
    counts[name] = 0;
  for (const lci::SmithLimit &limit : lci::smithLimits()) {
    if (beyond)
      counts[limit.construct] = 0;
    else
      outs() << "left out: " << limit.construct << ", which " << nameOf(limit.refusedBy)
             << " refuses\n";
  }
  size_t listed = counts.size();
  std::vector<lci::SmithProgram> programs;
  for (uint64_t i = 0; i < coverage; ++i) {
    programs.push_back(lci::forgeProgram(seed + i, beyond));
    for (const auto &[name, count] : programs.back().coverage)
      counts[name] += count;
  }
  unsigned missing = 0;
  for (const auto &[name, count] : counts) {
    outs() << count << "\t" << name << "\n";
    missing += count == 0;
  }
  unsigned uncrossed = printCrossings(programs);
  outs() << counts.size() - missing << " of " << counts.size() << " constructs occur\n";
  if (counts.size() != listed)
    errs() << "error: " << counts.size() - listed << " constructs are not listed\n";
  return missing != 0 || uncrossed != 0 || counts.size() != listed;
}

int main(int argc, char **argv) {
  mlir::lci::initTool("lmpm-smith");
  cl::HideUnrelatedOptions(category);
  mlir::lci::WordCheck words(argc, argv, category, {0, 0});
  words.addNumbers(seed, coverage);
  words.addSwitches(beyond);
  if (!words.isGood())
    return 1;
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (coverage)
    return printCoverage();
  lci::SmithProgram program = lci::forgeProgram(seed, beyond);
  if (outputDir.empty()) {
    outs() << program.text();
    return 0;
  }
  if (std::error_code error = sys::fs::create_directories(outputDir)) {
    errs() << "lmpm-smith: error: "
           << lmpm::withErrorId("cannot make '" + outputDir + "': " + error.message(),
                                lmpm::ErrorId::FileAccess)
           << "\n";
    return 1;
  }
  lci::Status written = lci::writeProgram(program, outputDir);
  if (!written)
    errs() << "lmpm-smith: error: " << written.failure().text() << "\n";
  return !written;
}
