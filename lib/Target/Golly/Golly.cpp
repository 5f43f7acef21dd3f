//===- Golly.cpp - The text of a program from a rule of Golly ---------------===//

#include "LCI/Target/Golly/Golly.h"
#include "LCI/Target/LMPM/Carets.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "Rules.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::golly;

char GollyError::ID = 0;

/// The rule that the head of a pattern names, `x = 3, y = 3, rule = B3/S23`; else the whole text.
static StringRef findRule(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    if (StringRef head = line.trim(); head.starts_with("x") && head.contains("rule"))
      return head.split("rule").second.ltrim(" =");
  return text;
}

/// A file says what it is; what is no file is the name of a rule.
llvm::Expected<std::string> lci::convertGolly(StringRef rule) {
  if (rule.contains("@TABLE") || (rule.contains("n_states:") && !rule.contains("@TREE")))
    return convertTable(rule);
  if (rule.contains("@TREE") || rule.contains("num_nodes="))
    return convertTree(rule);
  StringRef text = findRule(rule).trim();
  unsigned line = rule.take_front(text.data() - rule.data()).count('\n') + 1;
  llvm::Expected<std::string> program =
      isLargeRule(text) ? convertLargeRule(text) : convertString(text);
  if (program)
    return program;
  return llvm::make_error<GollyError>(line, llvm::toString(program.takeError()));
}

/// Reports an error at the first character of its line.
static void report(llvm::Error error, const llvm::MemoryBuffer &buffer, MLIRContext *context) {
  llvm::handleAllErrors(std::move(error), [&](const GollyError &wrong) {
    StringRef line, rest = buffer.getBuffer();
    for (unsigned i = 0; i < wrong.getLine(); ++i)
      std::tie(line, rest) = rest.split('\n');
    unsigned column = line.size() - line.ltrim().size() + 1;
    emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(), wrong.getLine(), column))
        << ErrorId::GollyRule << wrong.getMessage();
  });
}

void lci::registerGollyTranslation() {
  static TranslateToMLIRRegistration import(
      "import-golly", "read a rule of Golly (B3/S23, or a .rule table) into the program form",
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
