//===- ExportRule.cpp - Export of rules and constraints -------------------===//
//
// A rule's clauses in the order of the language: on, read, let, emit, score. They are composed in
// the order in which the importer reads them, because that numbers the draws.
//
//===----------------------------------------------------------------------===//
#include "Exporter.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

std::string Exporter::cell(StringRef value, ArrayRef<std::string> indices) {
  return indices.empty() ? value.str() : value.str() + "[" + llvm::join(indices, ",") + "]";
}

void Exporter::enter(Operation *op, StringRef value) {
  current = op;
  reader = value.empty() ? ValueOp() : program.lookupValue(value);
  names.clear();
  inScope.clear();
  readNames.clear();
  readItems.clear();
  emittedArguments.clear();
  candidate = "candidate";
  nextOrdinal = 0;
}

/// The lets of a block, as lines, each with the operation that carries its comments.
void Exporter::composeLets(Block &block,
                           SmallVectorImpl<std::pair<Operation *, std::string>> &lines) {
  for (auto let : block.getOps<LetOp>()) {
    lines.push_back({let, "let " + let.getName().str() + " = " + print(let.getValue()).text});
    names[let.getResult()] = let.getName().str();
    inScope.push_back(let.getName().str());
  }
}

void Exporter::writeRule(RuleOp op) {
  enter(op, op.getValue());
  Block &body = op.getBody().front();
  auto emit = cast<EmitOp>(body.getTerminator());
  SmallVector<std::string> indices = nameIndices(op, body.getArguments());
  std::string on = cell(op.getValue(), indices);
  Condition where = op.getWhere() ? conditionOf(*op.getWhere()) : Condition::always();
  SmallVector<std::string> dynamic;
  if (emit.getCondition())
    dynamic.push_back(at(emit.getCondition(), Precedence::logicalAnd));
  for (auto declared : body.getOps<DeclareReadOp>())
    readItems.push_back({declared.getName().str(), printDeclared(declared)});
  std::string when = withConditions(printCondition(where, indices, indices.size()), dynamic,
                                    where.getCases().size() > 1);
  SmallVector<std::pair<Operation *, std::string>> lets;
  composeLets(body, lets);
  std::string proposal = composeProposal(emit);
  std::string score;
  if (!emit.getScore().empty()) {
    Block &region = emit.getScore().front();
    composeLets(region, lets);
    score = print(cast<YieldOp>(region.getTerminator()).getValue()).text;
  }
  writeLine(op, "", 0, "rule " + op.getSymName() + ":");
  writeLine(op, "on.", 2, "on " + on + (when.empty() ? "" : " when " + when));
  SmallVector<std::string> reads;
  for (auto &[name, item] : readItems)
    reads.push_back(item);
  if (!reads.empty())
    writeLine(op, "read.", 2, "read {" + llvm::join(reads, ", ") + "}");
  for (auto &[let, line] : lets)
    writeLine(let, "", 2, line);
  writeLine(op, "says.", 2, "emit proposal " + on + " := " + proposal);
  if (!score.empty())
    writeLine(op, "score.", 2, "score " + score);
}

std::string Exporter::composeProposal(EmitOp op) {
  if (op.getSureness())
    fail(op, "a sureness, which only bound models have");
  if (!op.getAny())
    return print(op.getProposal()).text;
  if (!op.getRange())
    return "any";
  ArrayRef<AffineExpr> ends = op.getRange()->getResults();
  return "any in " + print(ends[0], {}).text + ".." + print(ends[1], {}).text;
}

/// The reference to the cells of a constraint without `on`; nothing if no reference can express
/// them.
std::optional<std::string> Exporter::composeReference(ConstraintOp op,
                                                      ArrayRef<std::string> indices) {
  Condition where = op.getWhere() ? conditionOf(*op.getWhere()) : Condition::always();
  if (where.getCases().size() != 1)
    return std::nullopt;
  Condition::Case rest = where.getCases().front();
  SmallVector<std::string> parts;
  for (unsigned axis = 0; axis < indices.size(); ++axis) {
    if (op.getAxis() && axis == *op.getAxis()) {
      parts.push_back("region(\"" + op.getRegion()->str() + "\")");
      break;
    }
    AffineExpr index = getAffineDimExpr(axis, op.getContext());
    std::optional<AffineExpr> low, high, exactly;
    llvm::erase_if(rest, [&](const IndexConstraint &constraint) {
      if (!constraint.expr.isFunctionOfDim(axis))
        return false;
      for (auto [atom, factor] : LinearForm::of(constraint.expr).terms)
        if (atom == index && std::abs(factor) == 1) {
          auto &slot = constraint.isEquality ? exactly : factor > 0 ? low : high;
          bool isFree = !slot;
          AffineExpr bound = factor > 0 ? index - constraint.expr : constraint.expr + index;
          slot = slot ? slot : std::optional<AffineExpr>(normalizeExpr(bound));
          return isFree;
        }
      return false;
    });
    if (low && high && !exactly)
      parts.push_back(compact(print(*low, indices).text + ".." + print(*high, indices).text));
    else if (exactly && !low && !high)
      parts.push_back(print(*exactly, indices).text);
    else if (!low && !high && !exactly)
      parts.push_back(indices[axis].empty() ? "*" : indices[axis]);
    else
      return std::nullopt;
    if (!indices[axis].empty() && parts.back() != indices[axis])
      return std::nullopt;
  }
  if (!rest.empty())
    return std::nullopt;
  return cell(op.getValue(), parts);
}

/// Whether a seed-style constraint can express the body: the candidate once, and no reads.
static bool hasOneReference(Block &body) {
  unsigned mentions = 0;
  bool reads = false;
  body.walk([&](Operation *op) {
    reads |= isa<ReadOp, ReduceOp, LetOp, ApplyOp>(op);
    mentions += isa<ReadsFutureOp>(op);
  });
  mentions +=
      std::distance(body.getArguments().back().use_begin(), body.getArguments().back().use_end());
  bool usesIndices = llvm::any_of(body.getArguments().drop_back(),
                                  [](BlockArgument index) { return !index.use_empty(); });
  return !reads && !usesIndices && mentions == 1;
}

void Exporter::writeConstraint(ConstraintOp op) {
  enter(op, op.getValue());
  Block &body = op.getBody().front();
  SmallVector<std::string> indices;
  if (auto given = op->getAttrOfType<ArrayAttr>(indexNamesAttr))
    for (StringRef name : given.getAsValueRange<StringAttr>())
      indices.push_back(name.str());
  indices.resize(reader.getRank());
  std::optional<std::string> reference;
  if (hasOneReference(body))
    reference = composeReference(op, indices);
  if (!reference && op.getRegion())
    fail(op, "a region in a constraint with 'on'");
  if (!reference)
    indices = nameIndices(op, body.getArguments().drop_back());
  candidateCell = reference ? *reference : cell(op.getValue(), indices);
  candidate = reference ? *reference : "candidate";
  SmallVector<std::pair<Operation *, std::string>> lets;
  composeLets(body, lets);
  std::string predicate = print(cast<YieldOp>(body.getTerminator()).getValue()).text;
  std::string priority = op.getHard()            ? " priority hard"
                         : op.getPriority() != 0 ? " priority " + std::to_string(op.getPriority())
                                                 : "";
  writeLine(op, "", 0, "constraint " + op.getSymName() + ":");
  if (!reference) {
    Condition where = op.getWhere() ? conditionOf(*op.getWhere()) : Condition::always();
    std::string when = printCondition(where, indices, indices.size());
    writeLine(op, "on.", 2, "on " + candidateCell + (when.empty() ? "" : " when " + when));
  }
  for (auto &[let, line] : lets)
    writeLine(let, "", 2, line);
  writeLine(op, "says.", 2, stringifyMood(op.getMood()) + " " + predicate + priority);
}
