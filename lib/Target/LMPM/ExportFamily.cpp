//===- ExportFamily.cpp - Export of reads, reductions and families --------===//
//
// A reduction is written by the label of a `visible` line that means the same, else with its free
// indices. The facts that a text implies by itself, the ranges of bare indices and the order of
// names, are found by parsing the text just written.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"
#include "LCI/Analysis/Gathers.h"
#include "LCI/Target/LMPM/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// Whether a read equals the gather of a line without free indices for the reading cell.
static bool isSameGather(VisibleOp visible, ReadOp read) {
  std::optional<GatherMatch> match = matchGather(read, visible);
  return match && llvm::all_of(*match, [&](auto &entry) {
           auto index = dyn_cast<BlockArgument>(entry.second);
           Operation *owner = index ? index.getOwner()->getParentOp() : nullptr;
           return isa_and_nonnull<RuleOp, ConstraintOp>(owner) &&
                  index.getArgNumber() == cast<BlockArgument>(entry.first).getArgNumber();
         });
}

Text Exporter::printRead(ReadOp op) {
  if (auto it = readNames.find(op); it != readNames.end())
    return {it->second};
  AffineMap map = op.getMap();
  std::string mark = op->hasAttr(optionalReadAttr) ? "?" : "";
  bool inBody = reader && current && isa<RuleOp, ConstraintOp>(current);
  for (auto visible : program.getOps<VisibleOp>()) {
    bool same = inBody && visible.getLabel() && visible.getValue() == reader.getSymName() &&
                visible.getSource() == op.getValue() &&
                visible.getNumIndices() == reader.getRank() &&
                visible.getMap().getResults() == map.getResults() &&
                (!visible.getGather() || isSameGather(visible, op)) &&
                conditionOf(visible.getWhere()).isAlways();
    if (same && mark.empty())
      return {visible.getLabel()->str()};
  }
  if (inBody && mark.empty() && isReaderCell(op))
    return {"self"};
  // All indices in scope are operands; only those that the map uses need names.
  SmallVector<Value> used(op.getIndices());
  for (auto [position, index] : llvm::enumerate(used))
    if (!map.isFunctionOfDim(position))
      index = Value();
  SmallVector<std::string> dims = namesOf(used);
  SmallVector<std::string> indices;
  for (AffineExpr result : map.getResults()) {
    std::string text = printIndex(result, dims);
    // A computed index is the whole expression.
    bool isAlone = isa<AffineDimExpr>(result) && StringRef(text).starts_with("(");
    indices.push_back(isAlone ? text.substr(1, text.size() - 2) : text);
  }
  return {cell(op.getValue(), indices) + mark};
}

/// `m in first..last`, for limits that sets cannot express.
SmallVector<std::string> Exporter::printLimits(Operation *family, ArrayRef<std::string> free) {
  SmallVector<std::string> texts;
  for (const FreeLimits &limit : getLimits(family))
    texts.push_back(free[limit.free] + " in " + compact(at(limit.low, Precedence::bitOr)) + ".." +
                    compact(at(limit.high, Precedence::bitOr)));
  return texts;
}

/// Whether a read in a family's body is the line's read at the family's indices.
bool Exporter::isMemberOf(VisibleOp visible, ReadOp read, ValueRange outer, Block &body) {
  if (read.getValue() != visible.getSource() || read.getMap() != visible.getMap())
    return false;
  if (!visible.getGather())
    return true;
  std::optional<GatherMatch> match = matchGather(read, visible);
  SmallVector<Value> indices(outer);
  llvm::append_range(indices, body.getArguments().drop_back());
  return match && llvm::all_of(*match, [&](auto &entry) {
           return indices[cast<BlockArgument>(entry.first).getArgNumber()] == entry.second;
         });
}

/// Whether the body uses the free indices for the line's reads alone.
bool Exporter::showsFree(VisibleOp visible, ValueRange outer, Block &body) {
  llvm::SmallPtrSet<Operation *, 8> known;
  SmallVector<Value> open;
  for (auto read : body.getOps<ReadOp>()) {
    if (!isMemberOf(visible, read, outer, body))
      continue;
    known.insert(read);
    llvm::append_range(open, read.getIndices());
  }
  // Operands computed for the line's reads.
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (op && op->getBlock() == &body && known.insert(op).second)
      llvm::append_range(open, op->getOperands());
  }
  // Other reads have the free indices in scope, but do not depend on them.
  auto isKnown = [&](Operation *user) {
    auto read = dyn_cast<ReadOp>(user);
    if (known.contains(user) || !read || read->getBlock() != &body)
      return known.contains(user);
    return llvm::none_of(llvm::enumerate(read.getIndices()), [&](auto index) {
      return llvm::is_contained(body.getArguments(), index.value()) &&
             read.getMap().isFunctionOfDim(index.index());
    });
  };
  return llvm::all_of(body.getArguments().drop_back(), [&](BlockArgument index) {
    return !index.use_empty() && llvm::all_of(index.getUsers(), isKnown);
  });
}

/// The labelled line of the reader that means the same family, if the body uses the free indices
/// for its reads alone.
VisibleOp Exporter::findLabel(Operation *op, ArrayAttr where, ValueRange outer, Block &body) {
  if (!reader || outer.size() != reader.getRank())
    return {};
  for (auto visible : program.getOps<VisibleOp>()) {
    unsigned numDims = outer.size() + body.getNumArguments() - 1;
    if (!visible.getLabel() || visible.getValue() != reader.getSymName() ||
        visible.getNumIndices() != numDims || visible.getWhere() != where ||
        getLimits(op).size() != getLimits(visible.getGather()).size())
      continue;
    auto names = visible->getAttrOfType<ArrayAttr>(indexNamesAttr);
    auto given = op->getAttrOfType<ArrayAttr>(indexNamesAttr);
    bool sameNames =
        (!names && !given) ||
        (names && given && names.getValue().drop_front(outer.size()) == given.getValue());
    if (sameNames && body.getNumArguments() > 1 && showsFree(visible, outer, body))
      return visible;
  }
  return {};
}

/// The members that a `count` of presence counts: the expression evaluated just before `true`.
Value Exporter::getCounted(YieldOp yield) {
  auto constant = yield.getValue().getDefiningOp<arith::ConstantOp>();
  if (!constant || !matchPattern(constant.getResult(), m_One()))
    return yield.getValue();
  Operation *before = constant->getPrevNode();
  return before && before->getNumResults() > 0 ? before->getResult(0) : yield.getValue();
}

/// The facts about free indices that a text implies.
struct Implied {
  SmallVector<std::string> order;
  Condition ranges = Condition::always();
};

namespace {
/// Collects the free names of a text, in the importer's order, and the ranges of bare ones.
class TextReader {
public:
  TextReader(ProgramOp program, ArrayRef<std::string> free, unsigned firstFree)
      : program(program), free(free), firstFree(firstFree) {}

  void readMembers(const Expr *expr) {
    if (auto *call = dyn_cast<CallExpr>(expr); call && isReduction(*call))
      return;
    auto *compare = dyn_cast<CompareExpr>(expr);
    if (compare && compare->ops.front() == CompareOp::in)
      return read(compare->operands.front(), true);
    forEachOperand(expr, [&](const Expr *operand) { readMembers(operand); });
  }

  void read(const Expr *expr, bool inIndex) {
    if (auto *name = dyn_cast<NameExpr>(expr)) {
      if (inIndex && position(name->name) && !llvm::is_contained(implied.order, name->name))
        implied.order.push_back(name->name.str());
      return;
    }
    if (auto *call = dyn_cast<CallExpr>(expr); call && isReduction(*call))
      return;
    if (auto *binary = dyn_cast<BinaryExpr>(expr); binary && binary->op == BinaryOp::range)
      inIndex = false;
    auto *reference = dyn_cast<IndexExpr>(expr);
    if (!reference)
      return forEachOperand(expr, [&](const Expr *operand) { read(operand, inIndex); });
    if (!isa<NameExpr>(reference->base)) // a component
      read(reference->base, inIndex);
    for (const Expr *index : reference->indices)
      read(index, true);
    addRanges(*reference);
  }

  Implied implied;

private:
  static bool isReduction(const CallExpr &call) {
    std::optional<Reduction> kind = symbolizeReduction(call.callee.name);
    bool pointwise = kind == Reduction::Min || kind == Reduction::Max;
    return kind && (!pointwise || call.arguments.size() == 1);
  }

  std::optional<unsigned> position(StringRef name) {
    auto *it = llvm::find(free, name);
    return it == free.end() ? std::nullopt : std::optional<unsigned>(it - free.begin());
  }

  void addRanges(const IndexExpr &reference) {
    auto *base = dyn_cast<NameExpr>(reference.base);
    Operation *symbol = base ? program.lookupSymbol(base->name) : nullptr;
    AffineMap shape;
    if (auto value = dyn_cast_or_null<ValueOp>(symbol); value && value.getShape())
      shape = *value.getShape();
    if (auto param = dyn_cast_or_null<ParamOp>(symbol); param && param.getShape())
      shape = *param.getShape();
    if (!shape)
      return;
    MLIRContext *context = program.getContext();
    for (auto [index, extent] : llvm::zip(reference.indices, shape.getResults())) {
      auto *name = dyn_cast<NameExpr>(index);
      std::optional<unsigned> found = name ? position(name->name) : std::nullopt;
      if (found)
        implied.ranges = *implied.ranges.conjoin(
            Condition::isBetween(getAffineConstantExpr(0, context),
                                 getAffineDimExpr(firstFree + *found, context), extent - 1));
    }
  }

  ProgramOp program;
  ArrayRef<std::string> free;
  unsigned firstFree;
};
} // namespace

/// Parses a `when` and a body that were just written.
static Implied readBack(ProgramOp program, StringRef when, StringRef body,
                        ArrayRef<std::string> free, unsigned firstFree) {
  std::string text =
      "observe o := f(" + body.str() + (when.empty() ? "" : " when " + when.str()) + ")";
  lmpm::Diagnostics diagnostics([](const lmpm::Diagnostic &) {});
  lmpm::Program parsed = parseProgram(text, diagnostics);
  TextReader reader(program, free, firstFree);
  if (parsed.decls.empty())
    return {};
  auto *call = cast<CallExpr>(cast<ObserveDecl>(*parsed.decls.front()).value);
  // Nothing was written if an operand could not be.
  if (call->arguments.empty())
    return {};
  const Expr *inner = call->arguments.front().value;
  auto *where = when.empty() ? nullptr : dyn_cast<WhereExpr>(inner);
  if (where)
    reader.readMembers(where->condition);
  reader.read(where ? where->body : inner, false);
  if (where)
    reader.read(where->condition, false);
  return reader.implied;
}

std::string Exporter::withConditions(const std::string &when, ArrayRef<std::string> dynamic,
                                     bool isUnion) {
  std::string text = isUnion && !dynamic.empty() ? "(" + when + ")" : when;
  for (const std::string &condition : dynamic)
    text += (text.empty() ? "" : " and ") + condition;
  return text;
}

std::optional<std::string> Exporter::relation(const Condition &where, ArrayRef<std::string> dims,
                                              unsigned firstFree, StringRef body,
                                              ArrayRef<std::string> dynamic) {
  auto free = dims.drop_front(firstFree);
  auto written = [&](const Condition &rest) {
    return withConditions(printCondition(rest, dims, firstFree), dynamic,
                          rest.getCases().size() > 1);
  };
  auto readsBack = [&](const Condition &rest, const std::string &when) {
    Implied implied = readBack(program, when, body, free, firstFree);
    std::optional<Condition> all = rest.conjoin(implied.ranges);
    return all && all->normalize() == where && ArrayRef(implied.order) == free;
  };
  Implied implied = readBack(program, "", body, free, firstFree);
  Condition ranges = implied.ranges.normalize();
  Condition rest = ranges.getCases().empty() ? where : where.without(ranges.getCases().front());
  // Names left of an `in` come first, so that writing all ranges fixes the order of the names.
  for (const Condition &attempt : {rest, where}) {
    std::string when = written(attempt);
    if (readsBack(attempt, when))
      return when;
  }
  // `i in i..i` binds a name without a constraint on it.
  SmallVector<std::string> conditions;
  for (const std::string &name : free)
    conditions.push_back(name + " in " + name + ".." + name);
  std::string condition = printCondition(where, dims, dims.size());
  conditions.push_back(where.getCases().size() > 1 ? "(" + condition + ")" : condition);
  llvm::append_range(conditions, dynamic);
  std::string when = llvm::join(conditions, " and ");
  return readsBack(where, when) ? std::optional<std::string>(when) : std::nullopt;
}

std::string Exporter::printWhere(Operation *op, ArrayAttr sets, ArrayRef<std::string> dims,
                                 unsigned firstFree, function_ref<std::string()> printBody,
                                 ArrayRef<std::string> dynamic) {
  Condition where = conditionOf(sets);
  std::string body = printBody();
  std::optional<std::string> when = relation(where, dims, firstFree, body, dynamic);
  if (!when) {
    size_t before = withoutRange.size();
    llvm::append_range(withoutRange, dims.drop_front(firstFree));
    body = printBody();
    withoutRange.truncate(before);
    when = relation(where, dims, firstFree, body, dynamic);
  }
  if (!when)
    fail(op, "a family with these indices and ranges");
  return body + (!when || when->empty() ? "" : " when " + *when);
}

/// `sum(v)`: the vector whose components are reduced, or null.
static Value getReducedVector(ReduceOp op) {
  Block &body = op.getBody().front();
  if (op.getNumFree() != 1 || body.getOperations().size() < 3 || op->hasAttr(indexNamesAttr))
    return Value();
  auto cast = dyn_cast<arith::IndexCastOp>(body.front());
  auto part = cast ? dyn_cast<ComponentOp>(cast->getNextNode()) : ComponentOp();
  bool isWhole = part && cast.getIn() == body.getArgument(0) && part.getIndex() == cast.getResult();
  return isWhole && part.getVector().getParentBlock() != &body ? part.getVector() : Value();
}

Text Exporter::printReduce(ReduceOp op) {
  Block &body = op.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  StringRef kind = stringifyReduction(op.getKind());
  if (Value vector = getReducedVector(op))
    return call(kind, vector);
  Value member = op.getKind() == Reduction::Count ? getCounted(yield) : yield.getValue();
  SmallVector<Value> dynamic;
  splitPresence(yield.getPresent(), dynamic);
  SmallVector<std::string> free;
  auto printDynamic = [&] {
    SmallVector<std::string> texts;
    if (!free.empty())
      texts = printLimits(op, free);
    for (Value condition : dynamic)
      texts.push_back(at(condition, Precedence::logicalNot));
    return texts;
  };
  size_t scopeSize = inScope.size();
  llvm::scope_exit restore([&] { inScope.truncate(scopeSize); });
  if (VisibleOp label = findLabel(op, op.getWhere(), op.getOuter(), body)) {
    for (auto read : body.getOps<ReadOp>())
      if (isMemberOf(label, read, op.getOuter(), body))
        readNames[read] = label.getLabel()->str();
    SmallVector<std::string> conditions = printDynamic();
    std::string when = withConditions("", conditions, false);
    std::string text = print(member).text;
    return {kind.str() + "(" + text + (when.empty() ? "" : " when " + when) + ")"};
  }
  if (getLimits(op).empty())
    if (std::optional<Text> text = printRanges(op, kind, member, printDynamic))
      return *text;
  free = nameFree(op, body.getArguments().drop_back());
  SmallVector<std::string> dims = namesOf(op.getOuter());
  unsigned firstFree = dims.size();
  dims.append(free);
  SmallVector<std::string> conditions = printDynamic();
  std::string text = printWhere(
      op, op.getWhere(), dims, firstFree, [&] { return print(member).text; }, conditions);
  return {kind.str() + "(" + text + ")"};
}

/// A family whose free indices are bare in one reference: `V[0..t - 1]`, `V[*]`.
std::optional<std::string> Exporter::rangeReference(StringRef value, AffineMap map,
                                                    const Condition &where,
                                                    ArrayRef<std::string> dims, unsigned firstFree,
                                                    Condition &rest) {
  unsigned numFree = dims.size() - firstFree;
  auto source = program.lookupValue(value);
  if (where.getCases().empty() || numFree == 0 || !source.getShape())
    return std::nullopt;
  SmallVector<std::string> indices;
  SmallVector<IndexConstraint> used;
  unsigned nextFree = firstFree;
  bool whole = numFree == map.getNumResults();
  for (auto [axis, result] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || dim.getPosition() != nextFree) {
      for (unsigned i = firstFree; i < dims.size(); ++i)
        if (result.isFunctionOfDim(i))
          return std::nullopt;
      indices.push_back(compact(print(result, dims).text));
      continue;
    }
    ++nextFree;
    const IndexConstraint *low = nullptr, *high = nullptr;
    for (const IndexConstraint &constraint : where.getCases().front()) {
      if (!constraint.expr.isFunctionOfDim(dim.getPosition()))
        continue;
      auto form = LinearForm::of(constraint.expr);
      auto *term = llvm::find_if(form.terms, [&](auto &t) { return t.first == dim; });
      if (constraint.isEquality || term == form.terms.end() || std::abs(term->second) != 1 ||
          (term->second > 0 ? low : high))
        return std::nullopt;
      (term->second > 0 ? low : high) = &constraint;
    }
    if (!low || !high)
      return std::nullopt;
    used.push_back(*low);
    used.push_back(*high);
    AffineExpr first = normalizeExpr(result - low->expr);
    AffineExpr last = normalizeExpr(high->expr + result);
    bool all = isa<AffineConstantExpr>(first) && cast<AffineConstantExpr>(first).getValue() == 0 &&
               last == normalizeExpr(source.getShape()->getResult(axis) - 1);
    whole &= all;
    auto end = [&](AffineExpr expr) {
      Text text = print(expr, dims);
      return text.precedence < Precedence::bitOr ? "(" + text.text + ")" : text.text;
    };
    indices.push_back(all ? "*" : compact(end(first) + ".." + end(last)));
  }
  rest = where.without(used);
  // Every case must have these ranges and no other constraint on the free indices.
  bool sameRanges = llvm::all_of(where.getCases(), [&](const Condition::Case &list) {
    return llvm::all_of(used,
                        [&](auto &constraint) { return llvm::is_contained(list, constraint); });
  });
  for (const Condition::Case &list : rest.getCases())
    for (const IndexConstraint &constraint : list)
      for (unsigned i = firstFree; i < dims.size(); ++i)
        sameRanges &= !constraint.expr.isFunctionOfDim(i);
  if (nextFree != dims.size() || !sameRanges)
    return std::nullopt;
  return whole ? value.str() + "[*]" : cell(value, indices);
}

bool mlir::lci::areRangeNames(Operation *op, unsigned numFree, StringRef prefix) {
  auto names = op->getAttrOfType<ArrayAttr>(indexNamesAttr);
  if (!names || names.size() < numFree)
    return false;
  for (auto [i, name] : llvm::enumerate(names.getAsValueRange<StringAttr>()))
    if (i >= names.size() - numFree && name != (prefix + Twine(i - (names.size() - numFree))).str())
      return false;
  return true;
}

std::optional<Text> Exporter::printRanges(ReduceOp op, StringRef kind, Value member,
                                          function_ref<SmallVector<std::string>()> conditions) {
  Block &body = op.getBody().front();
  unsigned numFree = op.getNumFree();
  if (!areRangeNames(op, numFree, "i"))
    return std::nullopt;
  ReadOp first;
  for (BlockArgument index : body.getArguments().drop_back())
    for (Operation *user : index.getUsers()) {
      auto read = dyn_cast<ReadOp>(user);
      if (!read || read->getBlock() != &body ||
          (first && (read.getMap() != first.getMap() || read.getValue() != first.getValue())))
        return printParamReduce(op, kind, member);
      first = first ? first : read;
    }
  if (!first)
    return std::nullopt;
  SmallVector<std::string> dims = namesOf(op.getOuter());
  unsigned firstFree = dims.size();
  dims.append(numFree, "");
  Condition rest = Condition::always();
  std::optional<std::string> text = rangeReference(
      first.getValue(), first.getMap(), conditionOf(op.getWhere()), dims, firstFree, rest);
  if (!text)
    return std::nullopt;
  for (auto read : body.getOps<ReadOp>())
    if (read.getMap() == first.getMap() && read.getValue() == first.getValue())
      readNames[read] = *text + (read->hasAttr(optionalReadAttr) ? "?" : "");
  std::string when = withConditions(printCondition(rest, dims, dims.size()), conditions(),
                                    rest.getCases().size() > 1);
  std::string inner = print(member).text;
  return Text{kind.str() + "(" + inner + (when.empty() ? "" : " when " + when) + ")"};
}

/// `sum(level)`: all elements of an array parameter.
std::optional<Text> Exporter::printParamReduce(ReduceOp op, StringRef kind, Value member) {
  auto value = member.getDefiningOp<ParamValueOp>();
  if (!value || value.getIndices().size() != op.getNumFree())
    return std::nullopt;
  for (auto [i, index] : llvm::enumerate(value.getIndices())) {
    auto cast = index.getDefiningOp<arith::IndexCastOp>();
    if (!cast || cast.getIn() != op.getBody().getArgument(i))
      return std::nullopt;
  }
  return Text{kind.str() + "(" + value.getParam().str() + ")"};
}
