//===- Lexer.cpp - Words and signs of the language ------------------------===//
//
// A hand-written scanner over one buffer. The buffer need not end in a NUL and may hold any bytes;
// encoding is checked once at the start, after which every byte above 0x7f belongs to a legal UTF-8
// sequence, which is allowed in comments and strings only.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/LMPM/Lexer.h"
#include "LCI/Target/LMPM/Foreign.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Unicode.h"

using namespace lmpm;

llvm::StringRef lmpm::describe(TokenKind kind) {
  switch (kind) {
  case TokenKind::eof:
    return "end of text";
  case TokenKind::error:
    return "something unreadable";
  case TokenKind::identifier:
    return "a name";
  case TokenKind::integer:
    return "an integer";
  case TokenKind::real:
    return "a number";
  case TokenKind::string:
    return "a string";
#define LMPM_KEYWORD(NAME)                                                                         \
  case TokenKind::kw_##NAME:                                                                       \
    return "'" #NAME "'";
#define LMPM_SIGN(NAME, SPELLING)                                                                  \
  case TokenKind::NAME:                                                                            \
    return "'" SPELLING "'";
#include "LCI/Target/LMPM/TokenKinds.def"
  }
  return "";
}

bool lmpm::isDeclarationHead(TokenKind kind) {
  switch (kind) {
#define LMPM_HEAD(NAME) case TokenKind::kw_##NAME:
#include "LCI/Target/LMPM/TokenKinds.def"
    return true;
  default:
    return false;
  }
}

llvm::ArrayRef<llvm::StringRef> lmpm::getDeclarationHeads() {
  static const llvm::StringRef heads[] = {
#define LMPM_HEAD(NAME) #NAME,
#include "LCI/Target/LMPM/TokenKinds.def"
  };
  return heads;
}

std::string Token::describe() const {
  if (kind == TokenKind::eof || kind == TokenKind::error)
    return lmpm::describe(kind).str();
  if (kind == TokenKind::string)
    return ("the string " + shorten(text));
  return "'" + shorten(text) + "'";
}

std::string lmpm::shorten(llvm::StringRef text) {
  constexpr size_t limit = 60;
  if (text.size() <= limit)
    return text.str();
  return (text.take_front(limit) + "…").str();
}

Lexer::Lexer(llvm::StringRef text, Diagnostics &diagnostics)
    : buffer(text), position(text.begin()), diagnostics(diagnostics) {
  if (buffer.starts_with("\xEF\xBB\xBF"))
    position += 3;
  checkEncoding();
}

/// Reports the first byte that is not UTF-8 and ends the text before it.
void Lexer::checkEncoding() {
  const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(buffer.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(buffer.end());
  if (llvm::isLegalUTF8String(&bytes, end))
    return;
  const char *bad = reinterpret_cast<const char *>(bytes);
  diagnostics.error(ErrorId::UnreadableText, llvm::SMLoc::getFromPointer(bad),
                    "expected UTF-8, but got the byte 0x" +
                        llvm::utohexstr(static_cast<unsigned char>(*bad)),
                    "save the file as UTF-8");
  buffer = llvm::StringRef(buffer.begin(), bad - buffer.begin());
}

char Lexer::peek(size_t offset) const {
  return position + offset < buffer.end() ? position[offset] : '\0';
}

Token Lexer::make(TokenKind kind, const char *start) const {
  return {kind, llvm::StringRef(start, position - start)};
}

Token Lexer::fail(const char *start, const llvm::Twine &message, const llvm::Twine &hint) {
  diagnostics.error(ErrorId::UnreadableText, llvm::SMLoc::getFromPointer(start), message, hint);
  return make(TokenKind::error, start);
}

void Lexer::skipSpaceAndComments() {
  for (; position < buffer.end(); ++position) {
    char c = *position;
    if (c == '\n') {
      tokenOnLine = false;
      ++newlines;
    } else if (c == '/' && peek(1) == '/') {
      lexComment();
      // Step back, because the loop advances and the newline still counts.
      --position;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

void Lexer::lexComment() {
  const char *start = position;
  while (position < buffer.end() && *position != '\n')
    ++position;
  // After `resumeAt` a comment may be met again.
  if (!comments.empty() && comments.back().text.begin() >= start)
    return;
  llvm::StringRef text(start, position - start);
  comments.push_back({text.rtrim(" \t\r"), !tokenOnLine, newlines > 1, false});
  newlines = 0;
  afterComment = true;
}

Token Lexer::next() {
  skipSpaceAndComments();
  if (afterComment)
    comments.back().blankAfter = newlines > 1 && position < buffer.end();
  afterComment = false;
  if (position >= buffer.end())
    return {TokenKind::eof, llvm::StringRef(buffer.end(), 0)};
  tokenOnLine = true;
  newlines = 0;
  char c = *position;
  if (llvm::isDigit(c) || (c == '.' && llvm::isDigit(peek(1))))
    return lexNumber();
  if (llvm::isAlpha(c) || c == '_')
    return lexWord();
  if (c == '"')
    return lexString();
  return lexSign();
}

/// The likely meaning of digits with letters behind them.
static llvm::StringRef getNumberHint(llvm::StringRef text) {
  llvm::StringRef letters = text.ltrim("0123456789.");
  if (text.starts_with("0") && letters.size() > 1 && llvm::StringRef("xXbBoO").contains(letters[0]))
    return "numbers are decimal";
  if (letters.starts_with("_"))
    return "no '_' stands between digits";
  if (letters.equals_insensitive("e"))
    return "digits stand behind the 'e' of an exponent, as in '1e-3'";
  if (letters.size() == 1 && llvm::StringRef("fFlLuUdD").contains(letters[0]))
    return "a number has no suffix: '1.5' is F32, '1' an integer";
  return "a name begins with a letter, and a product is written with '*'";
}

Token Lexer::lexNumber() {
  const char *start = position;
  auto digits = [&] {
    while (llvm::isDigit(peek()))
      ++position;
  };
  digits();
  bool real = false;
  if (peek() == '.' && peek(1) != '.') {
    ++position;
    real = true;
    bool bothSides = position - start > 1 && llvm::isDigit(peek());
    digits();
    if (!bothSides)
      return fail(start,
                  "expected digits on both sides of the point, but got '" +
                      shorten(make(TokenKind::error, start).text) + "'",
                  "as in '0.5' and '1.0'");
  }
  bool signedExponent = (peek(1) == '+' || peek(1) == '-') && llvm::isDigit(peek(2));
  if ((peek() == 'e' || peek() == 'E') && (llvm::isDigit(peek(1)) || signedExponent)) {
    real = true;
    position += signedExponent ? 2 : 1;
    digits();
  }
  if (!llvm::isAlnum(peek()) && peek() != '_')
    return make(real ? TokenKind::real : TokenKind::integer, start);
  while (llvm::isAlnum(peek()) || peek() == '_')
    ++position;
  llvm::StringRef text = make(TokenKind::error, start).text;
  return fail(start, "expected a number, but got '" + shorten(text) + "'", getNumberHint(text));
}

Token Lexer::lexWord() {
  const char *start = position;
  while (llvm::isAlnum(peek()) || peek() == '_')
    ++position;
  Token word = make(TokenKind::identifier, start);
  word.kind = llvm::StringSwitch<TokenKind>(word.text)
#define LMPM_KEYWORD(NAME) .Case(#NAME, TokenKind::kw_##NAME)
#include "LCI/Target/LMPM/TokenKinds.def"
                  .Default(TokenKind::identifier);
  return word;
}

Token Lexer::lexString() {
  const char *start = position++;
  bool escaped = false;
  while (position < buffer.end() && *position != '"' && *position != '\n')
    escaped |= *position++ == '\\';
  if (peek() != '"')
    return fail(start, "expected '\"' before the end of the line");
  ++position;
  if (escaped)
    return fail(start, "a string cannot contain '\\'", "names are written as they are");
  return make(TokenKind::string, start);
}

Token Lexer::lexSign() {
  const char *start = position;
  llvm::StringRef rest(position, buffer.end() - position);
  if (auto [sign, hint] = findForeignSign(rest); !sign.empty()) {
    position += sign.size();
    diagnostics.error(ErrorId::Syntax, llvm::SMLoc::getFromPointer(start),
                      "unexpected '" + sign + "'", hint);
    return make(TokenKind::error, start);
  }
#define LMPM_SIGN(NAME, SPELLING)                                                                  \
  if (rest.starts_with(SPELLING)) {                                                                \
    position += sizeof(SPELLING) - 1;                                                              \
    return make(TokenKind::NAME, start);                                                           \
  }
#include "LCI/Target/LMPM/TokenKinds.def"
  return lexBadCharacter();
}

/// A character as a message shows it: an invisible ASCII one by its code.
static std::string showCharacter(llvm::StringRef character) {
  if (unsigned char byte = character[0]; byte < 0x20 || byte == 0x7f)
    return "the byte 0x" + llvm::utohexstr(byte);
  llvm::UTF32 point = 0;
  llvm::UTF32 *end = &point;
  const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(character.begin());
  (void)llvm::ConvertUTF8toUTF32(&bytes, bytes + character.size(), &end, &point + 1,
                                 llvm::strictConversion);
  bool isSeen = llvm::sys::unicode::isPrintable(static_cast<int>(point)) &&
                llvm::sys::unicode::columnWidthUTF8(character) > 0 && point != 0xA0;
  return isSeen ? ("'" + character + "'").str() : llvm::formatv("U+{0:X-4}", point).str();
}

static llvm::StringRef getCharacterHint(llvm::StringRef character) {
  if (static_cast<unsigned char>(character[0]) < 0x20)
    return "a text has no control characters: save the file as UTF-8";
  llvm::StringRef hint = hintForCharacter(character);
  return hint.empty() ? "names consist of letters A-Z, a-z, digits and '_'" : hint;
}

Token Lexer::lexBadCharacter() {
  const char *start = position;
  unsigned char first = static_cast<unsigned char>(*start);
  // The whole encoded character goes into the message, so that terminals can show it.
  position += std::min<size_t>(llvm::getNumBytesForUTF8(first), buffer.end() - position);
  llvm::StringRef character = make(TokenKind::error, start).text;
  return fail(start, "unexpected character " + showCharacter(character),
              getCharacterHint(character));
}
