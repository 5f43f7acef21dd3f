//===- DeclarationIndex.cpp - Fast lookup of declarations -----------------===//

#include "LCI/Dialect/DeclarationIndex.h"

using namespace mlir;
using namespace mlir::lci;

/// The index that this thread uses now.
static thread_local const DeclarationIndex *current = nullptr;

Operation *mlir::lci::getDeclaration(Operation *op) {
  while (!isa<ProgramOp>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

StringRef mlir::lci::getValueOf(Operation *declaration) {
  auto value = declaration->getAttrOfType<FlatSymbolRefAttr>("value");
  return value ? value.getValue() : StringRef();
}

DeclarationIndex::DeclarationIndex(ProgramOp program) : program(program), outer(current) {
  for (Operation &declaration : program.getBody().front()) {
    if (auto value = dyn_cast<ValueOp>(declaration))
      values[value.getName()] = value;
    else if (StringRef value = getValueOf(&declaration); !value.empty())
      declarations[value].push_back(&declaration);
  }
  current = this;
}

DeclarationIndex::~DeclarationIndex() { current = outer; }

const DeclarationIndex *DeclarationIndex::find(ProgramOp program) {
  return current && current->program == program ? current : nullptr;
}

ArrayRef<Operation *> DeclarationIndex::getDeclarationsOn(StringRef value) const {
  auto found = declarations.find(value);
  return found == declarations.end() ? ArrayRef<Operation *>() : found->second;
}
