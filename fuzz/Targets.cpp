//===- Targets.cpp - The list of targets ----------------------------------===//
#include "Targets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fuzz;

static constexpr Target kTargets[] = {
    {"program", runProgram},
    {"bindings", runBindings},
    {"npy", runNpy},
    {"safetensors", runSafeTensors},
    {"checkpoint", runCheckpoint},
    {"bundle", runBundle},
    {"plan", runPlan},
    {"ir", runIR, mutateIR},
};

llvm::ArrayRef<Target> fuzz::targets() { return kTargets; }

const Target &fuzz::requestedTarget(int argc, const char *const *argv) {
  llvm::StringRef requested;
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front())
    if (argument.consume_front("--target="))
      requested = argument;
  if (const Target *found =
          llvm::find_if(kTargets, [&](auto &one) { return one.name == requested; });
      found != std::end(kTargets))
    return *found;
  llvm::errs() << "lci-fuzz: error: expected --target=NAME, a name of";
  for (const Target &target : kTargets)
    llvm::errs() << ' ' << target.name;
  llvm::errs() << ", but got '" << requested << "'\n";
  std::exit(2);
}

void fuzz::fail(const llvm::Twine &what) {
  llvm::errs() << "lci-fuzz: " << what << '\n';
  std::abort();
}
