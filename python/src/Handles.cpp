//===- Handles.cpp - What Python holds of a module ------------------------===//

#include "Handles.h"

using namespace lmpm::python;
using namespace mlir;

Handle::~Handle() {
  if (target)
    module->handles->known.erase(target);
}

void *Handle::get() const {
  if (!target)
    lmpm::python::raise(
        ErrorId::InvalidReference,
        "the operation is gone: it was erased, or passes ran over its module since; "
        "look it up again");
  return target;
}

std::shared_ptr<Handle> Handles::of(const std::shared_ptr<Module> &module, void *target) {
  std::weak_ptr<Handle> &entry = known[target];
  std::shared_ptr<Handle> handle = entry.lock();
  if (!handle)
    entry = handle = std::make_shared<Handle>(module, target);
  return handle;
}

void Handles::kill(void *target) {
  auto entry = known.find(target);
  if (entry == known.end())
    return;
  if (std::shared_ptr<Handle> handle = entry->second.lock())
    handle->target = nullptr;
  known.erase(target);
}

void Handles::erase(Operation *op) {
  op->walk([this](Operation *nested) {
    for (Region &region : nested->getRegions())
      for (Block &block : region)
        kill(&block);
    kill(nested);
  });
}

void Handles::keepOnly(Operation *op) {
  SmallVector<void *> others;
  for (const auto &[target, handle] : known)
    if (target != op)
      others.push_back(target);
  for (void *target : others)
    kill(target);
}

PyOperation::PyOperation(const std::shared_ptr<Module> &module, Operation *op)
    : handle(module->handles->of(module, op)) {}

PyBlock::PyBlock(const std::shared_ptr<Module> &module, Block *block)
    : handle(module->handles->of(module, block)) {}

PyValue::PyValue(const std::shared_ptr<Module> &module, Value value)
    : isArgument(isa<BlockArgument>(value)) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    owner = PyBlock(module, argument.getOwner()).handle;
    index = argument.getArgNumber();
  } else {
    owner = PyOperation(module, value.getDefiningOp()).handle;
    index = cast<OpResult>(value).getResultNumber();
  }
}

Value PyValue::get() const {
  if (isArgument)
    return static_cast<Block *>(owner->get())->getArgument(index);
  return static_cast<Operation *>(owner->get())->getResult(index);
}

//===----------------------------------------------------------------------===//
// What may be done with what
//===----------------------------------------------------------------------===//

Value PyValue::in(const std::shared_ptr<Module> &module) const {
  Value value = get();
  if (owner->module != module)
    raise(lmpm::ErrorId::InvalidReference,
          "expected a value of the same module, but got one of another module");
  return value;
}

static void expectSame(const Context &own, const Context &other, const char *what) {
  if (&own != &other)
    raise(lmpm::ErrorId::InvalidReference, std::string("expected ") + what +
                                               " of the module's context, but got one of another; "
                                               "make it in `module.context`");
}

Type PyType::in(const Context &other) const {
  expectSame(*context, other, "a type");
  return type;
}

Attribute PyAttribute::in(const Context &other) const {
  expectSame(*context, other, "an attribute");
  return attribute;
}

Working::Working(Module &module, Work work) : module(module), before(module.work) {
  if (before == Work::Patterns || (before == Work::Passes && work == Work::Passes))
    raise(lmpm::ErrorId::PassOrder, "expected a module that nobody works on, but got one whose "
                                    "passes or patterns are running; clone it");
  module.work = work;
}

void lmpm::python::expectEditable(const Module &module) {
  if (module.work == Work::Patterns)
    raise(lmpm::ErrorId::PassOrder, "a pattern changes IR by its rewriter alone");
}

static std::string nameOf(const PyOperation &op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

SmallVector<Value> lmpm::python::expectReplacements(const PyOperation &op,
                                                    const std::vector<PyValue> &values) {
  if (values.size() != op->getNumResults())
    raise(lmpm::ErrorId::InvalidReference, "expected " + std::to_string(op->getNumResults()) +
                                               " values in place of the results of " + nameOf(op) +
                                               ", but got " + std::to_string(values.size()));
  SmallVector<Value> replacements;
  for (auto [value, result] : llvm::zip(values, op->getResults())) {
    replacements.push_back(value.in(op.module()));
    if (replacements.back().getType() != result.getType())
      raise(lmpm::ErrorId::InvalidTypes,
            "expected a value of the same type in place of a result of " + nameOf(op));
    if (replacements.back().getDefiningOp() == op.get())
      raise(lmpm::ErrorId::InvalidReference,
            "expected another operation's value in place of a result of " + nameOf(op));
  }
  return replacements;
}

void lmpm::python::expectUnused(const PyOperation &op) {
  if (!op->getBlock())
    raise(lmpm::ErrorId::InvalidReference,
          "expected an operation in a module to erase, but got the module");
  if (!op->use_empty())
    raise(lmpm::ErrorId::InvalidReference,
          "expected an operation without uses to erase, but somebody uses a result of " +
              nameOf(op));
}
