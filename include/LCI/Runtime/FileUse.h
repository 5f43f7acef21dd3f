//===- FileUse.h - The files of a run, all together -------------*- C++ -*-===//
//
// What can be said of them before the run: each can be written, and none is written over another.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_FILEUSE_H
#define LCI_RUNTIME_FILEUSE_H

#include "LCI/Runtime/Result.h"
#include <string>
#include <vector>

namespace lci {

/// A file, and what it is to the run: `the program`, or the flag that names it. What is written has
/// one of some formats, by the suffixes of their names.
struct FileUse {
  std::string what, path;
  std::vector<std::string> suffixes = {};
};

/// What a flag that names a file to be written says: `-` is standard output.
std::string outputPath(const std::string &word);
/// Whether a path is standard output, by the name that `outputPath` gives it.
bool isStandardOutput(const std::string &path);

/// Whether each of the files that are written is neither read nor written otherwise. An empty path
/// is no file.
Status checkDistinct(const std::vector<FileUse> &read, const std::vector<FileUse> &written);

/// The same, and whether each of those can be written, under a name that is of no other format.
Status checkFiles(const std::vector<FileUse> &read, const std::vector<FileUse> &written);

/// Of a command line: that `-o` names none of the files that are read, and that those fit into
/// memory and have somebody who writes to them, if they are FIFOs; `read` are files beside those.
Status checkArguments(int argc, char **argv, std::vector<FileUse> read = {});

} // namespace lci

#endif // LCI_RUNTIME_FILEUSE_H
