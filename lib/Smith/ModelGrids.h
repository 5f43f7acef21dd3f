//===- ModelGrids.h - Programs with a model in each cell --------*- C++ -*-===//
//
// Random programs of one value whose cells evaluate a network: more cells than a tile holds, and
// vocabularies around the sizes at which the compiler changes how it compares tokens. The model
// runs for all cells, those of a colour, or a selection.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_MODELGRIDS_H
#define LCI_LIB_SMITH_MODELGRIDS_H

#include "Network.h"

namespace lci {

/// Makes one program.
class ModelGrids {
public:
  explicit ModelGrids(uint64_t seed) : dice(seed) { program.seed = dice.below(1000); }
  SmithProgram make();

private:
  void makeSizes();
  void makeRule();
  void makePicking();
  void declare(std::string text) { program.declarations.push_back(std::move(text)); }

  Dice dice;
  SmithProgram program;
  int64_t vocabulary = 0, members = 4;
};

} // namespace lci

#endif // LCI_LIB_SMITH_MODELGRIDS_H
