//===- FileUse.h - Conflicts among the files of a run -----------*- C++ -*-===//
//
// Checks of file names before the run: each output can be written, and none overwrites another file
// of the run.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_FILEUSE_H
#define LCI_RUNTIME_FILEUSE_H

#include "LCI/Runtime/Result.h"
#include <string>
#include <vector>

namespace lci {

/// A file, and its use by the run: `the program`, or the flag that names it. Outputs have one of
/// some formats, by the suffixes of their names.
struct FileUse {
  std::string what, path;
  std::vector<std::string> suffixes = {};
};

/// The path of a flag that names an output: `-` is standard output.
std::string outputPath(const std::string &word);
/// Whether a path is standard output, under the name that `outputPath` gives it.
bool isStandardOutput(const std::string &path);

/// Checks that no written file is read or written otherwise. An empty path is no file.
Status checkDistinct(const std::vector<FileUse> &read, const std::vector<FileUse> &written);

/// The same, and that each output can be written, under a name of no other format.
Status checkFiles(const std::vector<FileUse> &read, const std::vector<FileUse> &written);

/// For a command line: that `-o` can be written and names none of the files that are read, that
/// those fit into memory, and that FIFOs among them have a writer; `read` are further files.
Status checkArguments(int argc, char **argv, std::vector<FileUse> read = {});

} // namespace lci

#endif // LCI_RUNTIME_FILEUSE_H
