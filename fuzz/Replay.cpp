//===- Replay.cpp - Replay of saved inputs --------------------------------===//
//
// In builds without libFuzzer `lci-fuzz --target=NAME FOLDER…` runs the saved inputs; flags of
// libFuzzer are ignored, so that one command line serves both.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace llvm;
using namespace fuzz;

[[noreturn]] static void refuse(const Twine &message) {
  errs() << "lci-fuzz: error: " << message << '\n';
  std::exit(2);
}

/// The files of a folder by name, or a file itself.
static std::vector<std::string> filesOf(StringRef path) {
  if (!sys::fs::is_directory(path))
    return {path.str()};
  std::vector<std::string> files;
  std::error_code error;
  for (sys::fs::directory_iterator entry(path, error), end; entry != end && !error;
       entry.increment(error))
    files.push_back(entry->path());
  if (error)
    refuse("cannot read '" + path + "': " + error.message());
  sort(files);
  return files;
}

int main(int argc, char **argv) {
  sys::PrintStackTraceOnErrorSignal(argv[0]);
  const Target &target = requestedTarget(argc, argv);
  unsigned count = 0;
  for (StringRef argument : ArrayRef(argv, argc).drop_front()) {
    if (argument.starts_with("-"))
      continue;
    for (const std::string &file : filesOf(argument)) {
      PrettyStackTraceString running(file.c_str());
      auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
      if (!buffer)
        refuse("cannot open '" + file + "': " + buffer.getError().message());
      target.run((*buffer)->getBuffer());
      ++count;
    }
  }
  outs() << target.name << ": ran " << count << " inputs\n";
  if (count == 0)
    refuse("expected files or folders of inputs");
  return 0;
}
