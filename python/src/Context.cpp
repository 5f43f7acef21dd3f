//===- Context.cpp - Contexts and modules, read and written ---------------===//

#include "Handles.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Execution/Compile.h"
#include "LCI/InitAllDialects.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "Rooms.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

using namespace lmpm::python;
using namespace mlir;

static const DialectRegistry &everyDialect() {
  static const DialectRegistry *registry = [] {
    auto *made = new DialectRegistry();
    mlir::registerAllDialects(*made);
    mlir::lci::registerAllDialects(*made);
    return made;
  }();
  return *registry;
}

Context::Context(MLIRContext &context) : mlir(context) {
  mlir.printOpOnDiagnostic(false);
  mlir::lci::prepareContext(mlir);
}

std::shared_ptr<Context> Context::create() {
  auto made = std::make_unique<MLIRContext>(everyDialect());
  std::shared_ptr<Context> context(new Context(*made));
  context->owned = std::move(made);
  context->threads.emplace(context->mlir);
  return context;
}

/// Two copies of the dialect, as of libLCI-C.so and of this package, know nothing of each other.
static void expectOwnDialect(MLIRContext &context) {
  StringRef name = mlir::lci::LCIDialect::getDialectNamespace();
  bool isKnown = llvm::is_contained(context.getAvailableDialects(), name);
  Dialect *known = isKnown ? context.getOrLoadDialect(name) : nullptr;
  if (known && known->getTypeID() != TypeID::get<mlir::lci::LCIDialect>())
    lmpm::python::raise(
        ErrorId::InvalidReference,
        "expected a context without the dialect lci of another library, but got one "
        "with it; exchange modules as bytecode");
}

std::shared_ptr<Context> Context::adopt(MLIRContext &foreign, bool owns) {
  expectOwnDialect(foreign);
  foreign.appendDialectRegistry(everyDialect());
  std::shared_ptr<Context> context(new Context(foreign));
  if (owns)
    context->own();
  return context;
}

unsigned Context::addSource(StringRef text, StringRef name) {
  return sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), SMLoc());
}

Module::Module(std::shared_ptr<Context> context, OwningOpRef<ModuleOp> op)
    : context(std::move(context)), op(std::move(op)), handles(std::make_unique<Handles>()) {}

Module::~Module() = default;

LogicalResult Module::writeBytecode(llvm::raw_ostream &os) const {
  return failure(failed(verify(*op)) || failed(writeBytecodeToFile(*op, os)));
}

std::shared_ptr<Module> Module::isolate() const {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  {
    Collector collector(*context);
    collector.check(writeBytecode(os));
  }
  auto other = Context::create();
  for (unsigned i = 1; i <= context->sources.getNumBuffers(); ++i) {
    const llvm::MemoryBuffer *buffer = context->sources.getMemoryBuffer(i);
    other->addSource(buffer->getBuffer(), buffer->getBufferIdentifier());
  }
  Collector collector(*other);
  auto read = parseSourceString<ModuleOp>(bytes, &other->mlir);
  if (!read)
    collector.raise();
  return std::make_shared<Module>(std::move(other), std::move(read));
}

std::shared_ptr<Module> Module::parse(std::shared_ptr<Context> context, StringRef text,
                                      StringRef name) {
  // Readers take the main buffer of what they are given; messages find the text in the context's.
  context->addSource(text, name);
  llvm::SourceMgr one;
  one.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), SMLoc());
  Collector collector(*context);
  collector.unnamed = ErrorId::Syntax;
  OwningOpRef<ModuleOp> op = mlir::lci::parseModule(name, one, &context->mlir, /*verifies=*/false);
  if (!op)
    collector.raise();
  collector.unnamed.reset();
  collector.check(verify(*op));
  return std::make_shared<Module>(std::move(context), std::move(op));
}

mlir::lci::ProgramOp Module::findProgram() {
  Collector collector(*context);
  FailureOr<mlir::lci::ProgramOp> program = mlir::lci::findProgram(*op, "module");
  collector.check(program);
  return *program;
}

/// The text of a module's program, in the language.
static std::string toProgramText(Module &module) {
  mlir::lci::ProgramOp program = module.findProgram();
  std::string text;
  llvm::raw_string_ostream os(text);
  Collector collector(*module.context);
  collector.check(mlir::lci::exportLMPM(program, os));
  return text;
}

void lmpm::python::registerContext(py::module_ &module) {
  py::class_<Context, std::shared_ptr<Context>>(
      module, "Context", "Where operations, types and attributes live; has every dialect.")
      .def(py::init(&Context::create))
      .def(
          "add_source",
          [](Context &self, const std::string &text, const std::string &name) {
            return self.addSource(text, name);
          },
          py::arg("text"), py::arg("name"),
          "Adds a text that messages point into under this name, such as a notebook's cell.");
  py::class_<Module, std::shared_ptr<Module>>(module, "Module", "A module of IR.")
      .def_static(
          "parse",
          [](const std::string &text, const std::string &name, std::shared_ptr<Context> context) {
            return Module::parse(context ? std::move(context) : Context::create(), text, name);
          },
          py::arg("text"), py::arg("name") = "<text>.lmpm", py::arg("context") = nullptr,
          "Reads a program's text (a name that ends in `.lmpm`), or IR as text or bytecode.")
      .def_readonly("context", &Module::context, "The context it lives in.")
      .def("to_lmpm", &toProgramText, "The program as text of the language.")
      .def("__repr__",
           [](Module &self) {
             int64_t count = 0;
             self.op->walk([&](Operation *) { ++count; });
             return "<module of " + std::to_string(count) + " operations>";
           })
      .def("__str__", [](Module &self) {
        std::string text;
        llvm::raw_string_ostream os(text);
        self.op->print(os);
        return text;
      });
}
