//===- Passes.cpp - Pipelines, and passes and patterns in Python ----------===//
//
// Pipelines keep the interpreter's lock: nobody else may look at a module that
// passes change. After them all handles of the module but its own are gone.
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"
#include "Handles.h"
#include "LCI/Driver/PassText.h"
#include "LCI/InitAllPasses.h"
#include "Rooms.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <chrono>

using namespace lmpm::python;
using namespace mlir;
using lmpm::ErrorId;

/// What Python raised inside of MLIR, which nothing may unwind: it is raised again outside.
using Raised = std::exception_ptr;

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

namespace {
/// A function of Python as a pass on modules.
class PythonPass : public Pass {
public:
  PythonPass(TypeID id, std::string name, py::object function, std::shared_ptr<Module> module,
             Raised &raised)
      : Pass(id, "builtin.module"), id(id), name(std::move(name)), function(std::move(function)),
        module(std::move(module)), raised(raised) {}

  StringRef getName() const override { return name; }
  StringRef getArgument() const override { return name; }
  bool canScheduleOn(RegisteredOperationName op) const override {
    return op.getStringRef() == "builtin.module";
  }

private:
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<PythonPass>(id, name, function, module, raised);
  }

  void runOnOperation() override {
    module->handles->keepOnly(getOperation());
    try {
      function(PyOperation(module, getOperation()));
      if (failed(mlir::verify(getOperation()))) // what comes next trusts it
        signalPassFailure();
    } catch (...) {
      raised = std::current_exception();
      signalPassFailure();
    }
  }

  TypeID id;
  std::string name;
  py::object function;
  std::shared_ptr<Module> module;
  Raised &raised;
};
} // namespace

namespace {
/// What a pass did to a module: name, seconds, and the IR behind it.
using Step = std::tuple<std::string, double, std::string>;

/// Notes the steps of a pipeline. Passes on what is in the module are one step for each group.
class Tracer : public PassInstrumentation {
public:
  explicit Tracer(std::vector<Step> &steps) : steps(steps) {}

  void runBeforePass(Pass *, Operation *op) override {
    if (isModule(op))
      start = std::chrono::steady_clock::now();
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isModule(op))
      return;
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::string name = pass->getArgument().str(), text;
    llvm::raw_string_ostream nameStream(name), textStream(text);
    if (name.empty())
      pass->printAsTextualPipeline(nameStream);
    op->print(textStream);
    steps.emplace_back(std::move(name), seconds.count(), std::move(text));
  }

private:
  static bool isModule(Operation *op) { return !op->getParentOp(); }

  std::vector<Step> &steps;
  std::chrono::steady_clock::time_point start;
};
} // namespace

/// Runs pipelines, as text, and functions of Python on a module, one after the other; tells the
/// steps if somebody wants them.
static std::vector<Step> runPasses(const std::shared_ptr<Module> &module, const py::list &passes,
                                   bool verify, bool traces) {
  Working working(*module, Work::Passes);
  PassManager manager(&module->context->mlir, ModuleOp::getOperationName());
  manager.enableVerifier(verify);
  std::vector<Step> steps;
  if (traces)
    manager.addInstrumentation(std::make_unique<Tracer>(steps));
  Raised raised;
  TypeIDAllocator ids; // each function is a pass of its own
  Collector collector(*module->context);
  for (py::handle pass : passes)
    if (py::isinstance<py::str>(pass))
      valueOrRaise(mlir::lci::addPasses(manager, py::cast<std::string>(pass)));
    else
      manager.addPass(
          std::make_unique<PythonPass>(ids.allocate(), py::cast<std::string>(pass.attr("__name__")),
                                       py::reinterpret_borrow<py::object>(pass), module, raised));
  collector.check(mlir::verify(*module->op)); // passes trust it, whoever looks between them
  module->handles->keepOnly(module->op->getOperation());
  LogicalResult ran = manager.run(*module->op);
  module->handles->keepOnly(module->op->getOperation());
  if (raised)
    std::rethrow_exception(raised);
  collector.check(ran);
  return steps;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// `Rewriter` in Python; good for nothing once its pattern has returned.
class PyRewriter {
public:
  PyRewriter(const PyOperation &root, PatternRewriter &rewriter)
      : root(root), module(root.module()), rewriter(&rewriter) {}

  PyOperation create(const std::string &name, const std::vector<PyValue> &operands,
                     const std::vector<PyType> &results, const py::dict &attributes);
  void replace(const PyOperation &op, const std::vector<PyValue> &values);
  void erase(const PyOperation &op);
  void setAttribute(const PyOperation &op, const std::string &name, const py::object &value);
  void close() { rewriter = nullptr; }
  /// Whether something is not as it was before.
  bool hasChanged() const { return changed; }

private:
  PatternRewriter &get() const {
    if (!rewriter)
      raise(ErrorId::InvalidReference, "the rewriter is of a pattern that has returned");
    return *rewriter;
  }

  PyOperation root; // what the pattern was asked about
  /// The same for an operation of the module that the pattern is at work on.
  PatternRewriter &get(const PyOperation &op) const {
    if (op.module() != module)
      raise(ErrorId::InvalidReference, "expected an operation of the module that the patterns work "
                                       "on, but got one of another module");
    return get();
  }

  std::shared_ptr<Module> module;
  PatternRewriter *rewriter;
  bool changed = false;
};

/// How far patterns have come.
struct Rewriting {
  Raised raised;
  int64_t applied = 0;
};

/// A function of Python as a pattern.
class PythonPattern : public RewritePattern {
public:
  PythonPattern(StringRef root, unsigned benefit, MLIRContext *context, py::object function,
                std::shared_ptr<Module> module, Rewriting &rewriting)
      : RewritePattern(root, benefit, context), function(std::move(function)),
        module(std::move(module)), rewriting(rewriting) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (rewriting.raised)
      return failure();
    PyOperation root(module, op);
    auto shown = std::make_shared<PyRewriter>(root, rewriter);
    bool applied = apply(root, shown);
    shown->close();
    rewriting.applied += applied;
    return success(applied);
  }

private:
  /// What changed something has applied, whatever it says: the operation may be gone.
  bool apply(const PyOperation &root, const std::shared_ptr<PyRewriter> &shown) const {
    try {
      bool applied = py::cast<bool>(py::bool_(function(root, shown)));
      if (!applied && shown->hasChanged())
        raise(ErrorId::NotLowered, "expected True of a pattern on '" +
                                       getRootKind()->getStringRef().str() +
                                       "' that changed something, but it returned what is false");
      return applied;
    } catch (...) {
      rewriting.raised = std::current_exception();
      return shown->hasChanged();
    }
  }

  py::object function;
  std::shared_ptr<Module> module;
  Rewriting &rewriting;
};

/// Tells handles what patterns erase.
struct HandleListener : RewriterBase::Listener {
  explicit HandleListener(Handles &handles) : handles(handles) {}
  void notifyOperationErased(Operation *op) override { handles.erase(op); }
  void notifyBlockErased(Block *block) override { handles.erase(block); }
  Handles &handles;
};
} // namespace

/// What is made must be right as it stands: those who look at it next do not ask.
PyOperation PyRewriter::create(const std::string &name, const std::vector<PyValue> &operands,
                               const std::vector<PyType> &results, const py::dict &attributes) {
  PatternRewriter &builder = get();
  builder.setInsertionPoint(root.get());
  Operation *made =
      builder.create(makeState(module, root->getLoc(), name, operands, results, attributes));
  Collector collector(*module->context);
  if (failed(mlir::verify(made))) {
    builder.eraseOp(made);
    collector.raise();
  }
  changed = true;
  return PyOperation(module, made);
}

void PyRewriter::replace(const PyOperation &op, const std::vector<PyValue> &values) {
  PatternRewriter &replacer = get(op);
  replacer.replaceOp(op.get(), expectReplacements(op, values));
  changed = true;
}

void PyRewriter::erase(const PyOperation &op) {
  PatternRewriter &eraser = get(op);
  expectUnused(op);
  eraser.eraseOp(op.get());
  changed = true;
}

/// An attribute that is as it was is no change: patterns would be tried anew for ever.
void PyRewriter::setAttribute(const PyOperation &op, const std::string &name,
                              const py::object &value) {
  PatternRewriter &setter = get(op);
  DictionaryAttr before = op->getAttrDictionary();
  setter.startOpModification(op.get());
  py::cast(PyAttributes{op})[py::str(name)] = value; // changes nothing if it throws
  if (op->getAttrDictionary() == before)
    return setter.cancelOpModification(op.get());
  setter.finalizeOpModification(op.get());
  changed = true;
}

/// How often patterns apply in one go through a module, before they are said to have no end.
constexpr int64_t kMaxRewrites = 10000;

/// Applies patterns, `(root, benefit, function)`, until none applies; says whether the module
/// changed.
static bool applyPatterns(const std::shared_ptr<Module> &module, const py::list &patterns) {
  Working working(*module, Work::Patterns);
  Rewriting rewriting;
  RewritePatternSet set(&module->context->mlir);
  for (py::handle pattern : patterns) {
    auto [root, benefit, function] =
        py::cast<std::tuple<std::string, unsigned, py::object>>(pattern);
    expectOperation(*module->context, root);
    set.add(std::make_unique<PythonPattern>(root, benefit, &module->context->mlir, function, module,
                                            rewriting));
  }
  HandleListener listener(*module->handles);
  GreedyRewriteConfig config;
  config.setListener(&listener);
  config.setMaxNumRewrites(kMaxRewrites);
  bool changed = false;
  Collector collector(*module->context);
  collector.check(mlir::verify(*module->op));
  LogicalResult applied = applyPatternsGreedily(*module->op, std::move(set), config, &changed);
  if (rewriting.raised)
    std::rethrow_exception(rewriting.raised);
  if (failed(applied) && collector.diagnostics().empty())
    raise(ErrorId::NotLowered, "the patterns still apply after " +
                                   std::to_string(rewriting.applied) +
                                   " rewrites; expected that they come to an end");
  collector.check(applied);
  collector.check(mlir::verify(*module->op));
  return changed;
}

void lmpm::python::registerPasses(py::module_ &module) {
  mlir::registerAllPasses();
  mlir::lci::registerAllPasses();
  module.def("run_passes", &runPasses, py::arg("module"), py::arg("passes"), py::arg("verify"),
             py::arg("traces"), "What `PassPipeline` calls.");
  module.def("apply_patterns", &applyPatterns, py::arg("module"), py::arg("patterns"),
             "What `rewrite` calls.");
  py::class_<PyRewriter, std::shared_ptr<PyRewriter>>(
      module, "Rewriter", "How a pattern changes IR; it may be used until the pattern returns.")
      .def("create", &PyRewriter::create, py::arg("name"), py::arg("operands") = py::list(),
           py::arg("results") = py::list(), py::arg("attributes") = py::dict(),
           "Makes an operation before the one that the pattern is asked about.")
      .def("replace", &PyRewriter::replace, py::arg("operation"), py::arg("values"),
           "Replaces an operation's results and erases it.")
      .def("erase", &PyRewriter::erase, py::arg("operation"),
           "Erases an operation, which nobody may use.")
      .def("set_attribute", &PyRewriter::setAttribute, py::arg("operation"), py::arg("name"),
           py::arg("value"), "Sets an attribute of an operation.");
}
