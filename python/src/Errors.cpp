//===- Errors.cpp - What MLIR says becomes exceptions ---------------------===//
//
// Messages are collected with their pictures where they are said; the exception
// is made at the border to Python, which may hold no lock until then.
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "LCI/Dialect/Diagnostics.h"
#include "LCI/Target/LMPM/Carets.h"
#include "Rooms.h"
#include "mlir/IR/Location.h"

using namespace lmpm::python;
using namespace mlir;
using lmpm::ErrorId;

static const char *nameOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  llvm_unreachable("a severity without a name");
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

/// The kind of mistake that MLIR's verifiers tell of, which give it no identifier.
static ErrorId kindOf(StringRef message) {
  static constexpr std::pair<StringRef, ErrorId> kinds[] = {
      {"attribute", ErrorId::InvalidAttribute}, {"propert", ErrorId::InvalidAttribute},
      {"dominate", ErrorId::InvalidReference},  {"symbol", ErrorId::InvalidReference},
      {"reference", ErrorId::InvalidReference}, {"region", ErrorId::InvalidBody},
      {"block", ErrorId::InvalidBody},          {"terminator", ErrorId::InvalidBody},
      {"parent op", ErrorId::InvalidBody},      {"operand", ErrorId::InvalidTypes},
      {"result", ErrorId::InvalidTypes},        {"type", ErrorId::InvalidTypes}};
  for (auto [word, kind] : kinds)
    if (message.contains(word))
      return kind;
  return ErrorId::InvalidBody;
}

Collector::Collector(Context &context)
    : SourceMgrDiagnosticHandler(context.sources, &context.mlir, stream),
      outer(context.sources.getDiagHandler()), outerStream(context.sources.getDiagContext()) {
  lmpm::showCarets(context.sources, stream);
  setHandler([this](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Remark) // nobody asked
      records.push_back(recordOf(diagnostic));
  });
}

Collector::~Collector() { mgr.setDiagHandler(outer, outerStream); }

DiagnosticRecord Collector::recordOf(mlir::Diagnostic &diagnostic) {
  DiagnosticRecord record;
  record.severity = nameOf(diagnostic.getSeverity());
  record.message = inPython(diagnostic.str());
  if (std::optional<ErrorId> id = mlir::lci::getErrorId(diagnostic))
    record.id = textOf(*id);
  else if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    record.id = textOf(unnamed.value_or(kindOf(record.message)));
  std::string shown = record.message + (record.id.empty() ? "" : " [" + record.id + "]");
  record.picture = record.severity + ": " + shown;
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    record.file = inPython(place.getFilename());
    record.line = place.getLine();
    record.column = place.getColumn();
    text.clear();
    emitDiagnostic(place, shown, diagnostic.getSeverity());
    record.picture = StringRef(text).rtrim().str();
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    record.notes.push_back(recordOf(note));
    record.picture += "\n" + record.notes.back().picture;
  }
  return record;
}

void Collector::check(LogicalResult result) {
  if (failed(result))
    raise();
}

void Collector::raise() {
  if (records.empty())
    lmpm::python::raise(ErrorId::CannotCompile, "it failed, and nothing said why");
  throw DiagnosticError(std::move(records));
}

void lmpm::python::raise(ErrorId id, std::string message) {
  message = inPython(message);
  DiagnosticRecord record;
  record.severity = "error";
  record.id = textOf(id);
  record.picture = "error: " + withErrorId(message, id);
  record.message = std::move(message);
  throw DiagnosticError({std::move(record)});
}

void lmpm::python::raise(const ::lci::Failure &failure) { raise(failure.id, failure.message); }

void lmpm::python::raiseAt(Context &context, ErrorId id, const std::string &message, StringRef file,
                           unsigned line, unsigned column, const std::string &hint) {
  Collector collector(context);
  {
    InFlightDiagnostic error = emitError(FileLineColLoc::get(&context.mlir, file, line, column));
    error << id << message;
    if (!hint.empty())
      error.attachNote(UnknownLoc::get(&context.mlir)) << hint;
  }
  collector.raise();
}

//===----------------------------------------------------------------------===//
// To Python
//===----------------------------------------------------------------------===//

/// What Python says by itself.
static DiagnosticRecord makeRecord(std::string severity, std::string message, std::string id,
                                   std::string file, unsigned line, unsigned column) {
  std::string picture = severity + ": " + message + (id.empty() ? "" : " [" + id + "]");
  if (!file.empty())
    picture = file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + picture;
  return {std::move(severity),
          std::move(message),
          std::move(id),
          std::move(file),
          line,
          column,
          std::move(picture),
          {}};
}

/// What goes to another process; texts go as bytes, which they may be more than.
static py::tuple pack(const DiagnosticRecord &self) {
  return py::make_tuple(self.severity, py::bytes(self.message), self.id, py::bytes(self.file),
                        self.line, self.column, py::bytes(self.picture), self.notes);
}

static DiagnosticRecord unpack(const py::tuple &state) {
  return {state[0].cast<std::string>(), state[1].cast<std::string>(),
          state[2].cast<std::string>(), state[3].cast<std::string>(),
          state[4].cast<unsigned>(),    state[5].cast<unsigned>(),
          state[6].cast<std::string>(), state[7].cast<std::vector<DiagnosticRecord>>()};
}

/// Text for Python; a file that is no text may be in it.
static py::str toPythonString(const std::string &text) {
  PyObject *made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  return py::reinterpret_steal<py::str>(made);
}

/// Raises `lmpm.Error`, which is written in Python (errors.py).
static void translate(const DiagnosticError &error) {
  py::object type = py::module_::import("lmpm.errors").attr("Error");
  py::object exception = type(py::cast(error.diagnostics));
  PyErr_SetObject(type.ptr(), exception.ptr());
}

void lmpm::python::registerErrors(py::module_ &module) {
  py::class_<DiagnosticRecord>(module, "Diagnostic",
                               "One message of the compiler: what is wrong, and where.")
      .def(py::init(&makeRecord), py::arg("severity"), py::arg("message"), py::arg("id") = "",
           py::arg("file") = "", py::arg("line") = 0, py::arg("column") = 0)
      .def_readonly("severity", &DiagnosticRecord::severity,
                    "`error`, `warning`, `remark` or `note`.")
      .def_property_readonly(
          "message", [](const DiagnosticRecord &self) { return toPythonString(self.message); },
          "The sentence, without its place.")
      .def_readonly("id", &DiagnosticRecord::id,
                    "The kind of mistake, such as `not-visible`; empty where there is none.")
      .def_property_readonly(
          "file", [](const DiagnosticRecord &self) { return toPythonString(self.file); },
          "The file's name; empty without a place.")
      .def_readonly("line", &DiagnosticRecord::line, "The line, from 1; 0 without a place.")
      .def_readonly("column", &DiagnosticRecord::column, "The column, from 1; 0 without a place.")
      .def_readonly("notes", &DiagnosticRecord::notes, "What belongs to it.")
      .def("__str__", [](const DiagnosticRecord &self) { return toPythonString(self.picture); })
      .def("__repr__",
           [](const DiagnosticRecord &self) {
             return toPythonString("<" + self.severity + ": " + self.message + ">");
           })
      .def(py::pickle(&pack, &unpack));
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer)
        std::rethrow_exception(pointer);
    } catch (const DiagnosticError &error) {
      translate(error);
    } catch (const std::bad_alloc &) { // as the tools say it
      std::string id(textOf(ErrorId::NoMemory));
      translate(DiagnosticError(
          {makeRecord("error", "it needs more memory than there is", id, "", 0, 0)}));
    }
  });
}
