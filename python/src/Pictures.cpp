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
#include "Numbers.h"
#include "Rooms.h"

using namespace lmpm::python;
using namespace mlir;
using mlir::lci::ViewKind;

/// A view of a program as SVG. Phases are those that checks leave, and regions those of a run.
static std::string drawView(const Module &module, int kind, const std::string &title,
                            int64_t window, const std::string &text, const std::string &name,
                            const std::vector<std::string> &sets) {
  auto bound = bind(module, text, name, sets);
  ::lci::Bindings bindings = readBindings(*bound->context, text, name, sets);
  mlir::lci::ProgramOp program = bound->findProgram();
  Collector collector(*bound->context);
  FailureOr<mlir::lci::RunArguments> arguments = mlir::lci::makeArguments(program, bindings);
  collector.check(arguments);
  mlir::lci::NamedSets named = mlir::lci::getNamedSets(*arguments);
  std::string svg;
  llvm::raw_string_ostream os(svg);
  collector.check(
      mlir::lci::drawView(program, static_cast<ViewKind>(kind), {title, window, &named}, os));
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
  module.attr("VIEWS") = numbersByName<ViewKind>({{"visibility", ViewKind::Visibility},
                                                  {"schedule", ViewKind::Schedule},
                                                  {"constraints", ViewKind::Constraints}});
  module.def("draw_view", &drawView, py::arg("module"), py::arg("kind"), py::arg("title"),
             py::arg("window"), py::arg("bindings"), py::arg("bindings_name"), py::arg("sets"),
             "What a program says, as SVG; what `Program.view` calls.");
  module.def("draw_array", &drawArray, py::arg("array"), py::arg("vocabulary") = 0,
             py::arg("codebook") = py::none(), py::arg("range") = py::none(),
             "The pixels of an array's picture: grey of numbers, RGB of tokens.");
  module.def("encode_png", &encodePng, py::arg("pixels"), "The bytes of a PNG file.");
}
