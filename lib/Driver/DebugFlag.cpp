//===- DebugFlag.cpp - `--debug-only` of lmpm-opt -------------------------===//

#include "LCI/Driver/DebugFlag.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/abi-breaking.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"

#if !defined(NDEBUG) && !LLVM_ENABLE_ABI_BREAKING_CHECKS
/// Prints what one more type has to say.
static void enable(const std::string &type) {
  static std::vector<std::string> types;
  types.push_back(type);
  auto texts = llvm::map_to_vector(types, [](const std::string &text) { return text.c_str(); });
  llvm::setCurrentDebugTypes(texts.data(), texts.size());
  llvm::DebugFlag = true;
}

void mlir::lci::addDebugFlag() {
  static llvm::cl::list<std::string> flag(
      "debug-only", llvm::cl::CommaSeparated, llvm::cl::value_desc("pass,…"),
      llvm::cl::desc("Print what these passes consider, as in --debug-only=lci-fuse-ticks"),
      llvm::cl::callback([](const std::string &type) { enable(type); }));
}
#else
void mlir::lci::addDebugFlag() {}
#endif
