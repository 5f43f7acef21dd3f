//===- Checking.cpp - Diagnostics of a text for an editor -----------------===//
//
// Imports, binds and checks a text, and collects MLIR's diagnostics as those of LSP. Each check has
// a fresh context, so that the types and attributes of earlier versions do not pile up.
//
//===----------------------------------------------------------------------===//

#include "LCI/LanguageServer/Checking.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "LCI/Target/LMPM/Lexer.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace lmpm;
using namespace mlir;
namespace lsp = llvm::lsp;

namespace {
/// Converts MLIR's diagnostics about one text to LSP's.
class Collector {
public:
  Collector(const lsp::URIForFile &uri, llvm::StringRef text)
      : uri(uri), text(text), positions(text) {}

  void add(mlir::Diagnostic &message);

  std::vector<lsp::Diagnostic> diagnostics;

private:
  lsp::Range rangeOf(FileLineColLoc place) const;
  void addNote(lsp::Diagnostic &diagnostic, FileLineColLoc place, mlir::Diagnostic &note) const;
  void addPlace(lsp::Diagnostic &diagnostic, FileLineColLoc place,
                const std::string &message) const;

  const lsp::URIForFile &uri;
  llvm::StringRef text;
  TextPositions positions;
};
} // namespace

static FileLineColLoc findPlace(mlir::Location location) {
  return location->findInstanceOf<FileLineColLoc>();
}

static lsp::DiagnosticSeverity severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return lsp::DiagnosticSeverity::Error;
  case mlir::DiagnosticSeverity::Warning:
    return lsp::DiagnosticSeverity::Warning;
  case mlir::DiagnosticSeverity::Remark:
  case mlir::DiagnosticSeverity::Note:
    return lsp::DiagnosticSeverity::Information;
  }
  return lsp::DiagnosticSeverity::Error;
}

/// The token at a location: messages have only its beginning.
lsp::Range Collector::rangeOf(FileLineColLoc place) const {
  const char *start = positions.placeOfByte(place.getLine(), place.getColumn());
  Diagnostics silent([](const lmpm::Diagnostic &) {});
  Token token = Lexer(llvm::StringRef(start, text.end() - start), silent).next();
  bool isHere = token.text.begin() == start && !token.text.empty();
  return positions.rangeOf(isHere ? token.text : llvm::StringRef(start, start != text.end()));
}

/// Adds a location in this text or in another file, such as the bindings, as related information.
void Collector::addPlace(lsp::Diagnostic &diagnostic, FileLineColLoc place,
                         const std::string &message) const {
  if (!diagnostic.relatedInformation)
    diagnostic.relatedInformation.emplace();
  if (place.getFilename() == uri.file()) {
    diagnostic.relatedInformation->emplace_back(lsp::Location(uri, rangeOf(place)), message);
    return;
  }
  llvm::SmallString<128> path = place.getFilename().getValue();
  llvm::sys::fs::make_absolute(path);
  llvm::Expected<lsp::URIForFile> other = lsp::URIForFile::fromFile(path);
  if (!other)
    return llvm::consumeError(other.takeError());
  lsp::Position position(std::max(1U, place.getLine()) - 1, std::max(1U, place.getColumn()) - 1);
  diagnostic.relatedInformation->emplace_back(lsp::Location(*other, position), message);
}

/// Hints are appended to the message if they have its location, or none.
void Collector::addNote(lsp::Diagnostic &diagnostic, FileLineColLoc place,
                        mlir::Diagnostic &note) const {
  FileLineColLoc other = findPlace(note.getLocation());
  if (!other || other == place)
    diagnostic.message += "\n" + note.str();
  else
    addPlace(diagnostic, other, note.str());
}

void Collector::add(mlir::Diagnostic &message) {
  lsp::Diagnostic diagnostic;
  diagnostic.severity = severityOf(message.getSeverity());
  diagnostic.source = "lmpm";
  diagnostic.message = message.str();
  FileLineColLoc place = findPlace(message.getLocation());
  if (place && place.getFilename() == uri.file()) {
    diagnostic.range = rangeOf(place);
  } else if (place) {
    diagnostic.message = (llvm::sys::path::filename(place.getFilename().getValue()) + ":" +
                          llvm::Twine(place.getLine()) + ": " + diagnostic.message)
                             .str();
    addPlace(diagnostic, place, "it is said here");
  }
  for (mlir::Diagnostic &note : message.getNotes())
    addNote(diagnostic, place, note);
  diagnostics.push_back(std::move(diagnostic));
}

std::string lmpm::findBindings(llvm::StringRef file, llvm::StringRef wanted) {
  llvm::SmallString<128> path = llvm::sys::path::parent_path(file);
  if (llvm::sys::path::is_absolute(wanted))
    return wanted.str();
  llvm::sys::path::append(path, wanted.empty() ? "bindings.json" : wanted);
  return wanted.empty() && !llvm::sys::fs::exists(path) ? "" : path.str().str();
}

/// Collects the sizes and extents of a bound program, for hovers.
static void collectSizes(mlir::lci::ProgramOp program, CheckResult &result) {
  if (!program.isBound())
    return;
  for (auto [name, extent] :
       llvm::zip(program.getSizes().getAsValueRange<StringAttr>(), *program.getExtents()))
    result.sizes[name] = extent;
  for (auto value : program.getOps<mlir::lci::ValueOp>())
    if (std::optional<SmallVector<int64_t>> extents = value.getExtents())
      result.extents[value.getSymName()].assign(extents->begin(), extents->end());
}

/// Binds and checks, as before a run, but without remarks: proofs are not of interest while typing.
static void bindAndCheck(ModuleOp module, const std::string &file, const std::string &bindings,
                         CheckResult &result) {
  MLIRContext *context = module.getContext();
  FailureOr<::lci::Bindings> read = mlir::lci::readBindings(bindings, {}, context);
  FailureOr<mlir::lci::ProgramOp> program = mlir::lci::findProgram(module, file);
  if (failed(read) || failed(program) || failed(mlir::lci::bindWithBindings(*program, *read)))
    return;
  collectSizes(*program, result);
  PassManager checks(context);
  mlir::lci::CheckOptions options;
  options.remarks = false;
  mlir::lci::buildCheckPipeline(checks, options);
  (void)checks.run(module); // failures have been reported
}

CheckResult lmpm::checkText(const lsp::URIForFile &uri, llvm::StringRef text,
                            const std::string &bindings, const DialectRegistry &registry) {
  CheckResult result;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Collector collector(uri, text);
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) { collector.add(d); });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, uri.file()), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = mlir::lci::importLMPM(sources, &context);
  if (module && !bindings.empty())
    bindAndCheck(*module, uri.file().str(), bindings, result);
  result.diagnostics = std::move(collector.diagnostics);
  return result;
}
