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

namespace mlir::lci {

/// Sets what `--version` prints beside LLVM's version, and what a crash asks the user to do.
inline void initTool() {
  llvm::setBugReportMsg("This is a bug of LMPM: please report it with the input and the lines "
                        "below.\n");
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "LMPM version " LCI_VERSION_STRING "\n"; });
}

} // namespace mlir::lci

#endif // LCI_TOOLS_TOOLINIT_H
