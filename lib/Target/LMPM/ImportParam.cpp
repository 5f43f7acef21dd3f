//===- ImportParam.cpp - Import of parameters -----------------------------===//
//
// A parameter is a number or an array; without a binding it is computed by an expression, or is a
// list in the text.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

bool Importer::declareParam(const ParamDecl &decl) {
  StringRef type = decl.type.name.name;
  if (type != "I32" && type != "F32")
    return static_cast<bool>(
        fail(ErrorId::UnknownWord, decl.type.name.loc,
             "expected I32 or F32 as type of a parameter, but got '" + type + "'",
             didYouMean(type, {"I32", "F32"})));
  if (!checkAxes(decl.type.arguments.size(), decl.type.name.loc))
    return false;
  SmallVector<AffineExpr> extents;
  for (const Expr *size : decl.type.arguments) {
    std::optional<AffineExpr> extent =
        sizeOf(size, "the indices of an axis begin at 0: those of 'F32[10]' are 0..9");
    if (!extent)
      return false;
    extents.push_back(*extent);
  }
  if (!extents.empty() && decl.value)
    return static_cast<bool>(fail(ErrorId::WrongPlace, decl.value->getLoc(),
                                  "an array parameter comes from the bindings",
                                  "give it there, or with '--input'; integers may stand in a "
                                  "list, as in '= [1, 2]'"));
  if (decl.array && !checkArray(decl, extents))
    return false;
  ParamOp op = builder.addParam(at(decl.loc), decl.name.name, type == "F32" ? Kind::F32 : Kind::I32,
                                extents.empty() ? std::nullopt
                                                : std::optional<ArrayRef<AffineExpr>>(extents));
  if (decl.array)
    op.setElements(decl.array->elements);
  params[decl.name.name] = std::make_unique<ParamInfo>(ParamInfo{&decl, op, extents});
  return true;
}

static std::string printExtents(ArrayRef<int64_t> extents, StringRef between = " x ") {
  return llvm::join(llvm::map_range(extents, [](int64_t n) { return std::to_string(n); }), between);
}

/// Checks an array in the text: integers of 32 bits, as many as the type says.
bool Importer::checkArray(const ParamDecl &decl, ArrayRef<AffineExpr> extents) {
  llvm::SMLoc loc = decl.array->loc;
  if (decl.type.name.name != "I32")
    return static_cast<bool>(fail(ErrorId::WrongType, loc,
                                  "expected I32 as type of a list of integers",
                                  "arrays of F32 come from the bindings"));
  SmallVector<int64_t> expected;
  for (AffineExpr extent : extents) {
    auto number = dyn_cast<AffineConstantExpr>(extent);
    if (!number)
      return static_cast<bool>(fail(ErrorId::WrongShape, loc,
                                    "expected numbers as sizes of a parameter that the text gives",
                                    "sizes with names have theirs from the bindings"));
    expected.push_back(number.getValue());
  }
  if (expected.empty())
    return static_cast<bool>(
        fail(ErrorId::WrongShape, loc, "expected a number, but got a list",
             "a parameter of as many is I32[" + printExtents(decl.array->extents, ", ") + "]"));
  if (ArrayRef(decl.array->extents) != ArrayRef(expected))
    return static_cast<bool>(fail(ErrorId::WrongShape, loc,
                                  "expected a list of " + printExtents(expected) + ", but got " +
                                      printExtents(decl.array->extents)));
  for (int64_t element : decl.array->elements)
    if (!llvm::isInt<32>(element))
      return static_cast<bool>(fail(ErrorId::NumberTooLarge, loc,
                                    "expected integers of 32 bits, but got " + Twine(element)));
  return true;
}

void Importer::importParam(const ParamDecl &decl) {
  auto *it = params.find(decl.name.name);
  if (it == params.end())
    return;
  ParamInfo &info = *it->second;
  order.push_back(info.op);
  attachComments(info.op, decl);
  if (!decl.value)
    return;
  enterScope("a parameter", decl);
  scope.allowsReads = false;
  builder.ir.setInsertionPointToStart(builder.addBody(info.op.getInit(), at(decl.loc), 0));
  Sort sort = info.op.getKind() == Kind::F32 ? Sort::number : Sort::integer;
  if (Term term = evalAs(decl.value, sort))
    YieldOp::create(builder.ir, at(decl.value), term.value, Value());
}
