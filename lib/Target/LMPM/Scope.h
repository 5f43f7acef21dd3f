//===- Scope.h - Scopes and the declarations in them ------------*- C++ -*-===//
//
// Declarations as the importer knows them, and the names that are in scope at an expression.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_LMPM_SCOPE_H
#define LIB_TARGET_LMPM_SCOPE_H

#include "LCI/Builder/ProgramBuilder.h"
#include "LCI/Target/LMPM/AST.h"
#include "Term.h"

namespace mlir::lci {

struct ValueInfo {
  const lmpm::ValueDecl *decl;
  ValueOp op;
  SmallVector<AffineExpr> extents;
  /// The number of components of a cell, if it is a vector.
  AffineExpr length = {};

  unsigned getRank() const { return extents.size(); }
  Kind getKind() const { return ValueOp(op).getKind(); }
  bool isSet() const { return getKind() == Kind::Event || getKind() == Kind::Rule; }
  Sort getSort() const {
    return getKind() == Kind::Latent ? Sort::vector
           : getKind() == Kind::F32  ? Sort::number
                                     : Sort::integer;
  }
};

struct ParamInfo {
  const lmpm::ParamDecl *decl;
  ParamOp op;
  SmallVector<AffineExpr> extents;
};

struct DefInfo {
  enum class State { untouched, inProgress, done, failed };
  const lmpm::DefDecl *decl;
  DefOp op;
  State state = State::untouched;
  Sort sort = Sort::integer;
  bool mayBeAbsent = false;
  AffineExpr length = {};
};

struct VisibleInfo;

/// `name in low..high`, where the ends are computed.
struct LimitText {
  unsigned free; ///< the position of the free index
  const lmpm::Expr *low, *high;
};

/// A relation: the cells `map` of `source` for the solutions of `where`. Dimensions are the indices
/// in scope, then the free ones.
struct Family {
  /// An index that is computed for each member; the map contains it once computed.
  struct Computed {
    unsigned axis;
    const lmpm::Expr *index;
  };
  ValueInfo *source = nullptr;
  SmallVector<AffineExpr> map;
  Condition where = Condition::always();
  SmallVector<std::string> names;
  bool isOptional = false;
  /// The parts that a `visible` line computes, as AST.
  SmallVector<Computed> computed;
  SmallVector<LimitText> limits;
  const VisibleInfo *gathers = nullptr;
  /// The position of the family's first free index in the scope, if it gathers.
  unsigned firstFree = 0;
  /// Whether the indices computed so far are present (null: always).
  Value indexPresent;

  unsigned getNumFree() const { return names.size(); }
  bool isSingle() const { return names.empty(); }
};

/// A `visible` line: a family over the reader's indices.
struct VisibleInfo {
  const lmpm::VisibleDecl *decl;
  ValueInfo *reader;
  Family family;

  /// The name of one of the reader's indices.
  StringRef getIndexName(unsigned axis) const {
    auto *target = cast<lmpm::IndexExpr>(decl->target);
    return cast<lmpm::NameExpr>(target->indices[axis])->name;
  }
};

struct Scope;

/// An index of a formula that is expanded inline: the expression that its caller gives for it.
struct Formal {
  StringRef name;
  const lmpm::Expr *given;
  /// The scope of that expression.
  Scope *caller;
};

struct LetInfo {
  const lmpm::Clause *clause = nullptr;
  /// Expanded where it is used, because it stands for a family.
  bool isFamily = false;
  /// Computed in the score, because it depends on the candidate.
  bool needsCandidate = false;
  Term term;
};

/// A member of `read {…}`: its name and the expression it stands for.
struct ReadItem {
  StringRef name;
  const lmpm::Expr *expr;
};

/// The meaning of a name.
struct Entity {
  enum class Kind {
    none,
    index,
    formal,
    let,
    label,
    readItem,
    value,
    param,
    def,
    other,
    self,
    candidate,
    neighbors,
    previousFrame,
    epoch,
    pi,
    offsets,
  };
  Kind kind = Kind::none;
  unsigned dim = 0;
  const Formal *formal = nullptr;
  LetInfo *let = nullptr;
  VisibleInfo *visible = nullptr;
  const ReadItem *item = nullptr;
  ValueInfo *value = nullptr;
  ParamInfo *param = nullptr;
  DefInfo *def = nullptr;
};

/// The context of an expression: the names in scope and the constructs allowed there.
struct Scope {
  struct Index {
    StringRef name;
    Value value;
  };
  struct BoundFamily {
    const lmpm::Expr *expr;
    Family family;
  };
  /// The name of the context in messages, such as "an observer".
  StringRef place;
  /// The use of the formula that is expanded here.
  std::optional<Location> use;
  int64_t declaration = 0;
  ValueInfo *reader = nullptr;
  SmallVector<Index> indices;
  SmallVector<Formal> formals;
  std::vector<LetInfo> lets;
  /// Those that precede the let being imported.
  size_t letsInSight = std::numeric_limits<size_t>::max();
  std::vector<ReadItem> reads;
  /// The lets of a constraint, imported into its body.
  SmallVector<const lmpm::Clause *> constraintLets;
  std::vector<BoundFamily> bound;
  Value candidate;
  /// A seed-style constraint: this reference is the candidate.
  const lmpm::Expr *candidateReference = nullptr;
  /// Indices from here on are free ones, of reductions and relations.
  unsigned firstFree = 0;
  /// The ranks of the enclosing reductions' members, outermost first, which number a draw.
  SmallVector<Value> ranks;
  /// The number of enclosing reductions.
  unsigned depth = 0;
  SmallVector<Value> modelArguments;
  bool inScore = false;
  bool allowsReads = true;
  bool allowsDraws = false;
  /// Absent operands make the result absent instead of being rejected.
  bool lenient = false;
};

} // namespace mlir::lci

#endif // LIB_TARGET_LMPM_SCOPE_H
