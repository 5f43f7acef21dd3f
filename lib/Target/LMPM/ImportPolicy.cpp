//===- ImportPolicy.cpp - Import of schedules and commits -----------------===//
//
// `schedule V[*] using strategy(options)` and `commit V[*] using policy(options)`.
//
//===----------------------------------------------------------------------===//
#include "Importer.h"
#include "LCI/Dialect/ScheduleOptions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

ValueInfo *Importer::getPolicyValue(const Expr *target, StringRef what) {
  auto *reference = dyn_cast<IndexExpr>(target);
  auto *base = dyn_cast<NameExpr>(reference ? reference->base : target);
  ValueInfo *value = findValue(*base);
  if (!value)
    return nullptr;
  bool whole = !reference || llvm::all_of(reference->indices,
                                          [](const Expr *index) { return isa<StarExpr>(index); });
  if (!whole) {
    fail(ErrorId::WrongPlace, target->getLoc(), "a " + what + " is for all cells of a value",
         "write '" + base->name + "[*]'");
    return nullptr;
  }
  if (value->isSet()) {
    fail(ErrorId::SetValue, target->getLoc(),
         "'" + base->name + "' is a set, which joins what is proposed and has no " + what);
    return nullptr;
  }
  size_t numStars = reference ? reference->indices.size() : 1;
  if (numStars != 1 && numStars != value->getRank()) {
    fail(ErrorId::WrongArity, target->getLoc(),
         "expected an index for each axis of '" + base->name + "', " + Twine(value->getRank()) +
             ", but got " + Twine(numStars),
         "one '*' stands for all of them: '" + base->name + "[*]'");
    return nullptr;
  }
  return value;
}

/// Describes an expression in place of an expected literal.
static std::string describeFound(const Expr *expr) {
  if (auto *integer = dyn_cast<IntegerExpr>(expr))
    return std::to_string(integer->value);
  if (auto *real = dyn_cast<RealExpr>(expr))
    return std::to_string(real->value);
  if (auto *name = dyn_cast<NameExpr>(expr))
    return ("the name '" + name->name + "'").str();
  return "an expression";
}

/// A literal fraction of cells, from 0 to 1.
static std::optional<float> getFraction(const Expr *expr) {
  auto *real = dyn_cast<RealExpr>(expr);
  auto *integer = dyn_cast<IntegerExpr>(expr);
  if (!real && !integer)
    return std::nullopt;
  float value = real ? real->value : static_cast<float>(integer->value);
  return value >= 0 && value <= 1 ? std::optional<float>(value) : std::nullopt;
}

void Importer::importSchedule(const ScheduleDecl &decl) {
  enterScope("a schedule", decl);
  ValueInfo *value = getPolicyValue(decl.target, "schedule");
  if (!value)
    return;
  std::optional<Strategy> strategy = symbolizeStrategy(decl.strategy.name);
  if (!strategy) {
    fail(ErrorId::UnknownWord, decl.strategy.loc, "unknown strategy '" + decl.strategy.name + "'",
         didYouMean(decl.strategy.name,
                    {"all", "red_black", "four_color", "recolor", "random", "raster", "wavefront",
                     "masked", "confidence"},
                    "strategies are all, red_black, four_color, recolor, random(fraction), raster, "
                    "wavefront, masked and confidence(fraction)"));
    return;
  }
  if (*strategy == Strategy::FourColor && value->getRank() < 2) {
    fail(ErrorId::WrongSchedule, decl.strategy.loc,
         "'four_color' colours the last two axes, but '" + value->decl->name.name + "' has " +
             Twine(value->getRank()),
         "'red_black' colours any");
    return;
  }
  auto isAnother = [&](Operation *other) {
    auto schedule = dyn_cast<ScheduleOp>(other);
    return schedule && schedule.getValue() == value->op.getSymName();
  };
  if (llvm::any_of(order, isAnother)) {
    fail(ErrorId::DeclaredTwice, decl.target->getLoc(),
         "'" + value->decl->name.name + "' has a schedule already");
    return;
  }
  ScheduleOp op = builder.addSchedule(at(decl.loc), value->op, *strategy);
  order.push_back(op);
  attachComments(op, decl);
  if (!checkGivenOnce(decl.options))
    return;
  // `reverse` is checked last, once the axes are known.
  auto isReverse = [](const Argument &option) { return option.name.name == "reverse"; };
  for (bool last : {false, true})
    for (const Argument &option : decl.options)
      if (isReverse(option) == last && !setScheduleOption(op, option))
        return;
  bool samples = *strategy == Strategy::Random || *strategy == Strategy::Confidence;
  if (samples && !op.getFractionAttr())
    fail(ErrorId::MissingPart, decl.strategy.loc,
         "'" + decl.strategy.name + "' needs a fraction of the cells",
         "as in '" + decl.strategy.name + "(0.5)'");
}

/// Rejects a second option of one name, since only one could take effect.
bool Importer::checkGivenOnce(ArrayRef<Argument> options) {
  llvm::StringSet<> seen;
  for (const Argument &option : options) {
    StringRef name = option.name.name;
    if (!seen.insert(name).second)
      return static_cast<bool>(fail(ErrorId::DeclaredTwice,
                                    option.name ? option.name.loc : option.value->getLoc(),
                                    name.empty() ? "an option without a name stands here already"
                                                 : "the option '" + name + "' is given twice"));
  }
  return true;
}

/// An example of an option of a schedule.
static std::string exampleOf(StringRef option) {
  StringRef value = llvm::StringSwitch<StringRef>(option)
                        .Case("reverse", "(0)")
                        .Case("axes", "(0, 1)")
                        .Case("tile", "(8, 8)")
                        .Case("legalize", "snapshot")
                        .Default("…");
  return ("as in '" + option + "=" + value + "'").str();
}

bool Importer::setScheduleOption(ScheduleOp op, const Argument &option) {
  StringRef name = option.name ? option.name.name : "fraction";
  SmallVector<StringRef> taken = getScheduleOptions(op.getStrategy());
  auto *word = dyn_cast<NameExpr>(option.value);
  if (!option.name && word && llvm::is_contained(taken, word->name))
    return static_cast<bool>(fail(ErrorId::MissingPart, word->getLoc(),
                                  "the option '" + word->name + "' needs a value",
                                  exampleOf(word->name)));
  if (!llvm::is_contained(taken, name))
    return static_cast<bool>(
        fail(ErrorId::UnknownWord, option.name ? option.name.loc : option.value->getLoc(),
             "'" + stringifyStrategy(op.getStrategy()) + "' takes no option '" + name + "'",
             didYouMean(name, taken, describeScheduleOptions(op.getStrategy()))));
  if (name == "axes" || name == "tile")
    return setAxes(op, option, name == "tile");
  if (name == "reverse")
    return setReversed(op, option);
  if (name == "phase")
    return setPhase(op, option);
  if (name == "legalize") {
    auto *word = dyn_cast<NameExpr>(option.value);
    bool known =
        word && (word->name == "snapshot" || word->name == "recolor" || word->name == "strict");
    if (!known)
      return static_cast<bool>(fail(ErrorId::UnknownWord, option.value->getLoc(),
                                    "expected snapshot, recolor or strict"));
    op.setLegalize(word->name);
    return true;
  }
  std::optional<float> fraction = getFraction(option.value);
  if (!fraction)
    return static_cast<bool>(fail(ErrorId::LiteralOutOfRange, option.value->getLoc(),
                                  "expected a fraction from 0.0 to 1.0 as a literal, but got " +
                                      describeFound(option.value)));
  op.setFractionAttr(builder.ir.getF32FloatAttr(*fraction));
  return true;
}

/// The phase of the epoch with which the schedule begins.
bool Importer::setPhase(ScheduleOp op, const Argument &option) {
  auto *integer = dyn_cast<IntegerExpr>(option.value);
  if (!integer || integer->value > 65535)
    return static_cast<bool>(fail(ErrorId::LiteralOutOfRange, option.value->getLoc(),
                                  "expected a phase from 0 to 65535 as a literal, but got " +
                                      describeFound(option.value)));
  op.setPhase(integer->value);
  return true;
}

/// The axes that run backwards, a subset of the schedule's axes; set after these.
bool Importer::setReversed(ScheduleOp op, const Argument &option) {
  std::optional<SmallVector<int64_t>> reversed = readAxes(op, option, /*isTile=*/false);
  if (!reversed)
    return false;
  SmallVector<SweptAxis> swept = getSweptAxes(op, values.find(op.getValue())->second->getRank());
  for (int64_t axis : *reversed) {
    auto *found = llvm::find_if(swept, [&](SweptAxis each) { return each.axis == axis; });
    if (found == swept.end())
      return static_cast<bool>(fail(ErrorId::LiteralOutOfRange, option.value->getLoc(),
                                    "axis " + Twine(axis) +
                                        " is not one of 'axes', along which "
                                        "the schedule runs"));
    found->isReversed = true;
  }
  op.setAxes(llvm::map_to_vector(swept, [](SweptAxis each) { return each.encode(); }));
  return true;
}

bool Importer::setAxes(ScheduleOp op, const Argument &option, bool isTile) {
  std::optional<SmallVector<int64_t>> numbers = readAxes(op, option, isTile);
  if (!numbers)
    return false;
  if (isTile)
    op.setTile(*numbers);
  else
    op.setAxes(*numbers);
  return true;
}

/// Axes of the value, each once, or the extents of a tile.
std::optional<SmallVector<int64_t>> Importer::readAxes(ScheduleOp op, const Argument &option,
                                                       bool isTile) {
  SmallVector<const Expr *> members{option.value};
  if (auto *tuple = dyn_cast<TupleExpr>(option.value))
    members.assign(tuple->members.begin(), tuple->members.end());
  SmallVector<int64_t> numbers;
  int64_t rank = values.find(op.getValue())->second->getRank();
  for (const Expr *member : members) {
    auto *integer = dyn_cast<IntegerExpr>(member);
    bool inside = integer && (isTile ? integer->value > 0 : integer->value < rank);
    bool isNew = isTile || !inside || !llvm::is_contained(numbers, int64_t(integer->value));
    if (!inside)
      fail(ErrorId::LiteralOutOfRange, member->getLoc(),
           (isTile ? "expected a positive extent of the tile"
                   : "expected an axis from 0 to " + std::to_string(rank - 1)) +
               " as a literal, but got " + describeFound(member));
    if (!isNew)
      fail(ErrorId::DeclaredTwice, member->getLoc(),
           "axis " + Twine(integer->value) + " stands here already");
    if (!inside || !isNew)
      return std::nullopt;
    numbers.push_back(integer->value);
  }
  if (!isTile || static_cast<int64_t>(numbers.size()) == rank)
    return numbers;
  fail(ErrorId::WrongArity, option.value->getLoc(),
       "expected a tile of " + Twine(rank) + " extents, but got " + Twine(numbers.size()));
  return std::nullopt;
}

/// `satisfy(max_constraints_then_score)` and its variants.
std::optional<Policy> Importer::getSatisfyPolicy(const CommitDecl &decl) {
  static const std::pair<StringRef, Policy> words[] = {
      {"max_constraints_then_score", Policy::SatisfyMax},
      {"count_constraints_then_score", Policy::SatisfyCount},
      {"weighted_constraints_then_score", Policy::SatisfyWeighted}};
  auto *word = decl.options.size() == 1 && !decl.options[0].name
                   ? dyn_cast<NameExpr>(decl.options[0].value)
                   : nullptr;
  SmallVector<StringRef> known;
  for (auto [name, policy] : words) {
    if (word && word->name == name)
      return policy;
    known.push_back(name);
  }
  fail(ErrorId::UnknownWord, word ? word->getLoc() : decl.policy.loc,
       "expected 'satisfy' with an order of agreement",
       didYouMean(word ? word->name : "", known, llvm::join(known, ", ")));
  return std::nullopt;
}

void Importer::importCommit(const CommitDecl &decl) {
  enterScope("a commit", decl);
  scope.allowsReads = false;
  ValueInfo *value = getPolicyValue(decl.target, "commit");
  if (!value)
    return;
  StringRef word = decl.policy.name;
  std::optional<Policy> policy;
  if (word == "accept" || word == "sample" || word == "metropolis" || word == "quorum")
    policy = symbolizePolicy(word);
  else if (word == "satisfy")
    policy = getSatisfyPolicy(decl);
  else
    fail(ErrorId::UnknownWord, decl.policy.loc, "unknown policy '" + word + "'",
         didYouMean(word, {"accept", "satisfy", "sample", "metropolis", "quorum"},
                    "policies are accept, satisfy(…), sample(temperature=…), "
                    "metropolis(temperature=…) and quorum(k)"));
  if (!policy)
    return;
  if (!committed.insert(value).second) {
    fail(ErrorId::DeclaredTwice, decl.target->getLoc(),
         "'" + value->decl->name.name + "' has a commit already");
    return;
  }
  CommitOp op = builder.addCommit(at(decl.loc), value->op, *policy);
  order.push_back(op);
  attachComments(op, decl);
  const Expr *temperature = nullptr;
  if (!checkGivenOnce(decl.options))
    return;
  for (const Argument &option : decl.options)
    if (word != "satisfy" && !setCommitOption(op, option, temperature))
      return;
  bool needsTemperature = *policy == Policy::Sample || *policy == Policy::Metropolis;
  if (needsTemperature && !temperature) {
    fail(ErrorId::MissingPart, decl.policy.loc, "'" + word + "' needs a temperature",
         "as in '" + word + "(temperature=0.5)'");
    return;
  }
  if (*policy == Policy::Quorum && !op.getQuorum()) {
    fail(ErrorId::MissingPart, decl.policy.loc,
         "'quorum' needs the number of rules that must agree", "as in 'quorum(2)'");
    return;
  }
  if (!temperature)
    return;
  builder.ir.setInsertionPointToStart(builder.addBody(op.getTemperature(), at(temperature), 0));
  if (Term term = evalAs(temperature, Sort::number))
    YieldOp::create(builder.ir, at(temperature), term.value, Value());
}

/// The number of rules that must agree.
bool Importer::setQuorum(CommitOp op, const Expr *number) {
  auto *integer = dyn_cast<IntegerExpr>(number);
  if (!integer || integer->value < 1)
    return static_cast<bool>(fail(ErrorId::LiteralOutOfRange, number->getLoc(),
                                  "expected how many rules must agree, a literal of at least 1, "
                                  "but got " +
                                      describeFound(number),
                                  "as in 'quorum(2)'"));
  op.setQuorum(integer->value);
  return true;
}

/// The options that a commit takes by name.
static SmallVector<StringRef> getCommitOptions(Policy policy) {
  if (policy == Policy::Quorum)
    return {};
  if (policy == Policy::Sample || policy == Policy::Metropolis)
    return {"temperature", "constraints"};
  return {"constraints"};
}

/// `'sample' takes temperature=… and constraints=weighted`.
static std::string describeCommitOptions(Policy policy) {
  SmallVector<StringRef> forms = getCommitOptions(policy);
  for (StringRef &name : forms)
    name = name == "temperature" ? "temperature=…" : "constraints=weighted";
  return "'" + stringifyPolicy(policy).str() + "' takes " +
         (policy == Policy::Quorum ? "the number of rules that must agree, as in 'quorum(2)'"
                                   : llvm::join(forms, " and "));
}

bool Importer::setCommitOption(CommitOp op, const Argument &option, const Expr *&temperature) {
  Policy policy = op.getPolicy();
  StringRef name = option.name.name;
  SmallVector<StringRef> taken = getCommitOptions(policy);
  if (!option.name && policy == Policy::Quorum)
    return setQuorum(op, option.value);
  if (policy == Policy::Quorum && name == "constraints")
    return static_cast<bool>(fail(ErrorId::UnknownWord, option.name.loc,
                                  "'quorum' counts rules and no scores, to which "
                                  "'constraints=weighted' adds"));
  if (!option.name || !llvm::is_contained(taken, name))
    return static_cast<bool>(fail(ErrorId::UnknownWord,
                                  option.name ? option.name.loc : option.value->getLoc(),
                                  "'" + stringifyPolicy(policy) + "' takes no option " +
                                      (option.name ? "'" + name.str() + "'" : "without a name"),
                                  didYouMean(name, taken, describeCommitOptions(policy))));
  if (name == "temperature") {
    temperature = option.value;
    return true;
  }
  auto *word = dyn_cast<NameExpr>(option.value);
  if (!word || word->name != "weighted")
    return static_cast<bool>(
        fail(ErrorId::UnknownWord, option.value->getLoc(),
             "expected 'constraints=weighted', but got " + describeFound(option.value)));
  op.setWeighted(true);
  return true;
}
