//===- KeptOutput.h - Atomic replacement of the file behind -o --*- C++ -*-===//
//
// Upstream's tools open the file behind `-o` before they begin, and delete it where they fail. Here
// they get a neighbouring path, whose file replaces the output once the tool succeeded. Only
// regular files are treated so: `-` and devices are passed through.
//
//===----------------------------------------------------------------------===//

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

/// Rewrites the `-o` of a command line to a partial file; `keep` moves that to the final path.
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

  /// Moves the output to its path; false, with an error message, if that fails.
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
