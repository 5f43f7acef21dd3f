//===- IndexNames.cpp - Names of indices in diagnostics -------------------===//
//
// Chooses the names of indices: those of the program's text where it has any, also those of the
// axis that an unnamed index reads, else conventional ones, without clashes.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lci;

/// The name at a position of an operation's `lci.names`, or an empty string.
static StringRef getGivenName(Operation *op, unsigned position) {
  auto names = op->getAttrOfType<ArrayAttr>("lci.names");
  if (!names || position >= names.size())
    return "";
  auto name = dyn_cast<StringAttr>(names[position]);
  return name ? name.getValue() : "";
}

static std::string getCellName(unsigned axis, unsigned rank) {
  static constexpr StringRef kNames[] = {"t", "x", "y", "z"};
  // One and two axes are space, as in the language's examples; with three the first is time.
  unsigned position = axis + (rank <= 2 ? 1 : 0);
  return position < std::size(kNames) ? kNames[position].str() : ("x" + Twine(axis)).str();
}

/// The value that an operation reads and the axis on which an index alone is the map's result.
static std::optional<std::pair<ValueOp, unsigned>> findAxis(Operation *op, Value index,
                                                            unsigned position) {
  auto program = op->getParentOfType<ProgramOp>();
  auto visible = dyn_cast<VisibleOp>(op);
  auto read = dyn_cast<ReadOp>(op);
  if (!program || (!visible && !read))
    return std::nullopt;
  AffineMap map = visible ? visible.getMap() : read.getMap();
  for (auto [axis, result] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    bool isIndex = dim && (visible ? dim.getPosition() == position
                                   : read.getIndices()[dim.getPosition()] == index);
    if (isIndex)
      return std::pair(program.lookupValue(visible ? visible.getSource() : read.getValue()),
                       unsigned(axis));
  }
  return std::nullopt;
}

/// The name in the program's text of a value's cell index on an axis; empty if there is none.
static std::string getOwnName(ValueOp value, unsigned axis) {
  std::string name = getGivenName(value, axis).str();
  auto program = value->getParentOfType<ProgramOp>();
  for (Operation &op : program.getBody().front()) {
    auto owner = op.getAttrOfType<FlatSymbolRefAttr>("value");
    bool isOwn = isa<RuleOp, ConstraintOp, VisibleOp>(op) && owner &&
                 owner.getAttr() == value.getSymNameAttr();
    if (name.empty() && isOwn)
      name = getGivenName(&op, axis).str();
  }
  // In a `visible` line the name would refer to a declaration of that name.
  return name.empty() || SymbolTable::lookupSymbolIn(program, name) ? "" : name;
}

SmallVector<std::string> mlir::lci::getIndexNames(Operation *op, unsigned numCell,
                                                  unsigned numFree) {
  SmallVector<std::string> names;
  SmallVector<std::string> given;
  SmallVector<std::string> own;    // of the axis that an unnamed index reads
  SmallVector<Operation *> owners; // from the outside in
  for (Operation *owner = op; owner && !isa<ProgramOp>(owner); owner = owner->getParentOp())
    owners.push_back(owner);
  for (Operation *owner : llvm::reverse(owners)) {
    unsigned number = isa<RuleOp, ConstraintOp, ValueOp>(owner) ? numCell
                      : isa<VisibleOp>(owner)                   ? numCell + numFree
                                                                : 0;
    bool isFamily = isa<ReduceOp, CollectOp, DeclareReadOp>(owner);
    if (isFamily)
      number = owner->getRegion(0).getNumArguments() - 1;
    unsigned firstFree = isa<VisibleOp>(owner) ? numCell : isFamily ? 0 : number;
    for (unsigned i = 0; i < number; ++i) {
      given.push_back(getGivenName(owner, i).str());
      // `V[*]` and the like name no index: the importer numbers them.
      bool isCounted = i >= firstFree && given.back() == "i" + std::to_string(i - firstFree);
      Value index = isCounted && isFamily ? owner->getRegion(0).getArgument(i) : Value();
      auto axis = isCounted ? findAxis(op, index, i) : std::nullopt;
      own.push_back(axis ? getOwnName(axis->first, axis->second) : "");
    }
  }
  given.resize(numCell + numFree);
  own.resize(given.size());
  for (auto [position, name] : llvm::enumerate(own))
    if (!name.empty() && !llvm::is_contained(given, name))
      given[position] = name;
  char letter = 'i';
  for (auto [position, name] : llvm::enumerate(given)) {
    std::string chosen = name;
    if (chosen.empty() && position < numCell)
      chosen = getCellName(position, numCell);
    while (chosen.empty() || llvm::is_contained(names, chosen))
      chosen = std::string(1, letter++);
    names.push_back(chosen);
  }
  return names;
}
