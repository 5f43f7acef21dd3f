//===- Capsules.cpp - Contexts, modules and operations of others ----------===//
//
// Packages over MLIR hand objects to each other as capsules of upstream's names, `_CAPIPtr` and
// `_CAPICreate` (mlir-c/Bindings/Python/Interop.h). A capsule of ours keeps its object alive, and
// gives that object back. One of another package is taken over, as upstream says, and is then used
// up.
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "Rooms.h"
#include "mlir/IR/Verifier.h"

using namespace lmpm::python;
using namespace mlir;

static constexpr char kContext[] = "mlir.ir.Context._CAPIPtr";
static constexpr char kModule[] = "mlir.ir.Module._CAPIPtr";
static constexpr char kOperation[] = "mlir.ir.Operation._CAPIPtr";
static constexpr char kUsed[] = "a capsule that is used up";

//===----------------------------------------------------------------------===//
// Capsules
//===----------------------------------------------------------------------===//

static void release(PyObject *capsule) {
  Py_XDECREF(static_cast<PyObject *>(PyCapsule_GetContext(capsule)));
}

/// A capsule that keeps alive what it is of.
static py::object makeCapsule(py::object self, void *pointer, const char *name) {
  PyObject *made = PyCapsule_New(pointer, name, &release);
  if (!made)
    throw py::error_already_set();
  PyCapsule_SetContext(made, self.release().ptr());
  return py::reinterpret_steal<py::object>(made);
}

static void *open(const py::object &capsule, const char *name) {
  if (PyCapsule_CheckExact(capsule.ptr()) && PyCapsule_IsValid(capsule.ptr(), name))
    return PyCapsule_GetPointer(capsule.ptr(), name);
  std::string got = py::cast<std::string>(py::repr(capsule));
  if (PyCapsule_CheckExact(capsule.ptr()))
    if (const char *other = PyCapsule_GetName(capsule.ptr()))
      got = "'" + std::string(other) + "'";
  throw py::type_error("expected a capsule '" + std::string(name) + "', but got " + got);
}

/// The object that made a capsule, if that was one of ours.
static py::object originOf(const py::object &capsule) {
  if (PyCapsule_GetDestructor(capsule.ptr()) != &release)
    return py::none();
  return py::reinterpret_borrow<py::object>(
      static_cast<PyObject *>(PyCapsule_GetContext(capsule.ptr())));
}

static void useUp(const py::object &capsule) { PyCapsule_SetName(capsule.ptr(), kUsed); }

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

namespace {
/// Objects by their pointers: another package may hand one of ours back in a capsule of its own.
template <typename T>
class Known {
public:
  void add(void *pointer, const std::shared_ptr<T> &object) {
    for (auto entry = objects.begin(); entry != objects.end();)
      entry = entry->second.expired() ? objects.erase(entry) : std::next(entry);
    objects[pointer] = object;
  }
  std::shared_ptr<T> find(void *pointer) const {
    auto found = objects.find(pointer);
    return found == objects.end() ? nullptr : found->second.lock();
  }

private:
  std::map<void *, std::weak_ptr<T>> objects;
};
} // namespace

static Known<Context> &knownContexts() {
  static auto *all = new Known<Context>(); // calls come until the process ends
  return *all;
}
static Known<lmpm::python::Module> &knownModules() {
  static auto *all = new Known<lmpm::python::Module>();
  return *all;
}

//===----------------------------------------------------------------------===//
// To and from capsules
//===----------------------------------------------------------------------===//

static py::object contextToCapsule(const std::shared_ptr<Context> &self) {
  knownContexts().add(&self->mlir, self);
  return makeCapsule(py::cast(self), &self->mlir, kContext);
}

static std::shared_ptr<Context> adoptContext(MLIRContext &context, bool owns) {
  std::shared_ptr<Context> known = knownContexts().find(&context);
  if (!known) {
    known = Context::adopt(context, owns);
    knownContexts().add(&context, known);
  } else if (owns && !known->isOwned()) {
    known->own();
  }
  return known;
}

static py::object contextFromCapsule(const py::object &capsule) {
  void *pointer = open(capsule, kContext);
  if (py::object origin = originOf(capsule); !origin.is_none())
    return origin;
  auto made = adoptContext(*static_cast<MLIRContext *>(pointer), /*owns=*/true);
  useUp(capsule);
  return py::cast(made);
}

static py::object moduleToCapsule(const std::shared_ptr<lmpm::python::Module> &self) {
  Operation *op = self->op->getOperation();
  knownModules().add(op, self);
  return makeCapsule(py::cast(self), op, kModule);
}

/// A module of ours, or one that becomes it, with the context that somebody else owns.
static std::shared_ptr<lmpm::python::Module> adoptModule(Operation *op) {
  if (auto known = knownModules().find(op))
    return known;
  auto module = dyn_cast<ModuleOp>(op);
  if (!module || op->getBlock())
    throw py::type_error("expected a module that nothing is around, but got '" +
                         op->getName().getStringRef().str() + "'");
  auto context = adoptContext(*op->getContext(), /*owns=*/false);
  auto made = std::make_shared<lmpm::python::Module>(context, OwningOpRef<ModuleOp>(module));
  knownModules().add(op, made);
  return made;
}

static py::object moduleFromCapsule(const py::object &capsule) {
  void *pointer = open(capsule, kModule);
  if (py::object origin = originOf(capsule); !origin.is_none())
    return origin;
  auto made = adoptModule(static_cast<Operation *>(pointer));
  useUp(capsule);
  return py::cast(made);
}

static py::object operationToCapsule(const PyOperation &self) {
  knownModules().add(self.module()->op->getOperation(), self.module());
  return makeCapsule(py::cast(self), self.get(), kOperation);
}

/// An operation of another package is one in a module that is ours already, or a whole module.
static py::object operationFromCapsule(const py::object &capsule) {
  void *pointer = open(capsule, kOperation);
  if (py::object origin = originOf(capsule); !origin.is_none())
    return origin;
  auto *op = static_cast<Operation *>(pointer), *root = op;
  while (Operation *parent = root->getParentOp())
    root = parent;
  bool isKnown = root != op && knownModules().find(root);
  PyOperation made(adoptModule(isKnown ? root : op), op);
  useUp(capsule);
  return py::cast(made);
}

void lmpm::python::registerCapsules(py::module_ &module) {
  py::class_<Context, std::shared_ptr<Context>> context = module.attr("Context");
  context
      .def_property_readonly("_CAPIPtr", &contextToCapsule,
                             "A capsule of it for other packages over the same libMLIR.so.")
      .def_static("_CAPICreate", &contextFromCapsule, py::arg("capsule"),
                  "The context of a capsule; one of another package is owned from then on.");
  py::class_<Module, std::shared_ptr<Module>> ofModules = module.attr("Module");
  ofModules
      .def_property_readonly("_CAPIPtr", &moduleToCapsule,
                             "A capsule of it for other packages over the same libMLIR.so.")
      .def_static("_CAPICreate", &moduleFromCapsule, py::arg("capsule"),
                  "The module of a capsule; one of another package is owned from then on, but not "
                  "its context.");
  py::class_<PyOperation> operation = module.attr("Operation");
  operation
      .def_property_readonly("_CAPIPtr", &operationToCapsule,
                             "A capsule of it for other packages over the same libMLIR.so.")
      .def_static("_CAPICreate", &operationFromCapsule, py::arg("capsule"),
                  "The operation of a capsule: a module, or one in a module that is known here.");
}
