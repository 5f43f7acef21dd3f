//===- ExternalTools.cpp - Linker and assembler ---------------------------===//

#include "LCI/Codegen/ExternalTools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

static std::error_code writeTo(StringRef path, StringRef bytes) {
  std::error_code error;
  raw_fd_ostream file(path, error);
  file << bytes;
  file.close();
  if (file.has_error())
    error = file.error();
  file.clear_error();
  return error;
}

/// The output of a program for an input file, both of which are its last arguments: `… -o TO FROM`.
static Expected<std::string> runTool(StringRef tool, std::initializer_list<StringRef> flags,
                                     StringRef input) {
  SmallString<64> from, to;
  std::error_code error = sys::fs::createTemporaryFile("lci", "in", from);
  scope_exit removeFrom([&] { sys::fs::remove(from); });
  if (!error)
    error = sys::fs::createTemporaryFile("lci", "out", to);
  scope_exit removeTo([&] { sys::fs::remove(to); });
  if (!error)
    error = writeTo(from, input);
  if (error)
    return createStringError("cannot write files for '" + tool + "': " + error.message());
  SmallVector<StringRef> words{tool};
  llvm::append_range(words, flags);
  words.append({"-o", to, from});
  if (sys::ExecuteAndWait(tool, words) != 0)
    return createStringError("'" + tool + "' failed");
  auto made = MemoryBuffer::getFile(to, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return made ? Expected<std::string>((*made)->getBuffer().str())
              : Expected<std::string>(errorCodeToError(made.getError()));
}

Expected<std::string> lci::linkShared(StringRef object) {
  // The linker of this project's build, or another one.
  for (StringRef name : {"ld.lld-22", "ld.lld", "ld"})
    if (ErrorOr<std::string> linker = sys::findProgramByName(name))
      return runTool(*linker, {"-shared", "--strip-all"}, object);
  return createStringError("expected a linker (ld.lld or ld) on PATH to make a shared object");
}

static constexpr StringLiteral kAssembler = "ptxas";

bool lci::hasAssembler() { return bool(sys::findProgramByName(kAssembler)); }

Expected<std::string> lci::assemblePTX(StringRef ptx, StringRef chip) {
  ErrorOr<std::string> assembler = sys::findProgramByName(kAssembler);
  if (!assembler)
    return createStringError("expected NVIDIA's assembler 'ptxas' on PATH to make machine code");
  std::string arch = ("-arch=" + chip).str();
  return runTool(*assembler, {arch}, ptx);
}
