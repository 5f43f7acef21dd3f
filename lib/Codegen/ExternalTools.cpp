//===- ExternalTools.cpp - Linker, assembler, pattern compiler ------------===//
//
// Tools read and write files, which are temporary here. The linker and the assembler print
// errors themselves; the pattern compiler reads a file of the user, so its messages are the
// caller's.
//
//===----------------------------------------------------------------------===//

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

static Expected<std::string> takeFile(StringRef path) {
  auto read = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return read ? Expected<std::string>((*read)->getBuffer().str())
              : Expected<std::string>(errorCodeToError(read.getError()));
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
  return takeFile(to);
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

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kPatternCompiler = "mlir-pdll";

/// Debian's name for it on PATH has the version of LLVM.
static ErrorOr<std::string> findPatternCompiler(StringRef folder) {
  if (ErrorOr<std::string> found = sys::findProgramByName(kPatternCompiler, {folder}))
    return found;
  if (ErrorOr<std::string> found = sys::findProgramByName("mlir-pdll-22"))
    return found;
  return sys::findProgramByName(kPatternCompiler);
}

Expected<lci::CompiledPatterns> lci::compilePatterns(StringRef file, ArrayRef<std::string> includes,
                                                     StringRef folder) {
  ErrorOr<std::string> tool = findPatternCompiler(folder);
  if (!tool)
    return createStringError("expected MLIR's compiler of patterns 'mlir-pdll' on PATH to read '" +
                             file + "'; Debian's package mlir-22-tools has it");
  SmallString<64> out, said;
  std::error_code error = sys::fs::createTemporaryFile("lci", "pdl.mlir", out);
  scope_exit removeOut([&] { sys::fs::remove(out); });
  if (!error)
    error = sys::fs::createTemporaryFile("lci", "txt", said);
  scope_exit removeSaid([&] { sys::fs::remove(said); });
  if (error)
    return createStringError("cannot write files for '" + *tool + "': " + error.message());
  SmallVector<StringRef> words{*tool, "-x=mlir", "-o", out, file};
  for (const std::string &include : includes)
    words.append({"-I", include});
  std::optional<StringRef> streams[] = {StringRef(), StringRef(said), StringRef(said)};
  bool isCompiled = sys::ExecuteAndWait(*tool, words, std::nullopt, streams) == 0;
  Expected<std::string> messages = takeFile(said);
  Expected<std::string> ir = isCompiled ? takeFile(out) : Expected<std::string>("");
  if (!messages || !ir)
    return joinErrors(messages.takeError(), ir.takeError());
  return CompiledPatterns{std::move(*ir), std::move(*messages)};
}
