//===- Explain.cpp - `--explain=ID` of every tool -------------------------===//

#include "LCI/Driver/Explain.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Target/LMPM/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::lci;

/// The identifier as it may be copied from a message: with its brackets or without.
static llvm::StringRef bare(llvm::StringRef text) {
  text.consume_front("[");
  text.consume_back("]");
  return text;
}

/// Prints the page of an identifier, and ends the tool.
static void explain(const std::string &text) {
  llvm::StringRef id = bare(text);
  if (std::optional<lmpm::ErrorId> known = lmpm::findErrorId(id)) {
    llvm::outs() << llvm::StringRef(lmpm::explanationOf(*known));
    llvm::outs().flush();
    std::exit(0);
  }
  llvm::SmallVector<llvm::StringRef> ids(lmpm::errorIdTexts().begin(), lmpm::errorIdTexts().end());
  std::string message = ("no message has the identifier '" + id + "'; " +
                         lmpm::didYouMean(id, ids, "docs/errors/README.md lists them"))
                            .str();
  llvm::errs() << "error: " << lmpm::withErrorId(message, lmpm::ErrorId::CommandLine) << '\n';
  std::exit(1);
}

void mlir::lci::addExplainFlag(llvm::cl::OptionCategory &category) {
  static llvm::cl::opt<std::string> flag(
      "explain", llvm::cl::value_desc("ID"), llvm::cl::cat(category),
      llvm::cl::desc("Explain the identifier at the end of a message, as in --explain=not-visible"),
      llvm::cl::callback([](const std::string &id) { explain(id); }));
}
