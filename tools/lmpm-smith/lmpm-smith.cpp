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

static cl::opt<uint64_t> seed("seed", cl::desc("Number of the program."), cl::init(0));
static cl::opt<std::string> outputDir("output-dir", cl::desc("Where the files go."));
static cl::opt<unsigned> coverage("coverage",
                                  cl::desc("Count the constructs of this many programs instead."));

/// How often each construct occurs; fails if one never does.
static int printCoverage() {
  std::map<std::string, int64_t> counts;
  for (const std::string &name : lci::smithConstructs())
    counts[name] = 0;
  for (uint64_t i = 0; i < coverage; ++i)
    for (const auto &[name, count] : lci::forgeProgram(seed + i).coverage)
      counts[name] += count;
  unsigned missing = 0;
  for (const auto &[name, count] : counts) {
    outs() << count << "\t" << name << "\n";
    missing += count == 0;
  }
  outs() << counts.size() - missing << " of " << counts.size() << " constructs occur\n";
  return missing != 0;
}

int main(int argc, char **argv) {
  mlir::lci::initTool();
  cl::ParseCommandLineOptions(argc, argv, "Random LMPM programs\n");
  if (coverage)
    return printCoverage();
  lci::SmithProgram program = lci::forgeProgram(seed);
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
    errs() << "error: " << written.error() << "\n";
  return !written;
}
