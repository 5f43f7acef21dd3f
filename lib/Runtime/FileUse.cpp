//===- FileUse.cpp - Conflicts among the files of a run -------------------===//
#include "LCI/Runtime/FileUse.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Memory.h"
#include "Text.h"
#include <algorithm>
#include <filesystem>
#include <map>

using namespace lci;

Status lci::checkDistinct(const std::vector<FileUse> &read, const std::vector<FileUse> &written) {
  std::map<std::string, std::string> known; // by file, its use
  auto add = [&](const std::optional<std::string> &place,
                 const std::string &what) -> const std::string * {
    auto [other, isNew] = known.emplace(place.value_or(""), what);
    return place && !isNew ? &other->second : nullptr;
  };
  for (const FileUse &file : read)
    add(file.path.empty() ? std::nullopt : placeOf(file.path), file.what);
  for (const FileUse &file : written) {
    std::optional<std::string> sink = file.path.empty() ? std::nullopt : sinkOf(file.path);
    if (const std::string *other = add(sink, "the file of " + file.what))
      return Failure{ErrorId::CommandLine,
                     "expected a file of its own for " + file.what + ", but '" +
                         (isStandardOutput(file.path) ? "-" : file.path) + "' is " + *other};
  }
  return Done();
}

std::string lci::outputPath(const std::string &word) { return word == "-" ? "/dev/stdout" : word; }

bool lci::isStandardOutput(const std::string &path) { return path == outputPath("-"); }

/// Suffixes that name a format: of arrays, tables and pictures, of programs and files made of them.
/// Others name none.
static constexpr const char *kSuffixes[] = {
    ".npy",  ".rle", ".json", ".csv",     ".png",    ".npz",  ".safetensors", ".h5",   ".hdf5",
    ".mat",  ".pt",  ".pth",  ".parquet", ".pkl",    ".tsv",  ".xlsx",        ".txt",  ".jpg",
    ".jpeg", ".gif", ".bmp",  ".ppm",     ".pgm",    ".pbm",  ".tif",         ".tiff", ".webp",
    ".svg",  ".pdf", ".html", ".xml",     ".yaml",   ".yml",  ".gz",          ".bz2",  ".xz",
    ".zst",  ".zip", ".lmpm", ".mlir",    ".bundle", ".rule", ".table",       ".tree", ".py",
    ".ll",   ".ptx", ".o",    ".so"};

/// Rejects a name whose suffix is of a format that is not written there.
static Status checkSuffix(const FileUse &file) {
  std::string suffix = std::filesystem::path(file.path).extension(), listed;
  for (char &letter : suffix)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (file.suffixes.empty() || isOneOf(file.suffixes, suffix) || !isOneOf(kSuffixes, suffix))
    return Done();
  for (const std::string &one : file.suffixes)
    listed += (listed.empty() ? "" : " or ") + one;
  return Failure{ErrorId::CommandLine, "expected a name that ends in " + listed +
                                           " (the formats of " + file.what + "), but got '" +
                                           file.path + "'"};
}

Status lci::checkFiles(const std::vector<FileUse> &read, const std::vector<FileUse> &written) {
  for (const FileUse &file : written)
    if (Status status = file.path.empty() ? Status(Done()) : prepareToWrite(file.path); !status)
      return status;
  if (Status distinct = checkDistinct(read, written); !distinct)
    return distinct;
  for (const FileUse &file : written)
    if (Status named = checkSuffix(file); !named)
      return named;
  return Done();
}

Status lci::checkArguments(int argc, char **argv, std::vector<FileUse> read) {
  std::vector<FileUse> written;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    bool isFlag = startsWith(word, "-");
    std::string flag = isFlag ? word.substr(0, word.find('=')) : "", value = word;
    if (isFlag)
      value = flag.size() < word.size() ? word.substr(flag.size() + 1) : "";
    if (flag == "-o" || flag == "--o") {
      bool isNext = flag == word && i + 1 < argc;
      std::string path = isNext ? argv[++i] : value;
      written.push_back({"-o", path});
      if (Status ready = path.empty() || path == "-" ? Status(Done()) : prepareToWrite(path);
          !ready)
        return ready;
      continue;
    }
    if (Status written = passOn(value); !written)
      return written;
    if (value.empty() || !isPlainFile(value))
      continue;
    read.push_back({"read", value});
    std::error_code error;
    uint64_t size = std::filesystem::file_size(value, error);
    if (Status fits = checkFits(error ? 0 : size, "'" + value + "'"); !fits)
      return fits;
  }
  return checkDistinct(read, written);
}
