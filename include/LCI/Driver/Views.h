//===- Views.h - Draw views of programs from files ------------------------===//

#ifndef LCI_DRIVER_VIEWS_H
#define LCI_DRIVER_VIEWS_H

#include "LCI/View/View.h"

namespace mlir::lci {

/// Registers the options `--view` and `--view-window`.
void registerViewOptions();
/// Whether `--view` was given.
bool isViewSelected();

/// Draws the view that `--view` selects, under the name of the program's file.
LogicalResult drawSelectedView(ProgramOp program, const std::string &path, const NamedSets *named,
                               llvm::raw_ostream &output);

/// The main function of `lmpm-opt --view`: loads a program, runs the passes of the command line,
/// and draws the result.
LogicalResult viewFile(const std::string &input, const std::string &output,
                       DialectRegistry &registry);

} // namespace mlir::lci

#endif // LCI_DRIVER_VIEWS_H
