//===- ImportCycles.cpp - Detection of cyclic parameters ------------------===//
//
// Rejects parameters that are computed from themselves. Works on the AST, so that such a cycle is
// reported together with all other errors. Cycles of formulas alone are found when their bodies are
// imported.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "LCI/Dialect/Limits.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

namespace {
/// Walks from each parameter to the parameters and formulas that it is computed from.
class CycleFinder {
public:
  using Report = llvm::function_ref<void(ArrayRef<const Decl *>)>;
  CycleFinder(const llvm::StringMap<const Decl *> &computed, Report report)
      : computed(computed), report(report) {}

  void visit(const Decl *decl) {
    if (tooDeep || done.contains(decl))
      return;
    if (open.size() == kMaxFormulaDepth) {
      tooDeep = open.front();
      return;
    }
    if (auto *first = llvm::find(open, decl); first != open.end()) {
      ArrayRef<const Decl *> cycle(first, open.end());
      if (llvm::any_of(cycle, [](const Decl *step) { return isa<ParamDecl>(step); }))
        report(cycle);
      return;
    }
    open.push_back(decl);
    auto *def = dyn_cast<DefDecl>(decl);
    follow(def ? def->value : cast<ParamDecl>(decl)->value, def);
    open.pop_back();
    done.insert(decl);
  }

  /// A declaration at the end of a dependence chain that is too long, if there is one.
  const Decl *tooDeep = nullptr;

private:
  void follow(const Expr *expr, const DefDecl *def) {
    auto isIndex = [](const DefDecl &formula, StringRef name) {
      return llvm::any_of(formula.indices, [&](const Ident &index) { return index.name == name; });
    };
    if (auto *name = dyn_cast<NameExpr>(expr))
      if (auto it = computed.find(name->name);
          it != computed.end() && !(def && isIndex(*def, name->name)))
        visit(it->second);
    forEachOperand(expr, [&](const Expr *operand) { follow(operand, def); });
  }

  const llvm::StringMap<const Decl *> &computed;
  Report report;
  SmallVector<const Decl *> open;
  DenseSet<const Decl *> done;
};
} // namespace

void Importer::checkCycles() {
  llvm::StringMap<const Decl *> computed;
  for (const auto &decl : program.decls) {
    auto *param = dyn_cast<ParamDecl>(decl.get());
    if (isa<DefDecl>(decl.get()) || (param && param->value))
      computed.try_emplace(decl->name.name, decl.get());
  }
  auto report = [&](ArrayRef<const Decl *> cycle) {
    StringRef name = cycle.front()->name.name;
    std::string chain = name.str();
    for (const Decl *step : cycle.drop_front())
      chain += (" <- " + step->name.name).str();
    diagnostics.error(ErrorId::SelfReference, cycle.front()->name.loc,
                      (isa<ParamDecl>(cycle.front()) ? "parameter '" : "formula '") + name +
                          "' is computed from itself",
                      chain + " <- " + name);
  };
  CycleFinder finder(computed, report);
  for (const auto &decl : program.decls)
    if (isa<ParamDecl>(decl.get()) && computed.lookup(decl->name.name) == decl.get())
      finder.visit(decl.get());
  if (finder.tooDeep)
    diagnostics.error(ErrorId::NestedTooDeep, finder.tooDeep->name.loc,
                      "parameter '" + finder.tooDeep->name.name +
                          "' is computed from others, more than " + Twine(kMaxFormulaDepth) +
                          " levels deep");
}
