//===- ScheduleOptions.h - Options of schedule strategies -------*- C++ -*-===//
//
// The one table of the options of each strategy: the verifier and the parser of the text reject
// all others.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_SCHEDULEOPTIONS_H
#define LCI_DIALECT_SCHEDULEOPTIONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// An axis by which a schedule distinguishes cells, and whether it runs from the last cell down. In
/// IR such an axis is written −1 − axis.
struct SweptAxis {
  int64_t axis;
  bool isReversed;

  static SweptAxis decode(int64_t written) {
    return written < 0 ? SweptAxis{-1 - written, true} : SweptAxis{written, false};
  }
  int64_t encode() const { return isReversed ? -1 - axis : axis; }
  /// The position of a cell along the axis.
  int64_t getPlace(int64_t index, int64_t extent) const {
    return isReversed ? extent - 1 - index : index;
  }
};

/// The axes of a schedule in their order: all of the value without `axes`.
SmallVector<SweptAxis> getSweptAxes(ScheduleOp schedule, int64_t rank);
/// Those of them that are reversed.
SmallVector<int64_t> getReversedAxes(ArrayRef<SweptAxis> axes);

/// The options a schedule of that strategy takes, by the names they have in the text.
SmallVector<StringRef> getScheduleOptions(Strategy strategy);

/// `'raster' takes axes, phase and legalize`.
std::string describeScheduleOptions(Strategy strategy);

} // namespace mlir::lci

#endif // LCI_DIALECT_SCHEDULEOPTIONS_H
