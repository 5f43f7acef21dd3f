//===- MutateIR.cpp - Structural mutation of IR ---------------------------===//
//
// Random changes of bytes seldom leave valid IR. Here operations are moved, duplicated and erased,
// and their operands, attributes and types replaced, mostly by ones that occur elsewhere in the
// input. Verifiers reject much of it; the remainder reaches the passes.
//
//===----------------------------------------------------------------------===//

#include "Contexts.h"
#include "LCI/Driver/Loading.h"
#include "TweakAttribute.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace fuzz;

namespace {
class Mutator {
public:
  Mutator(ModuleOp module, uint64_t seed) : dice(seed) {
    module.walk([&](Operation *op) {
      if (op != module)
        ops.push_back(op);
      for (NamedAttribute attribute : op->getAttrs())
        attributes.push_back(attribute);
      llvm::append_range(types, op->getResultTypes());
    });
  }

  /// Makes one change; false where the chosen one is impossible.
  bool change() {
    if (ops.empty())
      return false;
    Operation *op = dice.pick(ops);
    switch (dice.below(8)) {
    case 0:
      return erase(op);
    case 1:
      return copy(op);
    case 2:
    case 3:
      return changeOperand(op);
    case 4:
      return changeType(op);
    default:
      return changeAttribute(op);
    }
  }

private:
  /// Candidate operands of an operation: the values before it and around it.
  static SmallVector<Value> valuesFor(Operation *op) {
    SmallVector<Value> values;
    for (; op && op->getBlock(); op = op->getParentOp()) {
      for (Operation &before : llvm::make_range(op->getBlock()->begin(), op->getIterator()))
        llvm::append_range(values, before.getResults());
      llvm::append_range(values, op->getBlock()->getArguments());
      if (op->getParentOp() && op->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
        break;
    }
    return values;
  }

  /// Erases an operation; its results are replaced by earlier values.
  bool erase(Operation *op) {
    SmallVector<Value> values = valuesFor(op);
    for (Value result : op->getResults()) {
      if (result.use_empty())
        continue;
      auto other =
          llvm::find_if(values, [&](Value value) { return value.getType() == result.getType(); });
      if (other == values.end())
        return false;
      result.replaceAllUsesWith(*other);
    }
    for (Region &region : op->getRegions())
      region.dropAllReferences();
    ops.clear(); // some may have been nested in it
    op->erase();
    return true;
  }

  /// Clones an operation, behind it or before another one.
  bool copy(Operation *op) {
    Operation *other = dice.below(2) ? op : dice.pick(ops);
    if (op->isAncestor(other) && op != other)
      return false;
    Operation *copy = op->clone();
    other->getBlock()->getOperations().insert(other->getIterator(), copy);
    ops.push_back(copy);
    return true;
  }

  bool changeOperand(Operation *op) {
    SmallVector<Value> values = valuesFor(op);
    if (values.empty())
      return false;
    Value value = dice.pick(values);
    unsigned count = op->getNumOperands();
    unsigned kind = dice.below(8);
    if (kind == 0 || count == 0)
      return op->insertOperands(count, value), true;
    unsigned number = dice.below(count);
    if (kind == 1)
      return op->eraseOperand(number), true;
    if (kind < 7) // one of the same type
      llvm::erase_if(values, [&](Value other) {
        return other.getType() != op->getOperand(number).getType() ||
               other == op->getOperand(number);
      });
    if (values.empty())
      return false;
    op->setOperand(number, dice.pick(values));
    return true;
  }

  bool changeType(Operation *op) {
    if (op->getNumResults() == 0 || types.empty())
      return false;
    Value result = op->getResult(dice.below(op->getNumResults()));
    result.setType(dice.below(2) ? dice.pick(types) : tweakType(result.getType(), dice));
    return true;
  }

  bool changeAttribute(Operation *op) {
    if (attributes.empty())
      return false;
    ArrayRef<NamedAttribute> own = op->getAttrs();
    if (own.empty() || dice.below(8) == 0) {
      NamedAttribute other = dice.pick(attributes);
      return op->setAttr(other.getName(), other.getValue()), true;
    }
    NamedAttribute changed = dice.pick(own);
    if (dice.below(8) == 0)
      return op->removeAttr(changed.getName()), true;
    if (dice.below(3) > 0)
      return op->setAttr(changed.getName(), tweakAttribute(changed.getValue(), dice)), true;
    SmallVector<NamedAttribute> same = llvm::filter_to_vector(
        attributes, [&](NamedAttribute other) { return other.getName() == changed.getName(); });
    return op->setAttr(changed.getName(), dice.pick(same).getValue()), true;
  }

  Dice dice;
  SmallVector<Operation *> ops;
  SmallVector<NamedAttribute> attributes;
  SmallVector<Type> types;
};
} // namespace

std::optional<std::string> fuzz::mutateIR(StringRef input, uint64_t seed) {
  MLIRContext &context = contextForInput();
  Listener listener(context);
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(input, "input.mlir");
  if (failed(mlir::lci::checkNest(*buffer, &context)))
    return std::nullopt;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(input, ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!module)
    return std::nullopt;
  Mutator mutator(*module, seed);
  bool changed = false;
  for (unsigned tries = 0; tries < 20 && !changed; ++tries)
    changed = mutator.change();
  if (!changed)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  // Invalid IR has only the generic form.
  module->print(os, OpPrintingFlags().printGenericOpForm().useLocalScope());
  return text;
}
