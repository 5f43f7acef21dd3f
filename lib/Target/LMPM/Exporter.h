//===- Exporter.h - From the program form to text ---------------*- C++ -*-===//
//
// Writes canonical text: one clause a line, the author's names where possible, exactly the
// parentheses that the grammar needs. Reading the text back gives the same IR; IR that the language
// cannot express is an error, never approximated.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_LMPM_EXPORTER_H
#define LIB_TARGET_LMPM_EXPORTER_H

#include "LCI/Builder/Condition.h"
#include "LCI/Builder/ProgramBuilder.h"
#include "LCI/Target/LMPM/Operators.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::lci {

/// A piece of an expression with its precedence.
struct Text {
  std::string text;
  lmpm::Precedence precedence = lmpm::Precedence::postfix;
};

class Exporter {
public:
  Exporter(ProgramOp program, llvm::raw_ostream &os);

  LogicalResult run();

private:
  using Precedence = lmpm::Precedence;

  // Declarations (Export.cpp).
  void write(Operation *op);
  void writeValue(ValueOp op);
  void writeParam(ParamOp op);
  void writeDef(DefOp op);
  void writeVisible(VisibleOp op);
  void writeSchedule(ScheduleOp op);
  void writeCommit(CommitOp op);
  void writeObserve(ObserveOp op);
  void writeLine(Operation *op, StringRef clause, unsigned indent, const Twine &text);
  void separate(Operation *op);
  std::string list(ArrayRef<AffineExpr> exprs);

  // Rules and constraints (ExportRule.cpp).
  void enter(Operation *op, StringRef value);
  void writeRule(RuleOp op);
  void composeLets(Block &block, SmallVectorImpl<std::pair<Operation *, std::string>> &lines);
  std::string composeProposal(EmitOp op);
  void writeConstraint(ConstraintOp op);
  std::optional<std::string> composeReference(ConstraintOp op, ArrayRef<std::string> indices);
  std::string cell(StringRef value, ArrayRef<std::string> indices);

  // Expressions (ExportExpr.cpp).
  Text print(Value value);
  Text printOp(Operation *op);
  Text printSpecial(Operation *op);
  Text printVector(Operation *op);
  Text printConstant(arith::ConstantOp op);
  Text binary(lmpm::BinaryOp op, Value left, Value right);
  Text binary(StringRef sign, Precedence precedence, Value left, Value right);
  Text unary(lmpm::UnaryOp op, Value operand);
  Text compare(StringRef sign, Value left, Value right);
  Text call(StringRef name, ValueRange operands);
  Text printSelect(arith::SelectOp op);
  bool isShared(Value left, Value right) const;
  SmallVector<Operation *> getChain(arith::AndIOp conjunction) const;
  Text printChain(ArrayRef<Operation *> chain);
  Value getMember(Value truth) const;
  Text printSet(Value truth, bool &isList);
  Text printMembership(arith::OrIOp either, Value member);
  Text printDraw(Operation *op, StringRef name, StreamAttr stream, ValueRange operands);
  std::string at(Value value, Precedence lowest);
  bool isPresence(Value value);
  void splitPresence(Value value, SmallVectorImpl<Value> &conditions);

  // Reads, reductions, models (ExportFamily.cpp).
  Text printRead(ReadOp op);
  Text printReduce(ReduceOp op);
  Text printEvaluate(EvaluateOp op);
  std::string printCollect(CollectOp op);
  std::string printDeclared(DeclareReadOp op);
  std::optional<std::string> printDeclaredReference(DeclareReadOp op, ReadOp read,
                                                    const Condition &where);
  std::optional<std::string> printNeighbors(unsigned numFree, SmallVector<std::string> dims,
                                            const Condition &where, ReadOp read);
  bool isReaderCell(ReadOp read);
  bool showsSame(StringRef label, ReadOp read, const Condition &where);
  SmallVector<std::string> printLimits(Operation *family, ArrayRef<std::string> free);
  bool isMemberOf(VisibleOp visible, ReadOp read, ValueRange outer, Block &body);
  bool showsFree(VisibleOp visible, ValueRange outer, Block &body);
  VisibleOp findLabel(Operation *op, ArrayAttr where, ValueRange outer, Block &body);
  VisibleOp findSeen(ReadOp read, const Condition &where);
  bool isPreviousFrame(ReadOp read);
  std::string asReadItem(StringRef name, const std::string &item);
  Value getCounted(YieldOp yield);
  std::optional<Text> printRanges(ReduceOp op, StringRef kind, Value member,
                                  function_ref<SmallVector<std::string>()> conditions);
  std::optional<Text> printParamReduce(ReduceOp op, StringRef kind, Value member);
  std::optional<std::string> rangeReference(StringRef value, AffineMap map, const Condition &where,
                                            ArrayRef<std::string> dims, unsigned firstFree,
                                            Condition &rest);
  /// Prints a body with `printBody`, and appends the `when` which, with the conditions that the
  /// body implies, expresses the sets.
  std::string printWhere(Operation *op, ArrayAttr sets, ArrayRef<std::string> dims,
                         unsigned firstFree, function_ref<std::string()> printBody,
                         ArrayRef<std::string> dynamic);
  std::optional<std::string> relation(const Condition &where, ArrayRef<std::string> dims,
                                      unsigned firstFree, StringRef body,
                                      ArrayRef<std::string> dynamic);
  std::string withConditions(const std::string &when, ArrayRef<std::string> dynamic, bool isUnion);

  // Sets of offsets (ExportOffsets.cpp).
  struct NamedOffsets {
    Condition condition;
    std::string name;
  };
  SmallVector<NamedOffsets> getNamedOffsets(const Condition::Case &next,
                                            ArrayRef<AffineExpr> offset,
                                            ArrayRef<std::string> dims);
  std::optional<std::pair<std::string, size_t>> nextName(const Condition &where, size_t done,
                                                         ArrayRef<AffineExpr> offset,
                                                         ArrayRef<std::string> dims);
  std::optional<std::string> offsetsName(const Condition &where, ArrayRef<AffineExpr> offset,
                                         ArrayRef<std::string> dims);
  std::optional<std::string> printOffset(const Condition::Case &list, ArrayRef<AffineExpr> offset,
                                         ArrayRef<std::string> dims);
  std::optional<std::string> printOffsets(const Condition &where, ArrayRef<AffineExpr> offset,
                                          ArrayRef<std::string> dims);

  // Indices (ExportIndex.cpp).
  Text print(AffineExpr expr, ArrayRef<std::string> dims);
  std::string printIndex(AffineExpr expr, ArrayRef<std::string> dims);
  Text printSum(const LinearForm &form, ArrayRef<std::string> dims);
  std::string printCase(const Condition::Case &list, ArrayRef<std::string> dims);
  std::string printCondition(const Condition &where, ArrayRef<std::string> dims,
                             unsigned firstFree);
  std::optional<std::string> printInequality(const Condition::Case &first,
                                             const Condition::Case &second,
                                             ArrayRef<std::string> dims);
  bool needsRange(const IndexConstraint &constraint) const;
  std::string printRange(unsigned dim, AffineExpr below, AffineExpr above,
                         ArrayRef<std::string> dims);
  std::string printConstraint(const IndexConstraint &constraint, ArrayRef<std::string> dims);
  Condition conditionOf(ArrayAttr sets);

  // Names.
  SmallVector<std::string> nameIndices(Operation *op, ValueRange indices);
  SmallVector<std::string> nameFree(Operation *op, ValueRange indices);
  SmallVector<std::string> namesOf(ValueRange indices);
  std::string fresh(StringRef wanted, ArrayRef<std::string> taken = {});

  void fail(Operation *op, const Twine &why);

  ProgramOp program;
  llvm::raw_ostream &os;
  bool failed = false;
  SmallVector<std::string> sizes;
  llvm::StringSet<> declared;
  DenseMap<Value, std::string> names;
  SmallVector<std::string> inScope;
  /// Free indices written as sums, since their range is not that of the axis.
  SmallVector<std::string> withoutRange;
  /// The text of the candidate: "candidate", or a constraint's reference.
  std::string candidate = "candidate";
  /// The target cell of a constraint.
  std::string candidateCell;
  Operation *current = nullptr;
  ValueOp reader;
  int64_t number = 0;
  int64_t nextOrdinal = 0;
  SmallVector<Value> emittedArguments;
  /// Reads that are written by a label or a reference.
  DenseMap<Operation *, std::string> readNames;
  /// The members of the rule's `read {…}`: name and text.
  SmallVector<std::pair<std::string, std::string>> readItems;
  Operation *previous = nullptr;
  static constexpr unsigned printLimit = 1000000;
  static constexpr unsigned depthLimit = 2000;
  unsigned numPrinted = 0;
  unsigned depth = 0;
};

/// Whether the names are the importer's defaults for the last free indices: for `*` and `..` with
/// the prefix `i`, for neighbours with `d`.
bool areRangeNames(Operation *op, unsigned numFree, StringRef prefix);

/// An index without spaces around its operators.
std::string compact(std::string text);

/// The literal that reads back as exactly this number.
std::string formatNumber(const APFloat &value);

} // namespace mlir::lci

#endif // LIB_TARGET_LMPM_EXPORTER_H
