//===- Passes.h - Passes that transform -------------------------*- C++ -*-===//
//
// Constructors and option structs of the passes of all folders below.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_PASSES_H
#define LCI_TRANSFORMS_PASSES_H

#include "LCI/Transforms/Bufferize/Passes.h"
#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/GPU/Emulation/Passes.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Layout/Passes.h"
#include "LCI/Transforms/Models/Passes.h"
#include "LCI/Transforms/Program/Passes.h"
#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Tick/Passes.h"

#endif // LCI_TRANSFORMS_PASSES_H
