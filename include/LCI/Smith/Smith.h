//===- Smith.h - Random well-formed programs --------------------*- C++ -*-===//
//
// Generates programs of the language, with everything needed to run them, from a seed. They are
// text, made from a small typed grammar, so that everything from the importer on is tested.
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

  /// Declarations in the order of the text, each with all its lines: the units that a reducer
  /// drops.
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
  /// The feature that the program is made to exercise: a test of one lowering picks programs with
  /// it.
  enum class Aim { Any, Planes, Windows, Kernels };
  Aim aim = Aim::Any;
  /// Its sizes, by the measures that thresholds are defined on.
  std::map<Measure, std::set<int64_t>> measures;

  std::string text() const;
};

/// A construct that the language has and some level below it refuses by name.
struct SmithLimit {
  enum class Level { Interpreter, Lowering, Native };
  std::string construct;
  Level refusedBy;
};

/// Constructs left out of programs by default, because not every level accepts them yet.
const std::vector<SmithLimit> &smithLimits();

/// The program of a seed: the same seed always gives the same program. `beyond` adds the
/// constructs that `smithLimits` lists.
SmithProgram forgeProgram(uint64_t seed, bool beyond = false);

/// Every construct that can be generated, except those of `smithLimits`.
const std::vector<std::string> &smithConstructs();

/// Writes `program.lmpm`, `bindings.json` and the files that they name into a folder.
Status writeProgram(const SmithProgram &program, const std::string &folder);

} // namespace lci

#endif // LCI_SMITH_SMITH_H
