//===- ScheduleOptions.h - What schedules take ------------------*- C++ -*-===//
//
// The one table of which strategy takes which option: the verifier and the reader of the text
// refuse what is not in it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_SCHEDULEOPTIONS_H
#define LCI_DIALECT_SCHEDULEOPTIONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The options a schedule of that strategy takes, by the names they have in the text.
SmallVector<StringRef> getScheduleOptions(Strategy strategy);

/// `'raster' takes axes, phase and legalize`.
std::string describeScheduleOptions(Strategy strategy);

} // namespace mlir::lci

#endif // LCI_DIALECT_SCHEDULEOPTIONS_H
