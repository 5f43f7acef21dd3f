//===- ToolInit.h - Common initialisation of the tools ----------*- C++ -*-===//
//
// The version a tool prints and its crash message: the same in every tool, set before the command
// line is parsed.
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

/// The handler of LLVM's fatal errors. LLVM reports failed writes of a stream when the stream is
/// destroyed; for standard output that is at the very end.
inline void endFatally(const char *tool, llvm::StringRef reason) {
  if (reason.consume_front("IO failure on output stream: "))
    ::lci::endUnprinted(tool, reason.str());
  llvm::errs() << "LLVM ERROR: " << reason << '\n';
}

/// The name of the tool in errors about its command line.
inline const char *&toolName() {
  static const char *name = "lmpm";
  return name;
}

/// Sets what `--version` prints beside LLVM's version, and the bug-report message of a crash; a
/// limit on sizes of files (`ulimit -f`) becomes an error of the write that exceeds it.
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

/// Reports errors of the files that a command line names; true if there are none.
inline bool checkArguments(const char *tool, int argc, char **argv,
                           std::vector<::lci::FileUse> read = {}) {
  ::lci::Status status = ::lci::checkArguments(argc, argv, std::move(read));
  if (!status)
    llvm::errs() << tool << ": error: " << status.failure().text() << '\n';
  return bool(status);
}

/// Hides the options that libLLVM and libMLIR register from `--help` (`--help-hidden` has them): a
/// driver calls it before it registers its options.
inline void hideLibraryOptions() {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (llvm::none_of(entry.second->Categories, [](llvm::cl::OptionCategory *category) {
          return category->getName() == "Generic Options";
        }))
      entry.second->setHiddenFlag(llvm::cl::Hidden);
}

} // namespace mlir::lci

#endif // LCI_TOOLS_TOOLINIT_H
