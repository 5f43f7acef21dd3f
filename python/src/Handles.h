//===- Handles.h - What Python holds of a module ----------------*- C++ -*-===//
//
// Python may keep an operation for longer than the operation lives. It holds a
// handle, which the module knows and tells when its operation goes; whoever asks
// it then gets an exception.
//
//===----------------------------------------------------------------------===//
#ifndef LMPM_PYTHON_HANDLES_H
#define LMPM_PYTHON_HANDLES_H

#include "Core.h"
#include <pybind11/pybind11.h>

namespace lmpm::python {

/// A handle of an operation or of a block, one for each that Python holds.
class Handle {
public:
  Handle(std::shared_ptr<Module> module, void *target)
      : module(std::move(module)), target(target) {}
  ~Handle();

  /// What it is a handle of, or an exception.
  void *get() const;
  bool isAlive() const { return target; }

  const std::shared_ptr<Module> module;

private:
  friend class Handles;
  void *target;
};

/// Those of one module.
class Handles {
public:
  std::shared_ptr<Handle> of(const std::shared_ptr<Module> &module, void *target);
  /// Says that an operation and all within it are about to go.
  void erase(mlir::Operation *op);
  void erase(mlir::Block *block) { kill(block); }
  /// Says that anything but this operation may have gone.
  void keepOnly(mlir::Operation *op);

private:
  friend class Handle;
  void kill(void *target);

  llvm::DenseMap<void *, std::weak_ptr<Handle>> known;
};

/// `Operation` in Python.
struct PyOperation {
  PyOperation(const std::shared_ptr<Module> &module, mlir::Operation *op);
  mlir::Operation *get() const { return static_cast<mlir::Operation *>(handle->get()); }
  mlir::Operation *operator->() const { return get(); }
  const std::shared_ptr<Module> &module() const { return handle->module; }

  std::shared_ptr<Handle> handle;
};

/// `Block` in Python.
struct PyBlock {
  PyBlock(const std::shared_ptr<Module> &module, mlir::Block *block);
  mlir::Block *get() const { return static_cast<mlir::Block *>(handle->get()); }
  mlir::Block *operator->() const { return get(); }

  std::shared_ptr<Handle> handle;
};

/// `Region` in Python: one of an operation's.
struct PyRegion {
  PyOperation owner;
  unsigned index;
  mlir::Region &get() const { return owner->getRegion(index); }
};

/// `Value` in Python: a result of an operation, or an argument of a block, by its handle.
struct PyValue {
  PyValue(const std::shared_ptr<Module> &module, mlir::Value value);
  mlir::Value get() const;
  /// The same for who works in this module; an exception if it is of another one.
  mlir::Value in(const std::shared_ptr<Module> &module) const;

  std::shared_ptr<Handle> owner;
  bool isArgument;
  unsigned index;
};

/// `Type` and `Attribute` in Python; they live as long as their context.
struct PyType {
  mlir::Type in(const Context &other) const;

  std::shared_ptr<Context> context;
  mlir::Type type;
};
struct PyAttribute {
  mlir::Attribute in(const Context &other) const;

  std::shared_ptr<Context> context;
  mlir::Attribute attribute;
};

/// Says who is at work on a module while it lives, or throws if nobody may be now.
class Working {
public:
  Working(Module &module, Work work);
  ~Working() { module.work = before; }

private:
  Module &module;
  Work before;
};

/// Throws while patterns are at work, which change IR by their rewriter alone.
void expectEditable(const Module &module);

/// Throws if values cannot stand for the results of an operation.
llvm::SmallVector<mlir::Value> expectReplacements(const PyOperation &op,
                                                  const std::vector<PyValue> &values);

/// Throws if an operation cannot be erased.
void expectUnused(const PyOperation &op);

/// A Python object of an operation's class in lmpm/operations.py; null if it has none.
pybind11::handle makeOfClass(const PyOperation &op);

} // namespace lmpm::python

namespace pybind11::detail {
template <>
struct type_caster<lmpm::python::PyOperation> : type_caster_base<lmpm::python::PyOperation> {
  template <typename Source>
  static handle cast(Source &&source, return_value_policy policy, handle parent) {
    if (handle made = lmpm::python::makeOfClass(source))
      return made;
    return type_caster_base::cast(std::forward<Source>(source), policy, parent);
  }
};
} // namespace pybind11::detail

#endif // LMPM_PYTHON_HANDLES_H
