//===- Thresholds.cpp - Thresholds that stand elsewhere, too --------------===//
//
// What options of passes say by default stands in Passes.td, as a number that their documentation
// shows, and what random bits are made of in Numerics: both must be what Thresholds.def says.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Passes.h"

using namespace mlir::lci;

static_assert(kDrawnCells == ::lci::numerics::kThresholdCells);
static_assert(kNumberedCells == ::lci::numerics::kNumberCells);
static_assert(kWordCells == kWordBits);
static_assert(kJammedRows == UnrollJamRowsPassOptions().rows);
static_assert(kJammedLeast ==
              UnrollJamRowsPassOptions().rows * UnrollJamRowsPassOptions().minGroups);
static_assert(kMostAccesses == UnrollJamRowsPassOptions().mostAccesses);
static_assert(kWindowRows == TimeTileTicksPassOptions().rows);
static_assert(kStripWords == StripMineTicksPassOptions().words);
static_assert(kModelTile == BatchModelsPassOptions().tile);
static_assert(kCountedRow == PrivatizeCountersPassOptions().maxPlaces * kWordBits);
static_assert(kLongVector * 8 == VectorizeCellsPassOptions().vectorBits);
static_assert(kBlockThreads == TileParallelLoopsPassOptions().threads);
