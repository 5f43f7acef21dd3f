//===- Loading.cpp - Load programs from files -----------------------------===//
//
// Detects text of the language or IR by the file's name, and parses it. IR may be untrusted: its
// nesting and its numbers are limited before MLIR's recursive parser sees it, and operations
// outside of a list of dialects are rejected before they are verified.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Loading.h"
#include "LCI/Bindings/Nest.h"
#include "LCI/Runtime/Bundle.h"
#include "LCI/Runtime/File.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::lci;

/// A file, or standard input for `-`.
static ::lci::Result<std::unique_ptr<llvm::MemoryBuffer>> readText(const std::string &path) {
  ::lci::Result<std::vector<uint8_t>> bytes = ::lci::readFile(path == "-" ? "/dev/stdin" : path);
  if (!bytes)
    return bytes.failure();
  StringRef text(reinterpret_cast<const char *>(bytes->data()), bytes->size());
  return llvm::MemoryBuffer::getMemBufferCopy(text, path == "-" ? "<stdin>" : path);
}

OwningOpRef<ModuleOp> mlir::lci::loadModule(const std::string &path, llvm::SourceMgr &sources,
                                            MLIRContext *context, bool verifies) {
  ::lci::Result<std::unique_ptr<llvm::MemoryBuffer>> buffer = readText(path);
  if (!buffer) {
    emitError(UnknownLoc::get(context)) << buffer.failure().id << buffer.error();
    return nullptr;
  }
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  return parseModule(path, sources, context, verifies);
}

/// Rejects machine code under the name of a program.
static LogicalResult checkIsNoBundle(StringRef path, const llvm::MemoryBuffer &text,
                                     MLIRContext *context) {
  if (!::lci::isBundle(text.getBufferStart(), text.getBufferSize()))
    return success();
  InFlightDiagnostic error = emitError(UnknownLoc::get(context))
                             << ErrorId::WrongProgram << "expected a program in '" << path
                             << "', but got a bundle";
  error.attachNote() << "a bundle is machine code, which runs where its name says so: by lmpm-run "
                        "as F.bundle, and by lmpm-run-bundle";
  return error;
}

static Location placeIn(const llvm::MemoryBuffer &text, size_t byte, MLIRContext *context) {
  StringRef before = text.getBuffer().take_front(byte);
  return FileLineColLoc::get(context, text.getBufferIdentifier(), before.count('\n') + 1,
                             before.size() - before.rfind('\n')); // npos + 1 is 0
}

/// Rejects the first byte of a text that is not UTF-8.
static LogicalResult checkIsText(const llvm::MemoryBuffer &text, MLIRContext *context) {
  const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(text.getBufferStart());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.getBufferEnd());
  if (isBytecode(text.getMemBufferRef()) || llvm::isLegalUTF8String(&bytes, end))
    return success();
  size_t place = reinterpret_cast<const char *>(bytes) - text.getBufferStart();
  return emitError(placeIn(text, place, context))
         << ErrorId::UnreadableText << "expected UTF-8, but got the byte 0x"
         << llvm::utohexstr(*bytes);
}

/// The first word of a text, behind spaces and comments.
static StringRef firstWord(StringRef text) {
  for (text = text.ltrim(); text.consume_front("//"); text = text.ltrim())
    text = text.drop_until([](char c) { return c == '\n'; });
  return text.take_while([](char c) { return llvm::isAlpha(c) || c == '@'; });
}

LogicalResult mlir::lci::checkIsIR(StringRef path, const llvm::MemoryBuffer &text,
                                   MLIRContext *context) {
  static constexpr StringRef kGolly[] = {".rule", ".table", ".tree", ".rle"};
  static constexpr StringRef kHeads[] = {"value",      "param",    "def",    "visible", "rule",
                                         "constraint", "schedule", "commit", "observe"};
  if (failed(checkIsText(text, context)))
    return failure();
  StringRef word = firstWord(text.getBuffer());
  bool isGolly = word.starts_with("@") || llvm::any_of(kGolly, [&](StringRef suffix) {
                   return path.ends_with_insensitive(suffix);
                 });
  if (!isGolly && !llvm::is_contained(kHeads, word))
    return success();
  Location place = FileLineColLoc::get(context, text.getBufferIdentifier(), 1, 1);
  InFlightDiagnostic error = emitError(place) << ErrorId::WrongProgram;
  if (isGolly) {
    error << "expected a program, but got a rule or a pattern of Golly";
    error.attachNote() << "lmpm-translate --import-golly reads its rule into a program, and "
                          "--input VALUE=F.rle a pattern into a value";
    return error;
  }
  error << "expected IR, but got text of the language";
  error.attachNote() << "the name of a file says what it is: text of the language ends in .lmpm";
  return error;
}

/// Whether the name of the file is that of IR; standard input has none.
static bool isNamedIR(StringRef path) {
  return path == "-" || path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

OwningOpRef<ModuleOp> mlir::lci::parseModule(StringRef path, llvm::SourceMgr &sources,
                                             MLIRContext *context, bool verifies) {
  const llvm::MemoryBuffer &text = *sources.getMemoryBuffer(sources.getMainFileID());
  if (failed(checkIsNoBundle(path, text, context)))
    return nullptr;
  if (path.ends_with(".lmpm"))
    return importLMPM(sources, context);
  if (failed(checkIsIR(path, text, context)) || failed(checkNest(text, context)))
    return nullptr;
  ScopedDiagnosticHandler advice(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !isNamedIR(path))
      diagnostic.attachNote() << "a file whose name does not end in .lmpm is read as IR of MLIR";
    return failure(); // and reported by others
  });
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context, verifies));
}

LogicalResult mlir::lci::checkNest(const llvm::MemoryBuffer &text, MLIRContext *context) {
  if (isBytecode(text.getMemBufferRef()))
    return success();
  if (std::optional<size_t> deep = ::lci::findDeepIR(text.getBuffer()))
    return emitError(placeIn(text, *deep, context))
           << ErrorId::NestedTooDeep << "the IR is nested more than " << ::lci::kMaxIRNest
           << " levels deep";
  if (std::optional<size_t> number = ::lci::findLongNumber(text.getBuffer()))
    return emitError(placeIn(text, *number, context))
           << ErrorId::NumberTooLarge << "the IR has a number of more than " << ::lci::kMaxIRDigits
           << " digits";
  if (std::optional<size_t> shape = ::lci::findManyElements(text.getBuffer()))
    return emitError(placeIn(text, *shape, context))
           << ErrorId::NumberTooLarge << "the IR has a shape of more than " << ::lci::kMaxElements
           << " elements, and operations that name elements one by one";
  return success();
}

/// The dialects of programs and models. All of them compute; none accesses memory or functions
/// other than its operands.
static constexpr StringRef kDialects[] = {"lci", "func",   "arith",  "math", "linalg",
                                          "scf", "tensor", "vector", "index"};

LogicalResult mlir::lci::checkListed(ModuleOp module) {
  for (Operation &top : *module.getBody()) {
    if (!isa<ProgramOp, func::FuncOp>(top))
      return emitError(top.getLoc())
             << ErrorId::ForeignOperation
             << "expected programs and functions of models in a file, but got '" << top.getName()
             << "'";
    WalkResult walked = top.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (llvm::is_contained(kDialects, op->getName().getDialectNamespace()))
        return WalkResult::advance();
      InFlightDiagnostic error = emitError(op->getLoc())
                                 << ErrorId::ForeignOperation
                                 << "expected operations that only compute, but got '"
                                 << op->getName() << "'";
      error.attachNote() << "what is run may contain those of "
                         << llvm::join(ArrayRef(kDialects), ", ");
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult mlir::lci::verifyListed(ModuleOp module) {
  bool hasBody = module->getNumRegions() == 1 && module->getRegion(0).hasOneBlock();
  return failure((hasBody && failed(checkListed(module))) || failed(verify(module)));
}

FailureOr<ProgramOp> mlir::lci::findProgram(ModuleOp module, const std::string &path) {
  if (failed(checkListed(module)))
    return failure();
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() == 1)
    return programs.front();
  if (programs.empty()) {
    InFlightDiagnostic error = emitError(UnknownLoc::get(module.getContext()))
                               << ErrorId::WrongProgram << "'" << path
                               << "' has no lci.program to run";
    error.attachNote() << "--lowered runs IR of lower levels";
    return error;
  }
  InFlightDiagnostic error = programs[1].emitError()
                             << ErrorId::WrongProgram << "expected one program in a file, but got "
                             << programs.size();
  error.attachNote(programs[0].getLoc()) << "the first one is here";
  return error;
}
