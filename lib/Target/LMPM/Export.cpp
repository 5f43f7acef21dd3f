//===- Export.cpp - Export of declarations --------------------------------===//
//
// The entry point of the exporter, the choice of names, lines with their comments, and the
// declarations of one line.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"
#include "LCI/Dialect/ScheduleOptions.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

Exporter::Exporter(ProgramOp program, llvm::raw_ostream &os) : program(program), os(os) {
  for (StringRef name : program.getSizes().getAsValueRange<StringAttr>())
    sizes.push_back(name.str());
  for (const std::string &name : sizes)
    declared.insert(name);
  for (auto visible : program.getOps<VisibleOp>())
    if (visible.getLabel())
      declared.insert(*visible.getLabel());
  for (Operation &op : program.getBody().front())
    if (auto symbol = dyn_cast<SymbolOpInterface>(op);
        symbol && (isa<ValueOp, ParamOp, DefOp>(op) || llvm::isUpper(symbol.getName().front())))
      declared.insert(symbol.getName());
}

void Exporter::fail(Operation *op, const Twine &why) {
  if (!failed)
    op->emitError("the language cannot say this: ") << ErrorId::NoText << why;
  failed = true;
}

LogicalResult Exporter::run() {
  if (program.isBound())
    return program.emitError("expected a program in program form, but its sizes are bound")
           << ErrorId::NoText;
  for (auto [position, op] : llvm::enumerate(program.getBody().front())) {
    number = position;
    write(&op);
  }
  if (auto closing = program->getAttrOfType<ArrayAttr>(commentsAttr)) {
    os << "\n";
    for (StringRef line : closing.getAsValueRange<StringAttr>())
      os << line << "\n";
  }
  return failure(failed);
}

/// An empty line around rules and constraints, and above declarations with comments above.
void Exporter::separate(Operation *op) {
  auto isLong = [](Operation *o) { return isa<RuleOp, ConstraintOp>(o); };
  auto comments = op->getAttrOfType<DictionaryAttr>(commentsAttr);
  if (previous && (isLong(previous) || isLong(op) || (comments && comments.get("above"))))
    os << "\n";
  previous = op;
}

/// Warns that unknown attributes are lost: programs do not depend on them, but their author would
/// want to know.
static void warnOfAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() != commentsAttr && attribute.getName() != indexNamesAttr)
      op->emitWarning("the text leaves '") << ErrorId::NoText << attribute.getName().getValue()
                                           << "' out, for which the language has no word";
}

void Exporter::write(Operation *op) {
  if (isa<PaletteOp, RegionOp, ModelOp>(op))
    return;
  separate(op);
  warnOfAttributes(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case<ValueOp>([&](ValueOp value) { writeValue(value); })
      .Case<ParamOp>([&](ParamOp param) { writeParam(param); })
      .Case<DefOp>([&](DefOp def) { writeDef(def); })
      .Case<VisibleOp>([&](VisibleOp visible) { writeVisible(visible); })
      .Case<RuleOp>([&](RuleOp rule) { writeRule(rule); })
      .Case<ConstraintOp>([&](ConstraintOp constraint) { writeConstraint(constraint); })
      .Case<ScheduleOp>([&](ScheduleOp schedule) { writeSchedule(schedule); })
      .Case<CommitOp>([&](CommitOp commit) { writeCommit(commit); })
      .Case<ObserveOp>([&](ObserveOp observe) { writeObserve(observe); })
      .Default([&](Operation *other) {
        fail(other, "'" + other->getName().getStringRef() + "' in a program");
      });
}

/// A line with the comments above and behind it.
void Exporter::writeLine(Operation *op, StringRef clause, unsigned indent, const Twine &text) {
  auto comments = op->getAttrOfType<DictionaryAttr>(commentsAttr);
  auto get = [&](StringRef key) {
    return comments ? comments.get((clause + key).str()) : Attribute();
  };
  if (auto above = dyn_cast_or_null<ArrayAttr>(get("above")))
    for (StringRef line : above.getAsValueRange<StringAttr>()) {
      if (!line.empty())
        os.indent(indent) << line;
      os << "\n";
    }
  os.indent(indent) << text;
  if (auto behind = dyn_cast_or_null<StringAttr>(get("behind")))
    os << "  " << behind.getValue();
  os << "\n";
}

/// A name hides no size: sizes may be needed to write the ranges of other indices.
std::string Exporter::fresh(StringRef wanted, ArrayRef<std::string> taken) {
  std::string name = wanted.empty() ? "i" : wanted.str();
  auto isTaken = [&](StringRef candidate) {
    return llvm::is_contained(inScope, candidate) || llvm::is_contained(taken, candidate) ||
           llvm::is_contained(sizes, candidate);
  };
  for (unsigned i = 0; isTaken(name); ++i)
    name = (wanted + Twine("_") + Twine(i)).str();
  return name;
}

/// The names of a declaration's indices, from the attribute if it has one.
SmallVector<std::string> Exporter::nameIndices(Operation *op, ValueRange indices) {
  auto given = op->getAttrOfType<ArrayAttr>(indexNamesAttr);
  SmallVector<std::string> result;
  for (auto [i, index] : llvm::enumerate(indices)) {
    StringRef wanted = given && i < given.size() ? cast<StringAttr>(given[i]).getValue() : "";
    std::string generated = std::string(1, "ijkl"[i % 4]);
    result.push_back(fresh(wanted.empty() ? StringRef(generated) : wanted));
    names[index] = result.back();
    inScope.push_back(result.back());
  }
  return result;
}

/// The names of free indices, different from all declared names.
SmallVector<std::string> Exporter::nameFree(Operation *op, ValueRange indices) {
  auto given = op->getAttrOfType<ArrayAttr>(indexNamesAttr);
  SmallVector<std::string> result;
  for (auto [i, index] : llvm::enumerate(indices)) {
    StringRef wanted = given && i < given.size() ? cast<StringAttr>(given[i]).getValue() : "";
    std::string name = fresh(wanted.empty() ? "d" : wanted);
    while (declared.contains(name))
      name = fresh(name + "_");
    result.push_back(name);
    names[index] = name;
    inScope.push_back(name);
  }
  return result;
}

SmallVector<std::string> Exporter::namesOf(ValueRange indices) {
  SmallVector<std::string> result;
  for (Value index : indices) {
    auto it = index ? names.find(index) : names.end();
    if (auto computed = index ? index.getDefiningOp<arith::IndexCastOp>() : nullptr) {
      result.push_back("(" + compact(print(computed.getIn()).text) + ")");
      continue;
    }
    if (index && it == names.end())
      fail(current, "an index that is computed");
    result.push_back(it == names.end() ? "" : it->second);
  }
  return result;
}

std::string Exporter::list(ArrayRef<AffineExpr> exprs) {
  SmallVector<std::string> parts;
  for (AffineExpr expr : exprs)
    parts.push_back(compact(print(expr, {}).text));
  return llvm::join(parts, ", ");
}

static StringRef getTypeName(Kind kind) {
  switch (kind) {
  case Kind::Token:
    return "Token";
  case Kind::I32:
    return "I32";
  case Kind::F32:
    return "F32";
  case Kind::Latent:
    return "Latent";
  case Kind::Event:
    return "Event";
  case Kind::Rule:
    return "Rule";
  }
  return "";
}

void Exporter::writeValue(ValueOp op) {
  enter(op, "");
  std::string text = "value " + op.getSymName().str() + " : " + getTypeName(op.getKind()).str();
  if (op.getVocabulary())
    text += "[" + list(op.getVocabulary()->getResults()) + "]";
  static const StringRef shapes[] = {"Scalar", "Seq", "Grid2D", "Grid3D"};
  if (!op.getShape())
    text += " shape Set()";
  else if (op.getRank() == 0)
    text += " shape Scalar";
  else
    text += " shape " + (op.getRank() < 4 ? shapes[op.getRank()] : "Grid").str() + "(" +
            list(op.getShape()->getResults()) + ")";
  SmallVector<std::string> boundary;
  for (unsigned axis = 0; axis < op.getRank(); ++axis)
    boundary.push_back(stringifyBoundary(op.getBoundaryOf(axis)).str());
  bool isUniform = llvm::all_equal(boundary);
  if (!boundary.empty() && !(isUniform && boundary.front() == "open"))
    text += " boundary " + (isUniform ? boundary.front() : "(" + llvm::join(boundary, ", ") + ")");
  if (op.hasInit()) {
    Block &body = op.getInit().front();
    bool named = op->hasAttr(indexNamesAttr) ||
                 llvm::any_of(body.getArguments(), [](auto a) { return !a.use_empty(); });
    SmallVector<std::string> indices;
    if (named)
      indices = nameIndices(op, body.getArguments());
    text += " " + cell("init", indices) + " " +
            print(cast<YieldOp>(body.getTerminator()).getValue()).text;
  }
  writeLine(op, "", 0, text);
}

/// Lists of lists, as the importer reads them.
static std::string printElements(ArrayRef<int64_t> elements, ArrayRef<int64_t> extents) {
  SmallVector<std::string> parts;
  if (extents.size() == 1)
    for (int64_t element : elements)
      parts.push_back(std::to_string(element));
  int64_t step = extents.empty() ? 0 : elements.size() / std::max<int64_t>(extents.front(), 1);
  for (int64_t i = 0; extents.size() > 1 && i < extents.front(); ++i)
    parts.push_back(printElements(elements.slice(i * step, step), extents.drop_front()));
  return "[" + llvm::join(parts, ", ") + "]";
}

void Exporter::writeParam(ParamOp op) {
  enter(op, "");
  std::string text = "param " + op.getSymName().str() + " : " + getTypeName(op.getKind()).str();
  if (op.getShape())
    text += "[" + list(op.getShape()->getResults()) + "]";
  if (op.getElements())
    text += " = " + printElements(*op.getElements(), *op.getExtents());
  if (op.hasInit())
    text += " = " + print(cast<YieldOp>(op.getInit().front().getTerminator()).getValue()).text;
  writeLine(op, "", 0, text);
}

void Exporter::writeDef(DefOp op) {
  enter(op, "");
  Block &body = op.getBody().front();
  SmallVector<std::string> indices = nameIndices(op, body.getArguments());
  std::string value = print(cast<YieldOp>(body.getTerminator()).getValue()).text;
  writeLine(op, "", 0, "def " + cell(op.getSymName(), indices) + " = " + value);
}

void Exporter::writeVisible(VisibleOp op) {
  enter(op, "");
  auto reader = program.lookupValue(op.getValue());
  unsigned rank = reader.getRank(), numDims = op.getNumIndices();
  SmallVector<std::string> dims;
  auto given = op->getAttrOfType<ArrayAttr>(indexNamesAttr);
  for (unsigned i = 0; i < numDims; ++i) {
    bool isNamed = given && i < given.size() && !cast<StringAttr>(given[i]).empty();
    std::string name =
        isNamed ? cast<StringAttr>(given[i]).str() : std::string(1, "ijklmnop"[i % 8]);
    while (i >= rank && declared.contains(name))
      name += "_";
    dims.push_back(fresh(name, dims));
  }
  std::string head = "visible " + (op.getLabel() ? op.getLabel()->str() + ": " : "") +
                     cell(op.getValue(), ArrayRef(dims).take_front(rank)) + " <- ";
  Condition where = conditionOf(op.getWhere()), rest = Condition::always();
  bool ranged = given && numDims > rank;
  for (unsigned i = rank; ranged && i < numDims; ++i)
    ranged = dims[i] == "i" + std::to_string(i - rank);
  if (ranged && !op.getGather())
    if (auto text = rangeReference(op.getSource(), op.getMap(), where, dims, rank, rest)) {
      std::string when = printCondition(rest, dims, dims.size());
      return writeLine(op, "", 0, head + *text + (when.empty() ? "" : " when " + when));
    }
  SmallVector<std::string> all(dims);
  if (GatherOp gather = op.getGather()) {
    for (auto [argument, name] : llvm::zip(op.getBody().getArguments(), dims))
      names[argument] = name;
    for (Value index : gather.getIndices())
      all.push_back(compact(print(index).text));
  }
  auto printSource = [&] {
    SmallVector<std::string> indices;
    for (AffineExpr result : op.getMap().getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      bool isComputed = dim && dim.getPosition() >= numDims; // the whole index
      indices.push_back(isComputed ? all[dim.getPosition()] : printIndex(result, dims));
    }
    return cell(op.getSource(), indices);
  };
  writeLine(op, "", 0,
            head + printWhere(op, op.getWhere(), dims, rank, printSource,
                              printLimits(op.getGather(), ArrayRef(dims).drop_front(rank))));
}

static std::string joinNumbers(ArrayRef<int64_t> numbers) {
  std::string text =
      llvm::join(llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }), ", ");
  return numbers.size() == 1 ? text : "(" + text + ")";
}

void Exporter::writeSchedule(ScheduleOp op) {
  SmallVector<std::string> options;
  if (op.getFraction())
    options.push_back(formatNumber(*op.getFraction()));
  if (op.getAxes()) {
    SmallVector<SweptAxis> swept = getSweptAxes(op, 0);
    options.push_back("axes=" + joinNumbers(llvm::map_to_vector(
                                    swept, [](SweptAxis each) { return each.axis; })));
    if (SmallVector<int64_t> reversed = getReversedAxes(swept); !reversed.empty())
      options.push_back("reverse=" + joinNumbers(reversed));
  }
  if (op.getTile())
    options.push_back("tile=" + joinNumbers(*op.getTile()));
  if (op.getPhase())
    options.push_back("phase=" + std::to_string(*op.getPhase()));
  if (op.getLegalize())
    options.push_back("legalize=" + op.getLegalize()->str());
  writeLine(op, "", 0,
            "schedule " + op.getValue() + "[*] using " + stringifyStrategy(op.getStrategy()) +
                (options.empty() ? "" : "(" + llvm::join(options, ", ") + ")"));
}

void Exporter::writeCommit(CommitOp op) {
  enter(op, "");
  SmallVector<std::string> options;
  std::string policy = stringifyPolicy(op.getPolicy()).str();
  if (StringRef(policy).consume_front("satisfy_")) {
    options.push_back(StringRef(policy).drop_front(8).str() + "_constraints_then_score");
    policy = "satisfy";
  }
  if (op.getQuorum())
    options.push_back(std::to_string(*op.getQuorum()));
  if (!op.getTemperature().empty())
    options.push_back(
        "temperature=" +
        print(cast<YieldOp>(op.getTemperature().front().getTerminator()).getValue()).text);
  if (op.getWeighted())
    options.push_back("constraints=weighted");
  writeLine(op, "", 0,
            "commit " + op.getValue() + "[*] using " + policy +
                (options.empty() ? "" : "(" + llvm::join(options, ", ") + ")"));
}

void Exporter::writeObserve(ObserveOp op) {
  enter(op, "");
  std::string value = print(cast<YieldOp>(op.getBody().front().getTerminator()).getValue()).text;
  writeLine(op, "", 0, "observe " + op.getSymName() + " := " + value);
}

LogicalResult mlir::lci::exportLMPM(ProgramOp program, llvm::raw_ostream &os) {
  // The exporter takes for granted what verifiers check, which IR that was changed by hand may
  // lack.
  if (failed(verify(program)))
    return failure();
  // A text that failed halfway would read as a program: nothing is written unless all is.
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (failed(Exporter(program, stream).run()))
    return failure();
  os << text;
  return success();
}
