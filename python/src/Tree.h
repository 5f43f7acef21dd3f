//===- Tree.h - A program's declarations, made node by node -----*- C++ -*-===//
//
// What the parser makes of a text (AST.h), made by Python's tracer: the same
// nodes, in the same arena, with places in the texts of Python files. The
// importer gives both their meaning, so this knows none.
//
//===----------------------------------------------------------------------===//
#ifndef LMPM_PYTHON_TREE_H
#define LMPM_PYTHON_TREE_H

#include "Core.h"
#include "LCI/Target/LMPM/AST.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/StringSaver.h"

namespace lmpm::python {

/// The number of an expression, and of a place, as Python holds them.
using ExprId = uint32_t;
using PlaceId = uint32_t;
using Exprs = std::vector<ExprId>;
/// A name with its place.
using Name = std::pair<std::string, PlaceId>;

/// Python's `//`, a number behind those of all operators.
constexpr int kFloorDivide = static_cast<int>(BinaryOp::logicalOr) + 1;

/// Whether the lexer of the language takes it for one name.
bool isName(llvm::StringRef text);

/// A clause of a rule or a constraint: its place, its word, and what stands behind that: a name
/// (of `let`), a reference (of `on` and `emit`), an expression (also the condition of `on`).
struct ClauseParts {
  PlaceId place;
  std::string word, name;
  std::optional<ExprId> target, value;
  Exprs reads;
};

/// Collects the declarations of one program.
class Tree {
public:
  explicit Tree(std::shared_ptr<Context> context) : context(std::move(context)) {}

  /// A place in a text that the context has; `line` counts from 1 and `byte` from 0.
  PlaceId addPlace(unsigned source, unsigned line, unsigned byte);

  // Expressions (Tree.cpp). What cannot be written raises an error at its place.
  ExprId integer(PlaceId place, int64_t value);
  ExprId real(PlaceId place, const std::string &digits);
  ExprId string(PlaceId place, const std::string &text);
  ExprId name(PlaceId place, const std::string &text);
  ExprId star(PlaceId place);
  ExprId ellipsis(PlaceId place);
  /// `any`, or `any in range`.
  ExprId anyMarker(PlaceId place, const Exprs &range);
  ExprId tuple(PlaceId place, const Exprs &members);
  ExprId set(PlaceId place, const Exprs &members);
  /// `base[indices]`; the base is the first operand.
  ExprId index(PlaceId place, const Exprs &operands);
  /// `callee(arguments)`; an empty name is no name.
  ExprId call(PlaceId place, const std::string &callee, const std::vector<std::string> &names,
              const Exprs &arguments);
  ExprId maybe(PlaceId place, ExprId operand);
  ExprId unary(PlaceId place, UnaryOp op, ExprId operand);
  /// `op` is a `BinaryOp` or `kFloorDivide`.
  ExprId binary(PlaceId place, int op, ExprId left, ExprId right);
  ExprId compare(PlaceId place, CompareOp op, ExprId left, ExprId right);
  ExprId conditional(PlaceId place, ExprId condition, ExprId onTrue, ExprId onFalse);
  ExprId where(PlaceId place, ExprId body, ExprId condition);

  // Declarations (TreeDecl.cpp), in the order of the program.
  void addValue(const Name &name, const std::string &type, const Exprs &arguments,
                const std::string &shape, const Exprs &sizes, const std::string &clock,
                const std::vector<std::string> &boundary, bool boundaryPerAxis,
                const std::vector<std::string> &initIndices, std::optional<ExprId> init);
  void addParam(const Name &name, const std::string &type, const Exprs &arguments,
                std::optional<ExprId> value);
  void addDef(const Name &name, const std::vector<std::string> &indices, ExprId value);
  void addVisible(const Name &label, ExprId target, ExprId source, std::optional<ExprId> when);
  void addRule(const Name &name, const std::vector<ClauseParts> &clauses,
               const std::vector<std::string> &comments);
  void addConstraint(const Name &name, const std::vector<ClauseParts> &clauses,
                     std::optional<ExprId> priority, const std::vector<std::string> &comments);
  void addSchedule(const Name &strategy, ExprId target, const std::vector<std::string> &names,
                   const Exprs &options);
  void addCommit(const Name &policy, ExprId target, const std::vector<std::string> &names,
                 const Exprs &options);
  void addObserve(const Name &name, ExprId value);

  /// Whether the next declaration takes the place of the one of its kind and name, as when a cell
  /// of a notebook is run again.
  bool replaces = false;

  /// The IR of the declarations so far.
  std::shared_ptr<Module> import();

  [[noreturn]] void fail(PlaceId place, ErrorId id, const std::string &message,
                         const std::string &hint = "");

private:
  template <typename T, typename... Args>
  ExprId make(PlaceId place, Args &&...args);
  template <typename T>
  llvm::ArrayRef<T> keep(llvm::ArrayRef<T> list) {
    return list.copy(*program.arena);
  }
  void addDecl(const Name &name, std::unique_ptr<Decl> decl);
  Expr *at(ExprId id) const { return exprs.at(id); }
  Expr *at(std::optional<ExprId> id) const { return id ? at(*id) : nullptr; }
  llvm::ArrayRef<Expr *> at(const Exprs &ids);
  llvm::SMLoc locOf(PlaceId place) const { return places.at(place); }
  /// The name if it is one, or an error at its place; an empty one is none.
  Ident ident(const std::string &text, PlaceId place);
  llvm::ArrayRef<Ident> idents(const std::vector<std::string> &names, PlaceId place);
  llvm::ArrayRef<Argument> arguments(const std::vector<std::string> &names, const Exprs &values,
                                     PlaceId place);
  std::vector<std::unique_ptr<Clause>> clauses(const std::vector<ClauseParts> &parts);
  llvm::StringRef intern(llvm::StringRef text) { return strings.save(text); }

  std::shared_ptr<Context> context;
  Program program;
  llvm::UniqueStringSaver strings{*program.arena};
  /// What was found to be a name.
  llvm::StringSet<> names;
  std::vector<Expr *> exprs;
  std::vector<llvm::SMLoc> places;
  /// Where the lines of each text begin.
  std::map<unsigned, std::vector<const char *>> lines;
};

} // namespace lmpm::python

#endif // LMPM_PYTHON_TREE_H
