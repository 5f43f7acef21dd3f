//===- Importer.h - From declarations to the program form -------*- C++ -*-===//
//
// Resolves names, types and presence, and emits IR through the ProgramBuilder. One class in several
// files, one for each concern: names, indices, families, expressions, calls, rules, declarations.
// Functions return an empty result after they have reported an error.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_LMPM_IMPORTER_H
#define LIB_TARGET_LMPM_IMPORTER_H

#include "LCI/Target/LMPM/Diagnostics.h"
#include "Scope.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"
#include <deque>

namespace mlir::lci {

class Importer {
public:
  Importer(MLIRContext *context, const lmpm::Program &program, lmpm::Diagnostics &diagnostics,
           std::function<Location(llvm::SMLoc)> toLocation,
           std::function<void(llvm::SMLoc, const Twine &)> remark, StringRef name);

  /// The module, or null after errors.
  OwningOpRef<ModuleOp> run();

private:
  using Expr = lmpm::Expr;

  // Declarations (ImportDecl.cpp).
  void declareNames();
  void declareVisible();
  bool checkFresh(const lmpm::Ident &name);
  void importDecl(const lmpm::Decl &decl);
  bool declareValue(const lmpm::ValueDecl &decl);
  std::optional<AffineExpr> sizeOf(const Expr *expr, const Twine &rangeHint);
  bool checkSize(const Expr *expr);
  bool checkAxes(size_t count, llvm::SMLoc loc);
  std::optional<SmallVector<AffineExpr>> getExtents(const lmpm::ShapeExpr &shape);
  std::optional<SmallVector<Boundary>> getBoundary(const lmpm::ValueDecl &decl, unsigned rank);
  bool declareParam(const lmpm::ParamDecl &decl);
  bool checkArray(const lmpm::ParamDecl &decl, llvm::ArrayRef<mlir::AffineExpr> extents);
  void importInit(ValueInfo &info);
  void importParam(const lmpm::ParamDecl &decl);
  bool importDef(DefInfo &info);
  std::optional<Family> getSeen(const lmpm::VisibleDecl &decl);
  bool addSeenCondition(const lmpm::Expr *expr, Family &family);
  std::optional<VisibleInfo> getVisible(const lmpm::VisibleDecl &decl);
  void importVisible(VisibleInfo &info);
  bool importGather(VisibleInfo &info, VisibleOp op);
  void importObserve(const lmpm::ObserveDecl &decl);
  void checkRuledValues();
  void checkCycles(); // ImportCycles.cpp

  // Schedules and commits (ImportPolicy.cpp).
  ValueInfo *getPolicyValue(const Expr *target, StringRef what);
  bool checkGivenOnce(ArrayRef<lmpm::Argument> options);
  void importSchedule(const lmpm::ScheduleDecl &decl);
  bool setScheduleOption(ScheduleOp op, const lmpm::Argument &option);
  bool setPhase(ScheduleOp op, const lmpm::Argument &option);
  bool setAxes(ScheduleOp op, const lmpm::Argument &option, bool isTile);
  bool setReversed(ScheduleOp op, const lmpm::Argument &option);
  std::optional<SmallVector<int64_t>> readAxes(ScheduleOp op, const lmpm::Argument &option,
                                               bool isTile);
  void importCommit(const lmpm::CommitDecl &decl);
  std::optional<Policy> getSatisfyPolicy(const lmpm::CommitDecl &decl);
  bool setQuorum(CommitOp op, const Expr *number);
  bool setCommitOption(CommitOp op, const lmpm::Argument &option, const Expr *&temperature);

  // Rules and constraints (ImportRule.cpp, ImportConstraint.cpp).
  void importRule(const lmpm::RuleDecl &decl);
  bool importRuleBody(const lmpm::RuleDecl &decl, RuleOp op, ValueInfo &reader);
  bool addReads(const lmpm::Clause &clause);
  bool addLet(const lmpm::Clause &clause);
  bool importEmit(const lmpm::RuleDecl &decl, const lmpm::Clause &emit, const lmpm::Clause *score,
                  Value condition, ValueInfo &reader);
  bool importScore(EmitOp op, const lmpm::Clause &score, ValueInfo &reader);
  bool setMarker(EmitOp op, const lmpm::AnyMarkerExpr &marker, ValueInfo &reader);
  /// The value that `on` names, with its indices in scope; null after an error.
  ValueInfo *enterCells(const Expr *target, StringRef keyword);
  bool isReaderCell(const Expr *target, const ValueInfo &reader);
  void importConstraint(const lmpm::ConstraintDecl &decl);
  bool importOnConstraint(const lmpm::ConstraintDecl &decl, const lmpm::Clause &rule);
  bool importReferenceConstraint(const lmpm::ConstraintDecl &decl, const lmpm::Clause &rule);
  bool isRangeOfCells(ConstraintOp op, unsigned axis, AffineExpr low, AffineExpr high,
                      llvm::SMLoc loc);
  bool setReferenceRegion(ConstraintOp op, const lmpm::IndexExpr &reference, ValueInfo &value);
  bool importPredicate(ConstraintOp op, const lmpm::Clause &rule);
  bool setPriority(ConstraintOp op, const lmpm::ConstraintDecl &decl);

  // Names (ImportNames.cpp).
  Entity resolve(StringRef name);
  /// The value of that name, or null after an error that suggests another.
  ValueInfo *findValue(const lmpm::NameExpr &name);
  bool isSizeName(StringRef name);
  /// The symbol of a size; its first location in the text is recorded.
  AffineExpr getSize(const lmpm::NameExpr &name);
  void placeSizes();
  std::vector<StringRef> getNamesInScope();
  Term failUnknown(const lmpm::NameExpr &name);
  /// The first unresolved name in an expression, or null.
  const lmpm::NameExpr *findUnknown(const Expr *expr);
  void collectFree(const Expr *expr, bool inIndex, SmallVectorImpl<StringRef> &names);
  void collectMembers(const Expr *expr, SmallVectorImpl<StringRef> &names);
  bool mentionsCandidate(const Expr *expr);
  bool mentionsFamily(const Expr *expr);

  // Indices (ImportIndex.cpp).
  std::optional<AffineExpr> affine(const Expr *expr, bool report, bool inRange = false);
  std::optional<AffineExpr> affineOperation(const lmpm::BinaryExpr &expr, bool report,
                                            bool inRange);
  std::optional<AffineExpr> affinePower(const lmpm::BinaryExpr &expr, AffineExpr base,
                                        AffineConstantExpr exponent, bool report);
  std::optional<AffineExpr> affineName(const lmpm::NameExpr &name, bool report, bool inRange);
  std::nullopt_t failAffine(ErrorId id, const Expr *expr, bool report, const Twine &why,
                            const Twine &hint = "");
  std::optional<Condition> condition(const Expr *expr, bool report);
  std::optional<Condition> comparison(const lmpm::CompareExpr &expr, bool report);
  std::optional<Condition> compare(lmpm::CompareOp op, const Expr *left, const Expr *right,
                                   bool report);
  std::optional<Condition> membership(ArrayRef<AffineExpr> tuple, const Expr *set, bool report);
  std::optional<Condition> namedOffsets(ArrayRef<AffineExpr> tuple, StringRef name,
                                        const lmpm::CallExpr *call, const Expr *at, bool report);
  /// Splits a condition into the part that sets can express and the remainder.
  bool rangesFreely(const Expr *expr);
  /// The comparisons of a chain, which are as if joined by `and`.
  SmallVector<const Expr *> getLinks(const lmpm::CompareExpr &chain);
  bool split(const Expr *expr, Condition &where, SmallVectorImpl<const Expr *> &dynamic,
             SmallVectorImpl<LimitText> *limits = nullptr);
  std::optional<LimitText> asLimit(const Expr *expr);
  bool mentionsFree(const Expr *expr);
  std::optional<FreeLimits> evalLimit(const LimitText &limit);
  /// Adds the ranges of the axes at which the free names are bare.
  void addBareRanges(const Expr *expr, Condition &where);
  bool checkBounded(const Condition &where, unsigned firstFree, ArrayRef<StringRef> names,
                    llvm::SMLoc loc);

  // Families and reductions (ImportFamily.cpp, ImportGather.cpp, ImportReduce.cpp).
  bool isMany(const Expr *expr);
  /// The treatment of a single cell's index that no set can express: an error, computed in the body
  /// and then in scope, or computed for each member.
  enum class Computing { never, now, later };
  std::optional<Family> family(const Expr *expr, Computing computing = Computing::never);
  std::optional<Family> familyOfName(const lmpm::NameExpr &name);
  std::optional<Family> familyOfReference(const lmpm::IndexExpr &reference,
                                          Computing computing = Computing::never);
  void failReference(const lmpm::NameExpr &base);
  const lmpm::NameExpr *findUndeclared(const Expr *expr);
  bool addIndex(const Expr *index, Family &family, Computing computing);
  Term evalPosition(const Expr *index);
  bool isComputed(const Expr *expr);
  bool isBeyondSets(const Expr *expr);
  const Expr *findData(const Expr *expr);
  /// Calls a function in the scope of the `visible` line that defines a family.
  template <typename Function>
  auto inVisible(const Family &family, Function function) {
    Scope inner = std::move(scope);
    enterVisible(family, inner);
    auto result = function();
    scope = std::move(inner);
    return result;
  }
  void enterVisible(const Family &family, const Scope &inner);
  std::optional<SmallVector<FreeLimits>> evalLimits(const Family &family);
  std::optional<Family> familyOfSeen(const lmpm::NameExpr &name, ValueInfo &source);
  std::optional<Family> neighbors(const Expr *offsets, llvm::SMLoc loc);
  Family instantiate(const VisibleInfo &visible);
  Family wholeValue(ValueInfo &value);
  Term readMember(Family family, llvm::SMLoc loc);
  Term evalFamily(const Expr *expr);
  void collectFamilies(const Expr *expr, SmallVectorImpl<const Expr *> &families);
  bool isReduction(const lmpm::CallExpr &call);
  /// The range of a reduction.
  struct Range {
    llvm::SMLoc loc;
    const Expr *body = nullptr;
    const Expr *when = nullptr;
    SmallVector<StringRef> names;
    /// The index names that are kept in the IR: the family's names where there is a family.
    SmallVector<StringRef> indexNames;
    SmallVector<Value> outer;
    Condition where = Condition::always();
    /// The conditions that sets cannot express.
    SmallVector<const Expr *> dynamic;
    SmallVector<FreeLimits> limits;
  };
  Term reduce(const lmpm::CallExpr &call, Reduction kind);
  Term reduceWithoutRange(const lmpm::CallExpr &call, Reduction kind, const Expr *body);
  bool enterRange(Range &range, const Expr *bound);
  void inOuter(llvm::function_ref<void()> evaluate);
  Term reduceRange(const Range &range, Reduction kind, bool outerLenient);
  Term reduceMember(const Expr *body, Reduction kind, ArrayRef<const Expr *> dynamic);
  Term reduceParam(const lmpm::CallExpr &call, Reduction kind, ParamInfo &param);
  static Sort getSort(Type type);
  Term finishReduction(ReduceOp op, Reduction kind, llvm::SMLoc loc, AffineExpr length = {});

  // Models (ImportModel.cpp).
  Term model(const lmpm::CallExpr &call);
  bool addModelArgument(const lmpm::CallExpr &call, unsigned position);
  const Expr *matchReadItem(const lmpm::NameExpr &name, unsigned position);
  bool collect(const Expr *expr);
  bool fillFamily(Operation *op, const Expr *expr, const Family *reads);

  // Expressions (ImportExpr.cpp).
  Term eval(const Expr *expr);
  Term evalName(const lmpm::NameExpr &name);
  Term evalIndex(const lmpm::IndexExpr &expr);
  Term evalParam(ParamInfo &param, const lmpm::IndexExpr *expr, llvm::SMLoc loc);
  Term evalDef(DefInfo &def, ArrayRef<Expr *> indices, llvm::SMLoc loc);
  bool checkIndices(StringRef base, ArrayRef<Expr *> indices);
  Term failIndex(const DefInfo &def, const Expr *index);
  /// Counts an expression that is imported once more, in place of a name or as the middle of a
  /// chain; false, and one message, once that is too much.
  bool charge(const Expr *text);
  Term writeOut(DefInfo &def, ArrayRef<Expr *> indices, llvm::SMLoc loc);
  /// Calls a function on the given expression of a formal index, in the scope of the caller.
  template <typename Function>
  auto inCaller(const Formal &formal, Function function) {
    const Expr *given = formal.given;
    if (!charge(given))
      return decltype(function(given))();
    const Scope &caller = *formal.caller;
    Scope inner = std::move(scope); // and `formal` with it
    scope = caller;
    scope.lenient = inner.lenient;
    auto result = function(given);
    scope = std::move(inner);
    return result;
  }
  /// Calls a function on the expression of a let, in the scope of its line.
  template <typename Function>
  auto inLet(const LetInfo &let, Function function) {
    const Expr *text = let.clause->value;
    return charge(text) ? atLet(let, function) : decltype(function(text))();
  }
  /// The same where the let itself is imported, which is no use of its name.
  template <typename Function>
  auto atLet(const LetInfo &let, Function function) {
    size_t before = &let - scope.lets.data();
    llvm::SaveAndRestore sight(scope.letsInSight, std::min(before, scope.letsInSight));
    return function(let.clause->value);
  }
  Term evalUnary(const lmpm::UnaryExpr &expr);
  Term evalBinary(const lmpm::BinaryExpr &expr);
  Term evalLogical(const lmpm::BinaryExpr &expr);
  Term evalPower(const lmpm::BinaryExpr &expr);
  Term evalCoalesce(const lmpm::BinaryExpr &expr);
  Term evalCompare(const lmpm::CompareExpr &expr);
  Term evalTupleCompare(const lmpm::CompareExpr &expr, const lmpm::TupleExpr &left,
                        const lmpm::TupleExpr &right);
  Term compareTerms(lmpm::CompareOp op, Term left, Term right, Location loc);
  Term evalOnce(const Expr *expr, Term &known);
  Term evalBetween(const Expr *left, const lmpm::BinaryExpr &range, Location loc, Term &known);
  Term evalMembership(const Expr *left, const Expr *set, llvm::SMLoc loc);
  Term evalMembership(const Expr *left, const Expr *set, llvm::SMLoc loc, Term &known);
  Term evalConditional(const lmpm::ConditionalExpr &expr);
  Term chooseComponents(const lmpm::ConditionalExpr &expr, Term condition, Term onTrue,
                        Term onFalse);
  Term buildBinary(ElementaryBinary function, const Expr *left, Term x, const Expr *right, Term y,
                   Location loc);
  bool unifyTruths(const Expr *left, Term &a, const Expr *right, Term &b);
  Term arithmetic(lmpm::BinaryOp op, Term left, Term right, const lmpm::BinaryExpr &expr);
  bool checkQuotient(const lmpm::BinaryExpr &expr, bool isNumber);
  Value integerOperation(lmpm::BinaryOp op, Value left, Value right, Location loc);
  Value numberOperation(lmpm::BinaryOp op, Value left, Value right, const lmpm::BinaryExpr &expr);

  // Vectors (ImportVector.cpp).
  Type getVectorType(AffineExpr length);
  Term asVector(const Expr *expr, Term term, AffineExpr length);
  Term asTruths(const Expr *expr, Term term, AffineExpr length);
  Term toNumbers(Term term, Location loc);
  Term failLength(const Expr *expr);
  Term evalMatmul(const lmpm::BinaryExpr &expr);
  Term evalComponent(const lmpm::IndexExpr &expr);
  bool checkOneBracket(const lmpm::IndexExpr &expr);
  bool isVectorName(const Expr *expr);
  Term evalVectorCall(const lmpm::CallExpr &call);
  Term evalConcat(const lmpm::CallExpr &call);
  Term reduceVector(const Expr *body, Reduction kind, Term vector);
  /// Converts to the type of a value's cells.
  Term coerceToCell(const Expr *expr, Term term, const ValueInfo &value);

  // Types and presence (ImportTerm.cpp).
  Term evalAs(const Expr *expr, Sort sort);
  Term coerce(const Expr *expr, Term term, Sort sort);
  Term toInteger(Term term, Location loc);
  Term toNumber(Term term, Location loc);
  bool unify(const Expr *left, Term &a, const Expr *right, Term &b);
  Value both(Value a, Value b, Location loc);
  Term require(Term term, Location loc);
  bool isIntegerDivision(const Expr *expr);

  // Calls (ImportCall.cpp, ImportDraw.cpp).
  Term evalCall(const lmpm::CallExpr &call);
  Term failCall(const lmpm::CallExpr &call);
  Term evalFunction(const lmpm::CallExpr &call);
  bool checkSingles(const lmpm::CallExpr &call);
  Term extremum(const lmpm::CallExpr &call, bool isMin);
  Term combineExtremum(Term left, Term right, bool isMin, Location loc);
  Term evalDraw(const lmpm::CallExpr &call);
  std::optional<Value> getDrawNumber(const lmpm::CallExpr &call);
  std::optional<Value> getCandidateNumber(const lmpm::CallExpr &call);
  std::optional<unsigned> getBits(const lmpm::CallExpr &call);
  Value roundUp(Value probability, unsigned bits, Location loc);
  Term evalSampleTiles(const lmpm::CallExpr &call);
  Term evalConstraintCall(const lmpm::CallExpr &call);
  /// The quoted name that `Palette` and `region` take, or null after an error.
  const lmpm::StringExpr *getQuotedName(const lmpm::CallExpr &call, const Twine &example);
  bool checkArity(const lmpm::CallExpr &call, unsigned count);

  // Shared.
  Term fail(ErrorId id, llvm::SMLoc loc, const Twine &message, const Twine &hint = "");
  Location at(llvm::SMLoc loc) {
    Location place = toLocation(loc);
    return scope.use ? Location(CallSiteLoc::get(place, *scope.use)) : place;
  }
  Location at(const Expr *expr) { return at(expr->getLoc()); }
  AffineExpr dim(unsigned position) { return getAffineDimExpr(position, builder.getContext()); }
  AffineExpr number(int64_t value) { return getAffineConstantExpr(value, builder.getContext()); }
  SmallVector<Value> getIndexValues();
  void enterScope(StringRef place, const lmpm::Decl &decl);
  /// Names the indices of a declaration, one per axis; false and a message if their number differs.
  bool bindIndices(ArrayRef<lmpm::Ident> names, unsigned rank, Block *block, llvm::SMLoc loc,
                   StringRef what);
  void attachComments(Operation *op, const lmpm::Decl &decl);
  void attachClauseComments(Operation *op, ArrayRef<std::unique_ptr<lmpm::Clause>> clauses);

  const lmpm::Program &program;
  lmpm::Diagnostics &diagnostics;
  std::function<Location(llvm::SMLoc)> toLocation;
  std::function<void(llvm::SMLoc, const Twine &)> remark;
  ProgramBuilder builder;
  Scope scope;

  llvm::MapVector<StringRef, std::unique_ptr<ValueInfo>> values;
  llvm::MapVector<StringRef, std::unique_ptr<ParamInfo>> params;
  llvm::MapVector<StringRef, std::unique_ptr<DefInfo>> defs;
  /// The formulas whose bodies are being imported, from the outside in.
  SmallVector<DefInfo *> openDefs;
  /// The nesting depths of the formulas and expressions being imported.
  unsigned formulaDepth = 0, exprDepth = 0;
  /// The number of operations expanded in place of names.
  int64_t writtenOut = 0;
  std::vector<std::unique_ptr<VisibleInfo>> visibles;
  llvm::StringMap<llvm::SMLoc> declared;
  llvm::MapVector<StringRef, llvm::SMLoc> sizePlaces;
  /// Invalid declarations (a line without a label: ""), and unknown names: reported once, not at
  /// each use.
  llvm::StringSet<> broken, undeclared;
  bool usesBroken = false, isTooDeep = false;
  /// Comparisons of chains, which are no nodes of the AST.
  std::deque<lmpm::CompareExpr> links;
  llvm::DenseMap<const Expr *, int64_t> ordinals;
  int64_t nextOrdinal = 0;
  llvm::MapVector<ValueInfo *, llvm::SMLoc> ruled;
  llvm::DenseSet<ValueInfo *> committed;
  SmallVector<Operation *> order;
};

/// "1 index", "2 indices".
std::string counted(size_t count, StringRef one, StringRef many);

} // namespace mlir::lci

#endif // LIB_TARGET_LMPM_IMPORTER_H
