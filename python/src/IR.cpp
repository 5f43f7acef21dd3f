//===- IR.cpp - Operations, regions, blocks, values -----------------------===//
//
// Wrappers over MLIR's classes, as thin as handles allow. Types and attributes
// are in Attributes.cpp.
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"
#include "Handles.h"
#include "LCI/Bindings/Nest.h"
#include "Rooms.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

using namespace lmpm::python;
using namespace mlir;
using lmpm::ErrorId;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static std::string print(Operation *op, bool generic, bool locations, bool localScope) {
  OpPrintingFlags flags;
  if (generic)
    flags.printGenericOpForm();
  if (locations)
    flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  if (localScope)
    flags.useLocalScope();
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, flags);
  return text;
}

static std::string printOperation(const PyOperation &op, bool generic, bool locations) {
  return print(op.get(), generic, locations, /*localScope=*/true);
}

static void verifyOperation(const PyOperation &op) {
  Collector collector(*op.module()->context);
  collector.check(verify(op.get()));
}

/// Handles of an operation and of all within it, in the order of a walk; those that go while
/// somebody looks at others say so themselves.
static std::vector<PyOperation> walk(const PyOperation &root, const std::string &order) {
  std::vector<PyOperation> found;
  auto visit = [&](Operation *op) { found.emplace_back(root.module(), op); };
  if (order == "pre")
    root->walk<WalkOrder::PreOrder>(visit);
  else if (order == "post")
    root->walk<WalkOrder::PostOrder>(visit);
  else
    raise(ErrorId::CommandLine,
          "expected 'pre' or 'post' for the order of a walk, but got '" + order + "'");
  return found;
}

static void eraseOperation(const PyOperation &op) {
  expectEditable(*op.module());
  expectUnused(op);
  Operation *raw = op.get();
  op.module()->handles->erase(raw);
  raw->erase();
}

static void replaceUses(const PyOperation &op, const std::vector<PyValue> &values) {
  expectEditable(*op.module());
  op->replaceAllUsesWith(expectReplacements(op, values));
}

/// Throws if a block lies so deep that what walks and prints IR, by recursion, would not return.
static void expectShallow(Block *block, const std::string &name) {
  unsigned depth = 0;
  for (Operation *around = block->getParentOp(); around; around = around->getParentOp())
    ++depth;
  if (depth > ::lci::kMaxIRNest)
    raise(ErrorId::NestedTooDeep, "expected a place for '" + name + "' within at most " +
                                      std::to_string(::lci::kMaxIRNest) +
                                      " operations, but got one within " + std::to_string(depth));
}

static void moveBefore(const PyOperation &op, const PyOperation &other) {
  expectEditable(*op.module());
  if (op.module() != other.module() || !op->getBlock() || !other->getBlock() ||
      op->isAncestor(other.get()))
    raise(ErrorId::InvalidReference, "expected two operations in one module to move one before the "
                                     "other, which does not hold the other");
  expectShallow(other->getBlock(), op->getName().getStringRef().str());
  op->moveBefore(other.get());
}

static void setOperand(const PyOperation &op, int64_t index, const PyValue &value) {
  expectEditable(*op.module());
  if (index < 0 || index >= op->getNumOperands())
    throw py::index_error("expected the number of an operand of '" +
                          op->getName().getStringRef().str() + "', which has " +
                          std::to_string(op->getNumOperands()) + ", but got " +
                          std::to_string(index));
  op->setOperand(index, value.in(op.module()));
}

static py::object findSymbol(const PyOperation &op, const std::string &name) {
  if (!op->hasTrait<OpTrait::SymbolTable>())
    raise(ErrorId::InvalidReference, "expected an operation with symbols, but got '" +
                                         op->getName().getStringRef().str() + "'");
  Operation *found = op->getNumRegions() ? SymbolTable::lookupSymbolIn(op.get(), name) : nullptr;
  return found ? py::cast(PyOperation(op.module(), found)) : py::none();
}

template <typename Range>
static std::vector<PyValue> valuesOf(const std::shared_ptr<Module> &module, Range &&range) {
  std::vector<PyValue> values;
  for (Value value : range)
    values.emplace_back(module, value);
  return values;
}

static std::string locationOf(const PyOperation &op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getLoc();
  return text;
}

/// No operation has more, by far.
constexpr int64_t kMaxRegions = 1000;

static unsigned expectRegions(int64_t regions, const std::string &name) {
  if (regions < 0 || regions > kMaxRegions)
    raise(ErrorId::InvalidBody, "expected from 0 to " + std::to_string(kMaxRegions) +
                                    " regions of '" + name + "', but got " +
                                    std::to_string(regions));
  return regions;
}

/// Makes an operation before another one, or at the end of a block.
static PyOperation create(const std::string &name, const std::vector<PyValue> &operands,
                          const std::vector<PyType> &results, const py::dict &attributes,
                          int64_t regions, std::optional<PyOperation> before,
                          std::optional<PyBlock> atEnd) {
  if (before.has_value() == atEnd.has_value())
    raise(ErrorId::InvalidReference,
          "expected one place for '" + name + "': 'before' an operation or 'at_end' of a block");
  const std::shared_ptr<Module> &module = before ? before->module() : atEnd->handle->module;
  expectEditable(*module);
  if (before && !(*before)->getBlock())
    raise(ErrorId::InvalidReference,
          "expected an operation in a module to make '" + name + "' before, but got the module");
  expectShallow(before ? (*before)->getBlock() : atEnd->get(), name);
  unsigned numRegions = expectRegions(regions, name);
  OpBuilder builder(&module->context->mlir);
  before ? builder.setInsertionPoint(before->get()) : builder.setInsertionPointToEnd(atEnd->get());
  Location location = before ? (*before)->getLoc() : builder.getUnknownLoc();
  OperationState state = makeState(module, location, name, operands, results, attributes);
  for (unsigned i = 0; i < numRegions; ++i)
    state.addRegion()->emplaceBlock();
  return PyOperation(module, builder.create(state));
}

//===----------------------------------------------------------------------===//
// To Python
//===----------------------------------------------------------------------===//

/// The classes of lmpm/operations.py, by the names of their operations.
static py::dict &operationClasses() {
  static auto *classes = new py::dict(); // Python may end before the process does
  return *classes;
}

py::handle lmpm::python::makeOfClass(const PyOperation &op) {
  if (!op.handle->isAlive())
    return {};
  StringRef name = op->getName().getStringRef();
  PyObject *found =
      PyDict_GetItemWithError(operationClasses().ptr(), py::str(name.data(), name.size()).ptr());
  if (!found)
    return {};
  // As pybind11 makes objects of the class itself, which is all that it makes.
  auto made = py::reinterpret_steal<py::object>(
      py::detail::make_new_instance(reinterpret_cast<PyTypeObject *>(found)));
  auto *instance = reinterpret_cast<py::detail::instance *>(made.ptr());
  py::detail::value_and_holder place = *py::detail::values_and_holders(instance).begin();
  place.value_ptr() = new PyOperation(op);
  instance->owned = true;
  place.type->init_instance(instance, nullptr);
  return made.release();
}

/// Makes the classes themselves, so that each one's functions can name the others.
static void declareClasses(py::module_ &module) {
  py::class_<PyType>(module, "Type", "A type of values, such as `tensor<4xf32>`.");
  py::class_<PyAttribute>(module, "Attribute", "An attribute, such as `3 : i32`.");
  py::class_<PyAttributes>(module, "Attributes", "The attributes of an operation, by name.");
  py::class_<PyOperation>(module, "Operation", "An operation of a module.");
  py::class_<PyRegion>(module, "Region", "A region of an operation.");
  py::class_<PyBlock>(module, "Block", "A block: a list of operations, and arguments.");
  py::class_<PyValue>(module, "Value",
                      "A value: a result of an operation or an argument of a block.");
}

static void registerOperation(py::module_ &module) {
  declared<PyOperation>(module, "Operation")
      .def_property_readonly(
          "name", [](const PyOperation &op) { return op->getName().getStringRef().str(); },
          "Its name with its dialect's, such as `lci.rule`.")
      .def_property_readonly(
          "attributes", [](const PyOperation &op) { return PyAttributes{op}; },
          "Its attributes, to be read and set like a dictionary.")
      .def_property_readonly(
          "operands",
          [](const PyOperation &op) { return valuesOf(op.module(), op->getOperands()); },
          "The values it takes.")
      .def("set_operand", &setOperand, py::arg("index"), py::arg("value"),
           "Has it take another value.")
      .def_property_readonly(
          "results", [](const PyOperation &op) { return valuesOf(op.module(), op->getResults()); },
          "The values it gives.")
      .def_property_readonly(
          "regions",
          [](const PyOperation &op) {
            std::vector<PyRegion> regions;
            for (unsigned i = 0; i < op->getNumRegions(); ++i)
              regions.push_back({op, i});
            return regions;
          },
          "Its regions.")
      .def_property_readonly(
          "parent",
          [](const PyOperation &op) -> std::optional<PyOperation> {
            Operation *parent = op->getParentOp();
            return parent ? std::optional(PyOperation(op.module(), parent)) : std::nullopt;
          },
          "The operation around it; None for a module.")
      .def_property_readonly("location", &locationOf, "Where it comes from, as MLIR writes it.")
      .def_property_readonly(
          "alive", [](const PyOperation &op) { return op.handle->isAlive(); },
          "Whether it is still there; nothing else may be asked if not.");
}

static void registerChanges(py::module_ &module) {
  declared<PyOperation>(module, "Operation")
      .def("walk", &walk, py::arg("order") = "pre",
           "A list of it and all operations within it; `pre` has an operation before what is in "
           "it, `post` behind.")
      .def("find", &findSymbol, py::arg("symbol"), "The operation of a symbol in it, or None.")
      .def("erase", &eraseOperation, "Removes it, which nobody may use.")
      .def("replace_uses", &replaceUses, py::arg("values"),
           "Has everyone who takes its results take these values.")
      .def("move_before", &moveBefore, py::arg("other"),
           "Moves it before another operation of its module.")
      .def("verify", &verifyOperation, "Raises `lmpm.Error` if it or something within is wrong.")
      .def("print", &printOperation, py::arg("generic") = false, py::arg("locations") = false,
           "Its text; `generic` as MLIR prints what it does not know, with `locations` or without.")
      .def("__str__", [](const PyOperation &op) { return printOperation(op, false, false); })
      .def("__repr__",
           [](const PyOperation &op) {
             return op.handle->isAlive() ? "<" + op->getName().getStringRef().str() + ">"
                                         : std::string("<an operation that is gone>");
           })
      .def(
          "__eq__",
          [](const PyOperation &op, const PyOperation &other) { return op.handle == other.handle; },
          py::is_operator())
      .def("__hash__",
           [](const PyOperation &op) { return std::hash<Handle *>()(op.handle.get()); });
}

static void registerStructure(py::module_ &module) {
  declared<PyRegion>(module, "Region")
      .def_property_readonly(
          "blocks",
          [](const PyRegion &self) {
            std::vector<PyBlock> blocks;
            for (Block &block : self.get())
              blocks.emplace_back(self.owner.module(), &block);
            return blocks;
          },
          "Its blocks.");
  declared<PyBlock>(module, "Block")
      .def_property_readonly(
          "arguments",
          [](const PyBlock &self) { return valuesOf(self.handle->module, self->getArguments()); },
          "The values it gives.")
      .def_property_readonly(
          "operations",
          [](const PyBlock &self) {
            std::vector<PyOperation> operations;
            for (Operation &op : *self.get())
              operations.emplace_back(self.handle->module, &op);
            return operations;
          },
          "Its operations.")
      .def(
          "add_argument",
          [](const PyBlock &self, const PyType &type) {
            Location location = UnknownLoc::get(type.type.getContext());
            Type own = type.in(*self.handle->module->context);
            return PyValue(self.handle->module, self->addArgument(own, location));
          },
          py::arg("type"), "Appends an argument.");
}

static void registerValues(py::module_ &module) {
  declared<PyValue>(module, "Value")
      .def_property_readonly(
          "type",
          [](const PyValue &self) {
            return PyType{self.owner->module->context, self.get().getType()};
          },
          "Its type.")
      .def_property_readonly(
          "owner",
          [](const PyValue &self) -> std::optional<PyOperation> {
            Operation *op = self.get().getDefiningOp();
            return op ? std::optional(PyOperation(self.owner->module, op)) : std::nullopt;
          },
          "The operation whose result it is; None for an argument.")
      .def_property_readonly(
          "users",
          [](const PyValue &self) {
            std::vector<PyOperation> users;
            for (Operation *user : self.get().getUsers())
              users.emplace_back(self.owner->module, user);
            return users;
          },
          "The operations that take it.")
      .def(
          "__eq__",
          [](const PyValue &self, const PyValue &other) { return self.get() == other.get(); },
          py::is_operator())
      .def("__hash__", [](const PyValue &self) { return size_t(hash_value(self.get())); })
      .def("__str__", [](const PyValue &self) {
        std::string text;
        llvm::raw_string_ostream os(text);
        self.get().print(os);
        return text;
      });
}

static py::bytes toBytecode(Module &module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  Collector collector(*module.context);
  collector.check(module.writeBytecode(os));
  return py::bytes(bytes);
}

void lmpm::python::registerIR(py::module_ &module) {
  declareClasses(module);
  module.attr("operation_classes") = operationClasses();
  registerAttributes(module);
  registerOperation(module);
  registerChanges(module);
  registerStructure(module);
  registerValues(module);
  module.def("create", &create, py::arg("name"), py::arg("operands") = py::list(),
             py::arg("results") = py::list(), py::arg("attributes") = py::dict(),
             py::arg("regions") = 0, py::kw_only(), py::arg("before") = py::none(),
             py::arg("at_end") = py::none(),
             "Makes an operation `before` another one or `at_end` of a block; each of its regions "
             "has one empty block.");
  py::class_<Module, std::shared_ptr<Module>> self = module.attr("Module");
  self.def_property_readonly(
          "operation",
          [](const std::shared_ptr<Module> &self) {
            return PyOperation(self, self->op->getOperation());
          },
          "The `builtin.module` itself.")
      .def(
          "walk",
          [](const std::shared_ptr<Module> &self, const std::string &order) {
            return walk(PyOperation(self, self->op->getOperation()), order);
          },
          py::arg("order") = "pre", "A list of all its operations, itself the first or the last.")
      .def(
          "verify",
          [](const std::shared_ptr<Module> &self) {
            verifyOperation(PyOperation(self, self->op->getOperation()));
          },
          "Raises `lmpm.Error` if something is wrong.")
      .def(
          "print",
          [](Module &self, bool generic, bool locations) {
            return print(self.op->getOperation(), generic, locations, /*localScope=*/false);
          },
          py::arg("generic") = false, py::arg("locations") = false,
          "Its text, which `Module.parse` reads.")
      .def("to_bytecode", &toBytecode, "MLIR's bytecode, which `Module.parse` reads.")
      .def("clone", &Module::isolate, "The same module in a context of its own.");
}
