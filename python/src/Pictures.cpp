//===- Pictures.cpp - Pictures of programs and of arrays ------------------===//
//
// What LCI/View and LCI/Runtime/Image.h draw, for Python, which shows it
// (lmpm/pictures.py).
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "Core.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Sets.h"
#include "LCI/Runtime/Image.h"
#include "LCI/View/View.h"
#include "Levels.h"
#include "Rooms.h"

using namespace lmpm::python;
using namespace mlir;
using lmpm::ErrorId;
using mlir::lci::ViewKind;

static ViewKind kindOf(const std::string &name) {
  for (auto [known, kind] : {std::pair("visibility", ViewKind::Visibility),
                             {"schedule", ViewKind::Schedule},
                             {"constraints", ViewKind::Constraints}})
    if (name == known)
      return kind;
  raise(ErrorId::CommandLine,
        "expected 'visibility', 'schedule' or 'constraints' to draw, but got '" + name + "'");
}

/// A view of a program as SVG. Phases are those that checks leave, and regions those of a run.
static std::string drawView(const Module &module, const std::string &kind, const std::string &title,
                            int64_t window, const std::string &text, const std::string &name,
                            const std::vector<std::string> &sets) {
  ViewKind view = kindOf(kind);
  if (window < 1)
    raise(ErrorId::CommandLine,
          "expected window to be at least 1, but got " + std::to_string(window));
  auto bound = bind(module, text, name, sets);
  ::lci::Bindings bindings = readBindings(*bound->context, text, name, sets);
  mlir::lci::ProgramOp program = bound->findProgram();
  Collector collector(*bound->context);
  FailureOr<mlir::lci::RunArguments> arguments = mlir::lci::makeArguments(program, bindings);
  collector.check(arguments);
  mlir::lci::NamedSets named = mlir::lci::getNamedSets(*arguments);
  std::string svg;
  llvm::raw_string_ostream os(svg);
  collector.check(mlir::lci::drawView(program, view, {title, window, &named}, os));
  return svg;
}

static py::array drawArray(const py::array &array, int64_t vocabulary,
                           const std::optional<py::array> &codebook,
                           std::optional<std::pair<double, double>> range) {
  ::lci::PictureOptions options;
  options.vocabulary = vocabulary;
  options.range = range;
  if (codebook)
    options.codebook = toArray(*codebook, "codebook");
  return toNumpy(valueOrRaise(::lci::pictureOf(toArray(array, "picture"), options)));
}

static py::bytes encodePng(const py::array &pixels) {
  std::vector<uint8_t> bytes = valueOrRaise(::lci::encodePng(toArray(pixels, "pixels")));
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

void lmpm::python::registerPictures(py::module_ &module) {
  module.def("draw_view", &drawView, py::arg("module"), py::arg("kind"), py::arg("title"),
             py::arg("window"), py::arg("bindings"), py::arg("bindings_name"), py::arg("sets"),
             "What a program says, as SVG; what `Program.view` calls.");
  module.def("draw_array", &drawArray, py::arg("array"), py::arg("vocabulary") = 0,
             py::arg("codebook") = py::none(), py::arg("range") = py::none(),
             "The pixels of an array's picture: grey of numbers, RGB of tokens.");
  module.def("encode_png", &encodePng, py::arg("pixels"), "The bytes of a PNG file.");
}
