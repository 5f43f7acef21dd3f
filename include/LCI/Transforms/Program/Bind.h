//===- Bind.h - From level 1 to level 2 -------------------------*- C++ -*-===//
//
// What a program leaves open is filled in here: sizes become numbers, models functions, formulas
// their bodies, and every ruled value gets a schedule. The pass `lci-bind` and the driver, which
// has read a bindings file, both call `bindProgram`.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_PROGRAM_BIND_H
#define LCI_TRANSFORMS_PROGRAM_BIND_H

#include "LCI/Dialect/LCIOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::lci {

/// What binding puts in; names that the program does not ask for are nobody's error.
struct BindOptions {
  /// Sizes and vocabularies.
  llvm::StringMap<int64_t> sizes;
  /// For each model the `func.func` of the enclosing module that answers.
  llvm::StringMap<std::string> models;
  /// Values that nothing is bound to: no cell of them ever holds anything.
  llvm::StringSet<> absent;
  /// The elements, in row-major order, of a parameter that phases follow from; nothing if it is not
  /// given, and an error that was said if it cannot be.
  std::function<FailureOr<std::optional<SmallVector<int64_t>>>(ParamOp)> elements;
  /// Regions that are given by bounds, not as masks.
  llvm::StringSet<> rectangles;
  /// Priority from which a constraint cannot be outvoted; the program's own if missing.
  std::optional<int64_t> hardPriority;
  /// For schedules that do not say it themselves: `snapshot`, `recolor` or `strict`; may be empty.
  std::string legalize;
};

/// Binds a program in place. Every problem of one kind is reported at once.
LogicalResult bindProgram(ProgramOp program, const BindOptions &options);

/// Brings the models that a program is bound to, however that was done, to one form (without calls,
/// the language's functions, dense constants, structured operations without names), and refuses
/// what not every back end computes alike, or what reaches beyond its tensors: docs/models.md.
LogicalResult prepareModels(ProgramOp program);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_PROGRAM_BIND_H
