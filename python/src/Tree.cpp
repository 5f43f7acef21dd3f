//===- Tree.cpp - Places and expressions ----------------------------------===//

#include "Tree.h"
#include "LCI/Target/LMPM/Lexer.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace lmpm::python;
using namespace lmpm;

void Tree::fail(PlaceId place, ErrorId id, const std::string &message, const std::string &hint) {
  llvm::SMLoc loc = locOf(place);
  unsigned source = context->sources.FindBufferContainingLoc(loc);
  auto [line, column] = context->sources.getLineAndColumn(loc, source);
  raiseAt(*context, id, message, context->sources.getMemoryBuffer(source)->getBufferIdentifier(),
          line, column, hint);
}

PlaceId Tree::addPlace(unsigned source, unsigned line, unsigned byte) {
  llvm::StringRef text = context->sources.getMemoryBuffer(source)->getBuffer();
  std::vector<const char *> &starts = lines[source];
  if (starts.empty()) {
    starts.push_back(text.begin());
    for (const char &character : text)
      if (character == '\n')
        starts.push_back(&character + 1);
  }
  // What a text does not have, because it changed since Python read it, lies at its end.
  const char *place = text.end();
  if (line <= starts.size()) {
    const char *end = line < starts.size() ? starts[line] - 1 : text.end();
    place = std::min(starts[line - 1] + byte, end);
  }
  places.push_back(llvm::SMLoc::getFromPointer(place));
  return places.size() - 1;
}

//===----------------------------------------------------------------------===//
// Names and lists
//===----------------------------------------------------------------------===//

bool lmpm::python::isName(llvm::StringRef text) {
  Diagnostics silent([](const Diagnostic &) {});
  Token token = Lexer(text, silent).next();
  return token.is(TokenKind::identifier) && token.text.size() == text.size();
}

Ident Tree::ident(const std::string &text, PlaceId place) {
  if (!text.empty() && !names.contains(text) && !isName(text))
    fail(place, ErrorId::Syntax, "'" + text + "' cannot be a name",
         "names consist of A-Z a-z 0-9 _ and are no words of the language");
  names.insert(text);
  return {intern(text), locOf(place)};
}

llvm::ArrayRef<Ident> Tree::idents(const std::vector<std::string> &names, PlaceId place) {
  llvm::SmallVector<Ident> list;
  for (const std::string &name : names)
    list.push_back(ident(name, place));
  return keep<Ident>(list);
}

llvm::ArrayRef<Expr *> Tree::at(const Exprs &ids) {
  llvm::SmallVector<Expr *> list;
  for (ExprId id : ids)
    list.push_back(at(id));
  return keep<Expr *>(list);
}

llvm::ArrayRef<Argument> Tree::arguments(const std::vector<std::string> &names, const Exprs &values,
                                         PlaceId place) {
  llvm::SmallVector<Argument> list;
  for (auto [name, value] : llvm::zip_equal(names, values))
    list.push_back({ident(name, place), at(value)});
  return keep<Argument>(list);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

template <typename T, typename... Args>
ExprId Tree::make(PlaceId place, Args &&...args) {
  Expr *expr = new (*program.arena) T(std::forward<Args>(args)...);
  if (expr->getHeight() > heightLimit)
    fail(place, ErrorId::NestedTooDeep,
         "the expression has more than " + std::to_string(heightLimit) + " nested operations",
         "assign parts of it to variables: in a rule, each is computed once");
  exprs.push_back(expr);
  return exprs.size() - 1;
}

ExprId Tree::integer(PlaceId place, int64_t value) {
  return make<IntegerExpr>(place, locOf(place), value);
}

ExprId Tree::real(PlaceId place, const std::string &digits) {
  llvm::APFloat value(llvm::APFloat::IEEEsingle());
  constexpr size_t longest = 1000; // of more digits LLVM overruns its buffers
  auto status = value.convertFromString(llvm::StringRef(digits).take_front(longest),
                                        llvm::APFloat::rmNearestTiesToEven);
  bool read = static_cast<bool>(status) && digits.size() <= longest;
  llvm::consumeError(status.takeError());
  if (!read || !value.isFinite())
    fail(place, ErrorId::NumberTooLarge, "the number " + digits + " does not fit F32",
         "the largest is 3.4028235e38");
  return make<RealExpr>(place, locOf(place), value.convertToFloat());
}

ExprId Tree::string(PlaceId place, const std::string &text) {
  if (llvm::StringRef(text).find_first_of("\"\n") != llvm::StringRef::npos)
    fail(place, ErrorId::Syntax, "a string has no quotes and no line breaks in it");
  return make<StringExpr>(place, locOf(place), intern(text));
}

ExprId Tree::name(PlaceId place, const std::string &text) {
  return make<NameExpr>(place, locOf(place), ident(text, place).name);
}

ExprId Tree::star(PlaceId place) { return make<StarExpr>(place, locOf(place)); }

ExprId Tree::ellipsis(PlaceId place) { return make<EllipsisExpr>(place, locOf(place)); }

ExprId Tree::anyMarker(PlaceId place, const Exprs &range) {
  return make<AnyMarkerExpr>(place, locOf(place), range.empty() ? nullptr : at(range.front()));
}

ExprId Tree::tuple(PlaceId place, const Exprs &members) {
  return make<TupleExpr>(place, locOf(place), at(members));
}

ExprId Tree::set(PlaceId place, const Exprs &members) {
  return make<SetExpr>(place, locOf(place), at(members));
}

ExprId Tree::index(PlaceId place, const Exprs &operands) {
  llvm::ArrayRef<Expr *> all = at(operands);
  return make<IndexExpr>(place, locOf(place), all.front(), all.drop_front(), all);
}

ExprId Tree::call(PlaceId place, const std::string &callee, const std::vector<std::string> &names,
                  const Exprs &values) {
  return make<CallExpr>(place, ident(callee, place), arguments(names, values, place), at(values));
}

ExprId Tree::maybe(PlaceId place, ExprId operand) {
  return make<MaybeExpr>(place, locOf(place), at(operand));
}

ExprId Tree::unary(PlaceId place, UnaryOp op, ExprId operand) {
  return make<UnaryExpr>(place, locOf(place), op, at(operand));
}

ExprId Tree::binary(PlaceId place, int op, ExprId left, ExprId right) {
  using Quotient = BinaryExpr::Quotient;
  bool isFloor = op == kFloorDivide;
  auto known = isFloor ? BinaryOp::divide : static_cast<BinaryOp>(op);
  ExprId made = make<BinaryExpr>(place, locOf(place), known, at(left), at(right));
  if (known == BinaryOp::divide)
    llvm::cast<BinaryExpr>(at(made))->quotient = isFloor ? Quotient::floor : Quotient::exact;
  return made;
}

ExprId Tree::compare(PlaceId place, CompareOp op, ExprId left, ExprId right) {
  return make<CompareExpr>(place, locOf(place), keep<CompareOp>(op), at(Exprs{left, right}));
}

ExprId Tree::conditional(PlaceId place, ExprId condition, ExprId onTrue, ExprId onFalse) {
  return make<ConditionalExpr>(place, locOf(place), at(condition), at(onTrue), at(onFalse));
}

ExprId Tree::where(PlaceId place, ExprId body, ExprId condition) {
  return make<WhereExpr>(place, locOf(place), at(body), at(condition));
}
