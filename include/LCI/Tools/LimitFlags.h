//===- LimitFlags.h - --limit-memory and --limit-seconds --------*- C++ -*-===//
//
// The same two flags in every tool. They take effect as soon as they are parsed.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TOOLS_LIMITFLAGS_H
#define LCI_TOOLS_LIMITFLAGS_H

#include "LCI/Errors/ErrorId.h"
#include "LCI/Runtime/Limits.h"
#include "LCI/Tools/ToolInit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace mlir::lci {

/// Must be alive when the command line is parsed.
class LimitFlags {
public:
  /// `tool` is the prefix of its error messages.
  LimitFlags(const char *tool, llvm::cl::OptionCategory &category)
      : memory("limit-memory", llvm::cl::value_desc("SIZE"), llvm::cl::cat(category),
               llvm::cl::desc("Take no more memory than that, such as 2G, and say so instead"),
               llvm::cl::cb<void, std::string>(
                   [tool](const std::string &text) { limitMemory(tool, text); })),
        seconds("limit-seconds", llvm::cl::value_desc("N"), llvm::cl::cat(category),
                llvm::cl::desc("Come to an end after that time, with exit status 124"),
                llvm::cl::cb<void, std::string>(
                    [tool](const std::string &text) { limitSeconds(tool, text); })) {}

private:
  [[noreturn]] static void reject(const char *tool, const std::string &message) {
    llvm::errs() << tool << ": error: " << lmpm::withErrorId(message, lmpm::ErrorId::CommandLine)
                 << '\n';
    std::exit(1);
  }
  static void limitMemory(const char *tool, const std::string &text) {
    ::lci::Result<uint64_t> bytes = ::lci::parseBytes(text);
    if (!bytes)
      reject(tool, "--limit-memory: " + bytes.error());
    if (::lci::Status limited = ::lci::limitMemory(*bytes, tool); !limited)
      reject(tool, limited.error());
    // A thread without room for its stack reports the same error.
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(
        [](void *tool, const char *reason, bool) {
          if (!llvm::StringRef(reason).starts_with("pthread_create failed"))
            endFatally(static_cast<const char *>(tool), reason);
          ::lci::endOutOfMemory();
        },
        const_cast<char *>(tool));
  }
  static void limitSeconds(const char *tool, const std::string &text) {
    ::lci::Result<double> seconds = ::lci::parseSeconds(text);
    if (!seconds)
      reject(tool, "--limit-seconds: " + seconds.error());
    ::lci::limitSeconds(*seconds, tool);
  }

  llvm::cl::opt<std::string> memory, seconds;
};

} // namespace mlir::lci

#endif // LCI_TOOLS_LIMITFLAGS_H
