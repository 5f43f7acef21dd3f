//===- Completion.cpp - Completion at a position --------------------------===//
//
// Looks at the tokens before the cursor, since an unfinished text cannot be parsed: the last token
// and the head of its declaration decide whether types, shapes or policies must follow, or any
// name, clause or function may.
//
//===----------------------------------------------------------------------===//

#include "LCI/LanguageServer/Completion.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace lmpm;
namespace lsp = llvm::lsp;
using ItemKind = lsp::CompletionItemKind;
using Words = llvm::ArrayRef<llvm::StringRef>;

namespace {
/// Adds each name once.
class CompletionCollector {
public:
  void add(llvm::StringRef name, ItemKind kind, llvm::StringRef detail) {
    if (!known.insert(name).second)
      return;
    list.items.emplace_back(name, kind);
    list.items.back().detail = detail.str();
  }
  void addAll(Words words, ItemKind kind, llvm::StringRef detail) {
    for (llvm::StringRef word : words)
      add(word, kind, detail);
  }

  lsp::CompletionList list;

private:
  llvm::StringSet<> known;
};
} // namespace

/// The tokens that end before a position, without the word being typed there.
static llvm::ArrayRef<Token> tokensBefore(const Document &document, const char *place) {
  llvm::ArrayRef<Token> tokens = document.tokens;
  return tokens.drop_back().take_while([&](const Token &token) { // the last one is `eof`
    bool isWord = llvm::isAlnum(token.text.front()) || token.text.front() == '_';
    bool isTyped = isWord && token.text.end() == place;
    return token.text.end() <= place && !isTyped;
  });
}

/// Whether a position is inside a comment or a string.
static bool isInText(const Document &document, const char *place) {
  Diagnostics silent([](const lmpm::Diagnostic &) {});
  Lexer lexer(document.text, silent);
  Token token = lexer.next();
  while (!token.is(TokenKind::eof) && token.text.end() < place)
    token = lexer.next();
  auto holds = [&](llvm::StringRef text) { return text.begin() < place && place <= text.end(); };
  bool inString = token.text.starts_with("\"") && token.text.begin() < place &&
                  (place < token.text.end() || token.is(TokenKind::error));
  return inString ||
         llvm::any_of(lexer.getComments(), [&](const Comment &c) { return holds(c.text); });
}

/// The words that alone may follow the last token, or none.
static Words expectedAfter(llvm::ArrayRef<Token> before, TokenKind head) {
  static const llvm::StringRef types[] = {"Token", "I32", "F32", "Latent", "Event", "Rule"};
  static const llvm::StringRef shapes[] = {"Scalar", "Seq", "Grid2D", "Grid3D", "Grid", "Set"};
  static const llvm::StringRef boundaries[] = {"open", "wrap", "clamp"};
  static const llvm::StringRef strategies[] = {"all",     "red_black", "four_color",
                                               "recolor", "raster",    "wavefront",
                                               "masked",  "random",    "confidence"};
  static const llvm::StringRef policies[] = {"accept", "satisfy", "sample", "metropolis", "quorum"};
  static const llvm::StringRef clocks[] = {"Lamport"};
  if (before.empty())
    return {};
  const Token &last = before.back();
  bool isDeclared = head == TokenKind::kw_value || head == TokenKind::kw_param;
  if (last.is(TokenKind::colon) && isDeclared)
    return types;
  if (last.isWord("using"))
    return head == TokenKind::kw_schedule ? Words(strategies) : Words(policies);
  if (head != TokenKind::kw_value)
    return {};
  if (last.isWord("shape"))
    return shapes;
  if (last.isWord("boundary"))
    return boundaries;
  return last.isWord("clock") ? Words(clocks) : Words();
}

/// The words that begin a clause in a declaration.
static Words clausesOf(TokenKind head) {
  static const llvm::StringRef ofValues[] = {"shape", "clock", "boundary", "init"};
  static const llvm::StringRef ofRules[] = {"on", "read", "let", "emit", "proposal", "score"};
  static const llvm::StringRef ofConstraints[] = {"on",      "let",      "forbid",
                                                  "require", "priority", "hard"};
  static const llvm::StringRef ofPolicies[] = {"using"};
  switch (head) {
  case TokenKind::kw_value:
    return ofValues;
  case TokenKind::kw_rule:
    return ofRules;
  case TokenKind::kw_constraint:
    return ofConstraints;
  case TokenKind::kw_schedule:
  case TokenKind::kw_commit:
    return ofPolicies;
  default:
    return {};
  }
}

/// Names of declarations, sizes, and every name in the declaration being typed.
static void addNames(const Document &document, llvm::ArrayRef<Token> before,
                     CompletionCollector &items) {
  llvm::ArrayRef<Token> tokens = document.tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i)
    if (isDeclarationHead(tokens[i].kind) && tokens[i + 1].is(TokenKind::identifier) &&
        &tokens[i + 1] != before.end()) // it is being typed
      items.add(tokens[i + 1].text, ItemKind::Variable, tokens[i].text);
  for (const Symbol &symbol : document.index.getSymbols())
    if (symbol.kind == Symbol::Kind::size)
      items.add(symbol.name, ItemKind::Constant, "size");
  for (const Token &token : llvm::reverse(before)) {
    if (isDeclarationHead(token.kind))
      break;
    if (token.is(TokenKind::identifier))
      items.add(token.text, ItemKind::Variable, "named here");
  }
}

lsp::CompletionList lmpm::completeAt(const Document &document, lsp::Position position) {
  static const llvm::StringRef words[] = {
#define LMPM_KEYWORD(NAME) #NAME,
#include "LCI/Target/LMPM/TokenKinds.def"
  };
  CompletionCollector items;
  const char *place = document.positions.placeOf(position);
  if (isInText(document, place))
    return items.list;
  llvm::ArrayRef<Token> before = tokensBefore(document, place);
  TokenKind head = TokenKind::eof;
  for (const Token &token : before)
    if (isDeclarationHead(token.kind))
      head = token.kind;
  if (Words expected = expectedAfter(before, head); !expected.empty()) {
    items.addAll(expected, ItemKind::EnumMember, "");
    return items.list;
  }
  items.addAll(clausesOf(head), ItemKind::Keyword, "clause");
  items.addAll(words, ItemKind::Keyword, "reserved word");
  items.addAll(mlir::lci::getFunctionNames(), ItemKind::Function, "function");
  items.addAll(getPredefinedNames(), ItemKind::Constant, "predefined");
  addNames(document, before, items);
  return items.list;
}
