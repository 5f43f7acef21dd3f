//===- Schedules.cpp - Schedules on the command line ----------------------===//
//
// A schedule is a module of transform IR. Here it is printed, and found.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Schedules.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "LCI/Pipelines/PrintSchedule.h"
#include "LCI/Runtime/File.h"
#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
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

namespace {
/// Runs the schedule of a file.
struct ApplySchedule : PassWrapper<ApplySchedule, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApplySchedule)

  ApplySchedule(std::string text, std::string file)
      : text(std::move(text)), file(std::move(file)) {}

  StringRef getArgument() const override { return scheduleFlags->applied.ArgStr; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<transform::TransformDialect, smt::SMTDialect>();
  }
  void runOnOperation() override {
    OwningOpRef<ModuleOp> schedule = readSchedule(text, file, &getContext());
    if (!schedule || failed(applySchedule(getOperation(), *schedule)))
      signalPassFailure();
  }

  std::string text, file;
};
} // namespace

LogicalResult mlir::lci::addSchedule(PassManager &manager) {
  if (scheduleFlags->applied.getNumOccurrences() == 0)
    return success();
  MLIRContext *context = manager.getContext();
  context->loadDialect<LCIDialect>(); // with which messages show their identifiers
  ::lci::Result<std::vector<uint8_t>> read = ::lci::readFile(scheduleFlags->applied);
  if (!read)
    return emitError(UnknownLoc::get(context), "expected the file of a schedule for "
                                               "--lci-apply-schedule, but got: ")
           << ErrorId::FileAccess << read.error();
  manager.addPass(std::make_unique<ApplySchedule>(std::string(read->begin(), read->end()),
                                                  scheduleFlags->applied));
  return success();
}
