//===- Scope.h - What names mean, and where ---------------------*- C++ -*-===//
//
// Declarations as the importer knows them, and the names that are in scope where an expression
// stands.
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
  /// The components of what a cell holds, if that is a vector.
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
  /// An index that is computed for each member; the map has it once it is.
  struct Computed {
    unsigned axis;
    const lmpm::Expr *index;
  };
  ValueInfo *source = nullptr;
  SmallVector<AffineExpr> map;
  Condition where = Condition::always();
  SmallVector<std::string> names;
  bool isOptional = false;
  /// What a `visible` line computes, in its own words.
  SmallVector<Computed> computed;
  SmallVector<LimitText> limits;
  const VisibleInfo *gathers = nullptr;
  /// Where the family's free indices stand in the scope, if it gathers.
  unsigned firstFree = 0;
  /// Whether the indices computed so far are there (null: surely).
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

/// An index of a formula that is written out where it is used: what its caller gives for it.
struct Formal {
  StringRef name;
  const lmpm::Expr *given;
  /// Where that stands.
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

/// What a name means.
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

/// Where an expression stands: what is in scope and what is allowed there.
struct Scope {
  struct Index {
    StringRef name;
    Value value;
  };
  struct BoundFamily {
    const lmpm::Expr *expr;
    Family family;
  };
  /// How messages name the place, such as "an observer".
  StringRef place;
  /// Where the formula is used whose text is written out here.
  std::optional<Location> use;
  int64_t declaration = 0;
  ValueInfo *own = nullptr;
  SmallVector<Index> indices;
  SmallVector<Formal> formals;
  std::vector<LetInfo> lets;
  /// Those that come before the let whose text is read.
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
  /// The ranks of the members around, outermost first, which number a draw.
  SmallVector<Value> ranks;
  /// How many reductions there are around.
  unsigned depth = 0;
  SmallVector<Value> modelArguments;
  bool inScore = false;
  bool allowsReads = true;
  bool allowsDraws = false;
  /// Absent operands make the result absent instead of being refused.
  bool lenient = false;
};

} // namespace mlir::lci

#endif // LIB_TARGET_LMPM_SCOPE_H
