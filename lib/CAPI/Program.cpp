//===- Program.cpp - Programs: compiled and run, from C -------------------===//
//
// Handles are numbers that are never reused. Behind one is a compilation with a context of its own,
// so that neither the order in which a caller destroys things nor his threads matter.
//
//===----------------------------------------------------------------------===//

#include "lci-c/Program.h"
#include "Calls.h"
#include "LCI/Driver/Compilation.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Runtime/CArrays.h"
#include "LCI/Runtime/Handles.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <mutex>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::capi;
using ::lci::Array;
using ::lci::Failure;
using ::lci::Handles;
using ::lci::missing;
using ::lci::Result;
using ::lci::wrongCall;

namespace {
struct Program {
  Program() : context(everyDialect()) {
    context.printOpOnDiagnostic(false);
    prepareContext(context);
  }

  MLIRContext context; // declared first: it goes last
  OwningOpRef<ModuleOp> module;
  std::shared_ptr<Compilation> compilation;
  std::mutex mutex; ///< serializes calls
};

struct Run {
  std::shared_ptr<Program> program;
  RunInputs inputs;
  std::shared_ptr<LiveRun> live; ///< null before the start
};
} // namespace

// Never destroyed: another thread may be running a program while the process ends.
static Handles<Program> &programs() {
  static auto *all = new Handles<Program>();
  return *all;
}
static Handles<Run> &runs() {
  static auto *all = new Handles<Run>();
  return *all;
}

template <typename T>
static std::shared_ptr<T> find(Handles<T> &handles, const void *handle) {
  return handles.find(reinterpret_cast<uintptr_t>(handle));
}

/// The error of a handle that is none.
static Failure wrongHandle(const void *handle, const std::string &kind) {
  return handle ? wrongCall("expected " + kind +
                            " that is not destroyed, but got another pointer, or one of the past")
                : missing(kind);
}

/// Calls a function on a program, one thread at a time.
static LogicalResult onProgram(LciProgram handle,
                               llvm::function_ref<LogicalResult(Program &, Messages &)> work) {
  std::shared_ptr<Program> program = find(programs(), handle.ptr);
  if (!program)
    return call(nullptr, [&](Messages &messages) {
      return messages.fail(wrongHandle(handle.ptr, "a program"));
    });
  std::lock_guard<std::mutex> lock(program->mutex);
  return call(&program->context, [&](Messages &messages) { return work(*program, messages); });
}

/// The same on a run.
static MlirLogicalResult onRun(LciRun handle,
                               llvm::function_ref<LogicalResult(Run &, Messages &)> work) {
  std::shared_ptr<Run> run = find(runs(), handle.ptr);
  if (!run)
    return wrap(call(nullptr, [&](Messages &messages) {
      return messages.fail(wrongHandle(handle.ptr, "a run"));
    }));
  std::lock_guard<std::mutex> lock(run->program->mutex);
  return wrap(
      call(&run->program->context, [&](Messages &messages) { return work(*run, messages); }));
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static Result<BackendKind> backendOf(const char *name) {
  static const std::pair<StringRef, BackendKind> known[] = {{"cpu", BackendKind::CPU},
                                                            {"interp", BackendKind::Interpreter},
                                                            {"kernels", BackendKind::Kernels},
                                                            {"cuda", BackendKind::CUDA}};
  for (auto [backend, kind] : known)
    if (!name || backend == name)
      return kind;
  return wrongCall("expected cpu, interp, kernels or cuda for a back end, but got '" +
                   std::string(name) + "'");
}

/// The module of a caller as bytes, which another context reads.
static LogicalResult pack(MlirModule module, std::string &bytes) {
  ModuleOp op = module.ptr ? unwrap(module) : ModuleOp();
  return call(op ? op.getContext() : nullptr, [&](Messages &messages) -> LogicalResult {
    if (!op)
      return messages.fail(missing("a module"));
    llvm::raw_string_ostream os(bytes);
    return failure(failed(verify(op)) || failed(writeBytecodeToFile(op, os)));
  });
}

static LogicalResult compile(Program &program, StringRef bytes, const char *bindings,
                             const RunOptions &options) {
  program.module = parseSourceString<ModuleOp>(bytes, &program.context);
  if (!program.module)
    return failure();
  std::vector<::lci::BindingError> errors;
  auto read = ::lci::Bindings::parse(bindings ? bindings : "{}", "<bindings>", errors);
  emitErrors(errors, &program.context);
  if (!errors.empty())
    return failure();
  FailureOr<std::shared_ptr<Compilation>> made =
      Compilation::create(*program.module, read, options);
  if (succeeded(made))
    program.compilation = std::move(*made);
  return made;
}

LciProgram lciProgramCompile(MlirModule module, const char *bindings, const char *backend,
                             int64_t threads) {
  std::string bytes;
  if (failed(pack(module, bytes)))
    return {nullptr};
  auto program = std::make_shared<Program>();
  LogicalResult made = call(&program->context, [&](Messages &messages) -> LogicalResult {
    Result<BackendKind> kind = backendOf(backend);
    if (!kind)
      return messages.fail(kind.failure());
    if (threads < 1 || (threads > 1 && *kind != BackendKind::CPU))
      return messages.fail(wrongCall("expected at least one thread, and one alone on other back "
                                     "ends than cpu, but got " +
                                     std::to_string(threads)));
    RunOptions options;
    options.program = "module";
    options.backend = *kind;
    options.threads = threads;
    return compile(*program, bytes, bindings, options);
  });
  if (failed(made))
    return {nullptr};
  return {reinterpret_cast<void *>(programs().add(std::move(program)))};
}

void lciProgramDestroy(LciProgram program) {
  programs().take(reinterpret_cast<uintptr_t>(program.ptr));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

int64_t lciProgramGetNumValues(LciProgram handle) {
  int64_t count = -1;
  (void)onProgram(handle, [&](Program &program, Messages &) {
    count = static_cast<int64_t>(program.compilation->getValues().size());
    return success();
  });
  return count;
}

const char *lciProgramGetValueName(LciProgram handle, int64_t number) {
  const char *name = nullptr;
  (void)onProgram(handle, [&](Program &program, Messages &messages) -> LogicalResult {
    ArrayRef<ValueInfo> values = program.compilation->getValues();
    if (number < 0 || number >= static_cast<int64_t>(values.size()))
      return messages.fail(wrongCall("expected the number of a value, below " +
                                     std::to_string(values.size()) + ", but got " +
                                     std::to_string(number)));
    name = values[static_cast<size_t>(number)].name.c_str();
    return success();
  });
  return name;
}

/// A value by its name, or null with an error.
static const ValueInfo *findValue(const Program &program, const char *name, Messages &messages) {
  if (!name) {
    (void)messages.fail(missing("a name"));
    return nullptr;
  }
  const ValueInfo *value = program.compilation->findValue(name);
  if (!value)
    (void)messages.fail(
        {ErrorId::NoSuchName, "the program has no value '" + std::string(name) + "'; it has: " +
                                  llvm::join(namesOf(program.compilation->getValues()), ", ")});
  return value;
}

/// Integers, which are wider while a program runs, are given as those of 32 bits.
static lci_type typeOf(const ValueInfo &value) {
  ::lci::CanonicalForm form = canonicalForm(value);
  return form.isInteger ? LCI_I32 : ::lci::toCType(form.type());
}

MlirLogicalResult lciProgramDescribeValue(LciProgram handle, const char *name, lci_array *form) {
  return wrap(onProgram(handle, [&](Program &program, Messages &messages) -> LogicalResult {
    if (!form)
      return messages.fail(missing("a place for a description"));
    const ValueInfo *value = findValue(program, name, messages);
    if (!value)
      return failure();
    *form = {typeOf(*value), static_cast<int64_t>(value->shape.size()), value->shape.data(),
             nullptr};
    return success();
  }));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

LciRun lciRunCreate(LciProgram handle) {
  std::shared_ptr<Program> program = find(programs(), handle.ptr);
  LogicalResult found = call(nullptr, [&](Messages &messages) -> LogicalResult {
    return program ? success() : messages.fail(wrongHandle(handle.ptr, "a program"));
  });
  if (failed(found))
    return {nullptr};
  auto run = std::make_shared<Run>();
  run->program = std::move(program);
  return {reinterpret_cast<void *>(runs().add(std::move(run)))};
}

void lciRunDestroy(LciRun handle) {
  std::shared_ptr<Run> run = runs().take(reinterpret_cast<uintptr_t>(handle.ptr));
  if (!run)
    return;
  std::shared_ptr<Program> program = run->program; // outlives the lock
  std::lock_guard<std::mutex> lock(program->mutex);
  run.reset();
}

/// Calls a function on a run that takes something new, which has a name.
static MlirLogicalResult give(LciRun handle, const char *name,
                              llvm::function_ref<LogicalResult(Run &, Messages &)> work) {
  return onRun(handle, [&](Run &run, Messages &messages) -> LogicalResult {
    if (!name)
      return messages.fail(missing("a name"));
    if (run.live)
      return messages.fail(wrongCall("expected inputs of a run before its first epochs, but "
                                     "got some after them"));
    return work(run, messages);
  });
}

MlirLogicalResult lciRunSetSeed(LciRun handle, uint64_t seed) {
  return give(handle, "", [&](Run &run, Messages &) {
    run.inputs.seed = seed;
    return success();
  });
}

MlirLogicalResult lciRunSetInput(LciRun handle, const char *name, const lci_array *value) {
  return give(handle, name, [&](Run &run, Messages &messages) -> LogicalResult {
    const ValueInfo *info = findValue(*run.program, name, messages);
    if (!info)
      return failure();
    Result<Array> array = ::lci::toArray(value, info->shape, std::string("'") + name + "'");
    Result<Array> canonical = array ? toCanonical(*array, *info) : array.failure();
    if (!canonical)
      return messages.fail(canonical.failure());
    run.inputs.values.insert_or_assign(name, std::move(*canonical));
    return success();
  });
}

MlirLogicalResult lciRunSetParameter(LciRun handle, const char *name, const lci_array *numbers) {
  return give(handle, name, [&](Run &run, Messages &messages) -> LogicalResult {
    Result<Array> array = ::lci::toArray(numbers, std::string("the parameter '") + name + "'");
    if (!array)
      return messages.fail(array.failure());
    run.inputs.params.insert_or_assign(name, std::move(*array));
    return success();
  });
}

MlirLogicalResult lciRunSetEnabled(LciRun handle, const char *name, bool on) {
  return give(handle, name, [&](Run &run, Messages &) {
    auto &list = on ? run.inputs.enable : run.inputs.disable;
    auto &other = on ? run.inputs.disable : run.inputs.enable;
    llvm::erase(other, name);
    if (!llvm::is_contained(list, name))
      list.push_back(name);
    return success();
  });
}

static LogicalResult start(Run &run) {
  FailureOr<std::shared_ptr<LiveRun>> live = LiveRun::start(run.program->compilation, run.inputs);
  if (failed(live))
    return failure();
  run.live = std::move(*live);
  run.live->onObserved = [](int64_t, const Observations &) {};
  return success();
}

MlirLogicalResult lciRunAdvance(LciRun handle, int64_t epochs) {
  return onRun(handle, [&](Run &run, Messages &messages) -> LogicalResult {
    int64_t done = run.live ? run.live->getEpoch() : 0, most = ::lci::kMaxEpochs - done;
    if (epochs < 0 || epochs > most)
      return messages.fail(wrongCall("expected from 0 to " + std::to_string(most) +
                                     " more epochs, but got " + std::to_string(epochs)));
    if (!run.live && failed(start(run)))
      return failure();
    ::lci::LoopOptions how;
    how.epochs = done + epochs;
    return run.live->advance(how);
  });
}

/// Calls a function on a run that has started.
static MlirLogicalResult look(LciRun handle,
                              llvm::function_ref<LogicalResult(Run &, Messages &)> work) {
  return onRun(handle, [&](Run &run, Messages &messages) {
    return run.live ? work(run, messages)
                    : messages.fail(wrongCall("expected lciRunAdvance before a look at the state"));
  });
}

int64_t lciRunGetEpoch(LciRun handle) {
  int64_t epoch = -1;
  (void)look(handle, [&](Run &run, Messages &) {
    epoch = run.live->getEpoch();
    return success();
  });
  return epoch;
}

MlirLogicalResult lciRunGetValue(LciRun handle, const char *name, void *to, size_t bytes) {
  return look(handle, [&](Run &run, Messages &messages) -> LogicalResult {
    const ValueInfo *info = findValue(*run.program, name, messages);
    if (!info)
      return failure();
    FailureOr<Array> value = run.live->value(name);
    if (failed(value))
      return failure();
    Array given =
        canonicalForm(*info).isInteger ? ::lci::toFileIntegers(*value) : std::move(*value);
    if (given.bytes().size() != bytes)
      return messages.fail(wrongCall("expected " + std::to_string(given.bytes().size()) +
                                     " bytes for '" + name + "', but got " +
                                     std::to_string(bytes)));
    if (!to && bytes > 0)
      return messages.fail(missing(std::string("a place for '") + name + "'"));
    std::copy(given.bytes().begin(), given.bytes().end(), static_cast<uint8_t *>(to));
    return success();
  });
}

MlirLogicalResult lciRunObserve(LciRun handle, const char *name, double *number) {
  return look(handle, [&](Run &run, Messages &messages) -> LogicalResult {
    if (!name || !number)
      return messages.fail(missing(name ? "a place for a number" : "a name"));
    FailureOr<Observations> seen = run.live->observe();
    if (failed(seen))
      return failure();
    for (const Observation &one : *seen)
      if (one.name == name) {
        *number = one.value ? one.value->doubleAt(0) : std::nan("");
        return success();
      }
    return messages.fail(
        {ErrorId::NoSuchName, "the program has no observer '" + std::string(name) + "'"});
  });
}
