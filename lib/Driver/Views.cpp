//===- Views.cpp - Draw views of programs from files ----------------------===//

#include "LCI/Driver/Views.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Tools/FlagParsers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::lci;
namespace cl = llvm::cl;

namespace {
struct ViewFlags {
  cl::opt<ViewKind, false, ChoiceParser<ViewKind>> kind{
      "view", cl::init(ViewKind::Visibility), cl::desc("Draw a bound program as SVG:"),
      cl::values(clEnumValN(ViewKind::Visibility, "visibility", "What cells may read"),
                 clEnumValN(ViewKind::Schedule, "schedule", "The phases of an epoch"),
                 clEnumValN(ViewKind::Constraints, "constraints",
                            "Which constraints speak of which cells"))};
  cl::opt<int64_t> window{"view-window", cl::init(16), cl::value_desc("CELLS"),
                          cl::desc("How many cells of an axis --view shows at most")};
};
} // namespace

static llvm::ManagedStatic<ViewFlags> viewFlags;

void mlir::lci::registerViewOptions() { *viewFlags; }
bool mlir::lci::isViewSelected() { return viewFlags->kind.getNumOccurrences() > 0; }

LogicalResult mlir::lci::drawSelectedView(ProgramOp program, const std::string &path,
                                          const NamedSets *named, llvm::raw_ostream &output) {
  int64_t window = viewFlags->window;
  if (window < 1)
    return emitError(program.getLoc())
           << ErrorId::CommandLine << "expected --view-window to be at least 1, but got " << window;
  StringRef stem = llvm::sys::path::stem(path), name = program.getSymName();
  if (!stem.empty() && !stem.starts_with("-") && !stem.starts_with("<"))
    name = stem;
  return drawView(program, viewFlags->kind, {name.str(), window, named}, output);
}

/// Runs the passes of the command line.
static LogicalResult runSelectedPasses(ModuleOp module) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  PassManager passes(module.getContext());
  return failure(failed(applyPassManagerCLOptions(passes)) ||
                 failed(config.setupPassPipeline(passes)) || failed(passes.run(module)));
}

LogicalResult mlir::lci::viewFile(const std::string &input, const std::string &output,
                                  DialectRegistry &registry) {
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = loadModule(input, sources, &context);
  if (!module || failed(runSelectedPasses(*module)))
    return failure();
  FailureOr<ProgramOp> program = findProgram(*module, input);
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &message);
  if (failed(program))
    return failure();
  if (!file)
    return emitError(UnknownLoc::get(&context)) << ErrorId::FileAccess << message;
  if (failed(drawSelectedView(*program, input, /*named=*/nullptr, file->os())))
    return failure();
  file->keep();
  return success();
}
