//===- Views.h - Pictures of programs, from files -------------------------===//

#ifndef LCI_DRIVER_VIEWS_H
#define LCI_DRIVER_VIEWS_H

#include "LCI/View/View.h"

namespace mlir::lci {

/// Registers the options `--view` and `--view-window`.
void registerViewOptions();
/// Whether `--view` was given.
bool isViewAsked();

/// Draws what `--view` asks for of a program, under the name of its file.
LogicalResult drawAskedView(ProgramOp program, const std::string &path, const NamedSets *named,
                            llvm::raw_ostream &output);

/// What `lmpm-opt --view` does: reads a file of a program, runs the passes of the command line, and
/// draws what they leave.
LogicalResult viewFile(const std::string &input, const std::string &output,
                       DialectRegistry &registry);

} // namespace mlir::lci

#endif // LCI_DRIVER_VIEWS_H
