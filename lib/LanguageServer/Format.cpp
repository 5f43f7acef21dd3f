//===- Format.cpp - Canonical white space ---------------------------------===//
#include "LCI/LanguageServer/Format.h"
#include "FormatTokens.h"
#include "LCI/Target/LMPM/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace lmpm;

namespace {
/// Writes tokens and comments in their order.
class Printer {
public:
  explicit Printer(llvm::StringRef text) : place(text.begin()) {}

  void write(const FormatToken &token);
  void write(const Comment &comment, unsigned indent);

  std::string result;

private:
  size_t skipTo(llvm::StringRef piece);
  void breakLine(size_t newlines, unsigned indent);

  const char *place;
  const FormatToken *previous = nullptr;
  bool afterComment = false;
};
} // namespace

/// Skips to the next piece to write; returns the number of newlines before it.
size_t Printer::skipTo(llvm::StringRef piece) {
  size_t newlines = llvm::StringRef(place, piece.begin() - place).count('\n');
  place = piece.end();
  return newlines;
}

/// Begins a line, with an empty line before it where there were some.
void Printer::breakLine(size_t newlines, unsigned indent) {
  if (result.empty())
    return;
  result += newlines > 1 ? "\n\n" : "\n";
  result.append(indent, ' ');
}

void Printer::write(const FormatToken &token) {
  size_t newlines = skipTo(token.token.text);
  if (newlines > 0 || afterComment || isDeclarationHead(token.token.kind))
    breakLine(newlines, token.indent);
  else if (previous && !previous->tightAfter && !token.tightBefore)
    result += ' ';
  result += token.token.text;
  previous = &token;
  afterComment = false;
}

void Printer::write(const Comment &comment, unsigned indent) {
  size_t newlines = skipTo(comment.text);
  if (comment.ownLine)
    breakLine(newlines, indent);
  else
    result += "  ";
  result += comment.text;
  afterComment = true;
}

std::optional<std::string> lmpm::formatText(llvm::StringRef text) {
  Diagnostics diagnostics([](const Diagnostic &) {});
  parseProgram(text, diagnostics);
  if (diagnostics.getErrorCount() != 0)
    return std::nullopt;
  std::vector<Comment> comments;
  std::vector<FormatToken> tokens = classifyTokens(text, comments);
  text.consume_front("\xEF\xBB\xBF"); // a byte-order mark
  Printer printer(text);
  auto comment = comments.begin();
  auto writeComments = [&](const char *end, unsigned indent) {
    for (; comment != comments.end() && comment->text.begin() < end; ++comment)
      printer.write(*comment, indent);
  };
  for (const FormatToken &token : tokens) {
    writeComments(token.token.text.begin(), token.indent);
    printer.write(token);
  }
  writeComments(text.end() + 1, 0);
  return printer.result + "\n";
}
