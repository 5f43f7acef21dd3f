//===- Outputs.cpp - Write values to files --------------------------------===//
//
// Writes values as NumPy files, patterns or pictures. Everything that can fail is checked before
// the run, on one token or the shape of a value: names, file conflicts, suffixes, codebooks,
// pattern sizes.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Outputs.h"
#include "LCI/Bindings/Bindings.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Image.h"
#include "LCI/Runtime/Npy.h"
#include "LCI/Runtime/Rle.h"
#include "LCI/Runtime/Tokens.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;
using ::lci::Failure;
using ::lci::FileUse;
using ::lci::Result;
using ::lci::Status;

Result<NamedFile> mlir::lci::parseNamedFile(StringRef text, StringRef flag) {
  auto [name, file] = text.split('=');
  if (name.empty() || file.empty())
    return Failure{ErrorId::CommandLine,
                   "expected " + flag.str() + " VALUE=FILE, but got '" + text.str() + "'"};
  return NamedFile{name.str(), file.str()};
}

static const ValueInfo *findValue(ArrayRef<ValueInfo> values, StringRef name) {
  const ValueInfo *found =
      llvm::find_if(values, [&](const ValueInfo &value) { return value.name == name; });
  return found == values.end() ? nullptr : found;
}

Status mlir::lci::checkOutputNames(const RunOptions &options, ArrayRef<ValueInfo> values,
                                   ArrayRef<std::string> sets) {
  std::vector<std::string> arrays = namesOf(values), all = arrays;
  all.insert(all.end(), sets.begin(), sets.end());
  for (const auto *files :
       {&options.outputs, &options.stamps, &options.pictures, &options.codebooks})
    for (const NamedFile &file : *files) {
      const std::vector<std::string> &known = files == &options.outputs ? all : arrays;
      if (!llvm::is_contained(known, file.name)) {
        std::optional<std::string> near = ::lci::nearestName(file.name, known);
        return Failure{ErrorId::NoSuchName, "the program has no value '" + file.name +
                                                "' to write" +
                                                (near ? "; did you mean '" + *near + "'?" : "")};
      }
    }
  return ::lci::Done();
}

/// The pixels of a value.
static Result<Array> draw(const NamedFile &picture, const ValueInfo &info, const Array &value,
                          const RunOptions &options) {
  ::lci::PictureOptions look;
  if (info.kind == Kind::Token)
    look.vocabulary = info.vocabulary;
  for (const NamedFile &codebook : options.codebooks)
    if (codebook.name == picture.name) {
      Result<Array> colours = ::lci::readNpy(codebook.file);
      if (!colours)
        return colours.failure();
      look.codebook = std::move(*colours);
    }
  Result<Array> pixels = ::lci::pictureOf(value, look);
  if (!pixels)
    return Failure{pixels.failure().id, "picture of '" + picture.name + "': " + pixels.error()};
  return pixels;
}

/// Checks that each file can be written, and that no other file of the run is overwritten.
static Status checkFiles(const RunOptions &options, ArrayRef<FileUse> bound,
                         ArrayRef<ValueInfo> values) {
  std::vector<FileUse> read(bound.begin(), bound.end());
  read.push_back({"the program", options.program});
  for (const std::string &file : options.merges)
    read.push_back({"a checkpoint of --merge", file});
  for (const NamedFile &file : options.codebooks)
    read.push_back({"the codebook of '" + file.name + "'", file.file});
  std::vector<FileUse> written = {{"--report", options.report, {".json", ".txt"}},
                                  {"--observe", options.observe, {".csv", ".txt"}}};
  using Suffixes = std::vector<std::string>;
  auto add = [&](const char *flag, const NamedFile &file, Suffixes suffixes) {
    written.push_back({std::string(flag) + " " + file.name, file.file, std::move(suffixes)});
  };
  for (const NamedFile &file : options.outputs) {
    bool isSet = !findValue(values, file.name);
    add("--output", file, isSet ? Suffixes{".json"} : Suffixes{".npy", ".rle"});
  }
  for (const NamedFile &file : options.stamps)
    add("--stamps", file, {".npy"});
  for (const NamedFile &file : options.pictures)
    add("--picture", file, {".png"});
  // A resumed run may write its state to the file that it was read from, and nothing else.
  read.push_back(
      {"the file of --resume",
       ::lci::placeOf(options.resume) == ::lci::placeOf(options.checkpoint) ? "" : options.resume});
  written.push_back({"--checkpoint", options.checkpoint});
  return ::lci::checkFiles(read, written);
}

/// Checks that pictures can be drawn as requested: on an array of one of the value's first tokens.
static Status checkPictures(const RunOptions &options, ArrayRef<ValueInfo> values) {
  for (const NamedFile &codebook : options.codebooks)
    if (::lci::placeOf(codebook.file) == std::nullopt)
      return Failure{ErrorId::FileAccess, "expected a file for --codebook " + codebook.name +
                                              ", which is read again after the run, but '" +
                                              codebook.file + "' can be read only once"};
  for (const NamedFile &codebook : options.codebooks)
    if (llvm::none_of(options.pictures,
                      [&](const NamedFile &picture) { return picture.name == codebook.name; }))
      return Failure{ErrorId::CommandLine, "--codebook " + codebook.name + " needs --picture " +
                                               codebook.name + "=F.png"};
  for (const NamedFile &codebook : options.codebooks)
    if (findValue(values, codebook.name)->kind != Kind::Token)
      return Failure{ErrorId::CommandLine, "--codebook " + codebook.name + " is for tokens, but '" +
                                               codebook.name + "' holds numbers"};
  for (const NamedFile &picture : options.pictures) {
    const ValueInfo &info = *findValue(values, picture.name);
    DType dtype = info.kind == Kind::Token ? ::lci::tokenType(info.vocabulary)
                  : info.kind == Kind::I32 ? DType::I64
                                           : DType::F32;
    if (Result<Array> pixels = draw(picture, info, Array(dtype, info.shape), options); !pixels)
      return pixels.failure();
  }
  return ::lci::Done();
}

static int64_t vocabularyOf(ArrayRef<ValueInfo> values, StringRef name) {
  const ValueInfo &info = *findValue(values, name);
  return info.kind == Kind::Token ? info.vocabulary : 0;
}

/// Checks that values written as patterns can be.
static Status checkPatterns(const RunOptions &options, ArrayRef<ValueInfo> values) {
  for (const NamedFile &output : options.outputs) {
    const ValueInfo *info = findValue(values, output.name);
    if (!info || !::lci::isRlePath(output.file)) // sets are text
      continue;
    Status status = ::lci::checkRle(output.file, info->shape, vocabularyOf(values, output.name));
    if (!status)
      return status;
  }
  return ::lci::Done();
}

Status mlir::lci::checkOutputs(const RunOptions &options, ArrayRef<FileUse> read,
                               ArrayRef<ValueInfo> values, bool hasObservers) {
  if (!options.observe.empty() && !hasObservers)
    return Failure{ErrorId::NoSuchName,
                   "the program has no observer to write to '" + options.observe + "'"};
  if (Status status = checkFiles(options, read, values); !status)
    return status;
  if (Status status = checkPatterns(options, values); !status)
    return status;
  return checkPictures(options, values);
}

Status mlir::lci::writeOutputs(const RunOptions &options, ArrayRef<ValueInfo> values,
                               Backend &backend) {
  for (const NamedFile &file : options.stamps)
    if (Status status = ::lci::writeNpy(file.file, backend.records(file.name)->stamps); !status)
      return status;
  for (const NamedFile &output : options.outputs) {
    if (!findValue(values, output.name)) // a set
      continue;
    Result<Array> value = backend.value(output.name);
    if (!value)
      return value.failure();
    bool isInteger = findValue(values, output.name)->kind == Kind::I32;
    Array written = isInteger ? ::lci::toFileIntegers(*value) : std::move(*value);
    if (Status status = ::lci::writeArray(output.file, written, vocabularyOf(values, output.name));
        !status)
      return status;
  }
  for (const NamedFile &picture : options.pictures) {
    Result<Array> value = backend.value(picture.name);
    if (!value)
      return value.failure();
    Result<Array> pixels = draw(picture, *findValue(values, picture.name), *value, options);
    if (!pixels)
      return pixels.failure();
    if (Status status = ::lci::writePng(picture.file, *pixels); !status)
      return status;
  }
  return ::lci::Done();
}

bool mlir::lci::writesToStandardOutput(const RunOptions &options) {
  auto isOutput = [](const NamedFile &file) { return ::lci::isStandardOutput(file.file); };
  return llvm::any_of(options.outputs, isOutput) || llvm::any_of(options.stamps, isOutput) ||
         llvm::any_of(options.pictures, isOutput) || ::lci::isStandardOutput(options.report) ||
         ::lci::isStandardOutput(options.observe) || ::lci::isStandardOutput(options.checkpoint);
}
