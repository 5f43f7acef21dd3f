//===- Outputs.cpp - Values as files --------------------------------------===//
#include "LCI/Driver/Outputs.h"
#include "LCI/Bindings/Bindings.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Image.h"
#include "LCI/Runtime/Npy.h"
#include "LCI/Runtime/Tokens.h"
#include <set>

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;
using ::lci::Failure;
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

/// Each file can be written, and is written once.
static Status checkFiles(const RunOptions &options) {
  std::vector<std::string> files = {options.report, options.observe, options.checkpoint};
  for (const std::vector<NamedFile> *named : {&options.outputs, &options.stamps, &options.pictures})
    for (const NamedFile &file : *named)
      files.push_back(file.file);
  std::set<std::string> seen;
  for (const std::string &file : files) {
    if (file.empty())
      continue;
    if (Status status = ::lci::prepareToWrite(file); !status)
      return status;
    if (!seen.insert(file).second && !StringRef(file).starts_with("/dev/"))
      return Failure{ErrorId::CommandLine, "'" + file + "' is named for two of the run's files"};
  }
  return ::lci::Done();
}

/// Pictures can be drawn as they are asked for: seen on one of the value's first tokens everywhere.
static Status checkPictures(const RunOptions &options, ArrayRef<ValueInfo> values) {
  for (const NamedFile &codebook : options.codebooks)
    if (llvm::none_of(options.pictures,
                      [&](const NamedFile &picture) { return picture.name == codebook.name; }))
      return Failure{ErrorId::CommandLine, "--codebook " + codebook.name + " needs --picture " +
                                               codebook.name + "=F.png"};
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

Status mlir::lci::checkOutputs(const RunOptions &options, ArrayRef<ValueInfo> values,
                               bool hasObservers) {
  if (!options.observe.empty() && !hasObservers)
    return Failure{ErrorId::NoSuchName,
                   "the program has no observer to write to '" + options.observe + "'"};
  if (Status status = checkFiles(options); !status)
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
    if (Status status = ::lci::writeNpy(output.file, written); !status)
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
