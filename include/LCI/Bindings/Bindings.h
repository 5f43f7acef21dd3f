//===- Bindings.h - The contents of a bindings file -------------*- C++ -*-===//
//
// A program names sizes, vocabularies, parameters, inputs, palettes, regions and models; one JSON
// file, which may serve several programs, defines them. This parses and checks that file and merges
// the flags of the command line. It is independent of programs: the caller looks names up when it
// binds one, and unused names are no error; `nearestName` gives the hint when one is missing.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_BINDINGS_BINDINGS_H
#define LCI_BINDINGS_BINDINGS_H

#include "LCI/Runtime/Array.h"
#include "LCI/Runtime/FileUse.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <map>

namespace lci {

/// The location of a binding: a position in the JSON file, or a flag (line 0).
struct BindingLocation {
  std::string file;
  unsigned line = 0, column = 0;
  /// `bindings.json:3:5`, or the flag's text.
  std::string str() const;
};

/// An error in the bindings, with an optional hint.
struct BindingError {
  ErrorId id;
  BindingLocation location;
  std::string message;
  std::string hint;
  /// `file:line:column: error: …`, and the hint as a note on a second line.
  std::string str() const;
};

/// A size or a vocabulary.
struct SizeBinding {
  int64_t value = 0;
  BindingLocation location;
};

/// A parameter, an input, or a mask: numbers written out, or a file with them (`f.npy`,
/// `f.npz#name`, `f.safetensors#name`), already relative to the folder of the bindings file.
struct ArrayBinding {
  std::optional<Array> numbers;
  std::string path;
  BindingLocation location;
};

/// A set of tokens as closed ranges, sorted, disjoint and not adjacent.
struct PaletteBinding {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  BindingLocation location;
  bool contains(int64_t token) const;
};

/// A region: a rectangle (closed ranges, one per axis) or a mask array.
struct RegionBinding {
  std::vector<std::pair<int64_t, int64_t>> rect;
  std::optional<ArrayBinding> mask;
  BindingLocation location;
};

/// A per-cell model: a function in an .mlir file and its weights.
struct ModelBinding {
  std::string file, function, weights;
  BindingLocation location;
};

/// The treatment of a phase that is not independent.
enum class Legalize { Snapshot, Recolor, Strict };

/// One bindings file, with the flags merged in.
class Bindings {
public:
  /// No file: everything must come from flags or the program itself.
  Bindings() = default;

  /// Reads and checks a file; all errors are collected, and the valid parts are kept.
  static Bindings read(const std::string &path, std::vector<BindingError> &errors);
  /// The same for text already in memory; `file` appears in locations, and relative paths are
  /// relative to its folder.
  static Bindings parse(llvm::StringRef text, const std::string &file,
                        std::vector<BindingError> &errors);

  /// `--set NAME=VALUE`: VALUE is a JSON number or array, else a path. If it is no whole number, a
  /// size of that name is unbound.
  Status set(llvm::StringRef assignment);
  /// `--input NAME=FILE`.
  Status setInput(llvm::StringRef assignment);

  /// Lookups, by name; null where it is not bound. Flags win over the file.
  const SizeBinding *size(llvm::StringRef name) const;
  const ArrayBinding *param(llvm::StringRef name) const;
  const ArrayBinding *input(llvm::StringRef name) const;
  const PaletteBinding *palette(llvm::StringRef name) const;
  const RegionBinding *region(llvm::StringRef name) const;
  const ModelBinding *model(llvm::StringRef name) const;

  /// The names in `--set` and `--input` flags.
  std::vector<std::string> setNames() const;
  std::vector<std::string> inputNames() const;

  /// Names bound in one section (`sizes`, `params`, …), for hints.
  std::vector<std::string> namesIn(llvm::StringRef section) const;
  /// ` did you mean 'X'?`-style hint among the names of a section, or empty.
  std::string hintFor(llvm::StringRef section, llvm::StringRef name) const;

  std::optional<int64_t> hardPriority;
  std::optional<Legalize> legalize;
  std::optional<int64_t> epochs;
  std::optional<uint64_t> seed;
  /// The path of the file; empty without one.
  std::string file;

  /// All files that are read, with their uses.
  std::vector<FileUse> files() const;

private:
  friend class BindingsParser;
  std::map<std::string, SizeBinding, std::less<>> sizes;
  std::map<std::string, ArrayBinding, std::less<>> params, inputs;
  std::map<std::string, PaletteBinding, std::less<>> palettes;
  std::map<std::string, RegionBinding, std::less<>> regions;
  std::map<std::string, ModelBinding, std::less<>> models;
  /// Flags by name; the program determines whether a name is a size or a parameter.
  std::map<std::string, SizeBinding, std::less<>> setSizes;
  std::map<std::string, ArrayBinding, std::less<>> setParams, setInputs;
};

/// The array of a binding, read from its file if it has one.
Result<Array> loadArray(const ArrayBinding &binding);
/// An array by path: `.npy`, `.npz#name`, `.safetensors#name`.
Result<Array> loadArray(const std::string &path);

/// The closest of `names` to `name`, if it is close enough to be a misspelling.
std::optional<std::string> nearestName(llvm::StringRef name, const std::vector<std::string> &names);

} // namespace lci

#endif // LCI_BINDINGS_BINDINGS_H
