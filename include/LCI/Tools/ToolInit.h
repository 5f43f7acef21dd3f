//===- ToolInit.h - What every tool does first ------------------*- C++ -*-===//
//
// The version a tool prints and the text it shows if it crashes: the same in every tool, before the
// command line is parsed.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TOOLS_TOOLINIT_H
#define LCI_TOOLS_TOOLINIT_H

#include "LCI/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace mlir::lci {

/// Sets what `--version` prints beside LLVM's version, and what a crash asks the user to do; a
/// limit on sizes of files (`ulimit -f`) becomes an error of the write that meets it.
inline void initTool() {
  std::signal(SIGXFSZ, SIG_IGN);
  llvm::setBugReportMsg("This is a bug of LMPM: please report it with the input and the lines "
                        "below.\n");
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "LMPM version " LCI_VERSION_STRING "\n"; });
}

/// Leaves the options that libLLVM and libMLIR brought along out of `--help` (`--help-hidden` has
/// them): a driver calls it before it registers its own.
inline void hideLibraryOptions() {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (llvm::none_of(entry.second->Categories, [](llvm::cl::OptionCategory *category) {
          return category->getName() == "Generic Options";
        }))
      entry.second->setHiddenFlag(llvm::cl::Hidden);
}

} // namespace mlir::lci

#endif // LCI_TOOLS_TOOLINIT_H
