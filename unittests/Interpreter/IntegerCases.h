//===- IntegerCases.h - Integer operations and edge cases -------*- C++ -*-===//
//
// Operations as text over `%a`, `%b` and `%t` (a boolean), for each type that they have, and the
// numbers at which integer arithmetic tends to go wrong.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_INTERPRETER_INTEGERCASES_H
#define LCI_UNITTESTS_INTERPRETER_INTEGERCASES_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Evaluator.h"
#include "mlir/Parser/Parser.h"
#include <set>

namespace mlir::lci::test {

/// One operation in a separate function.
class IntegerCase {
public:
  IntegerCase(MLIRContext &context, const std::string &text, unsigned width);

  Operation *op() const { return operation; }
  func::FuncOp function() const { return operation->getParentOfType<func::FuncOp>(); }
  /// A clone of the function in a new module, which returns all results.
  OwningOpRef<ModuleOp> cloneWithResults() const;
  /// The widths of the function's arguments.
  SmallVector<unsigned> widths() const;
  /// The number of the argument of each operand.
  SmallVector<unsigned> places() const;
  /// The bits of its results for some arguments, by the interpreter.
  SmallVector<uint64_t> evaluate(ArrayRef<uint64_t> arguments);
  /// Whether MLIR defines the result for these.
  bool isDefined(ArrayRef<uint64_t> arguments) const;

private:
  OwningOpRef<ModuleOp> module;
  Operation *operation = nullptr;
  Evaluator evaluator;
};

/// The operations with results that are integers, by name; `T` stands for the type.
const std::map<std::string, std::vector<std::string>> &integerOperations();

/// Calls `visit` for each of them at each width that it has, and fails where one has none.
void forEachCase(MLIRContext &context, llvm::function_ref<void(IntegerCase &)> visit);

/// The ends of a type, their neighbours, and numbers near zero and near its width.
std::vector<uint64_t> edgesOf(unsigned width);

/// Calls `visit` with every combination of one from each list.
template <typename T>
void forEachChoice(ArrayRef<std::vector<T>> lists, llvm::function_ref<void(ArrayRef<T>)> visit) {
  SmallVector<size_t> choice(lists.size(), 0);
  SmallVector<T> chosen;
  while (true) {
    chosen.clear();
    for (auto [list, number] : llvm::zip_equal(lists, choice))
      chosen.push_back(list[number]);
    visit(chosen);
    size_t at = 0;
    while (at < lists.size() && ++choice[at] == lists[at].size())
      choice[at++] = 0;
    if (at == lists.size())
      return;
  }
}

} // namespace mlir::lci::test

#endif // LCI_UNITTESTS_INTERPRETER_INTEGERCASES_H
