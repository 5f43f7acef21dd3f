//===- ToolInit.h - What every tool does first ------------------*- C++ -*-===//
//
// The version a tool prints and the text it shows if it crashes: the same in every tool, before the
// command line is parsed.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TOOLS_TOOLINIT_H
#define LCI_TOOLS_TOOLINIT_H

#include "LCI/Runtime/FileUse.h"
#include "LCI/Runtime/Limits.h"
#include "LCI/Runtime/Streams.h"
#include "LCI/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace mlir::lci {

/// What LLVM gives up at. It reports what a stream could not write when the stream goes, which of
/// standard output is at the very end.
inline void endFatally(const char *tool, llvm::StringRef reason) {
  if (reason.consume_front("IO failure on output stream: "))
    ::lci::endUnprinted(tool, reason.str());
  llvm::errs() << "LLVM ERROR: " << reason << '\n';
}

/// What the tool is called where it says what is wrong with its command line.
inline const char *&toolName() {
  static const char *name = "lmpm";
  return name;
}

/// Sets what `--version` prints beside LLVM's version, and what a crash asks the user to do; a
/// limit on sizes of files (`ulimit -f`) becomes an error of the write that meets it.
inline void initTool(const char *tool) {
  toolName() = tool;
  ::lci::openClosedStreams();
  std::signal(SIGXFSZ, SIG_IGN);
  ::lci::endWithoutMemory(tool);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { ::lci::endOutOfMemory(); });
  llvm::install_fatal_error_handler(
      [](void *tool, const char *reason, bool) {
        endFatally(static_cast<const char *>(tool), reason);
      },
      const_cast<char *>(tool));
  llvm::setBugReportMsg("This is a bug of LMPM: please report it with the input and the lines "
                        "below.\n");
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "LMPM version " LCI_VERSION_STRING "\n"; });
}

/// Says what is wrong with the files that a command line names; else true.
inline bool checkArguments(const char *tool, int argc, char **argv,
                           std::vector<::lci::FileUse> read = {}) {
  ::lci::Status status = ::lci::checkArguments(argc, argv, std::move(read));
  if (!status)
    llvm::errs() << tool << ": error: " << status.failure().text() << '\n';
  return bool(status);
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
