//===- Carets.cpp - Carets under any text ---------------------------------===//
#include "LCI/Target/LMPM/Carets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace lmpm;

/// The display column of a byte of a line: one column for each code point, with tabs expanded as
/// LLVM does.
static unsigned getScreenColumn(llvm::StringRef line, size_t byte) {
  constexpr unsigned tabStop = 8;
  llvm::StringRef before = line.take_front(byte);
  before.consume_front("\xEF\xBB\xBF"); // a byte-order mark is not seen
  unsigned column = 0;
  for (char c : before) {
    bool isContinuation = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    column += c == '\t' ? tabStop - column % tabStop : !isContinuation;
  }
  return column;
}

static bool isASCII(llvm::StringRef line) {
  return llvm::all_of(line, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

static void show(const llvm::SMDiagnostic &message, void *stream) {
  llvm::raw_ostream &os = *static_cast<llvm::raw_ostream *>(stream);
  message.print(nullptr, os);
  llvm::StringRef line = message.getLineContents();
  if (message.getLineNo() <= 0 || message.getColumnNo() < 0 || isASCII(line))
    return; // LLVM has shown the caret
  os.indent(getScreenColumn(line, message.getColumnNo())) << "^\n";
}

void lmpm::showCarets(llvm::SourceMgr &sources, llvm::raw_ostream &os) {
  sources.setDiagHandler(show, &os);
}
