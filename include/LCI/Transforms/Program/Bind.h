//===- Bind.h - Bind programs: from level 1 to level 2 ----------*- C++ -*-===//
//
// Binding completes a program: sizes become constants, models functions,
// formulas are inlined, and every ruled value gets a schedule. The pass
// `lci-bind` and the driver, which has read a bindings file, both call
// `bindProgram`.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_PROGRAM_BIND_H
#define LCI_TRANSFORMS_PROGRAM_BIND_H

#include "LCI/Dialect/LCIOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::lci {

/// The bindings; names that the program does not use are ignored.
struct BindOptions {
  /// Sizes and vocabularies.
  llvm::StringMap<int64_t> sizes;
  /// For each model the `func.func` of the enclosing module that implements it.
  llvm::StringMap<std::string> models;
  /// Values without input: no cell of them ever holds anything.
  llvm::StringSet<> absent;
  /// The elements, in row-major order, of a parameter that determines phases; nothing if it is not
  /// given, and failure after an error was emitted.
  std::function<FailureOr<std::optional<SmallVector<int64_t>>>(ParamOp)> elements;
  /// Regions that are given by bounds, not as masks.
  llvm::StringSet<> rectangles;
  /// Priority from which a constraint cannot be outvoted; the program's own if missing.
  std::optional<int64_t> hardPriority;
  /// For schedules without one: `snapshot`, `recolor` or `strict`; may be empty.
  std::string legalize;
};

/// Binds a program in place. Every problem of one kind is reported at once.
LogicalResult bindProgram(ProgramOp program, const BindOptions &options);

/// Normalizes the models that a program is bound to (without calls, the language's functions, dense
/// constants, generic structured operations), and rejects operations that back ends compute
/// differently, or that access elements out of bounds: docs/models.md.
LogicalResult prepareModels(ProgramOp program);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_PROGRAM_BIND_H
