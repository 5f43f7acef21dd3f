//===- Cases.cpp - Conversion of random programs to cases -----------------===//

#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "LCI/Transforms/Program/Bind.h"
#include "LCI/Transforms/Program/Passes.h"
#include "Rungs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;
using ::lci::SmithProgram;

static void addPalettes(const SmithProgram &program, ProgramOp bound, Environment &environment) {
  for (auto palette : bound.getOps<PaletteOp>()) {
    std::string name = palette.getName().str();
    Array mask(DType::Bool, {palette.getVocabularySize()});
    for (int64_t token : program.palettes.at(name))
      mask.setInt(token, 1);
    environment.palettes.emplace(name, mask);
  }
}

/// The cells of a rectangle, on the trailing axes that it has.
static void addRegions(const SmithProgram &program, ProgramOp bound, Environment &environment) {
  for (auto constraint : bound.getOps<ConstraintOp>()) {
    if (!constraint.getRegion())
      continue;
    SmallVector<int64_t> extents = *bound.lookupValue(constraint.getValue()).getExtents();
    ArrayRef<int64_t> shape = ArrayRef<int64_t>(extents).drop_front(*constraint.getAxis());
    const auto &rect = program.regions.at(constraint.getRegion()->str());
    Array mask(DType::Bool, shape.vec());
    SmallVector<int64_t> cell(shape.size(), 0);
    int64_t number = 0;
    do {
      bool isInside = true;
      for (auto [index, range] : llvm::zip(cell, rect))
        isInside &= range.first <= index && index <= range.second;
      mask.setInt(number++, isInside);
    } while (advance(cell, shape));
    environment.regions.emplace(constraint.getRegion()->str(), mask);
  }
}

/// Switches some rules and constraints off, by the seed.
static void addSwitches(const SmithProgram &program, Environment &environment) {
  uint64_t bits = program.seed * 0x9e3779b97f4a7c15u;
  for (const std::string &name : program.switches) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    if (bits >> 61 == 0)
      environment.enables[name] = false;
  }
}

/// Adds the functions of its models, beside the program, and their weights.
static LogicalResult addModels(const SmithProgram &program, Case &test, BindOptions &options) {
  if (program.models.empty())
    return success();
  OwningOpRef<ModuleOp> functions =
      parseSourceString<ModuleOp>(program.modelText, test.module->getContext());
  if (!functions)
    return failure();
  for (func::FuncOp function : functions->getOps<func::FuncOp>()) {
    func::FuncOp copy = function.clone();
    copy.setPrivate();
    test.module->push_back(copy);
  }
  for (const auto &[name, model] : program.models) {
    options.models[name] = model.function;
    for (const auto &[weight, array] : model.weights)
      test.environment.weights.emplace(name + "." + weight, array);
  }
  return success();
}

/// Legalises phases as for the interpreter.
static LogicalResult legalizeSchedules(ModuleOp module) {
  CompilerPasses passes(module.getContext());
  passes.addPass(createLegalizeSchedulePass({/*remarks=*/false}));
  return passes.run(module);
}

SmallVector<ValueOp> mlir::lci::getValues(Case &test) {
  return llvm::to_vector(llvm::make_filter_range(test.program.getOps<ValueOp>(),
                                                 [](ValueOp value) { return !value.isSet(); }));
}

FailureOr<Case> mlir::lci::makeCase(const SmithProgram &program, MLIRContext &context) {
  Case test;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(program.text(), "program.lmpm"),
                             llvm::SMLoc());
  test.module = importLMPM(sources, &context);
  if (!test.module)
    return failure();
  test.program = *test.module->getOps<ProgramOp>().begin();
  BindOptions options;
  for (const auto &[name, size] : program.sizes)
    options.sizes[name] = size;
  if (failed(addModels(program, test, options)))
    return failure();
  for (ValueOp value : getValues(test))
    if (value.getKind() == Kind::Token && !value.hasInit() &&
        !program.inputs.count(value.getSymName().str()) &&
        llvm::none_of(test.program.getOps<RuleOp>(),
                      [&](RuleOp rule) { return rule.getValue() == value.getSymName(); }))
      options.absent.insert(value.getSymName());
  // Half of the programs have their regions as bounds, half as masks.
  if (program.seed % 2 == 0)
    for (const auto &[name, rect] : program.regions)
      options.rectangles.insert(name);
  options.elements = [&](ParamOp param) -> FailureOr<std::optional<SmallVector<int64_t>>> {
    auto given = program.params.find(param.getSymName().str());
    if (given == program.params.end())
      return std::optional<SmallVector<int64_t>>();
    return std::optional(llvm::map_to_vector(llvm::seq<int64_t>(0, given->second.size()),
                                             [&](int64_t i) { return given->second.intAt(i); }));
  };
  if (failed(bindProgram(test.program, options)) || failed(legalizeSchedules(*test.module)))
    return failure();
  test.environment.params = program.params;
  test.environment.seed = program.seed;
  addPalettes(program, test.program, test.environment);
  addRegions(program, test.program, test.environment);
  addSwitches(program, test.environment);
  for (ValueOp value : getValues(test))
    if (value.getKind() == Kind::Token)
      test.vocabularies[value.getSymName().str()] = *value.getVocabularySize();
  for (const auto &[name, array] : program.inputs)
    if (test.program.lookupValue(name))
      test.inputs.emplace(name, array);
  test.epochs = program.epochs;
  return test;
}
