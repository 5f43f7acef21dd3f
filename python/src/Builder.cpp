//===- Builder.cpp - Programs made declaration by declaration ------------===//

#include "LCI/Dialect/Limits.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "Rooms.h"
#include "Tree.h"

using namespace lmpm::python;
using namespace lmpm;

/// What a program may call; a test compares it with what the package has.
static py::tuple functionNames() {
  py::list names;
  for (llvm::StringRef name : mlir::lci::getFunctionNames())
    names.append(name.str());
  return py::tuple(names);
}

/// The number of each operator by its spelling: Python's tracer says operators so.
template <typename Op>
static py::dict numbersOf(Op last) {
  py::dict numbers;
  for (int op = 0; op <= static_cast<int>(last); ++op)
    numbers[py::str(getSpelling(static_cast<Op>(op)).str())] = op;
  return numbers;
}

static void fail(Tree &tree, PlaceId place, const std::string &id, const std::string &message,
                 const std::string &hint) {
  tree.fail(place, findErrorId(id).value(), message, hint);
}

static ClauseParts makeClause(PlaceId place, std::string word, std::string name,
                              std::optional<ExprId> target, std::optional<ExprId> value,
                              Exprs reads) {
  return {place, std::move(word), std::move(name), target, value, std::move(reads)};
}

/// A node as the tracer makes it: its place, what it says, its operands.
static void registerExpressions(py::class_<Tree> &tree) {
  tree.def("integer", [](Tree &self, PlaceId place, int64_t value, const Exprs &) {
    return self.integer(place, value);
  });
  tree.def("real", [](Tree &self, PlaceId place, const std::string &digits, const Exprs &) {
    return self.real(place, digits);
  });
  tree.def("string", [](Tree &self, PlaceId place, const std::string &text, const Exprs &) {
    return self.string(place, text);
  });
  tree.def("name", [](Tree &self, PlaceId place, const std::string &text, const Exprs &) {
    return self.name(place, text);
  });
  tree.def("star",
           [](Tree &self, PlaceId place, py::object, const Exprs &) { return self.star(place); });
  tree.def("ellipsis", [](Tree &self, PlaceId place, py::object, const Exprs &) {
    return self.ellipsis(place);
  });
  tree.def("any_marker", [](Tree &self, PlaceId place, py::object, const Exprs &range) {
    return self.anyMarker(place, range);
  });
  tree.def("tuple", [](Tree &self, PlaceId place, py::object, const Exprs &members) {
    return self.tuple(place, members);
  });
  tree.def("set", [](Tree &self, PlaceId place, py::object, const Exprs &members) {
    return self.set(place, members);
  });
  tree.def("index", [](Tree &self, PlaceId place, py::object, const Exprs &operands) {
    return self.index(place, operands);
  });
  tree.def("call", [](Tree &self, PlaceId place,
                      const std::pair<std::string, std::vector<std::string>> &callee,
                      const Exprs &arguments) {
    return self.call(place, callee.first, callee.second, arguments);
  });
  tree.def("maybe", [](Tree &self, PlaceId place, py::object, const Exprs &operands) {
    return self.maybe(place, operands.at(0));
  });
  tree.def("unary", [](Tree &self, PlaceId place, int op, const Exprs &operands) {
    return self.unary(place, static_cast<UnaryOp>(op), operands.at(0));
  });
  tree.def("binary", [](Tree &self, PlaceId place, int op, const Exprs &operands) {
    return self.binary(place, op, operands.at(0), operands.at(1));
  });
  tree.def("compare", [](Tree &self, PlaceId place, int op, const Exprs &operands) {
    return self.compare(place, static_cast<CompareOp>(op), operands.at(0), operands.at(1));
  });
  tree.def("conditional", [](Tree &self, PlaceId place, py::object, const Exprs &operands) {
    return self.conditional(place, operands.at(0), operands.at(1), operands.at(2));
  });
  tree.def("where", [](Tree &self, PlaceId place, py::object, const Exprs &operands) {
    return self.where(place, operands.at(0), operands.at(1));
  });
}

static void registerDeclarations(py::class_<Tree> &tree) {
  tree.def("add_value", &Tree::addValue, py::arg("name"), py::arg("type"),
           py::arg("type_arguments"), py::arg("shape"), py::arg("sizes"), py::arg("clock"),
           py::arg("boundary"), py::arg("boundary_per_axis"), py::arg("init_indices"),
           py::arg("init"))
      .def("add_param", &Tree::addParam, py::arg("name"), py::arg("type"),
           py::arg("type_arguments"), py::arg("value"))
      .def("add_def", &Tree::addDef, py::arg("name"), py::arg("indices"), py::arg("value"))
      .def("add_visible", &Tree::addVisible, py::arg("label"), py::arg("target"), py::arg("source"),
           py::arg("when"))
      .def("add_rule", &Tree::addRule, py::arg("name"), py::arg("clauses"), py::arg("comments"))
      .def("add_constraint", &Tree::addConstraint, py::arg("name"), py::arg("clauses"),
           py::arg("priority"), py::arg("comments"))
      .def("add_schedule", &Tree::addSchedule, py::arg("strategy"), py::arg("target"),
           py::arg("names"), py::arg("options"))
      .def("add_commit", &Tree::addCommit, py::arg("policy"), py::arg("target"), py::arg("names"),
           py::arg("options"))
      .def("add_observe", &Tree::addObserve, py::arg("name"), py::arg("value"));
}

void lmpm::python::registerBuilder(py::module_ &module) {
  module.attr("UNARY") = numbersOf(UnaryOp::logicalNot);
  py::dict binary = numbersOf(BinaryOp::logicalOr);
  binary["//"] = kFloorDivide;
  module.attr("BINARY") = binary;
  module.attr("FUNCTIONS") = functionNames();
  module.attr("MAX_WRITTEN_OUT") = mlir::lci::kMaxWrittenOut;
  module.attr("COMPARE") = numbersOf(CompareOp::in);
  module.def(
      "is_name", [](const std::string &text) { return isName(text); }, py::arg("text"),
      "Whether it can be a name in a program.");
  py::class_<ClauseParts>(module, "Clause")
      .def(py::init(&makeClause), py::arg("place"), py::arg("word"), py::arg("name") = "",
           py::arg("target") = std::nullopt, py::arg("value") = std::nullopt,
           py::arg("reads") = Exprs());
  py::class_<Tree> tree(module, "Tree", "The declarations of a program that Python makes.");
  tree.def(py::init<std::shared_ptr<Context>>(), py::arg("context"))
      .def("place", &Tree::addPlace, py::arg("source"), py::arg("line"), py::arg("byte"))
      .def("fail", &fail, py::arg("place"), py::arg("id"), py::arg("message"), py::arg("hint") = "")
      .def_readwrite("replaces", &Tree::replaces,
                     "Whether the next declaration takes the place of the one of its name.")
      .def("build", &Tree::import, "The IR of the declarations so far: a `Module`.");
  registerExpressions(tree);
  registerDeclarations(tree);
}
