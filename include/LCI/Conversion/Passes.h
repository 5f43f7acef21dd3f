//===- Passes.h - All conversion passes -------------------------*- C++ -*-===//
//
// Constructors and option structs of the passes of all folders below.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CONVERSION_PASSES_H
#define LCI_CONVERSION_PASSES_H

#include "LCI/Conversion/DrawsToArith/Passes.h"
#include "LCI/Conversion/LinalgToLoops/Passes.h"
#include "LCI/Conversion/MathToNVVM/Passes.h"
#include "LCI/Conversion/ProgramToTick/Passes.h"
#include "LCI/Conversion/TickToLinalg/Passes.h"

#endif // LCI_CONVERSION_PASSES_H
