//===- Bind.cpp - Bind programs: from level 1 to level 2 ------------------===//
//
// Runs the steps of binding in their order, and parses the options of
// `lci-bind`. Options that have no effect are errors, because they are probably
// misspelt.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Program/Bind.h"
#include "BindSteps.h"
#include "LCI/Transforms/Program/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::lci;

namespace mlir::lci {
#define GEN_PASS_DEF_BINDPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

/// Whether a region is a rectangle is part of the program; its bounds are not.
static void bindRegions(ProgramOp program, const BindOptions &options) {
  for (auto region : program.getOps<RegionOp>())
    if (options.rectangles.contains(region.getName()))
      region.setRectangle(true);
}

LogicalResult mlir::lci::bindProgram(ProgramOp program, const BindOptions &options) {
  if (options.hardPriority)
    program.setHardPriority(*options.hardPriority);
  bindRegions(program, options);
  // Formulas first, while all symbols agree; lengths of families need numbers, models lengths.
  if (failed(inlineFormulas(program)) || failed(bindSizes(program, options)) ||
      failed(checkReferences(program)) || failed(bindAbsentValues(program, options)) ||
      failed(bindSchedules(program, options)) || failed(bindElements(program, options)) ||
      failed(bindShapes(program)))
    return failure();
  return bindModels(program, options);
}

namespace {
struct BindPass : mlir::lci::impl::BindPassBase<BindPass> {
  using BindPassBase::BindPassBase;

  void runOnOperation() override {
    FailureOr<BindOptions> options = getOptions();
    if (failed(options))
      return signalPassFailure();
    std::string ignored = findIgnored(*options); // while all names are there
    for (auto program : getOperation().getOps<ProgramOp>())
      if (failed(bindProgram(program, *options)))
        return signalPassFailure();
    if (ignored.empty())
      return;
    emitError(getOperation().getLoc()) << ErrorId::PassOption << ignored;
    signalPassFailure();
  }

private:
  /// Describes an option without effect; empty if there is none.
  std::string findIgnored(const BindOptions &options) {
    for (const std::string &ignored :
         {findContradiction(options.sizes), findSize(options.sizes),
          findName<ModelOp>("model", options.models), findName<ValueOp>("value", options.absent),
          findName<RegionOp>("region", options.rectangles)})
      if (!ignored.empty())
        return ignored;
    return "";
  }

  /// The pass may bind several programs: a name is unknown if none of them has it.
  template <typename Names>
  static std::string findUnknown(StringRef kind, const Names &given,
                                 const llvm::StringSet<> &known) {
    for (StringRef name : given.keys())
      if (!known.contains(name))
        return ("no program has a " + kind + " '" + name + "'").str();
    return "";
  }
  template <typename DeclarationOp, typename Names>
  std::string findName(StringRef kind, const Names &given) {
    llvm::StringSet<> known;
    for (auto program : getOperation().getOps<ProgramOp>())
      for (auto declaration : program.getOps<DeclarationOp>())
        known.insert(declaration.getName());
    return findUnknown(kind, given, known);
  }
  std::string findSize(const llvm::StringMap<int64_t> &given) {
    llvm::StringSet<> known;
    for (auto program : getOperation().getOps<ProgramOp>())
      for (StringRef name : program.getSizes().getAsValueRange<StringAttr>())
        known.insert(name);
    return findUnknown("size", given, known);
  }

  /// Finds a size that a bound program has with another number.
  std::string findContradiction(const llvm::StringMap<int64_t> &given) {
    for (auto program : getOperation().getOps<ProgramOp>()) {
      if (!program.isBound())
        continue;
      for (auto [name, extent] :
           llvm::zip(program.getSizes().getAsValueRange<StringAttr>(), *program.getExtents()))
        if (auto number = given.find(name); number != given.end() && number->second != extent)
          return ("expected " + Twine(extent) + " for the size '" + name +
                  "' of a program that is bound already, but got " + Twine(number->second))
              .str();
    }
    return "";
  }

  FailureOr<BindOptions> getOptions() {
    BindOptions options;
    for (StringRef binding : sizes) {
      auto [name, text] = binding.split('=');
      int64_t number;
      if (name.empty() || text.getAsInteger(10, number))
        return emitError(getOperation().getLoc())
               << ErrorId::PassOption << "expected a size as NAME=VALUE, but got '" << binding
               << "'";
      if (!options.sizes.try_emplace(name, number).second)
        return emitError(getOperation().getLoc())
               << ErrorId::PassOption << "expected each size once, but got '" << binding << "'";
    }
    for (StringRef binding : models) {
      auto [name, function] = binding.split('=');
      if (name.empty() || function.empty())
        return emitError(getOperation().getLoc())
               << ErrorId::PassOption << "expected a model as NAME=FUNCTION, but got '" << binding
               << "'";
      if (!options.models.try_emplace(name, function).second)
        return emitError(getOperation().getLoc())
               << ErrorId::PassOption << "expected each model once, but got '" << binding << "'";
    }
    for (StringRef name : absent)
      options.absent.insert(name);
    for (StringRef name : rectangles)
      options.rectangles.insert(name);
    if (hardPriority >= 0)
      options.hardPriority = hardPriority;
    if (!llvm::is_contained({"", "snapshot", "recolor", "strict"}, StringRef(legalize.getValue())))
      return emitError(getOperation().getLoc())
             << ErrorId::PassOption
             << "expected 'legalize' to be snapshot, recolor or strict, but got '" << legalize
             << "'";
    options.legalize = legalize;
    return options;
  }
};
} // namespace
