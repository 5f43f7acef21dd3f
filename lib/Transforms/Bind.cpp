//===- Bind.cpp - From level 1 to level 2 -----------------------------------===//

#include "LCI/Transforms/Bind.h"
#include "BindSteps.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::lci;

namespace mlir::lci {
#define GEN_PASS_DEF_BINDPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

/// How a region is given is part of the program; where its bounds lie is not.
static void bindRegions(ProgramOp program, const BindOptions &options) {
  for (auto region : program.getOps<RegionOp>())
    if (options.rectangles.contains(region.getName()))
      region.setRectangle(true);
}

LogicalResult lci::bindProgram(ProgramOp program, const BindOptions &options) {
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
struct BindPass : lci::impl::BindPassBase<BindPass> {
  using BindPassBase::BindPassBase;

  void runOnOperation() override {
    FailureOr<BindOptions> options = getOptions();
    if (failed(options) || failed(checkNames<ModelOp>("model", options->models)) ||
        failed(checkNames<ValueOp>("value", options->absent)) ||
        failed(checkNames<RegionOp>("region", options->rectangles)) ||
        failed(checkSizes(options->sizes)))
      return signalPassFailure();
    for (auto program : getOperation().getOps<ProgramOp>())
      if (failed(bindProgram(program, *options)))
        return signalPassFailure();
  }

private:
  LogicalResult refuse(const Twine &message) {
    return emitError(getOperation().getLoc()) << ErrorId::PassOption << message;
  }

  /// One pass may bind several programs: a name is unknown if none of them has it.
  template <typename DeclarationOp, typename Names>
  LogicalResult checkNames(StringRef what, const Names &given) {
    llvm::StringSet<> known;
    for (auto program : getOperation().getOps<ProgramOp>())
      for (auto declaration : program.getOps<DeclarationOp>())
        known.insert(declaration.getName());
    for (StringRef name : given.keys())
      if (!known.contains(name))
        return refuse("no program has a " + what + " '" + name + "'");
    return success();
  }

  /// What is bound already has its numbers, which no option may contradict.
  LogicalResult checkSizes(const llvm::StringMap<int64_t> &given) {
    llvm::StringSet<> known;
    for (auto program : getOperation().getOps<ProgramOp>())
      for (auto [i, name] : llvm::enumerate(program.getSizes().getAsValueRange<StringAttr>())) {
        known.insert(name);
        auto number = given.find(name);
        int64_t bound = program.isBound() ? (*program.getExtents())[i] : 0;
        if (program.isBound() && number != given.end() && number->second != bound)
          return refuse("expected " + Twine(bound) + " for the size '" + name +
                        "' of a program that is bound already, but got " + Twine(number->second));
      }
    for (StringRef name : given.keys())
      if (!known.contains(name))
        return refuse("no program has a size '" + name + "'");
    return success();
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
