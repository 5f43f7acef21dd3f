//===- Interface.cpp - The arguments of a tick-form function --------------===//
//
// Collects a program's states, inputs, parameters, sets, weights and enable bits as arguments with
// the attributes `lci.role` and `lci.name`, by which callers and later passes find them, and binds
// a function's arguments back to the program's names.
//
//===----------------------------------------------------------------------===//

#include "Interface.h"

using namespace mlir;
using namespace mlir::lci;

Type mlir::lci::getStoredType(ValueOp value) {
  Type cell = value.getCellType();
  auto vector = dyn_cast<RankedTensorType>(cell);
  return vector ? VectorType::get(vector.getShape(), vector.getElementType()) : cell;
}

RankedTensorType mlir::lci::getStateType(ValueOp value) {
  return RankedTensorType::get(*value.getExtents(), getStoredType(value));
}

DictionaryAttr Interface::describe(Role role, StringRef name) {
  NamedAttribute described[] = {b.getNamedAttr(kRole, roleAttr(b.getContext(), role)),
                                b.getNamedAttr(kName, b.getStringAttr(name))};
  return b.getDictionaryAttr(described);
}

void Interface::add(Role role, StringRef name, Type type) {
  types.push_back(type);
  attributes.push_back(describe(role, name));
}

/// The attributes of a value's tensor. A caller that fills or narrows it must know how many tokens
/// there are, and whether one may be absent, which is stored as the token after the last.
DictionaryAttr Interface::describe(Role role, ValueOp value) {
  NamedAttrList described;
  described.set(kRole, roleAttr(b.getContext(), role));
  described.set(kName, b.getStringAttr(value.getSymName()));
  auto arrangement = value->getAttrOfType<ArrangementAttr>(kArrangement);
  if (arrangement && runsEpochs)
    described.set(kArrangement, arrangement);
  if (value.getKind() == Kind::Token) {
    described.set("lci.vocabulary", b.getI64IntegerAttr(*value.getVocabularySize()));
    if (!value.hasInit())
      described.set("lci.may_be_absent", b.getUnitAttr());
  }
  return described.getDictionary(b.getContext());
}

void Interface::addValue(Role role, ValueOp value) {
  types.push_back(getStateType(value));
  attributes.push_back(describe(role, value));
}

void Interface::addValues(ArrayRef<ValueOp> states, ArrayRef<ValueOp> inputs,
                          const llvm::StringSet<> &named) {
  for (auto [role, values] : {std::pair(Role::State, states), {Role::Input, inputs}})
    for (ValueOp value : values)
      if (named.contains(value.getSymName()))
        addValue(role, value);
}

bool Interface::isGiven(ParamOp param) {
  return !param.hasInit() || llvm::is_contained(given, param.getSymName());
}

void Interface::addParameters() {
  for (auto param : program.getOps<ParamOp>()) {
    if (!isGiven(param))
      continue;
    Type type = param.getElementType();
    if (param.getShape()) {
      SmallVector<int64_t> extents;
      for (AffineExpr extent : param.getShape()->getResults())
        extents.push_back(cast<AffineConstantExpr>(extent).getValue());
      type = RankedTensorType::get(extents, type);
    }
    add(Role::Param, param.getSymName(), type);
    if (auto elements = param.getElementsAttr()) {
      NamedAttrList described(attributes.back());
      described.set("lci.elements", elements);
      attributes.back() = described.getDictionary(b.getContext());
    }
  }
}

void Interface::addPalettes() {
  for (auto palette : program.getOps<PaletteOp>())
    add(Role::Palette, palette.getName(),
        RankedTensorType::get({palette.getVocabularySize()}, b.getI1Type()));
}

/// The token sets and index sets, weights and enable bits of the program. A region covers the axes
/// that a constraint gives it.
void Interface::addSetsWeightsAndEnables() {
  Type i1 = b.getI1Type();
  addPalettes();
  for (auto region : program.getOps<RegionOp>())
    for (auto constraint : program.getOps<ConstraintOp>())
      if (constraint.getRegion() == region.getName()) {
        SmallVector<int64_t> extents = *program.lookupValue(constraint.getValue()).getExtents();
        extents.erase(extents.begin(), extents.begin() + *constraint.getAxis());
        if (region.getRectangle())
          add(Role::Bounds, region.getName(),
              RankedTensorType::get({static_cast<int64_t>(extents.size()), 2}, b.getI64Type()));
        else
          add(Role::Region, region.getName(), RankedTensorType::get(extents, i1));
        break;
      }
  for (auto model : program.getOps<ModelOp>()) {
    if (!model.getFunction())
      continue;
    auto function =
        program->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(*model.getFunction());
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto weight = function.getArgAttrOfType<StringAttr>(i, "lci.weight"))
        add(Role::Weight, (model.getName() + "." + weight.getValue()).str(),
            function.getArgument(i).getType());
  }
  for (Operation &op : program.getBody().front())
    if (isa<ConstraintOp, RuleOp>(op))
      add(Role::Enable, cast<SymbolOpInterface>(op).getName(), i1);
}

func::FuncOp Interface::makeFunction(OpBuilder &builder, const Twine &name, TypeRange results) {
  auto function = func::FuncOp::create(builder, program.getLoc(), name.str(),
                                       builder.getFunctionType(types, results));
  function.setAllArgAttrs(attributes);
  builder.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

/// The elements of an argument, read at the start of its function.
static SmallVector<Value> extractAll(BlockArgument argument) {
  auto type = cast<RankedTensorType>(argument.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
  SmallVector<Value> elements;
  for (int64_t row = 0; row < type.getDimSize(0); ++row)
    for (int64_t column = 0; column < type.getDimSize(1); ++column) {
      Value at[] = {arith::ConstantIndexOp::create(builder, argument.getLoc(), row),
                    arith::ConstantIndexOp::create(builder, argument.getLoc(), column)};
      elements.push_back(tensor::ExtractOp::create(builder, argument.getLoc(), argument, at));
    }
  return elements;
}

Bindings Interface::bind(func::FuncOp function) {
  Bindings bindings;
  for (auto [argument, described] : llvm::zip(function.getArguments(), attributes)) {
    StringRef name = cast<StringAttr>(described.get(kName)).getValue();
    switch (roleIn(described)) {
    case Role::State:
    case Role::Input:
      bindings.states[name] = argument;
      break;
    case Role::Param:
      bindings.params[name] = argument;
      break;
    case Role::Palette:
      bindings.palettes[name] = argument;
      break;
    case Role::Region:
      bindings.regions[name] = argument;
      break;
    case Role::Bounds:
      bindings.bounds[name] = extractAll(argument);
      break;
    case Role::Enable:
      bindings.enables[name] = argument;
      break;
    case Role::Weight:
      bindings.weights[name.split('.').first].push_back(argument);
      break;
    case Role::Replica:
      bindings.replica = argument;
      break;
    case Role::Before:
      bindings.before = argument;
      break;
    case Role::Seed:
      bindings.seed = argument;
      break;
    default: // what loops use, and no body
      break;
    }
  }
  return bindings;
}
