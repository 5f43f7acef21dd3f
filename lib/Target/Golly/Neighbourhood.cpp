//===- Neighbourhood.cpp - Neighbourhoods of rule tables ------------------===//

#include "Neighbourhood.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci::golly;

static const Neighbour n{"n", 0, -1}, ne{"ne", 1, -1}, e{"e", 1, 0}, se{"se", 1, 1}, s{"s", 0, 1},
    sw{"sw", -1, 1}, w{"w", -1, 0}, nw{"nw", -1, -1};

static ArrayRef<Neighbourhood> getAll() {
  // A hexagonal grid is a square one without the corners in the north-east and the south-west.
  static const Neighbourhood all[] = {
      {"Moore", {n, ne, e, se, s, sw, w, nw}, false, {{"none", 1}, {"rotate4", 4}, {"rotate8", 8}}},
      {"vonNeumann", {n, e, s, w}, false, {{"none", 1}, {"rotate4", 4}}},
      {"hexagonal",
       {n, e, se, s, w, nw},
       false,
       {{"none", 1}, {"rotate2", 2}, {"rotate3", 3}, {"rotate6", 6}}},
      {"oneDimensional", {w, e}, false, {{"none", 1}}},
      {"Margolus", {nw, ne, sw, se}, true, {{"none", 1}, {"rotate2", 2}, {"rotate4", 4}}}};
  return all;
}

const Neighbourhood *mlir::lci::golly::findNeighbourhood(StringRef name) {
  const Neighbourhood *found =
      llvm::find_if(getAll(), [&](const Neighbourhood &one) { return one.name == name; });
  return found == getAll().end() ? nullptr : found;
}

std::string mlir::lci::golly::listNeighbourhoods() {
  return llvm::join(llvm::map_range(getAll(), [](const Neighbourhood &one) { return one.name; }),
                    ", ");
}

std::string Neighbourhood::listSymmetries() const {
  std::string text;
  for (auto [rotation, turns] : rotations)
    text += rotation.str() + ", " + (turns == 1 ? "reflect" : (rotation + "reflect").str()) + ", ";
  return text + "reflect_horizontal, permute";
}

std::vector<SmallVector<unsigned>> Neighbourhood::getOrders(StringRef symmetries) const {
  unsigned count = neighbours.size();
  StringRef rotation = symmetries;
  bool reflects = rotation == "reflect" || rotation == "reflect_horizontal";
  if (reflects)
    rotation = "none";
  else
    reflects = rotation.consume_back("reflect");
  const auto *turns =
      llvm::find_if(rotations, [&](auto &known) { return known.first == rotation; });
  if (turns == rotations.end())
    return {};
  // Clockwise around the cell; a block is listed by rows, and its mirror image fixes no place.
  SmallVector<unsigned> around =
      isBlock ? SmallVector<unsigned>{0, 1, 3, 2} : llvm::to_vector(llvm::seq(0u, count));
  unsigned mirror = isBlock || count == 2 ? 1 : count;
  std::vector<SmallVector<unsigned>> orders;
  for (unsigned turn = 0; turn < turns->second; ++turn)
    for (bool isMirrored : {false, true}) {
      if (isMirrored && !reflects)
        continue;
      SmallVector<unsigned> order(count);
      for (unsigned i = 0; i < count; ++i) {
        unsigned from = isMirrored ? (count + mirror - i) % count : i;
        order[around[i]] = around[(from + turn * (count / turns->second)) % count];
      }
      orders.push_back(order);
    }
  return orders;
}
