//===- SyntaxTesting.h - Helpers of the syntax tests ------------*- C++ -*-===//
//
// Collects messages as "line:column: text", and prints expressions with every parenthesis, so that
// a test shows the precedence at a glance.
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_TARGET_LMPM_SYNTAXTESTING_H
#define UNITTESTS_TARGET_LMPM_SYNTAXTESTING_H

#include "LCI/Target/LMPM/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace lmpm::testing {

/// A parsed text with its errors.
struct Parsed {
  explicit Parsed(llvm::StringRef text) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text);
    llvm::StringRef kept = buffer->getBuffer();
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    Diagnostics diagnostics([&](const Diagnostic &diagnostic) { record(diagnostic); });
    program = parseProgram(kept, diagnostics);
    errorCount = diagnostics.getErrorCount();
  }

  void record(const Diagnostic &diagnostic) {
    auto [line, column] = sources.getLineAndColumn(diagnostic.loc);
    errors.push_back(
        (llvm::Twine(line) + ":" + llvm::Twine(column) + ": " + diagnostic.message).str());
    for (const Note &note : diagnostic.notes)
      notes.push_back(note.message);
  }

  llvm::SourceMgr sources;
  Program program;
  std::vector<std::string> errors;
  std::vector<std::string> notes;
  unsigned errorCount = 0;
};

inline std::string dump(const Expr *expr);

inline std::string dumpList(llvm::ArrayRef<Expr *> list) {
  std::string text;
  for (const Expr *member : list)
    text += (text.empty() ? "" : ", ") + dump(member);
  return text;
}

inline std::string dumpArguments(llvm::ArrayRef<Argument> arguments) {
  std::string text;
  for (const Argument &argument : arguments) {
    text += text.empty() ? "" : ", ";
    text += argument.name ? (argument.name.name + "=").str() : "";
    text += dump(argument.value);
  }
  return text;
}

inline std::string dumpCompare(const CompareExpr &expr) {
  std::string text = "(" + dump(expr.operands.front());
  for (size_t i = 0; i < expr.ops.size(); ++i)
    text += (" " + getSpelling(expr.ops[i]) + " ").str() + dump(expr.operands[i + 1]);
  return text + ")";
}

inline std::string dump(const Expr *expr) {
  using namespace llvm;
  if (auto *e = dyn_cast<IntegerExpr>(expr))
    return std::to_string(e->value);
  if (auto *e = dyn_cast<RealExpr>(expr))
    return formatv("{0:f6}", e->value);
  if (auto *e = dyn_cast<StringExpr>(expr))
    return ("\"" + e->text + "\"").str();
  if (auto *e = dyn_cast<NameExpr>(expr))
    return e->name.str();
  if (isa<StarExpr>(expr))
    return "*";
  if (isa<EllipsisExpr>(expr))
    return "...";
  if (auto *e = dyn_cast<AnyMarkerExpr>(expr))
    return e->set ? "any in " + dump(e->set) : "any";
  if (auto *e = dyn_cast<TupleExpr>(expr))
    return "<" + dumpList(e->members) + ">";
  if (auto *e = dyn_cast<SetExpr>(expr))
    return "{" + dumpList(e->members) + "}";
  if (auto *e = dyn_cast<IndexExpr>(expr))
    return dump(e->base) + "[" + dumpList(e->indices) + "]";
  if (auto *e = dyn_cast<CallExpr>(expr))
    return e->callee.name.str() + "(" + dumpArguments(e->arguments) + ")";
  if (auto *e = dyn_cast<MaybeExpr>(expr))
    return dump(e->operand) + "?";
  if (auto *e = dyn_cast<UnaryExpr>(expr))
    return ("(" + getSpelling(e->op) + " ").str() + dump(e->operand) + ")";
  if (auto *e = dyn_cast<BinaryExpr>(expr))
    return "(" + dump(e->left) + (" " + getSpelling(e->op) + " ").str() + dump(e->right) + ")";
  if (auto *e = dyn_cast<CompareExpr>(expr))
    return dumpCompare(*e);
  if (auto *e = dyn_cast<ConditionalExpr>(expr))
    return "(if " + dump(e->condition) + " then " + dump(e->onTrue) + " else " + dump(e->onFalse) +
           ")";
  auto *where = cast<WhereExpr>(expr);
  return dump(where->body) + " when " + dump(where->condition);
}

} // namespace lmpm::testing

#endif // UNITTESTS_TARGET_LMPM_SYNTAXTESTING_H
