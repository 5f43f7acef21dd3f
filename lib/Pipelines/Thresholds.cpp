//===- Thresholds.cpp - Thresholds that are defined twice -----------------===//
//
// Default values of pass options are literals in Passes.td, so that their documentation shows them,
// and the sizes of random blocks are in Numerics: both must equal Thresholds.def.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Dialect/Targets.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Passes.h"

using namespace mlir::lci;

static_assert(kDrawnCells == ::lci::numerics::kThresholdCells);
static_assert(kNumberedCells == ::lci::numerics::kNumberCells);
static_assert(kWordCells == kWordBits);
static_assert(kJammedRows == UnrollJamRowsPassOptions().rows);
static_assert(kMinJammedRows ==
              UnrollJamRowsPassOptions().rows * UnrollJamRowsPassOptions().minGroups);
static_assert(kMaxAccesses == UnrollJamRowsPassOptions().maxAccesses);
static_assert(kWindowRows == TimeTileTicksPassOptions().rows);
static_assert(kStripWords == StripMineTicksPassOptions().words);
static_assert(kModelTile == BatchModelsPassOptions().tile);
static_assert(kCountedRow == PrivatizeCountersPassOptions().maxRowWords * kWordBits);
static_assert(kLongVector * 8 == kDefaultVectorBits);
static_assert(kBlockThreads == kDefaultBlockThreads);
