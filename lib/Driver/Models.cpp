//===- Models.cpp - Import functions of models ----------------------------===//
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Driver/Loading.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::lci;

/// Reports that a file has no function of the name, with the nearest one.
static LogicalResult reportMissingFunction(ModuleOp file, StringRef model,
                                           const ::lci::ModelBinding &binding) {
  std::vector<std::string> names;
  for (func::FuncOp function : file.getOps<func::FuncOp>())
    names.push_back(function.getSymName().str());
  InFlightDiagnostic error = emitError(locationOf(binding.location, file.getContext()))
                             << ErrorId::NoSuchModel << "model '" << model << "': '" << binding.file
                             << "' has no function '" << binding.function << "'";
  if (std::optional<std::string> near = ::lci::nearestName(binding.function, names))
    error.attachNote() << "did you mean '" << *near << "'?";
  else if (!names.empty())
    error.attachNote() << "it has: " << llvm::join(names, ", ");
  return error;
}

FailureOr<std::string> mlir::lci::importModel(ModuleOp module, StringRef model,
                                              const ::lci::ModelBinding &binding) {
  MLIRContext *context = module.getContext();
  Location where = locationOf(binding.location, context);
  llvm::SourceMgr sources;
  OwningOpRef<ModuleOp> file = loadModule(binding.file, sources, context, /*verifies=*/false);
  if (!file)
    return emitError(where) << ErrorId::NoSuchModel << "model '" << model << "': cannot read '"
                            << binding.file << "'";
  if (failed(verifyListed(*file)))
    return failure();
  auto function = file->lookupSymbol<func::FuncOp>(binding.function);
  if (!function)
    return reportMissingFunction(*file, model, binding);
  if (function.isExternal())
    return emitError(where) << ErrorId::NoSuchModel << "model '" << model << "': '"
                            << binding.function << "' is only declared in '" << binding.file << "'";

  // Names of the program and of other models must not clash with those of the file.
  SymbolTable into(module), from(*file);
  for (Operation &op : llvm::make_early_inc_range(*file->getBody())) {
    if (!isa<SymbolOpInterface>(op))
      continue;
    unsigned number = 0;
    SmallString<64> name = SymbolTable::generateSymbolName<64>(
        (model + "." + SymbolTable::getSymbolName(&op).getValue()).str(),
        [&](StringRef candidate) { return into.lookup(candidate) || from.lookup(candidate); },
        number);
    // Renaming can fail only for uses in unregistered operations, which no file contains.
    if (failed(from.rename(&op, name)))
      llvm::report_fatal_error("a function of a model keeps its name");
  }
  std::string name = function.getSymName().str();
  for (Operation &op : llvm::make_early_inc_range(*file->getBody())) {
    op.remove();
    module.getBody()->push_back(&op);
    if (isa<SymbolOpInterface>(op))
      SymbolTable::setSymbolVisibility(&op, SymbolTable::Visibility::Private);
  }
  return name;
}
