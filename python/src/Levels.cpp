//===- Levels.cpp - Programs on their way down ----------------------------===//
//
// From the program form to ticks, and from ticks out of MLIR. What is between
// are pipelines by their names (Passes.cpp); lmpm/levels.py puts it together.
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Oracle/Oracle.h"
#include "LCI/Target/Native/Native.h"
#include "Rooms.h"

using namespace lmpm::python;
using namespace mlir;

::lci::Bindings lmpm::python::readBindings(Context &context, const std::string &text,
                                           const std::string &name,
                                           const std::vector<std::string> &sets) {
  Collector collector(context);
  std::vector<::lci::BindingError> errors;
  auto read = ::lci::Bindings::parse(text, name, errors);
  mlir::lci::emitErrors(errors, &context.mlir);
  if (!errors.empty())
    collector.raise();
  for (const std::string &assignment : sets)
    if (::lci::Status set = read.set(assignment); !set)
      raise(set.failure());
  return read;
}

std::shared_ptr<Module> lmpm::python::bind(const Module &module, const std::string &text,
                                           const std::string &name,
                                           const std::vector<std::string> &sets) {
  auto bound = module.isolate();
  ::lci::Bindings bindings = readBindings(*bound->context, text, name, sets);
  mlir::lci::ProgramOp program = bound->findProgram();
  Collector collector(*bound->context);
  auto inputFollows = [](StringRef) { return true; };
  collector.check(mlir::lci::bindWithBindings(program, bindings, inputFollows));
  collector.check(mlir::lci::checkProgram(*bound->op));
  return bound;
}

/// A copy of a module whose program is functions of ticks.
static std::shared_ptr<Module> lower(const Module &module, const std::string &text,
                                     const std::string &name,
                                     const std::vector<std::string> &sets) {
  auto ticks = bind(module, text, name, sets);
  ::lci::Bindings bindings = readBindings(*ticks->context, text, name, sets);
  mlir::lci::ProgramOp program = ticks->findProgram();
  Collector collector(*ticks->context);
  FailureOr<mlir::lci::RunArguments> arguments = mlir::lci::makeArguments(program, bindings);
  collector.check(arguments);
  collector.check(mlir::lci::lowerToTicks(*ticks->op, *arguments, {mlir::lci::Counting::Changed}));
  return ticks;
}

/// Runs two modules, and throws the first difference.
static void checkEquivalent(const Module &left, const Module &right, unsigned trials,
                            int64_t epochs, uint64_t seed) {
  auto one = left.isolate(), other = right.isolate();
  mlir::lci::Oracle oracle({trials, epochs, seed});
  if (::lci::Status run = oracle.setReference(*one->op); !run)
    raise(run.failure());
  auto difference = oracle.findDifference(*other->op);
  if (!difference)
    raise(difference.failure());
  if (*difference)
    raise(ErrorId::CheckFailed, "the modules are not equivalent: " + **difference);
}

/// What ticks become outside of MLIR, as text.
template <typename Export>
static std::string exportTicks(const Module &ticks, Export to) {
  auto copy = ticks.isolate();
  std::string text;
  llvm::raw_string_ostream os(text);
  Collector collector(*copy->context);
  collector.check(to(*copy->op, os));
  return text;
}

static std::string toLLVMIR(const Module &ticks, int64_t threads) {
  return exportTicks(ticks, [&](ModuleOp op, llvm::raw_ostream &os) {
    return mlir::lci::exportLLVMIR(op, {{}, threads}, os);
  });
}

static std::string toPTX(const Module &ticks, const std::string &chip) {
  return exportTicks(ticks, [&](ModuleOp op, llvm::raw_ostream &os) {
    mlir::lci::KernelPipelineOptions options;
    options.target.chip = chip;
    return mlir::lci::exportPTX(op, options, os);
  });
}

void lmpm::python::registerLevels(py::module_ &module) {
  module.def("bind", &lmpm::python::bind, py::arg("module"), py::arg("bindings"),
             py::arg("bindings_name"), py::arg("sets"),
             "The bound form of a program, which is proved, as another module.");
  module.def("lower", &lower, py::arg("module"), py::arg("bindings"), py::arg("bindings_name"),
             py::arg("sets"), "Functions of ticks on tensors, as another module.");
  module.def("check_equivalent", &checkEquivalent, py::arg("left"), py::arg("right"),
             py::arg("trials"), py::arg("epochs"), py::arg("seed"),
             "What `lmpm.ir.check_equivalent` calls.");
  module.def("to_llvm_ir", &toLLVMIR, py::arg("ticks"), py::arg("threads"),
             "LLVM IR for this machine.");
  module.def("to_ptx", &toPTX, py::arg("ticks"), py::arg("chip"), "PTX for an NVIDIA GPU.");
}
