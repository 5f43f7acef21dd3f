//===- Expr.h - Expressions of the AST --------------------------*- C++ -*-===//
//
// The expressions of a parsed text. Nodes and their lists are allocated in the program's arena and
// never freed one by one. Every node knows its height, which the parser bounds, so that walks over
// a tree may recurse. Names are not resolved and nothing has a type here.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_LMPM_EXPR_H
#define LCI_TARGET_LMPM_EXPR_H

#include "LCI/Target/LMPM/Operators.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Casting.h"

namespace lmpm {

/// The largest height of an expression tree; a long sum is as high as it has terms.
constexpr unsigned heightLimit = 1000;

/// A name with its location.
struct Ident {
  llvm::StringRef name;
  llvm::SMLoc loc;

  explicit operator bool() const { return !name.empty(); }
};

/// Base of all expressions.
class Expr {
public:
  enum class Kind {
    integer,
    real,
    string,
    name,
    star,
    ellipsis,
    anyMarker,
    tuple,
    set,
    index,
    call,
    maybe,
    unary,
    binary,
    compare,
    conditional,
    where,
  };

  Kind getKind() const { return kind; }
  /// The location of messages: the operator of an operation, else the first character.
  llvm::SMLoc getLoc() const { return loc; }
  /// One more than the height of the highest operand.
  unsigned getHeight() const { return height; }

protected:
  Expr(Kind kind, llvm::SMLoc loc, llvm::ArrayRef<Expr *> operands = {}) : kind(kind), loc(loc) {
    for (Expr *operand : operands)
      height = std::max(height, operand->height + 1);
  }
  /// Adds the height of operations that one node holds as a flat list, as if each nested the next.
  void addHeight(unsigned operations) { height += operations; }

private:
  Kind kind;
  llvm::SMLoc loc;
  unsigned height = 1;
};

/// `42`; never negative, a minus sign is an operator.
struct IntegerExpr : Expr {
  IntegerExpr(llvm::SMLoc loc, int64_t value) : Expr(Kind::integer, loc), value(value) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::integer; }
  int64_t value;
};

/// `0.25`, rounded once, from the decimal digits to F32.
struct RealExpr : Expr {
  RealExpr(llvm::SMLoc loc, float value) : Expr(Kind::real, loc), value(value) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::real; }
  float value;
};

/// `"sky"`, without the quotes.
struct StringExpr : Expr {
  StringExpr(llvm::SMLoc loc, llvm::StringRef text) : Expr(Kind::string, loc), text(text) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::string; }
  llvm::StringRef text;
};

/// A word that is not reserved.
struct NameExpr : Expr {
  NameExpr(llvm::SMLoc loc, llvm::StringRef name) : Expr(Kind::name, loc), name(name) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::name; }
  llvm::StringRef name;
};

/// `*` as an index.
struct StarExpr : Expr {
  explicit StarExpr(llvm::SMLoc loc) : Expr(Kind::star, loc) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::star; }
};

/// `...` as an argument.
struct EllipsisExpr : Expr {
  explicit EllipsisExpr(llvm::SMLoc loc) : Expr(Kind::ellipsis, loc) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::ellipsis; }
};

/// `any` or `any in SET` right after `:=`.
struct AnyMarkerExpr : Expr {
  AnyMarkerExpr(llvm::SMLoc loc, Expr *set)
      : Expr(Kind::anyMarker, loc, set ? llvm::ArrayRef<Expr *>(set) : llvm::ArrayRef<Expr *>()),
        set(set) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::anyMarker; }
  /// Null where every entry of the vocabulary is a candidate.
  Expr *set;
};

/// `(a, b)`, at least two members.
struct TupleExpr : Expr {
  TupleExpr(llvm::SMLoc loc, llvm::ArrayRef<Expr *> members)
      : Expr(Kind::tuple, loc, members), members(members) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::tuple; }
  llvm::ArrayRef<Expr *> members;
};

/// `{a, b}`.
struct SetExpr : Expr {
  SetExpr(llvm::SMLoc loc, llvm::ArrayRef<Expr *> members)
      : Expr(Kind::set, loc, members), members(members) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::set; }
  llvm::ArrayRef<Expr *> members;
};

/// `base[i, j]`.
struct IndexExpr : Expr {
  IndexExpr(llvm::SMLoc loc, Expr *base, llvm::ArrayRef<Expr *> indices, llvm::ArrayRef<Expr *> all)
      : Expr(Kind::index, loc, all), base(base), indices(indices) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::index; }
  Expr *base;
  llvm::ArrayRef<Expr *> indices;
};

/// An argument, `value` or `name = value`.
struct Argument {
  Ident name;
  Expr *value;
};

/// `callee(arguments)`.
struct CallExpr : Expr {
  CallExpr(Ident callee, llvm::ArrayRef<Argument> arguments, llvm::ArrayRef<Expr *> values)
      : Expr(Kind::call, callee.loc, values), callee(callee), arguments(arguments) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::call; }
  Ident callee;
  llvm::ArrayRef<Argument> arguments;
};

/// `operand?`.
struct MaybeExpr : Expr {
  MaybeExpr(llvm::SMLoc loc, Expr *operand) : Expr(Kind::maybe, loc, operand), operand(operand) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::maybe; }
  Expr *operand;
};

/// `-x`, `~x`, `not x`.
struct UnaryExpr : Expr {
  UnaryExpr(llvm::SMLoc loc, UnaryOp op, Expr *operand)
      : Expr(Kind::unary, loc, operand), op(op), operand(operand) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::unary; }
  UnaryOp op;
  Expr *operand;
};

/// `a + b` and its like.
struct BinaryExpr : Expr {
  /// The meaning of `/` on integers: the floor, as in a text, or an error, as for Python's `/`.
  /// Python's `//` is the floor, and an error on numbers.
  enum class Quotient { bySort, exact, floor };

  BinaryExpr(llvm::SMLoc loc, BinaryOp op, Expr *left, Expr *right)
      : Expr(Kind::binary, loc, {left, right}), op(op), left(left), right(right) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::binary; }
  BinaryOp op;
  Expr *left;
  Expr *right;
  Quotient quotient = Quotient::bySort;
};

/// `a < b <= c`: one more operand than operators.
struct CompareExpr : Expr {
  CompareExpr(llvm::SMLoc loc, llvm::ArrayRef<CompareOp> ops, llvm::ArrayRef<Expr *> operands)
      : Expr(Kind::compare, loc, operands), ops(ops), operands(operands) {
    addHeight(ops.size() - 1);
  }
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::compare; }
  llvm::ArrayRef<CompareOp> ops;
  llvm::ArrayRef<Expr *> operands;
};

/// `if condition then a else b`.
struct ConditionalExpr : Expr {
  ConditionalExpr(llvm::SMLoc loc, Expr *condition, Expr *onTrue, Expr *onFalse)
      : Expr(Kind::conditional, loc, {condition, onTrue, onFalse}), condition(condition),
        onTrue(onTrue), onFalse(onFalse) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::conditional; }
  Expr *condition;
  Expr *onTrue;
  Expr *onFalse;
};

/// `body when condition` as the argument of a reduction.
struct WhereExpr : Expr {
  WhereExpr(llvm::SMLoc loc, Expr *body, Expr *condition)
      : Expr(Kind::where, loc, {body, condition}), body(body), condition(condition) {}
  static bool classof(const Expr *expr) { return expr->getKind() == Kind::where; }
  Expr *body;
  Expr *condition;
};

/// Calls `visit` on each operand of an expression, in the order of the text.
void forEachOperand(const Expr *expr, llvm::function_ref<void(const Expr *)> visit);

/// Whether two references are syntactically equal: names, indices and integers.
bool isSameExpr(const Expr *a, const Expr *b);

} // namespace lmpm

#endif // LCI_TARGET_LMPM_EXPR_H
