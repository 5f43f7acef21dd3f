//===- ImportFormula.cpp - Import of uses of formulas ---------------------===//
//
// A formula at names of indices is applied; at other indices its text is expanded inline, with the
// given expressions in place of its indices. Expansion is bounded by a count of operations, since
// formulas that use one another twice double it.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "LCI/Dialect/Limits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

static int64_t countOperations(const Expr *expr) {
  int64_t count = 1;
  forEachOperand(expr, [&](const Expr *operand) { count += countOperations(operand); });
  return count;
}

bool Importer::charge(const Expr *text) {
  if (writtenOut <= kMaxWrittenOut)
    writtenOut += countOperations(text);
  if (writtenOut <= kMaxWrittenOut)
    return true;
  fail(ErrorId::NestedTooDeep, text->getLoc(),
       "written out where their names stand, formulas and lets have more than " +
           Twine(kMaxWrittenOut) + " operations",
       "what many cells need again and again is a value, which a rule computes once");
  return false;
}

/// Rejects `*` and ranges as indices of formulas and the like, which have no axes.
bool Importer::checkIndices(StringRef base, ArrayRef<Expr *> indices) {
  for (const Expr *index : indices) {
    auto *binary = dyn_cast<BinaryExpr>(index);
    bool isRange = binary && binary->op == BinaryOp::range;
    if (!isRange && !isa<StarExpr>(index))
      continue;
    std::string free = llvm::join(
        llvm::map_range(
            indices, [&](const Expr *other) -> std::string { return other == index ? "k" : "…"; }),
        ",");
    fail(ErrorId::WrongPlace, index->getLoc(),
         "expected one index of '" + base + "', but got " + (isRange ? "a range" : "'*'"),
         "a free index goes over many, as in 'sum(" + base + "[" + free + "] when k in 0..2)'");
    return false;
  }
  return true;
}

Term Importer::evalDef(DefInfo &def, ArrayRef<Expr *> indices, llvm::SMLoc loc) {
  size_t rank = def.decl->indices.size();
  if (!checkIndices(def.decl->name.name, indices))
    return {};
  if (indices.size() != rank)
    return fail(ErrorId::WrongArity, loc,
                "formula '" + def.decl->name.name + "' takes " + counted(rank, "index", "indices") +
                    ", but got " + Twine(indices.size()));
  if (formulaDepth == kMaxFormulaDepth)
    return fail(ErrorId::NestedTooDeep, loc,
                "formulas use one another more than " + Twine(kMaxFormulaDepth) + " levels deep");
  llvm::SaveAndRestore deeper(formulaDepth, formulaDepth + 1);
  if (!importDef(def))
    return {};
  SmallVector<Value> operands;
  for (const Expr *index : indices) {
    auto *name = dyn_cast<NameExpr>(index);
    Entity entity = name ? resolve(name->name) : Entity();
    if (entity.kind != Entity::Kind::index)
      return writeOut(def, indices, loc);
    operands.push_back(scope.indices[entity.dim].value);
  }
  Type type = def.sort == Sort::vector ? getVectorType(def.length)
              : def.sort == Sort::truths
                  ? cast<ShapedType>(getVectorType(def.length)).clone(builder.ir.getI1Type())
              : def.sort == Sort::number  ? Type(builder.ir.getF32Type())
              : def.sort == Sort::integer ? Type(builder.ir.getI64Type())
                                          : Type(builder.ir.getI1Type());
  auto apply = ApplyOp::create(builder.ir, at(loc), type, builder.ir.getI1Type(),
                               FlatSymbolRefAttr::get(def.op), operands);
  Value present = def.mayBeAbsent ? apply.getPresent() : Value();
  return require({apply.getResult(), present, def.sort, def.length}, at(loc));
}

/// Reports an index that is no index expression: a formula is given a position, not a cell's
/// contents.
Term Importer::failIndex(const DefInfo &def, const Expr *index) {
  const Expr *data = findUnknown(index) ? nullptr : findData(index);
  if (!data) {
    (void)affine(index, /*report=*/true);
    return {};
  }
  auto *name = dyn_cast<NameExpr>(data);
  return fail(ErrorId::NotLinear, data->getLoc(),
              "formula '" + def.decl->name.name + "' takes indices, but got " +
                  (name ? "'" + name->name.str() + "'" : "what cells hold"),
              "a formula is about places, as in 'def twice[x] = 2 * V[x]'; what a cell holds is "
              "named by 'let'");
}

/// Expands a formula at indices that are not names, with the given expressions in place of its
/// indices.
Term Importer::writeOut(DefInfo &def, ArrayRef<Expr *> indices, llvm::SMLoc loc) {
  for (const Expr *index : indices)
    if (findUnknown(index) || findData(index))
      return failIndex(def, index);
  if (!charge(def.decl->value))
    return {};
  Location use = at(loc);
  Scope caller = std::move(scope);
  scope = Scope();
  scope.place = "a formula";
  scope.use = use;
  scope.declaration = caller.declaration;
  scope.allowsReads = caller.allowsReads;
  scope.depth = caller.depth;
  scope.ranks = caller.ranks;
  scope.lenient = caller.lenient;
  // The caller's indices remain the first dimensions, but have no names here.
  for (const Scope::Index &index : caller.indices)
    scope.indices.push_back({"", index.value});
  scope.firstFree = scope.indices.size();
  for (auto [ident, index] : llvm::zip(def.decl->indices, indices))
    scope.formals.push_back({ident.name, index, &caller});
  Term term = eval(def.decl->value);
  scope = std::move(caller);
  return term ? require(term, at(loc)) : Term();
}
