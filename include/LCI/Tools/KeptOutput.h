//===- KeptOutput.h - A file behind -o, whole or as it was ------*- C++ -*-===//
#ifndef LCI_TOOLS_KEPTOUTPUT_H
#define LCI_TOOLS_KEPTOUTPUT_H

#include "LCI/Runtime/File.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mlir::lci {

/// Upstream's tools open the file behind `-o` before they begin, and delete it where they fail.
/// Here they are given a neighbour of it, which takes its place once all went well. What is no
/// file, such as `-` or a device, stays what it is.
class KeptOutput {
public:
  KeptOutput(int argc, char **argv) : words(argv, argv + argc) {
    for (size_t i = 1; i < words.size(); ++i) {
      llvm::StringRef word = words[i];
      auto [flag, file] = word.split('=');
      if (!word.starts_with("-") || flag.ltrim('-') != "o")
        continue;
      size_t place = word.contains('=') || i + 1 == words.size() ? i : i + 1;
      take(place == i ? file.str() : words[place]);
      if (!partial.empty())
        words[place] = (place == i ? flag.str() + "=" : "") + partial;
    }
    for (std::string &word : words)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
  }
  KeptOutput(const KeptOutput &) = delete;
  ~KeptOutput() {
    if (!partial.empty())
      llvm::sys::fs::remove(partial);
  }

  int argc() const { return static_cast<int>(words.size()); }
  char **argv() { return pointers.data(); }

  /// Puts what was written in its place; false, with a sentence, if that fails.
  bool keep(const char *tool) {
    if (partial.empty() || !llvm::sys::fs::exists(partial))
      return true;
    ::lci::Result<std::vector<uint8_t>> bytes = ::lci::readFile(partial);
    ::lci::Status kept =
        bytes ? ::lci::writeFileAtomically(path, *bytes) : ::lci::Status(bytes.failure());
    if (!kept)
      llvm::errs() << tool << ": error: " << kept.error() << "\n";
    return static_cast<bool>(kept);
  }

private:
  void take(const std::string &file) {
    bool isOther = llvm::sys::fs::exists(file) && !llvm::sys::fs::is_regular_file(file);
    llvm::StringRef folder = llvm::sys::path::parent_path(file);
    bool isNowhere = !llvm::sys::fs::is_directory(folder.empty() ? "." : folder);
    if (file.empty() || file == "-" || isOther || isNowhere)
      return;
    path = file;
    partial = file + ".partial";
  }

  std::vector<std::string> words;
  std::vector<char *> pointers;
  std::string path, partial;
};

} // namespace mlir::lci

#endif // LCI_TOOLS_KEPTOUTPUT_H
