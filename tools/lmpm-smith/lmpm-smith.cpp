//===- lmpm-smith.cpp - Random programs with their bindings ---------------===//
//
// `lmpm-smith --seed=N --output-dir=D` writes a program that
// `lmpm-run D/program.lmpm --bindings D/bindings.json` runs; `--coverage` says what programs of
// many seeds consist of.
//
//===----------------------------------------------------------------------===//

#include "LCI/Smith/Smith.h"
#include "LCI/Tools/ToolInit.h"
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

/// How often each construct occurs; fails if one never does, or one is not listed.
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
  for (uint64_t i = 0; i < coverage; ++i)
    for (const auto &[name, count] : lci::forgeProgram(seed + i, beyond).coverage)
      counts[name] += count;
  unsigned missing = 0;
  for (const auto &[name, count] : counts) {
    outs() << count << "\t" << name << "\n";
    missing += count == 0;
  }
  outs() << counts.size() - missing << " of " << counts.size() << " constructs occur\n";
  if (counts.size() != listed)
    errs() << "error: " << counts.size() - listed << " constructs are not listed\n";
  return missing != 0 || counts.size() != listed;
}

int main(int argc, char **argv) {
  mlir::lci::initTool("lmpm-smith");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (coverage)
    return printCoverage();
  lci::SmithProgram program = lci::forgeProgram(seed, beyond);
  if (outputDir.empty()) {
    outs() << program.text();
    return 0;
  }
  if (std::error_code error = sys::fs::create_directories(outputDir)) {
    errs() << "error: cannot make '" << outputDir << "': " << error.message() << "\n";
    return 1;
  }
  lci::Status written = lci::writeProgram(program, outputDir);
  if (!written)
    errs() << "error: " << written.failure().text() << "\n";
  return !written;
}
