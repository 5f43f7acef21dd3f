//===- Interface.h - The arguments of a tick-form function ------*- C++ -*-===//
//
// Which arguments a program's functions take, in which order, and what is said of each; see "Level
// 3: the tick form" in docs/architecture.md.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_INTERFACE_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_INTERFACE_H

#include "LCI/Dialect/ArgumentRoles.h"
#include "TickBody.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::lci {

/// What a cell holds in a tick: a vector is one of upstream's.
Type getStoredType(ValueOp value);

/// The tensor a value is stored in.
RankedTensorType getStateType(ValueOp value);

/// Collects arguments, then makes a function that takes them.
class Interface {
public:
  /// Parameters in `given` come from outside although they have a formula. What a value asks for in
  /// memory is asked of the function that runs epochs: the others have no loop to which it matters.
  Interface(ProgramOp program, ArrayRef<std::string> given, bool runsEpochs = false)
      : program(program), given(given), runsEpochs(runsEpochs), b(program.getContext()) {}

  void add(Role role, StringRef name, Type type);
  void addValue(Role role, ValueOp value);
  /// Those of the values that are named, as states and as inputs.
  void addValues(ArrayRef<ValueOp> states, ArrayRef<ValueOp> inputs,
                 const llvm::StringSet<> &named);
  void addParameters();
  void addPalettes();
  void addSetsWeightsAndEnables();

  /// What is said of a value's tensor, as an argument or a result; and of any other one.
  DictionaryAttr describe(Role role, ValueOp value);
  DictionaryAttr describe(Role role, StringRef name);
  /// Makes the function at the builder, which then stands in its body.
  func::FuncOp makeFunction(OpBuilder &builder, const Twine &name, TypeRange results);
  /// The function's arguments by what they stand for.
  Bindings bind(func::FuncOp function);
  ArrayRef<Type> getTypes() const { return types; }
  /// Whether a parameter is an argument, not computed by its formula.
  bool isGiven(ParamOp param);

private:
  ProgramOp program;
  ArrayRef<std::string> given;
  bool runsEpochs;
  Builder b;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
};

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_INTERFACE_H
