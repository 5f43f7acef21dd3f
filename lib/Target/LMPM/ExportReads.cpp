//===- ExportReads.cpp - Export of models and read items ------------------===//
//
// The arguments of models, and the items of `read {…}` that define the arguments' or the stamps'
// reads.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"
#include "LCI/Analysis/Gathers.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// An argument of a model; reads that need a name are added to the rule's `read {…}`.
std::string Exporter::printCollect(CollectOp op) {
  Block &body = op.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  auto read = yield.getValue().getDefiningOp<ReadOp>();
  size_t scopeSize = inScope.size();
  llvm::scope_exit restore([&] { inScope.truncate(scopeSize); });
  if (VisibleOp label = findLabel(op, op.getWhere(), op.getOuter(), body); label && read)
    return label.getLabel()->str();
  SmallVector<std::string> dims = namesOf(op.getOuter());
  unsigned firstFree = dims.size();
  Condition where = conditionOf(op.getWhere());
  if (op.getNumFree() == 0) {
    if (read && where.isAlways() && isPreviousFrame(read))
      return asReadItem("prev_frame", "prev_frame");
    if (read && read->hasAttr(optionalReadAttr))
      if (VisibleOp seen = findSeen(read, where))
        return asReadItem(read.getValue(), read.getValue().str() + "?");
    if (where.isAlways())
      return print(yield.getValue()).text;
    if (VisibleOp seen = read ? findSeen(read, where) : VisibleOp())
      return read.getValue().str();
    for (auto visible : program.getOps<VisibleOp>())
      if (read && visible.getLabel() && showsSame(*visible.getLabel(), read, where))
        return visible.getLabel()->str();
    fail(op, "a condition of a read that no line says");
    return "";
  }
  if (read && areRangeNames(op, op.getNumFree(), "d"))
    if (auto item = printNeighbors(op.getNumFree(), dims, where, read))
      return asReadItem("neighbors", *item);
  dims.append(op.getNumFree(), "");
  Condition rest = Condition::always();
  std::optional<std::string> reference;
  if (read && areRangeNames(op, op.getNumFree(), "i"))
    reference = rangeReference(read.getValue(), read.getMap(), where, dims, firstFree, rest);
  if (reference && rest.isAlways()) {
    *reference += read->hasAttr(optionalReadAttr) ? "?" : "";
    return asReadItem(read.getValue(), *reference);
  }
  if (VisibleOp seen = read ? findSeen(read, where) : VisibleOp())
    return read.getValue().str() + (read->hasAttr(optionalReadAttr) ? "?" : "");
  fail(op, "a family that no label names");
  return "";
}

/// An item of `read {…}`, in the form that its name implies.
std::string Exporter::printDeclared(DeclareReadOp op) {
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  auto read = yield.getValue().getDefiningOp<ReadOp>();
  std::string name = op.getName().str();
  if (!read) {
    fail(op, "a declared read that is computed");
    return name;
  }
  Condition where = conditionOf(op.getWhere());
  std::string mark = read->hasAttr(optionalReadAttr) ? "?" : "";
  std::optional<std::string> item;
  if (name == read.getValue())
    item = printDeclaredReference(op, read, where);
  else if (name == "neighbors")
    item = printNeighbors(op.getNumFree(), namesOf(op.getOuter()), where, read);
  else if (name == "prev_frame" ? isPreviousFrame(read) && where.isAlways()
           : name == "self"     ? isReaderCell(read)
                                : showsSame(name, read, where))
    item = name;
  if (!item)
    fail(op, "a declared read that its name does not say");
  return item.value_or(name) + mark;
}

/// `V[x-1]`, `V[*]`, or `V` for the cells of the one line that names it.
std::optional<std::string> Exporter::printDeclaredReference(DeclareReadOp op, ReadOp read,
                                                            const Condition &where) {
  SmallVector<std::string> dims = namesOf(op.getOuter());
  unsigned firstFree = dims.size();
  dims.append(op.getNumFree(), "");
  bool isSeen = static_cast<bool>(findSeen(read, where));
  if (isSeen && read->hasAttr(optionalReadAttr))
    return read.getValue().str();
  if (op.getNumFree() == 0 && where.isAlways()) {
    SmallVector<std::string> indices;
    for (AffineExpr result : read.getMap().getResults())
      indices.push_back(compact(print(result, dims).text));
    return cell(read.getValue(), indices);
  }
  Condition rest = Condition::always();
  if (areRangeNames(op, op.getNumFree(), "i"))
    if (auto text = rangeReference(read.getValue(), read.getMap(), where, dims, firstFree, rest))
      if (rest.isAlways())
        return text;
  return isSeen ? std::optional(read.getValue().str()) : std::nullopt;
}

/// `neighbors in N8`, if the free indices are offsets on the last axes of the reader.
std::optional<std::string> Exporter::printNeighbors(unsigned numFree, SmallVector<std::string> dims,
                                                    const Condition &where, ReadOp read) {
  if (!reader || read.getValue() != reader.getSymName() || numFree == 0)
    return std::nullopt;
  SmallVector<AffineExpr> free;
  for (unsigned i = 0; i < numFree; ++i)
    free.push_back(getAffineDimExpr(dims.size() + i, program.getContext()));
  dims.append(numFree, "");
  std::optional<std::string> offsets = printOffsets(where, free, dims);
  return offsets ? std::optional("neighbors in " + *offsets) : std::nullopt;
}

bool Exporter::isReaderCell(ReadOp read) {
  bool isSelf = reader && read.getValue() == reader.getSymName();
  for (auto [axis, result] : llvm::enumerate(read.getMap().getResults()))
    isSelf &= result == getAffineDimExpr(axis, program.getContext());
  return isSelf;
}

/// Whether the reader's line of that label means the same read.
bool Exporter::showsSame(StringRef label, ReadOp read, const Condition &where) {
  return llvm::any_of(program.getOps<VisibleOp>(), [&](VisibleOp visible) {
    return reader && visible.getValue() == reader.getSymName() && visible.getLabel() == label &&
           visible.getSource() == read.getValue() && visible.getMap() == read.getMap() &&
           (!visible.getGather() || matchGather(read, visible)) &&
           conditionOf(visible.getWhere()) == where;
  });
}

/// The only line of the reader for the read's value, if it means the same.
VisibleOp Exporter::findSeen(ReadOp read, const Condition &where) {
  VisibleOp found;
  for (auto visible : program.getOps<VisibleOp>()) {
    if (!reader || visible.getValue() != reader.getSymName() ||
        visible.getSource() != read.getValue())
      continue;
    if (found)
      return {};
    found = visible;
  }
  bool same = found && found.getMap() == read.getMap() &&
              (!found.getGather() || matchGather(read, found)) &&
              conditionOf(found.getWhere()) == where;
  return same ? found : VisibleOp();
}

bool Exporter::isPreviousFrame(ReadOp read) {
  if (!reader || read.getValue() != reader.getSymName() || reader.getRank() == 0 ||
      read->hasAttr(optionalReadAttr))
    return false;
  MLIRContext *context = program.getContext();
  for (auto [axis, result] : llvm::enumerate(read.getMap().getResults())) {
    AffineExpr expected = getAffineDimExpr(axis, context);
    if (result != normalizeExpr(axis == 0 ? expected - 1 : expected))
      return false;
  }
  return true;
}

/// Adds a read to the rule's `read {…}` and returns its name; the item itself where the name is
/// taken.
std::string Exporter::asReadItem(StringRef name, const std::string &item) {
  for (auto &[known, text] : readItems)
    if (known == name)
      return text == item ? known : item;
  readItems.push_back({name.str(), item});
  return name.str();
}

Text Exporter::printEvaluate(EvaluateOp op) {
  std::string text = op.getModel().str() + "(";
  bool repeats = !emittedArguments.empty() && op.getArguments() == ValueRange(emittedArguments);
  if (repeats)
    return {text + "...)"};
  emittedArguments.assign(op.getArguments().begin(), op.getArguments().end());
  for (unsigned i = 0; i + 1 < op.getArguments().size(); i += 2) {
    auto collect = op.getArguments()[i].getDefiningOp<CollectOp>();
    if (!collect) {
      fail(op, "a model's argument that is not collected");
      return {};
    }
    text += (i == 0 ? "" : ", ") + printCollect(collect);
  }
  return {text + ")"};
}
