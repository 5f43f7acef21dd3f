//===- Attributes.cpp - Attributes and types in Python --------------------===//

#include "Attributes.h"
#include "LCI/Bindings/Nest.h"
#include "LCI/Driver/Loading.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"

namespace py = pybind11;
using namespace lmpm::python;
using namespace mlir;
using lmpm::ErrorId;

//===----------------------------------------------------------------------===//
// From and to values of Python
//===----------------------------------------------------------------------===//

static int64_t toInteger(const py::object &value) {
  int overflows = 0;
  int64_t integer = PyLong_AsLongLongAndOverflow(value.ptr(), &overflows);
  if (overflows)
    raise(ErrorId::InvalidAttribute,
          "expected an integer of 64 bits, but got " + py::cast<std::string>(py::str(value)));
  return integer;
}

/// A string as UTF-8, which half of a pair of surrogates has not.
static std::string toText(py::handle string) {
  Py_ssize_t size = 0;
  const char *bytes =
      PyUnicode_Check(string.ptr()) ? PyUnicode_AsUTF8AndSize(string.ptr(), &size) : nullptr;
  if (bytes)
    return {bytes, static_cast<size_t>(size)};
  PyErr_Clear();
  raise(ErrorId::UnreadableText,
        "expected text that UTF-8 can say, but got " + py::cast<std::string>(py::repr(string)));
}

/// A string of Python, if the bytes of MLIR's are UTF-8.
static py::str fromText(StringRef bytes) {
  const auto *first = reinterpret_cast<const llvm::UTF8 *>(bytes.begin());
  if (!llvm::isLegalUTF8String(&first, reinterpret_cast<const llvm::UTF8 *>(bytes.end())))
    raise(ErrorId::UnreadableText,
          "expected an attribute whose text is UTF-8, but got the byte 0x" +
              llvm::utohexstr(*first) + "; str shows all bytes of it");
  return py::str(bytes.data(), bytes.size());
}

/// How many attributes and types are one in another; each is asked once, however often it is used.
template <typename T>
static unsigned depthOf(T outer, llvm::DenseMap<const void *, unsigned> &known) {
  if (auto found = known.find(outer.getAsOpaquePointer()); found != known.end())
    return found->second;
  unsigned inner = 0;
  auto look = [&](auto part) { inner = std::max(inner, part ? depthOf(part, known) : 0); };
  outer.walkImmediateSubElements(look, look);
  return known[outer.getAsOpaquePointer()] = inner + 1;
}

[[noreturn]] static void raiseTooDeep() {
  raise(ErrorId::NestedTooDeep, "expected an attribute of at most " +
                                    std::to_string(::lci::kMaxIRNest) +
                                    " levels, but got one that is nested deeper");
}

/// What is made of attributes that were there can be deeper than each value of Python.
static Attribute expectShallow(Attribute made) {
  llvm::DenseMap<const void *, unsigned> known;
  if (depthOf(made, known) > ::lci::kMaxIRNest)
    raiseTooDeep();
  return made;
}

static Attribute convert(const std::shared_ptr<Context> &context, const py::object &value,
                         unsigned levels) {
  if (levels == 0)
    raiseTooDeep();
  auto inner = [&](py::handle item) {
    return convert(context, py::reinterpret_borrow<py::object>(item), levels - 1);
  };
  Builder builder(&context->mlir);
  if (py::isinstance<PyAttribute>(value))
    return py::cast<PyAttribute>(value).in(*context);
  if (py::isinstance<PyType>(value))
    return TypeAttr::get(py::cast<PyType>(value).in(*context));
  if (py::isinstance<py::bool_>(value))
    return builder.getBoolAttr(py::cast<bool>(value));
  if (py::isinstance<py::int_>(value))
    return builder.getI64IntegerAttr(toInteger(value));
  if (py::isinstance<py::float_>(value))
    return builder.getF64FloatAttr(py::cast<double>(value));
  if (py::isinstance<py::str>(value))
    return builder.getStringAttr(toText(value));
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    SmallVector<Attribute> items;
    for (py::handle item : value)
      items.push_back(inner(item));
    return builder.getArrayAttr(items);
  }
  if (py::isinstance<py::dict>(value)) {
    SmallVector<NamedAttribute> items;
    for (auto [key, item] : py::cast<py::dict>(value))
      items.push_back(builder.getNamedAttr(toText(key), inner(item)));
    return builder.getDictionaryAttr(items);
  }
  raise(ErrorId::InvalidAttribute,
        "expected an attribute, a bool, int, float or str, or a list or dict of such, but got " +
            py::cast<std::string>(py::str(py::type::of(value).attr("__name__"))));
}

Attribute lmpm::python::toAttribute(const std::shared_ptr<Context> &context,
                                    const py::object &value) {
  return expectShallow(convert(context, value, ::lci::kMaxIRNest));
}

/// The same for who had an attribute before: numbers and names keep its type.
static Attribute toAttributeLike(Attribute before, const std::shared_ptr<Context> &context,
                                 const py::object &value) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(before);
      number && py::isinstance<py::int_>(value) && !py::isinstance<py::bool_>(value)) {
    int64_t integer = toInteger(value);
    unsigned width = number.getValue().getBitWidth();
    if (width < 64 && !llvm::isIntN(width, integer) && !llvm::isUIntN(width, integer))
      raise(ErrorId::InvalidAttribute, "expected an integer of " + std::to_string(width) +
                                           " bits, but got " + std::to_string(integer));
    return IntegerAttr::get(number.getType(), APInt(width, integer, true, true));
  }
  if (auto number = dyn_cast_or_null<FloatAttr>(before);
      number && py::isinstance<py::float_>(value))
    return FloatAttr::get(number.getType(), py::cast<double>(value));
  if (isa_and_nonnull<FlatSymbolRefAttr>(before) && py::isinstance<py::str>(value))
    return FlatSymbolRefAttr::get(&context->mlir, toText(value));
  return toAttribute(context, value);
}

void lmpm::python::expectOperation(Context &context, StringRef name) {
  context.mlir.getOrLoadDialect(name.split('.').first); // a context loads what it meets
  if (!RegisteredOperationName::lookup(name, &context.mlir))
    raise(ErrorId::InvalidReference,
          "expected the name of an operation, but no dialect has '" + name.str() + "'");
}

OperationState lmpm::python::makeState(const std::shared_ptr<Module> &module, Location location,
                                       const std::string &name,
                                       const std::vector<PyValue> &operands,
                                       const std::vector<PyType> &results,
                                       const py::dict &attributes) {
  expectOperation(*module->context, name);
  OperationState state(location, name);
  for (const PyValue &operand : operands)
    state.operands.push_back(operand.in(module));
  for (const PyType &type : results)
    state.types.push_back(type.in(*module->context));
  for (auto [key, value] : attributes)
    state.addAttribute(toText(key),
                       toAttribute(module->context, py::reinterpret_borrow<py::object>(value)));
  return state;
}

/// A list of the numbers of `array<i64: 1, 2>`; null for others.
template <typename... Dense>
static py::object toNumbers(Attribute attribute) {
  py::object found;
  auto look = [&](auto array) {
    if (!array)
      return;
    py::list numbers;
    for (auto number : array.asArrayRef())
      numbers.append(number);
    found = std::move(numbers);
  };
  (look(dyn_cast<Dense>(attribute)), ...);
  return found;
}

/// The value of an attribute that is one of Python's; None for others.
static py::object toPython(Attribute attribute) {
  if (auto truth = dyn_cast<BoolAttr>(attribute))
    return py::bool_(truth.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(attribute);
      integer && integer.getValue().isSignedIntN(64))
    return py::int_(integer.getValue().getSExtValue());
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return py::float_(number.getValueAsDouble());
  if (auto text = dyn_cast<StringAttr>(attribute))
    return fromText(text.getValue());
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(attribute))
    return fromText(symbol.getValue());
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    py::list items;
    for (Attribute item : array)
      items.append(toPython(item));
    return std::move(items);
  }
  py::object numbers = toNumbers<DenseBoolArrayAttr, DenseI32ArrayAttr, DenseI64ArrayAttr,
                                 DenseF32ArrayAttr, DenseF64ArrayAttr>(attribute);
  return numbers ? numbers : py::none();
}

/// What MLIR prints.
template <typename T>
static std::string printed(T what) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << what;
  return text;
}

/// Reads the text of a type or of an attribute.
template <typename Wrapper, typename Parser>
static Wrapper parse(const std::string &text, std::shared_ptr<Context> context, Parser parser) {
  Collector collector(*context);
  collector.check(
      mlir::lci::checkNest(*llvm::MemoryBuffer::getMemBuffer(text, "<text>"), &context->mlir));
  collector.unnamed = ErrorId::Syntax;
  auto read = parser(text, &context->mlir);
  if (!read)
    collector.raise();
  return {std::move(context), read};
}

//===----------------------------------------------------------------------===//
// Those of an operation
//===----------------------------------------------------------------------===//

static PyAttribute getAttribute(const PyAttributes &self, const std::string &name) {
  if (Attribute attribute = self.op->getAttr(name))
    return {self.op.module()->context, attribute};
  throw py::key_error(name);
}

/// Operations keep what they are made of by its type: what is of another type they do not take.
static void setAttribute(const PyAttributes &self, const std::string &name,
                         const py::object &value) {
  Attribute before = self.op->getAttr(name);
  Attribute attribute = toAttributeLike(before, self.op.module()->context, value);
  self.op->setAttr(name, attribute);
  if (self.op->getAttr(name) == attribute)
    return;
  if (before)
    self.op->setAttr(name, before);
  raise(ErrorId::InvalidAttribute, "'" + self.op->getName().getStringRef().str() +
                                       "' takes no attribute '" + name +
                                       "' of this type: " + printed(attribute));
}

static void removeAttribute(const PyAttributes &self, const std::string &name) {
  if (llvm::is_contained(self.op->getName().getAttributeNames(), name))
    raise(ErrorId::InvalidAttribute, "'" + name + "' is part of '" +
                                         self.op->getName().getStringRef().str() +
                                         "'; expected one that is not, to remove");
  if (!self.op->removeAttr(name))
    throw py::key_error(name);
}

static std::vector<py::str> namesOf(const PyAttributes &self) {
  std::vector<py::str> names;
  for (NamedAttribute attribute : self.op->getAttrDictionary())
    names.push_back(fromText(attribute.getName()));
  return names;
}

static void registerDictionary(py::module_ &module) {
  declared<PyAttributes>(module, "Attributes")
      .def("__getitem__", &getAttribute)
      .def("__setitem__", &setAttribute)
      .def("__delitem__", &removeAttribute)
      .def("__contains__", [](const PyAttributes &self,
                              const std::string &name) { return bool(self.op->getAttr(name)); })
      .def("__len__", [](const PyAttributes &self) { return self.op->getAttrDictionary().size(); })
      .def("__iter__", [](const PyAttributes &self) { return py::iter(py::cast(namesOf(self))); })
      .def("keys", &namesOf, "Their names.");
}

void lmpm::python::registerAttributes(py::module_ &module) {
  declared<PyType>(module, "Type")
      .def_static(
          "parse",
          [](const std::string &text, std::shared_ptr<Context> context) {
            return parse<PyType>(text, std::move(context), [](StringRef text, MLIRContext *in) {
              return parseType(text, in);
            });
          },
          py::arg("text"), py::arg("context"), "Reads its text, such as `tensor<4xf32>`.")
      .def(
          "__eq__", [](const PyType &self, const PyType &other) { return self.type == other.type; },
          py::is_operator())
      .def("__hash__", [](const PyType &self) { return size_t(hash_value(self.type)); })
      .def("__str__", [](const PyType &self) { return printed(self.type); })
      .def("__repr__", [](const PyType &self) { return "Type(" + printed(self.type) + ")"; });
  declared<PyAttribute>(module, "Attribute")
      .def_static(
          "parse",
          [](const std::string &text, std::shared_ptr<Context> context) {
            return parse<PyAttribute>(
                text, std::move(context),
                [](StringRef text, MLIRContext *in) { return parseAttribute(text, in); });
          },
          py::arg("text"), py::arg("context"), "Reads its text, such as `3 : i32`.")
      .def_property_readonly(
          "value", [](const PyAttribute &self) { return toPython(self.attribute); },
          "Its value, where Python has such: a bool, int, float, str or list; "
          "None otherwise.")
      .def(
          "__eq__",
          [](const PyAttribute &self, const PyAttribute &other) {
            return self.attribute == other.attribute;
          },
          py::is_operator())
      .def("__hash__", [](const PyAttribute &self) { return size_t(hash_value(self.attribute)); })
      .def("__str__", [](const PyAttribute &self) { return printed(self.attribute); })
      .def("__repr__",
           [](const PyAttribute &self) { return "Attribute(" + printed(self.attribute) + ")"; });
  registerDictionary(module);
}
