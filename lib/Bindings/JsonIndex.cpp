//===- JsonIndex.cpp - Positions of keys and elements in JSON text --------===//
//
// A recursive walk over text that llvm::json has accepted, which counts lines and columns and
// records the position of each path. It need not detect errors; strings are compared unescaped.
//
//===----------------------------------------------------------------------===//
#include "LCI/Bindings/JsonIndex.h"

using namespace lci;

JsonIndex::JsonIndex(llvm::StringRef text) : text(text) {
  // A byte-order mark is no error.
  if (text.starts_with("\xEF\xBB\xBF")) {
    at = 3;
    position.column = 4;
  }
  skipSpace();
  value("");
}

TextPosition JsonIndex::find(llvm::StringRef path) const {
  for (;;) {
    if (auto found = places.find(path); found != places.end())
      return found->second;
    size_t slash = path.rfind('/');
    if (slash == llvm::StringRef::npos)
      return TextPosition();
    path = path.take_front(slash);
  }
}

bool JsonIndex::note(const std::string &path, TextPosition where) {
  bool isNew = places.try_emplace(path, where).second;
  if (!isNew)
    repeated.emplace_back(path, where);
  return isNew;
}

void JsonIndex::advance() {
  if (at >= text.size())
    return;
  if (text[at] == '\n') {
    ++position.line;
    position.column = 1;
  } else {
    ++position.column; // bytes, as in all locations; the printer of the line counts characters
  }
  ++at;
}

void JsonIndex::skipSpace() {
  while (at < text.size() && llvm::StringRef(" \t\r\n").contains(text[at]))
    advance();
}

std::string JsonIndex::string() {
  std::string key;
  advance();
  while (at < text.size() && text[at] != '"') {
    // Escapes are not decoded: the schema's keys have none, and two spellings of one key are then
    // just not reported as repeated.
    if (text[at] == '\\') {
      key += text[at];
      advance();
    }
    key += text[at];
    advance();
  }
  advance();
  return key;
}

void JsonIndex::object(const std::string &path) {
  advance();
  for (skipSpace(); at < text.size() && text[at] != '}'; skipSpace()) {
    if (text[at] == ',') {
      advance();
      continue;
    }
    TextPosition where = position;
    std::string member = path + "/" + string();
    if (!note(member, where))
      member += '\n'; // repetitions inside of it are not reported
    skipSpace();
    advance(); // the colon
    skipSpace();
    value(member);
  }
  advance();
}

void JsonIndex::array(const std::string &path) {
  advance();
  size_t index = 0;
  for (skipSpace(); at < text.size() && text[at] != ']'; skipSpace()) {
    if (text[at] == ',') {
      advance();
      continue;
    }
    std::string element = path + "/" + std::to_string(index++);
    note(element, position);
    value(element);
  }
  advance();
}

void JsonIndex::value(const std::string &path) {
  if (at >= text.size())
    return;
  if (text[at] == '{')
    return object(path);
  if (text[at] == '[')
    return array(path);
  if (text[at] == '"') {
    string();
    return;
  }
  while (at < text.size() && !llvm::StringRef(",]} \t\r\n").contains(text[at]))
    advance();
}
