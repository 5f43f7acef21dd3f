//===- ExportIndex.cpp - Export of indices and conditions -----------------===//
//
// An inequality is written with its negative terms on the other side; two bounds of one index
// become `x in a..b`; the named sets of offsets are recognised by comparing normal forms.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

std::string mlir::lci::compact(std::string text) {
  llvm::erase(text, ' ');
  return text;
}

/// Adds parentheses if the text binds less tightly than `lowest`.
static std::string enclose(const Text &text, Precedence lowest) {
  return text.precedence < lowest ? "(" + text.text + ")" : text.text;
}

Condition Exporter::conditionOf(ArrayAttr sets) { return Condition::fromSets(sets); }

Text Exporter::print(AffineExpr expr, ArrayRef<std::string> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {dims[dim.getPosition()], Precedence::postfix};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return {sizes[symbol.getPosition()], Precedence::postfix};
  AffineExprKind kind = expr.getKind();
  if (kind == AffineExprKind::FloorDiv || kind == AffineExprKind::Mod) {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    std::string left = enclose(print(binary.getLHS(), dims), Precedence::product);
    std::string right = enclose(print(binary.getRHS(), dims), Precedence::unary);
    return {left + (kind == AffineExprKind::FloorDiv ? " / " : " % ") + right, Precedence::product};
  }
  if (kind == AffineExprKind::CeilDiv) {
    fail(current, "a division that rounds up");
    return {};
  }
  if (kind == AffineExprKind::Mul &&
      !isa<AffineConstantExpr>(cast<AffineBinaryOpExpr>(expr).getRHS())) {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    return {enclose(print(binary.getLHS(), dims), Precedence::product) + " * " +
                enclose(print(binary.getRHS(), dims), Precedence::unary),
            Precedence::product};
  }
  return printSum(LinearForm::of(expr), dims);
}

/// An index of a reference. A bare free name would imply that it ranges over the axis: `0+`
/// prevents that.
std::string Exporter::printIndex(AffineExpr expr, ArrayRef<std::string> dims) {
  std::string text = compact(print(expr, dims).text);
  return (llvm::is_contained(withoutRange, text) ? "0+" : "") + text;
}

Text Exporter::printSum(const LinearForm &form, ArrayRef<std::string> dims) {
  std::string text;
  auto add = [&](int64_t factor, std::string atom) {
    bool negative = factor < 0;
    std::string sign = text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    text += sign + atom;
  };
  unsigned count = 0;
  for (auto [atom, factor] : form.terms) {
    uint64_t size = factor < 0 ? -static_cast<uint64_t>(factor) : factor;
    Text inner = print(atom, dims);
    std::string scaled = size == 1
                             ? enclose(inner, Precedence::product)
                             : std::to_string(size) + " * " + enclose(inner, Precedence::unary);
    add(factor, scaled);
    ++count;
  }
  if (form.constant != 0 || count == 0) {
    add(form.constant,
        std::to_string(form.constant < 0 ? -static_cast<uint64_t>(form.constant) : form.constant));
    ++count;
  }
  if (count > 1)
    return {text, Precedence::sum};
  // A single term that begins with a minus, or a single product.
  bool single = form.terms.empty() || (form.terms.front().second == 1 &&
                                       !isa<AffineBinaryOpExpr>(form.terms.front().first));
  if (text.front() == '-')
    return {text, Precedence::unary};
  return {text, single ? Precedence::postfix : Precedence::product};
}

/// The two sides of `sum >= 0`, with negative terms moved to the right.
static std::pair<LinearForm, LinearForm> splitSides(AffineExpr expr) {
  LinearForm left, right, form = LinearForm::of(expr);
  for (auto [atom, factor] : form.terms)
    (factor > 0 ? left : right).terms.push_back({atom, std::abs(factor)});
  (form.constant > 0 ? left : right).constant = std::abs(form.constant);
  return {left, right};
}

/// Lower-case names are sizes only inside an end of `..`.
bool Exporter::needsRange(const IndexConstraint &constraint) const {
  return llvm::any_of(llvm::enumerate(sizes), [&](auto size) {
    return !llvm::isUpper(size.value().front()) && constraint.expr.isFunctionOfSymbol(size.index());
  });
}

std::string Exporter::printConstraint(const IndexConstraint &constraint,
                                      ArrayRef<std::string> dims) {
  if (needsRange(constraint)) {
    std::string low = enclose(print(normalizeExpr(-constraint.expr), dims), Precedence::bitOr);
    return "0 in " + compact(low + ".." + (constraint.isEquality ? low : "0"));
  }
  auto [left, right] = splitSides(constraint.expr);
  std::string sign = constraint.isEquality ? " == " : " >= ";
  // Prefer x <= 3 to 3 >= x.
  bool flip = left.terms.empty();
  if (flip) {
    std::swap(left, right);
    sign = constraint.isEquality ? sign : " <= ";
  }
  // Isolate a single variable: x == -1, not x + 1 == 0.
  auto moveConstant = [](LinearForm &from, LinearForm &to) {
    to.constant -= from.constant;
    from.constant = 0;
  };
  if (left.terms.size() == 1 && right.terms.empty())
    moveConstant(left, right);
  // Prefer t > 0 to t >= 1.
  if (!constraint.isEquality && !flip && right.constant == 1) {
    right.constant = 0;
    sign = " > ";
  }
  return enclose(printSum(left, dims), Precedence::range) + sign +
         enclose(printSum(right, dims), Precedence::range);
}

/// The dimension that the constraint bounds by an expression without it, and the side.
static std::optional<std::pair<unsigned, bool>> getBound(const IndexConstraint &constraint) {
  if (constraint.isEquality)
    return std::nullopt;
  LinearForm form = LinearForm::of(constraint.expr);
  // Of several dimensions the last one is bounded by those before it.
  AffineDimExpr dim(nullptr);
  int64_t sign = 0;
  for (auto [atom, factor] : form.terms)
    if (auto next = dyn_cast<AffineDimExpr>(atom)) {
      dim = next;
      sign = factor;
    }
  if (!dim || std::abs(sign) != 1)
    return std::nullopt;
  for (auto [atom, factor] : form.terms)
    if (atom != dim && atom.isFunctionOfDim(dim.getPosition()))
      return std::nullopt;
  return std::make_pair(dim.getPosition(), sign > 0);
}

std::string Exporter::printCase(const Condition::Case &list, ArrayRef<std::string> dims) {
  SmallVector<bool> done(list.size(), false);
  SmallVector<std::string> parts;
  for (size_t i = 0; i < list.size(); ++i) {
    if (done[i])
      continue;
    auto bound = getBound(list[i]);
    size_t partner = list.size();
    for (size_t j = i + 1; bound && j < list.size() && partner == list.size(); ++j)
      if (auto other = getBound(list[j]);
          other && !done[j] && other->first == bound->first && other->second != bound->second)
        partner = j;
    if (partner == list.size()) {
      parts.push_back(printConstraint(list[i], dims));
      continue;
    }
    done[partner] = true;
    parts.push_back(printRange(bound->first, list[bound->second ? i : partner].expr,
                               list[bound->second ? partner : i].expr, dims));
  }
  return llvm::join(parts, " and ");
}

/// `x in a..b` for `below >= 0` and `above >= 0`.
std::string Exporter::printRange(unsigned dim, AffineExpr below, AffineExpr above,
                                 ArrayRef<std::string> dims) {
  AffineExpr index = getAffineDimExpr(dim, program.getContext());
  auto end = [&](AffineExpr expr) {
    return enclose(print(normalizeExpr(expr), dims), Precedence::bitOr);
  };
  return dims[dim] + " in " + compact(end(index - below) + ".." + end(above + index));
}

/// The condition of a `when`; empty if it always holds.
std::string Exporter::printCondition(const Condition &where, ArrayRef<std::string> dims,
                                     unsigned firstFree) {
  if (where.isAlways())
    return "";
  MLIRContext *context = program.getContext();
  if (where.getCases().empty())
    return "0 == 1";
  if (firstFree < dims.size()) {
    SmallVector<AffineExpr> free;
    std::string tuple;
    for (unsigned i = firstFree; i < dims.size(); ++i) {
      free.push_back(getAffineDimExpr(i, context));
      tuple += (tuple.empty() ? "" : ",") + dims[i];
    }
    if (free.size() > 1)
      tuple = "(" + tuple + ")";
    // Constraints on the cell alone that all cases share are factored out of the offsets.
    Condition::Case common;
    for (const IndexConstraint &constraint : where.getCases().front()) {
      bool aboutCell = llvm::none_of(free, [&](AffineExpr dim) {
        return constraint.expr.isFunctionOfDim(cast<AffineDimExpr>(dim).getPosition());
      });
      bool everywhere = llvm::all_of(where.getCases(), [&](const Condition::Case &list) {
        return llvm::is_contained(list, constraint);
      });
      if (aboutCell && everywhere)
        common.push_back(constraint);
    }
    if (std::optional<std::string> name = offsetsName(where.without(common), free, dims)) {
      std::string rest = printCase(common, dims);
      return tuple + " in " + *name + (rest.empty() ? "" : " and " + rest);
    }
  }
  std::string text;
  for (ArrayRef<Condition::Case> cases = where.getCases(); !cases.empty();) {
    std::optional<std::string> pair;
    if (cases.size() > 1)
      pair = printInequality(cases[0], cases[1], dims);
    std::string part = pair ? *pair : printCase(cases[0], dims);
    bool isAlone = text.empty() && cases.size() == (pair ? 2 : 1);
    if (!isAlone && StringRef(part).contains(" and "))
      part = "(" + part + ")";
    text += (text.empty() ? "" : " or ") + part;
    cases = cases.drop_front(pair ? 2 : 1);
  }
  return text;
}

/// Two cases that differ in the sides of one `!=`, as `… and a != b`.
std::optional<std::string> Exporter::printInequality(const Condition::Case &first,
                                                     const Condition::Case &second,
                                                     ArrayRef<std::string> dims) {
  Condition::Case common, below, above;
  for (const IndexConstraint &constraint : first)
    (llvm::is_contained(second, constraint) ? common : below).push_back(constraint);
  for (const IndexConstraint &constraint : second)
    if (!llvm::is_contained(first, constraint))
      above.push_back(constraint);
  bool single = below.size() == 1 && above.size() == 1 && !below[0].isEquality &&
                !above[0].isEquality && !needsRange(below[0]);
  // The importer makes -e - 1 >= 0 and then e - 1 >= 0 of e != 0.
  if (!single || normalizeExpr(below[0].expr + 1) != normalizeExpr(-above[0].expr - 1))
    return std::nullopt;
  auto [left, right] = splitSides(-below[0].expr - 1);
  if (left.terms.empty())
    return std::nullopt;
  std::string text = printSum(left, dims).text + " != " + printSum(right, dims).text;
  std::string rest = printCase(common, dims);
  return rest.empty() ? text : rest + " and " + text;
}
