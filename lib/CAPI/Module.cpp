//===- Module.cpp - Modules: read, changed, written, from C ---------------===//
//
// Each function checks its arguments before it uses any of them. Readers are those of the tools,
// which expect texts that nobody wrote.
//
//===----------------------------------------------------------------------===//

#include "lci-c/Module.h"
#include "Calls.h"
#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Driver/PassText.h"
#include "LCI/Pipelines/PassLevels.h"
#include "LCI/Runtime/CArrays.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "LCI/Target/Native/Native.h"
#include "lci-c/Dialect.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::capi;
using ::lci::missing;

/// Calls a function on a module.
static MlirLogicalResult onModule(MlirModule module,
                                  llvm::function_ref<LogicalResult(ModuleOp, Messages &)> work) {
  ModuleOp op = module.ptr ? unwrap(module) : ModuleOp();
  return wrap(call(op ? op.getContext() : nullptr, [&](Messages &messages) {
    return op ? work(op, messages) : messages.fail(missing("a module"));
  }));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

using Read = llvm::function_ref<OwningOpRef<ModuleOp>(llvm::SourceMgr &sources)>;

static MlirModule readModule(MlirContext context, MlirStringRef text, const char *name, Read read) {
  OwningOpRef<ModuleOp> module;
  (void)call(unwrap(context), [&](Messages &messages) -> LogicalResult {
    if (!context.ptr || !text.data)
      return messages.fail(missing(context.ptr ? "a text" : "a context"));
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(unwrap(text), name ? name : "<text>"), SMLoc());
    module = read(sources);
    return success(bool(module));
  });
  return wrap(module.release());
}

MlirModule lciModuleImport(MlirContext context, MlirStringRef text, const char *name) {
  return readModule(context, text, name,
                    [&](llvm::SourceMgr &sources) { return importLMPM(sources, unwrap(context)); });
}

MlirModule lciModuleParse(MlirContext context, MlirStringRef ir, const char *name) {
  return readModule(context, ir, name, [&](llvm::SourceMgr &sources) {
    return parseModule("-", sources, unwrap(context)); // IR, whatever its name
  });
}

MlirModule lciModuleClone(MlirModule module) {
  ModuleOp copy;
  (void)onModule(module, [&](ModuleOp op, Messages &) {
    copy = op.clone();
    return success();
  });
  return wrap(copy);
}

void lciModuleDestroy(MlirModule module) {
  if (module.ptr)
    unwrap(module)->erase();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

MlirLogicalResult lciModuleVerify(MlirModule module) {
  return onModule(module, [](ModuleOp op, Messages &) { return verify(op); });
}

using Write = llvm::function_ref<LogicalResult(ModuleOp module, llvm::raw_ostream &os)>;

/// Writes a translation of a module; a failure gives the callback nothing.
static MlirLogicalResult write(MlirModule module, MlirStringCallback callback, void *userData,
                               Write to) {
  return onModule(module, [&](ModuleOp op, Messages &messages) -> LogicalResult {
    if (!callback)
      return messages.fail(missing("a callback"));
    std::string text;
    llvm::raw_string_ostream os(text);
    if (failed(to(op, os)))
      return failure();
    callback(wrap(StringRef(text)), userData);
    return success();
  });
}

MlirLogicalResult lciModulePrint(MlirModule module, MlirStringCallback callback, void *userData) {
  return write(module, callback, userData, [](ModuleOp op, llvm::raw_ostream &os) {
    op.print(os);
    return success();
  });
}

MlirLogicalResult lciModuleExport(MlirModule module, MlirStringCallback callback, void *userData) {
  return write(module, callback, userData, [](ModuleOp op, llvm::raw_ostream &os) {
    FailureOr<ProgramOp> program = findProgram(op, "module");
    return failure(failed(program) || failed(exportLMPM(*program, os)));
  });
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

MlirLogicalResult lciModuleRunPasses(MlirModule module, const char *pipeline) {
  return onModule(module, [&](ModuleOp op, Messages &messages) -> LogicalResult {
    if (!pipeline)
      return messages.fail(missing("a pipeline"));
    lciRegisterAllPasses();
    PassManager manager(op.getContext(), ModuleOp::getOperationName());
    if (::lci::Status added = addPasses(manager, pipeline); !added)
      return messages.fail(added.failure());
    guardLevels(manager);
    return failure(failed(verify(op)) || failed(manager.run(op))); // passes trust their IR
  });
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

/// Lowers a program in place; ticks are unchanged, and have nothing to bind.
static LogicalResult enterTicks(ModuleOp module, const char *bindings) {
  if (module.getOps<ProgramOp>().empty() && bindings)
    return module.emitError("expected a program to bind, but got IR below programs")
           << ErrorId::WrongProgram;
  if (failed(verify(module)))
    return failure();
  if (module.getOps<ProgramOp>().empty())
    return success();
  std::vector<::lci::BindingError> errors;
  auto read = ::lci::Bindings::parse(bindings ? bindings : "{}", "<bindings>", errors);
  emitErrors(errors, module.getContext());
  FailureOr<ProgramOp> program = findProgram(module, "module");
  return failure(!errors.empty() || failed(program) || failed(lowerWithBindings(*program, read)));
}

/// Writes code of a module that has been lowered to ticks.
static MlirLogicalResult translate(MlirModule module, const char *bindings,
                                   MlirStringCallback callback, void *userData, Write to) {
  return write(module, callback, userData, [&](ModuleOp op, llvm::raw_ostream &os) {
    OwningOpRef<ModuleOp> ticks = op.clone();
    return failure(failed(enterTicks(*ticks, bindings)) || failed(to(*ticks, os)));
  });
}

MlirLogicalResult lciModuleToPTX(MlirModule module, const char *bindings, const char *chip,
                                 MlirStringCallback callback, void *userData) {
  return translate(module, bindings, callback, userData, [&](ModuleOp op, llvm::raw_ostream &os) {
    KernelPipelineOptions options;
    if (chip)
      options.target.chip = chip;
    return exportPTX(op, options, os);
  });
}

MlirLogicalResult lciModuleToLLVMIR(MlirModule module, const char *bindings,
                                    MlirStringCallback callback, void *userData) {
  return translate(module, bindings, callback, userData,
                   [](ModuleOp op, llvm::raw_ostream &os) { return exportLLVMIR(op, {}, os); });
}
