//===- ApplySchedule.cpp - Run transform IR on a module -------------------===//
//
// Upstream's interpreter runs a schedule. Passes and pipelines are known to it by name.
//
//===----------------------------------------------------------------------===//

#include "LCI/Pipelines/ApplySchedule.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/InitAllPasses.h"
#include "LCI/Pipelines/PrintSchedule.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::lci;

void mlir::lci::prepareContextForSchedules(MLIRContext &context) {
  // Passes are global, and registered once.
  static const bool arePassesKnown = [] {
    ::mlir::registerAllPasses();
    ::mlir::lci::registerAllPasses();
    return true;
  }();
  (void)arePassesKnown;
  DialectRegistry registry;
  ::mlir::registerAllDialects(registry);
  ::mlir::registerAllExtensions(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<transform::TransformDialect>();
}

static transform::TransformOpInterface findEntry(ModuleOp schedule) {
  return transform::detail::findTransformEntryPoint(schedule, /*module=*/nullptr);
}

OwningOpRef<ModuleOp> mlir::lci::readSchedule(StringRef text, StringRef name,
                                              MLIRContext *context) {
  prepareContextForSchedules(*context);
  OwningOpRef<ModuleOp> schedule =
      parseSourceString<ModuleOp>(text, ParserConfig(context), /*sourceName=*/name);
  if (!schedule || !findEntry(*schedule))
    return nullptr;
  return schedule;
}

OwningOpRef<ModuleOp> mlir::lci::readDefaultSchedule(StringRef pipeline, MLIRContext *context) {
  prepareContextForSchedules(*context); // which makes pipelines known
  std::string text;
  llvm::raw_string_ostream os(text);
  printSchedule(pipeline, os);
  return readSchedule(text, pipeline, context);
}

/// Whether a pipeline of this project has an option.
static bool hasOption(StringRef pipeline, StringRef option) {
  std::optional<std::string> defaults = defaultOptions(pipeline);
  return defaults && (" " + *defaults).find((" " + option + "=").str()) != std::string::npos;
}

static void request(ModuleOp schedule, StringRef option) {
  schedule.walk([&](transform::ApplyRegisteredPassOp applied) {
    if (!hasOption(applied.getPassName(), option) || applied.getOptions().contains(option))
      return;
    NamedAttrList options(applied.getOptions());
    options.set(option, BoolAttr::get(schedule.getContext(), true));
    applied.setOptionsAttr(options.getDictionary(schedule.getContext()));
  });
}

LogicalResult mlir::lci::applySchedule(ModuleOp payload, ModuleOp schedule,
                                       ArrayRef<StringRef> requested) {
  OwningOpRef<ModuleOp> copy = schedule.clone();
  if (failed(resolveConstraints(*copy)))
    return failure();
  for (StringRef option : requested)
    request(*copy, option);
  return transform::applyTransformNamedSequence(payload, findEntry(*copy), /*transformModule=*/{},
                                                transform::TransformOptions());
}
