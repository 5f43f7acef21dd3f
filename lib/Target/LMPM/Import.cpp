//===- Import.cpp - The entry of the importer -----------------------------===//
//
// Runs the importer, on a parsed text or on an AST from elsewhere, sets the location of every
// operation to that of its token, and forwards messages to MLIR's diagnostic engine.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "LCI/Target/LMPM/Parser.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

Importer::Importer(MLIRContext *context, const Program &program, Diagnostics &diagnostics,
                   std::function<Location(llvm::SMLoc)> toLocation,
                   std::function<void(llvm::SMLoc, const Twine &)> remark, StringRef name)
    : program(program), diagnostics(diagnostics), toLocation(std::move(toLocation)),
      remark(std::move(remark)),
      builder(context,
              program.decls.empty() ? UnknownLoc::get(context)
                                    : this->toLocation(program.decls.front()->loc),
              name) {}

OwningOpRef<ModuleOp> Importer::run() {
  declareNames();
  declareVisible();
  for (const auto &decl : program.decls)
    importDecl(*decl);
  checkRuledValues();
  checkCycles();
  if (diagnostics.getErrorCount() != 0)
    return {};
  if (!broken.empty()) // nothing may fail without a message, and no half of a program goes on
    llvm::report_fatal_error("'" + broken.begin()->getKey() + "' was refused without a message");
  if (!program.closing.empty()) {
    SmallVector<StringRef> lines(program.closing.begin(), program.closing.end());
    builder.getProgram()->setAttr(commentsAttr, builder.ir.getStrArrayAttr(lines));
  }
  placeSizes();
  return builder.finish(order);
}

/// Adds a declaration's or clause's comments under "<prefix>above" and "<prefix>behind".
static void addComments(NamedAttrList &list, OpBuilder &ir, const Twine &prefix,
                        const Trivia &trivia) {
  SmallVector<StringRef> leading(trivia.leading.begin(), trivia.leading.end());
  if (!leading.empty())
    list.set((prefix + "above").str(), ir.getStrArrayAttr(leading));
  if (!trivia.trailing.empty())
    list.set((prefix + "behind").str(), ir.getStringAttr(trivia.trailing));
}

static void mergeComments(Operation *op, NamedAttrList list) {
  if (auto known = op->getAttrOfType<DictionaryAttr>(commentsAttr))
    for (NamedAttribute entry : known)
      list.set(entry.getName(), entry.getValue());
  if (!list.empty())
    op->setAttr(commentsAttr, list.getDictionary(op->getContext()));
}

void Importer::attachComments(Operation *op, const Decl &decl) {
  NamedAttrList list;
  addComments(list, builder.ir, "", decl.trivia);
  mergeComments(op, std::move(list));
}

static StringRef getClauseName(const Clause &clause) {
  switch (clause.kind) {
  case Clause::Kind::on:
    return "on.";
  case Clause::Kind::read:
    return "read.";
  case Clause::Kind::score:
    return "score.";
  case Clause::Kind::let:
    return "";
  default:
    return "says.";
  }
}

/// Lets carry their comments themselves.
void Importer::attachClauseComments(Operation *op, ArrayRef<std::unique_ptr<Clause>> clauses) {
  NamedAttrList list;
  for (const auto &clause : clauses)
    if (clause->kind != Clause::Kind::let)
      addComments(list, builder.ir, getClauseName(*clause), clause->trivia);
  mergeComments(op, std::move(list));
}

/// The location of a pointer into one of the texts.
static Location toLocation(const llvm::SourceMgr &sources, llvm::SMLoc loc, MLIRContext *context) {
  unsigned text = sources.FindBufferContainingLoc(loc);
  auto [line, column] = sources.getLineAndColumn(loc, text);
  StringRef name = sources.getMemoryBuffer(text)->getBufferIdentifier();
  return FileLineColLoc::get(context, name, line, column);
}

/// Imports the AST that `makeProgram` returns, unless that reports an error.
static OwningOpRef<ModuleOp>
importTree(const llvm::SourceMgr &sources, MLIRContext *context,
           llvm::function_ref<const Program &(Diagnostics &)> makeProgram) {
  context->loadDialect<LCIDialect, math::MathDialect>();
  auto place = [&](llvm::SMLoc loc) { return toLocation(sources, loc, context); };
  auto report = [&](const lmpm::Diagnostic &message) {
    InFlightDiagnostic diagnostic =
        message.isWarning ? emitWarning(place(message.loc)) << message.id << message.message
                          : emitError(place(message.loc)) << message.id << message.message;
    for (const Note &note : message.notes)
      diagnostic.attachNote(place(note.loc)) << note.message;
  };
  Diagnostics diagnostics(report);
  const Program &program = makeProgram(diagnostics);
  if (diagnostics.getErrorCount() != 0)
    return {};
  auto remark = [&](llvm::SMLoc loc, const Twine &text) { emitRemark(place(loc)) << text; };
  OwningOpRef<ModuleOp> module =
      Importer(context, program, diagnostics, place, remark, "program").run();
  if (!module || failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> mlir::lci::importLMPM(llvm::SourceMgr &sources, MLIRContext *context) {
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  Program program;
  return importTree(sources, context, [&](Diagnostics &diagnostics) -> const Program & {
    program = parseProgram(buffer->getBuffer(), diagnostics);
    return program;
  });
}

OwningOpRef<ModuleOp> mlir::lci::importLMPM(const Program &program, const llvm::SourceMgr &sources,
                                            MLIRContext *context) {
  return importTree(sources, context, [&](Diagnostics &) -> const Program & { return program; });
}
