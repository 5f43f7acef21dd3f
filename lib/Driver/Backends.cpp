//===- Backends.cpp - Create back ends ------------------------------------===//
//
// A bound program is lowered in a clone of its module, which compilers take; the interpreter takes
// the program as it is.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Backends.h"
#include "LCI/Conversion/ProgramToTick/Passes.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/InterpreterBackend.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Execution/FixedArguments.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Runtime/Memory.h"

using namespace mlir;
using namespace mlir::lci;

static ScheduleText scheduleOf(const RunOptions &run) {
  return {run.scheduleText, run.schedule.empty() ? "schedule" : run.schedule};
}

static CpuOptions compiling(const RunOptions &run) {
  CpuOptions options;
  options.threads = run.threads;
  options.lowering = run.lowering;
  options.schedule = scheduleOf(run);
  return options;
}

static KernelOptions kernelsFor(const RunOptions &run) {
  KernelOptions options;
  options.tf32 = run.tf32;
  options.schedule = scheduleOf(run);
  return options;
}

LogicalResult mlir::lci::lowerToTicks(ModuleOp module, const RunArguments &arguments,
                                      const TickOptions &ticks) {
  LowerRulesPassOptions options;
  options.records = ticks.records;
  options.counters = ticks.counting;
  options.steps = ticks.steps;
  options.rejections = ticks.rejections;
  for (const auto &[name, array] : arguments.params)
    options.given.push_back(name);
  CompilerPasses passes(module.getContext());
  passes.addPass(createLowerRulesPass(options));
  return passes.run(module);
}

FailureOr<RunArguments> mlir::lci::lowerWithBindings(ProgramOp program,
                                                     const ::lci::Bindings &bindings) {
  auto module = program->getParentOfType<ModuleOp>();
  if (failed(bindWithBindings(program, bindings)) || failed(checkProgram(module)))
    return failure();
  FailureOr<RunArguments> arguments = makeArguments(program, bindings);
  if (failed(arguments) || failed(lowerToTicks(module, *arguments, {Counting::Changed})))
    return failure();
  return arguments;
}

static FailureOr<std::unique_ptr<CompiledProgram>> compile(const RunOptions &run, ModuleOp ticks) {
  switch (run.backend) {
  case BackendKind::Kernels:
    return compileKernels(ticks, kernelsFor(run));
  case BackendKind::CUDA:
    return compileForCuda(ticks, {/*ordinal=*/0, run.cudaDriver, kernelsFor(run)});
  default:
    return compileForCpu(ticks, compiling(run));
  }
}

FailureOr<OwningOpRef<ModuleOp>> mlir::lci::makeTicks(const RunOptions &run, ProgramOp program,
                                                      const RunArguments &arguments,
                                                      const TickOptions &ticks) {
  OwningOpRef<ModuleOp> module = program->getParentOfType<ModuleOp>().clone();
  if (failed(lowerToTicks(*module, arguments, ticks)))
    return failure();
  if (run.fixesArguments)
    specializeArguments(*module, arguments);
  return module;
}

/// Compiles a copy: the watcher of the run needs the bound program. Steps are for looking at, and
/// have no schedule.
static FailureOr<std::unique_ptr<Backend>> makeCompiledBackend(RunOptions run, ProgramOp program,
                                                               const RunArguments &arguments,
                                                               const TickOptions &ticks) {
  if (ticks.steps)
    run.scheduleText.clear();
  FailureOr<OwningOpRef<ModuleOp>> module = makeTicks(run, program, arguments, ticks);
  if (failed(module))
    return failure();
  FailureOr<std::unique_ptr<CompiledProgram>> compiled = compile(run, **module);
  if (failed(compiled))
    return failure();
  return std::unique_ptr<Backend>(std::move(*compiled));
}

/// Whether the arrays of compiled code fit, none of which is made yet.
static FailureOr<std::unique_ptr<Backend>> checkRoom(ProgramOp program,
                                                     FailureOr<std::unique_ptr<Backend>> made) {
  if (failed(made))
    return failure();
  ::lci::Status fits = ::lci::checkFits((*made)->memoryNeeded(), "the state of the program");
  if (!fits)
    return emitError(program.getLoc()) << fits.failure().id << fits.error();
  return made;
}

FailureOr<std::unique_ptr<Backend>> mlir::lci::makeBackend(const RunOptions &options,
                                                           ProgramOp program,
                                                           const RunArguments &arguments,
                                                           bool steps) {
  if (options.backend != BackendKind::Interpreter)
    return checkRoom(program,
                     makeCompiledBackend(options, program, arguments,
                                         {options.getCounting(), steps, options.keepsRecords()}));
  FailureOr<std::unique_ptr<InterpreterBackend>> made =
      InterpreterBackend::create(program, options.getCounting() == Counting::Full);
  if (failed(made))
    return failure();
  return std::unique_ptr<Backend>(std::move(*made));
}

FailureOr<std::unique_ptr<Backend>> mlir::lci::makeStepper(const RunOptions &options,
                                                           ProgramOp program,
                                                           const RunArguments &arguments) {
  TickOptions ticks{Counting::Changed, /*steps=*/true, options.keepsRecords(), /*rejections=*/true};
  FailureOr<std::unique_ptr<Backend>> made =
      makeCompiledBackend(options, program, arguments, ticks);
  if (failed(made))
    return failure();
  ::lci::Status ready = (*made)->setArguments(arguments);
  if (ready)
    ready = (*made)->initialise();
  if (!ready)
    return emitError(program.getLoc()) << ready.failure().id << ready.error();
  return made;
}
