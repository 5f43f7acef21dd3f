//===- Schedules.cpp - Schedules on the command line ----------------------===//
//
// A schedule is a module of transform IR. Upstream's interpreter runs it; here it is printed, and
// found.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Schedules.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Pipelines/PrintSchedule.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::lci;
namespace cl = llvm::cl;

namespace {
struct ScheduleFlags {
  cl::opt<std::string> printed{"lci-print-schedule", cl::value_desc("PIPELINE"),
                               cl::desc("Print a pipeline as a schedule in transform IR, with a "
                                        "knob for each choice, and run nothing")};
  cl::opt<std::string> applied{"lci-apply-schedule", cl::value_desc("F.mlir"),
                               cl::desc("Run the schedule of a file after the other passes")};
};
} // namespace

static llvm::ManagedStatic<ScheduleFlags> scheduleFlags;

void mlir::lci::addScheduleFlags() { *scheduleFlags; }
bool mlir::lci::isScheduleSelected() { return scheduleFlags->printed.getNumOccurrences() > 0; }

static LogicalResult fail(const Twine &message, ErrorId id) {
  llvm::errs() << "lmpm-opt: error: " << ::lmpm::withErrorId(message.str(), id) << "\n";
  return failure();
}

LogicalResult mlir::lci::printSelectedSchedule(StringRef input, StringRef output) {
  std::string text, reason;
  llvm::raw_string_ostream os(text);
  if (input != "-")
    return fail("--lci-print-schedule reads no file, but got '" + input + "'",
                ErrorId::CommandLine);
  if (!printSchedule(scheduleFlags->printed, os))
    return fail("expected a pipeline of this project for --lci-print-schedule, but got '" +
                    scheduleFlags->printed + "'",
                ErrorId::CommandLine);
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &reason);
  if (!file)
    return fail(reason, ErrorId::FileAccess);
  file->os() << text;
  file->keep();
  return success();
}

LogicalResult mlir::lci::addSchedule(PassManager &manager) {
  if (scheduleFlags->applied.getNumOccurrences() == 0)
    return success();
  MLIRContext *context = manager.getContext();
  context->loadDialect<LCIDialect>(); // with which messages show their identifiers
  if (!llvm::sys::fs::is_regular_file(scheduleFlags->applied))
    return emitError(UnknownLoc::get(context), "expected the file of a schedule for "
                                               "--lci-apply-schedule, but got '")
           << ErrorId::FileAccess << scheduleFlags->applied.getValue() << "'";
  transform::PreloadLibraryPassOptions library;
  library.transformLibraryPaths.push_back(scheduleFlags->applied);
  manager.addPass(transform::createPreloadLibraryPass(library));
  manager.addPass(transform::createInterpreterPass());
  return success();
}
