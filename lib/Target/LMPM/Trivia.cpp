//===- Trivia.cpp - Attachment of comments --------------------------------===//
//
// A comment on a separate line belongs to the declaration or clause that begins next; one behind a
// token belongs to the declaration or clause that began last. Canonical text prints the first kind
// above and the second behind, and so reads back as the same comments.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace lmpm;

/// All declarations and clauses in the order of the text.
static std::vector<Item *> collectItems(Program &program) {
  std::vector<Item *> items;
  auto addClauses = [&](auto &decl) {
    for (auto &clause : decl.clauses)
      items.push_back(clause.get());
  };
  for (auto &decl : program.decls) {
    items.push_back(decl.get());
    if (auto *rule = llvm::dyn_cast<RuleDecl>(decl.get()))
      addClauses(*rule);
    if (auto *constraint = llvm::dyn_cast<ConstraintDecl>(decl.get()))
      addClauses(*constraint);
  }
  return items;
}

/// Adds a line with the empty lines around it, except before the first line.
static void addLine(std::vector<std::string> &lines, const Comment &comment) {
  if (comment.blankBefore && !lines.empty())
    lines.emplace_back();
  lines.push_back(comment.text.str());
  if (comment.blankAfter)
    lines.emplace_back();
}

static void addTrailing(Item &item, llvm::StringRef text) {
  // Two comments of one clause that spans lines become one, as the clause is printed on one line.
  if (!item.trivia.trailing.empty())
    item.trivia.trailing += " ";
  item.trivia.trailing += text;
}

void lmpm::attachComments(Program &program, llvm::ArrayRef<Comment> comments) {
  std::vector<Item *> items = collectItems(program);
  size_t next = 0;
  for (const Comment &comment : comments) {
    while (next < items.size() && items[next]->loc.getPointer() < comment.text.begin())
      ++next;
    if (!comment.ownLine && next > 0)
      addTrailing(*items[next - 1], comment.text);
    else
      addLine(next < items.size() ? items[next]->trivia.leading : program.closing, comment);
  }
}
