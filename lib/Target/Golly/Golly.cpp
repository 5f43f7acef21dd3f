//===- Golly.cpp - Conversion of a Golly rule to a program ----------------===//
//
// `--import-golly`: recognises a file with a `@TABLE` or `@TREE`, the head of a pattern, or a bare
// rule string, and reports a GollyError at its location in the buffer.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Golly/Golly.h"
#include "LCI/Target/LMPM/Carets.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "Rules.h"
#include "Sections.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::golly;

char GollyError::ID = 0;

/// Whether a line is the head of a pattern: `x = 3, y = 3, rule = B3/S23`.
static bool isHead(StringRef line) {
  return line.consume_front_insensitive("x") && line.ltrim().starts_with("=");
}

/// The rule in a head, in a line `#r 23/3` before it, or the default of patterns that name none.
static StringRef findRuleOfPattern(StringRef head, StringRef before) {
  size_t at = head.find_insensitive("rule");
  StringRef rule =
      at == StringRef::npos ? before : head.drop_front(at + 4).ltrim(" \t=").rtrim(",");
  return rule.empty() ? "B3/S23" : rule;
}

/// The rule of a file that is no table and no tree: a line with a rule, or the head of a pattern.
static llvm::Expected<StringRef> findRule(StringRef text) {
  StringRef found, before;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line = takeLine(rest).trim();
    if (isHead(line) && found.empty())
      return findRuleOfPattern(line, before);
    if (line.consume_front("#r "))
      before = line.trim();
    if (line.empty() || line.starts_with("#") || line == before)
      continue;
    if (!found.empty())
      return llvm::make_error<GollyError>(line, "expected one rule in a file, but got a second "
                                                "line, '" +
                                                    shorten(line) + "'");
    found = line;
  }
  if (found.empty())
    return llvm::make_error<GollyError>(text, "expected a rule, but got an empty file");
  return found;
}

/// Files are recognised by their contents; any other text is a rule string.
llvm::Expected<std::string> mlir::lci::convertGolly(StringRef text) {
  text.consume_front("\xEF\xBB\xBF"); // a byte-order mark is no error
  llvm::Expected<std::optional<Section>> section = findSection(text);
  if (!section)
    return section.takeError();
  if (*section)
    return (*section)->isTree ? convertTree(**section) : convertTable(**section);
  llvm::Expected<StringRef> rule = findRule(text);
  if (!rule)
    return rule.takeError();
  return isLargeRule(*rule) ? convertLargeRule(*rule) : convertString(*rule);
}

/// The location of a part of a buffer.
static Location findPlace(StringRef place, const llvm::MemoryBuffer &buffer, MLIRContext *context) {
  StringRef before = buffer.getBuffer().take_front(place.data() - buffer.getBufferStart());
  unsigned line = 1;
  for (StringRef rest = before; rest.find_first_of("\r\n") != StringRef::npos; ++line) {
    takeLine(rest);
    before = rest;
  }
  return FileLineColLoc::get(context, buffer.getBufferIdentifier(), line, before.size() + 1);
}

static void report(llvm::Error error, const llvm::MemoryBuffer &buffer, MLIRContext *context) {
  llvm::handleAllErrors(std::move(error), [&](const GollyError &wrong) {
    Location place = findPlace(wrong.getPlace(), buffer, context);
    InFlightDiagnostic diagnostic = emitError(place) << ErrorId::GollyRule << wrong.getMessage();
    if (!wrong.getHint().empty())
      diagnostic.attachNote() << wrong.getHint();
  });
}

void mlir::lci::registerGollyTranslation() {
  static TranslateToMLIRRegistration import(
      "import-golly",
      "read a rule of Golly (a file with B3/S23, a .rule, a .table, a .tree or an .rle) into the "
      "program form",
      [](const std::shared_ptr<llvm::SourceMgr> &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer = sources->getMemoryBuffer(sources->getMainFileID());
        lmpm::showCarets(*sources, llvm::errs());
        showErrorIds(context);
        llvm::Expected<std::string> text = convertGolly(buffer->getBuffer());
        if (!text) {
          report(text.takeError(), *buffer, context);
          return {};
        }
        llvm::SourceMgr converted;
        converted.AddNewSourceBuffer(
            llvm::MemoryBuffer::getMemBufferCopy(*text, buffer->getBufferIdentifier()), {});
        return importLMPM(converted, context);
      });
}
