//===- Interface.h - The arguments of a tick-form function ------*- C++ -*-===//
//
// The arguments of a program's functions, their order, and their attributes; see "Level 3: the tick
// form" in docs/architecture.md.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_INTERFACE_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_INTERFACE_H

#include "LCI/Dialect/ArgumentRoles.h"
#include "TickBody.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::lci {

/// The type of a cell's contents in a tick: a vector is an upstream vector.
Type getStoredType(ValueOp value);

/// The tensor a value is stored in.
RankedTensorType getStateType(ValueOp value);

/// Collects arguments, then makes a function that takes them.
class Interface {
public:
  /// Parameters in `given` come from outside although they have a formula. A value's arrangement in
  /// memory is attached only to the function that runs epochs: the others have no loop it matters
  /// to.
  Interface(ProgramOp program, ArrayRef<std::string> given, bool runsEpochs = false)
      : program(program), given(given), runsEpochs(runsEpochs), b(program.getContext()) {}

  void add(Role role, StringRef name, Type type);
  void addValue(Role role, ValueOp value);
  /// The values among `named`, as states and as inputs.
  void addValues(ArrayRef<ValueOp> states, ArrayRef<ValueOp> inputs,
                 const llvm::StringSet<> &named);
  void addParameters();
  void addPalettes();
  void addSetsWeightsAndEnables();

  /// The attributes of a value's tensor, as an argument or a result; and of any other argument.
  DictionaryAttr describe(Role role, ValueOp value);
  DictionaryAttr describe(Role role, StringRef name);
  /// Creates the function at the builder, and moves the builder into its body.
  func::FuncOp makeFunction(OpBuilder &builder, const Twine &name, TypeRange results);
  /// The function's arguments by the names they represent.
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
