//===- TickForm.h - Interpret functions in tick form ------------*- C++ -*-===//
//
// Evaluates level 3: functions on tensors with `lci.tick`, loops and arithmetic. Compared with the
// interpreter of the bound form, it shows whether a pass preserves semantics.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_TICKFORM_H
#define LCI_INTERPRETER_TICKFORM_H

#include "LCI/Interpreter/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// Evaluates a function on arguments of its types. Errors are reported at the operation.
FailureOr<SmallVector<Datum>> interpretTickForm(func::FuncOp function, ArrayRef<Datum> arguments);

/// The program `name` of a module in tick form, run by its `lci.role` arguments like the
/// interpreter runs a bound program: with the same calls and the same arrays.
class TickProgram {
public:
  /// Finds `name` and `name.init` in the module. `vocabularies` has the number of tokens of every
  /// token value, which the tick form does not contain.
  static FailureOr<TickProgram> create(ModuleOp module, StringRef name,
                                       std::map<std::string, int64_t> vocabularies);

  /// Computes all values from their `init`.
  LogicalResult initialise(const Environment &environment);
  /// Values in canonical form.
  void setValue(StringRef name, const ::lci::Array &cells);
  ::lci::Array getValue(StringRef name) const;
  /// Runs the epochs first … last-1 and adds to the counters.
  LogicalResult run(const Environment &environment, int64_t first, int64_t last);

  std::map<std::string, int64_t> counters;

private:
  FailureOr<SmallVector<Datum>> makeArguments(func::FuncOp function, const Environment &environment,
                                              int64_t first, int64_t last);
  FailureOr<Datum> makeArgument(func::FuncOp function, unsigned number,
                                const Environment &environment, int64_t first, int64_t last);

  func::FuncOp main, init;
  std::map<std::string, Datum> states;
  std::map<std::string, bool> isFloat;
  std::map<std::string, int64_t> vocabularies;
};

} // namespace mlir::lci

#endif // LCI_INTERPRETER_TICKFORM_H
