//===- AST.h - Declarations of the AST --------------------------*- C++ -*-===//
//
// A parsed text: its declarations in order, each with the comments that belong to it. This is
// syntax only; the importer, which builds the IR, resolves the names.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_LMPM_AST_H
#define LCI_TARGET_LMPM_AST_H

#include "LCI/Target/LMPM/Expr.h"
#include "llvm/Support/Allocator.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lmpm {

/// The comments of one declaration or clause, slashes included.
struct Trivia {
  /// Whole lines above; an empty entry is an empty line.
  std::vector<std::string> leading;
  /// The comment behind it on its line.
  std::string trailing;
};

/// Anything a comment can belong to.
struct Item {
  llvm::SMLoc loc;
  Trivia trivia;
};

/// `Token[V]`, `F32[n, m]`, `Event`.
struct TypeExpr {
  Ident name;
  llvm::ArrayRef<Expr *> arguments;
};

/// `Grid2D(W, H)`.
struct ShapeExpr {
  Ident name;
  llvm::ArrayRef<Expr *> sizes;
};

/// A line of a rule or a constraint.
struct Clause : Item {
  enum class Kind { on, read, let, emit, score, forbid, require };

  Kind kind;
  /// The name of a `let`.
  Ident name;
  /// The operand of `on` and `emit proposal`.
  Expr *target = nullptr;
  /// The expression that is emitted, scored, bound, forbidden or required.
  Expr *value = nullptr;
  /// The condition of an `on`.
  Expr *when = nullptr;
  /// The members of a `read {…}`.
  llvm::ArrayRef<Expr *> reads;
};

/// Base of all declarations.
struct Decl : Item {
  enum class Kind { value, param, def, visible, rule, constraint, schedule, commit, observe };

  explicit Decl(Kind kind) : kind(kind) {}
  virtual ~Decl() = default;

  const Kind kind;
  /// Empty for unlabelled `visible` lines, `schedule` and `commit`.
  Ident name;
  /// The index among the declarations of the text, from 0: the stream of its draws.
  unsigned number = 0;
};

/// `value Name : Type shape Shape clock … boundary … init[i] …`.
struct ValueDecl : Decl {
  ValueDecl() : Decl(Kind::value) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::value; }
  TypeExpr type;
  ShapeExpr shape;
  Ident clock;
  /// One for all axes, or, with `boundaryPerAxis`, one per axis; none if not written.
  llvm::ArrayRef<Ident> boundary;
  bool boundaryPerAxis = false;
  llvm::SMLoc initLoc;
  llvm::ArrayRef<Ident> initIndices;
  Expr *init = nullptr;
};

/// The numbers of `[[1, 2], [3, -4]]` in the order of the text, and the lengths of its lists.
struct ArrayLiteral {
  llvm::SMLoc loc;
  std::vector<int64_t> elements;
  std::vector<int64_t> extents;
};

/// `param name : Type = value`, `param name : I32[2] = [1, 2]`.
struct ParamDecl : Decl {
  ParamDecl() : Decl(Kind::param) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::param; }
  TypeExpr type;
  Expr *value = nullptr;
  std::optional<ArrayLiteral> array;
};

/// `def name[i, j] = value`.
struct DefDecl : Decl {
  DefDecl() : Decl(Kind::def) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::def; }
  llvm::ArrayRef<Ident> indices;
  Expr *value = nullptr;
};

/// `visible label: Target[…] <- Source[…] when condition`.
struct VisibleDecl : Decl {
  VisibleDecl() : Decl(Kind::visible) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::visible; }
  Expr *target = nullptr;
  Expr *source = nullptr;
  Expr *when = nullptr;
};

/// `rule Name:` and its clauses.
struct RuleDecl : Decl {
  RuleDecl() : Decl(Kind::rule) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::rule; }
  std::vector<std::unique_ptr<Clause>> clauses;
};

/// `constraint Name:` and its clauses.
struct ConstraintDecl : Decl {
  ConstraintDecl() : Decl(Kind::constraint) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::constraint; }
  std::vector<std::unique_ptr<Clause>> clauses;
  /// Null if not written; the name `hard` stands for the hard priority.
  Expr *priority = nullptr;
};

/// `schedule V[*] using strategy(options)`.
struct ScheduleDecl : Decl {
  ScheduleDecl() : Decl(Kind::schedule) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::schedule; }
  Expr *target = nullptr;
  Ident strategy;
  llvm::ArrayRef<Argument> options;
};

/// `commit V[*] using policy(options)`.
struct CommitDecl : Decl {
  CommitDecl() : Decl(Kind::commit) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::commit; }
  Expr *target = nullptr;
  Ident policy;
  llvm::ArrayRef<Argument> options;
};

/// `observe name := value`.
struct ObserveDecl : Decl {
  ObserveDecl() : Decl(Kind::observe) {}
  static bool classof(const Decl *decl) { return decl->kind == Kind::observe; }
  Expr *value = nullptr;
};

/// A parsed text. Names point into the buffer that was parsed, which must outlive it.
struct Program {
  std::vector<std::unique_ptr<Decl>> decls;
  /// Comments behind the last declaration.
  std::vector<std::string> closing;
  /// Owns the expressions.
  std::unique_ptr<llvm::BumpPtrAllocator> arena = std::make_unique<llvm::BumpPtrAllocator>();
};

} // namespace lmpm

#endif // LCI_TARGET_LMPM_AST_H
