//===- Smith.h - Random well-formed programs --------------------*- C++ -*-===//
//
// Makes programs of the language, with all that a run of them takes, from a number. They are text,
// made from a small typed grammar, so that everything from the importer on is put to the test.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_SMITH_SMITH_H
#define LCI_SMITH_SMITH_H

#include "LCI/Runtime/Array.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lci {

using mlir::lci::Measure;

/// A program and its bindings.
struct SmithProgram {
  /// A function of `modelText` that a model of the program is bound to.
  struct Model {
    std::string function;
    std::map<std::string, Array> weights;
  };

  /// Declarations in the order of the text, each with its own lines: what a reducer drops one by
  /// one.
  std::vector<std::string> declarations;
  std::map<std::string, int64_t> sizes;
  std::map<std::string, Array> params, inputs;
  /// Members of each palette.
  std::map<std::string, std::vector<int64_t>> palettes;
  /// Closed ranges for each axis a region has.
  std::map<std::string, std::vector<std::pair<int64_t, int64_t>>> regions;
  /// The functions of all models, as MLIR, and the models by name.
  std::string modelText;
  std::map<std::string, Model> models;
  /// Rules and constraints that a run may switch off.
  std::vector<std::string> switches;
  int64_t epochs = 2;
  uint64_t seed = 0;
  /// How often each construct of the language was used.
  std::map<std::string, int64_t> coverage;
  /// What it was made for: who compiles it in one way shall take one that has this.
  enum class Aim { Any, Planes, Windows, Kernels };
  Aim aim = Aim::Any;
  /// Its sizes in each measure that thresholds have.
  std::map<Measure, std::set<int64_t>> measures;

  std::string text() const;
};

/// A construct that the language has and some level below it refuses by name.
struct SmithLimit {
  enum class Level { Interpreter, Lowering, Native };
  std::string construct;
  Level refusedBy;
};

/// What is left out of programs unless it is asked for, because not every level takes it yet.
const std::vector<SmithLimit> &smithLimits();

/// The program of a number: the same number always gives the same program. `beyond` lets it use
/// what `smithLimits` lists.
SmithProgram forgeProgram(uint64_t seed, bool beyond = false);

/// Every construct that can be made, whether or not one program has it, but those of `smithLimits`.
const std::vector<std::string> &smithConstructs();

/// Writes `program.lmpm`, `bindings.json` and the files that they name into a folder.
Status writeProgram(const SmithProgram &program, const std::string &folder);

} // namespace lci

#endif // LCI_SMITH_SMITH_H
