//===- Arguments.cpp - Run-time arguments from the bindings ---------------===//
//
// Loads parameters, palettes, regions and inputs: each from numbers or a file of the bindings,
// converted to the declared shape and type. Regions take the extents of the values that use them.
// All errors are reported before it fails, because users correct a bindings file in one pass.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Arguments.h"
#include "LCI/Analysis/Constraints.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Runtime/Rle.h"
#include "LCI/Runtime/Tokens.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Bindings;
using ::lci::DType;
using ::lci::Result;

/// Reports a missing binding, with the nearest existing name; some can be given by a `flag`.
static LogicalResult reportMissing(Operation *op, const Bindings &bindings, StringRef section,
                                   StringRef what, StringRef name, const Twine &flag = "") {
  std::string instead = flag.str();
  InFlightDiagnostic error = emitError(op->getLoc())
                             << ErrorId::UnboundName << what << " '" << name << "' is not bound: "
                             << (instead.empty() ? "" : "give " + instead + ", or ")
                             << "add it to '" << section << "' in the bindings";
  if (std::string hint = bindings.hintFor(section, name); !hint.empty())
    error.attachNote() << hint;
  return error;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

FailureOr<Array> mlir::lci::loadParam(ParamOp op, const ::lci::ArrayBinding &binding) {
  Location where = locationOf(binding.location, op.getContext());
  Result<Array> array = ::lci::loadArray(binding);
  if (!array)
    return emitError(where) << array.failure().id << "parameter '" << op.getSymName()
                            << "': " << array.error();
  std::vector<int64_t> shape;
  if (std::optional<AffineMap> map = op.getShape())
    for (int64_t extent : map->getConstantResults())
      shape.push_back(extent);
  if (array->shape() != shape) {
    InFlightDiagnostic error = emitError(where) << ErrorId::WrongShape << "expected shape "
                                                << ::lci::shapeText(shape) << " for the parameter '"
                                                << op.getSymName() << "', but got "
                                                << ::lci::shapeText(array->shape());
    error.attachNote(op.getLoc()) << "declared here";
    return error;
  }
  Result<Array> numbers =
      toNumbers(*array, op.getKind(), "the parameter '" + op.getSymName().str() + "'");
  if (!numbers)
    return emitError(where) << numbers.failure().id << numbers.error();
  return *numbers;
}

/// The initial elements of a parameter in the program itself.
static Array toArray(ParamOp op) {
  SmallVector<int64_t> extents = *op.getExtents();
  Array array(::lci::DType::I64, {extents.begin(), extents.end()});
  for (auto [i, element] : llvm::enumerate(*op.getElements()))
    array.setInt(i, element);
  return array;
}

static LogicalResult loadParams(ProgramOp program, const Bindings &bindings, RunArguments &args) {
  bool failed = false;
  for (ParamOp op : program.getOps<ParamOp>()) {
    const ::lci::ArrayBinding *binding = bindings.param(op.getSymName());
    if (!binding) {
      if (op.getElements())
        args.params.emplace(op.getSymName().str(), toArray(op));
      else if (!op.hasInit())
        failed |= reportMissing(op, bindings, "params", "parameter", op.getSymName(),
                                "--set " + op.getSymName() + (op.getShape() ? "=F.npy" : "=NUMBER"))
                      .failed();
      continue;
    }
    FailureOr<Array> array = loadParam(op, *binding);
    if (succeeded(array))
      args.params.emplace(op.getSymName().str(), std::move(*array));
    else
      failed = true;
  }
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Palettes and regions
//===----------------------------------------------------------------------===//

static LogicalResult loadPalettes(ProgramOp program, const Bindings &bindings, RunArguments &args) {
  bool failed = false;
  for (PaletteOp op : program.getOps<PaletteOp>()) {
    const ::lci::PaletteBinding *binding = bindings.palette(op.getName());
    if (!binding) {
      failed |= reportMissing(op, bindings, "palettes", "palette", op.getName()).failed();
      continue;
    }
    int64_t vocabulary = op.getVocabularySize();
    Array members(DType::Bool, {vocabulary});
    for (const auto &[low, high] : binding->ranges) {
      if (high >= vocabulary) {
        emitError(locationOf(binding->location, op.getContext()))
            << ErrorId::OutsideVocabulary << "expected tokens below " << vocabulary
            << " in the palette '" << op.getName() << "', but got " << high;
        failed = true;
        break;
      }
      for (int64_t token = low; token <= high; ++token)
        members.setInt(token, 1);
    }
    args.palettes.emplace(op.getName().str(), std::move(members));
  }
  return failure(failed);
}

/// The extents of the trailing axes that a region is used on; all uses must agree.
static FailureOr<std::vector<int64_t>> extentsOf(ProgramOp program, RegionOp region) {
  std::optional<std::vector<int64_t>> extents;
  for (ConstraintOp use : program.getOps<ConstraintOp>()) {
    if (use.getRegion() != region.getName())
      continue;
    SmallVector<int64_t> all = *program.lookupValue(use.getValue()).getExtents();
    std::vector<int64_t> trailing(all.begin() + *use.getAxis(), all.end());
    if (extents && *extents != trailing)
      return use.emitError() << ErrorId::WrongShape << "expected the region '" << region.getName()
                             << "' on axes of " << ::lci::shapeText(*extents)
                             << " as elsewhere, but got " << ::lci::shapeText(trailing);
    extents = trailing;
  }
  return extents.value_or(std::vector<int64_t>());
}

/// The cells of a rectangle.
static Array fillRect(ArrayRef<std::pair<int64_t, int64_t>> rect,
                      const std::vector<int64_t> &extents) {
  Array mask(DType::Bool, extents);
  for (int64_t i = 0; i < mask.size(); ++i) {
    int64_t rest = i;
    bool inside = true;
    for (size_t axis = extents.size(); axis-- > 0; rest /= extents[axis]) {
      int64_t index = rest % extents[axis];
      inside &= rect[axis].first <= index && index <= rect[axis].second;
    }
    mask.setInt(i, inside);
  }
  return mask;
}

static FailureOr<Array> loadRect(RegionOp op, const ::lci::RegionBinding &binding,
                                 const std::vector<int64_t> &extents) {
  Location where = locationOf(binding.location, op.getContext());
  if (binding.rect.size() != extents.size())
    return emitError(where) << ErrorId::WrongShape << "expected " << extents.size()
                            << " ranges for the region '" << op.getName()
                            << "', one for each axis it is used on, but got "
                            << binding.rect.size();
  for (auto [range, extent] : llvm::zip(binding.rect, extents))
    if (range.second >= extent)
      return emitError(where) << ErrorId::OutsideValue << "expected the region '" << op.getName()
                              << "' to lie in an axis of " << extent
                              << " cells, but got the range [" << range.first << ", "
                              << range.second << "]";
  return fillRect(binding.rect, extents);
}

static FailureOr<Array> loadMask(RegionOp op, const ::lci::ArrayBinding &binding,
                                 const std::vector<int64_t> &extents) {
  Location where = locationOf(binding.location, op.getContext());
  Result<Array> array = ::lci::loadArray(binding);
  if (!array)
    return emitError(where) << array.failure().id << "region '" << op.getName()
                            << "': " << array.error();
  if (array->shape() != extents || ::lci::isFloat(array->dtype()))
    return emitError(where) << ErrorId::WrongShape
                            << "expected a mask of bool or integers of shape "
                            << ::lci::shapeText(extents) << " for the region '" << op.getName()
                            << "', but got " << ::lci::nameOf(array->dtype()) << " of shape "
                            << ::lci::shapeText(array->shape());
  Array mask(DType::Bool, extents);
  for (int64_t i = 0; i < mask.size(); ++i)
    mask.setInt(i, array->intAt(i) != 0);
  return mask;
}

static LogicalResult loadRegions(ProgramOp program, const Bindings &bindings, RunArguments &args) {
  bool failed = false;
  for (RegionOp op : program.getOps<RegionOp>()) {
    const ::lci::RegionBinding *binding = bindings.region(op.getName());
    if (!binding) {
      failed |= reportMissing(op, bindings, "regions", "region", op.getName()).failed();
      continue;
    }
    if (op.getRectangle() && binding->mask) {
      failed = true;
      emitError(locationOf(binding->location, op.getContext()))
          << ErrorId::OtherProgram << "expected bounds for the region '" << op.getName()
          << "', which the bound program has as a rectangle, but got a mask";
      continue;
    }
    FailureOr<std::vector<int64_t>> extents = extentsOf(program, op);
    FailureOr<Array> mask = failure();
    if (succeeded(extents))
      mask =
          binding->mask ? loadMask(op, *binding->mask, *extents) : loadRect(op, *binding, *extents);
    if (succeeded(mask))
      args.regions.emplace(op.getName().str(), std::move(*mask));
    else
      failed = true;
  }
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// The maximal ranges of true elements of a mask.
static SmallVector<IndexRange> runsOf(const Array &mask) {
  SmallVector<IndexRange> runs;
  for (int64_t i = 0; i < mask.size(); ++i) {
    if (mask.intAt(i) == 0)
      continue;
    if (runs.empty() || runs.back().upper + 1 < i)
      runs.push_back({i, i});
    runs.back().upper = i;
  }
  return runs;
}

NamedSets mlir::lci::getNamedSets(const RunArguments &arguments) {
  NamedSets named;
  named.isInside = [&arguments](ConstraintOp constraint, ArrayRef<int64_t> cell) {
    const Array &mask = arguments.regions.at(constraint.getRegion()->str());
    int64_t number = 0;
    for (auto [extent, index] :
         llvm::zip_equal(mask.shape(), cell.drop_front(*constraint.getAxis())))
      number = number * extent + index;
    return mask.intAt(number) != 0;
  };
  named.palettes = [&arguments](StringRef palette) {
    return runsOf(arguments.palettes.at(palette.str()));
  };
  return named;
}

LogicalResult mlir::lci::checkContradictions(ProgramOp program, const RunArguments &arguments) {
  NamedSets named = getNamedSets(arguments);
  SmallVector<Contradiction> found = findContradictions(program, &named);
  for (const Contradiction &contradiction : found)
    emitContradiction(contradiction);
  return success(found.empty());
}

//===----------------------------------------------------------------------===//
// All arguments
//===----------------------------------------------------------------------===//

FailureOr<RunArguments> mlir::lci::makeArguments(ProgramOp program, const Bindings &bindings) {
  RunArguments args;
  args.seed = bindings.seed.value_or(0);
  // Without early exit, so that one run shows every error.
  bool failed = loadParams(program, bindings, args).failed();
  failed |= loadPalettes(program, bindings, args).failed();
  failed |= loadRegions(program, bindings, args).failed();
  failed |= loadWeights(program, bindings, args).failed();
  if (failed)
    return failure();
  return args;
}

//===----------------------------------------------------------------------===//
// Inputs, switches, names
//===----------------------------------------------------------------------===//

LogicalResult mlir::lci::checkFull(const ValueInfo &value, const Array &tokens, const Twine &source,
                                   Location place) {
  bool mustBeFull = value.kind == Kind::Token && value.hasInit;
  return checkFull(value, mustBeFull ? ::lci::firstAbsent(tokens) : std::nullopt, source, place);
}

LogicalResult mlir::lci::checkFull(const ValueInfo &value, std::optional<int64_t> firstAbsent,
                                   const Twine &source, Location place) {
  if (!firstAbsent || !value.hasInit)
    return success();
  InFlightDiagnostic error = emitError(place)
                             << ErrorId::MissingToken << "input '" << value.name
                             << "': expected a token in every cell, because the value has an "
                             << "'init', but " << source << " has -1 at ["
                             << ::lci::indexText(value.shape, *firstAbsent) << "]";
  error.attachNote(value.location)
      << "without its 'init', cells of '" << value.name << "' may be absent";
  return error;
}

/// An array, or a pattern, which is at the beginning of the value's cells.
static Result<Array> loadInput(const ValueInfo &value, const ::lci::ArrayBinding &binding) {
  if (binding.numbers || !::lci::isRlePath(binding.path))
    return ::lci::loadArray(binding);
  int64_t numStates = value.kind == Kind::Token ? value.vocabulary : 0;
  if (::lci::Status fits = ::lci::checkRle(binding.path, value.shape, numStates); !fits)
    return fits.failure();
  return ::lci::readRle(binding.path, value.shape);
}

FailureOr<std::map<std::string, Array>> mlir::lci::loadInputs(ProgramOp program,
                                                              const Bindings &bindings) {
  std::map<std::string, Array> inputs;
  bool failed = false;
  for (const ValueInfo &value : collectValues(program)) {
    const ::lci::ArrayBinding *binding = bindings.input(value.name);
    if (!binding)
      continue;
    Result<Array> array = loadInput(value, *binding);
    Result<Array> canonical = array ? toCanonical(*array, value) : array.failure();
    if (canonical) {
      failed |= checkFull(value, *canonical, "'" + binding->path + "'",
                          locationOf(binding->location, program.getContext()))
                    .failed();
      inputs.emplace(value.name, std::move(*canonical));
      continue;
    }
    emitError(locationOf(binding->location, program.getContext()))
        << canonical.failure().id << "input '" << value.name << "': " << canonical.error();
    failed = true;
  }
  if (failed)
    return failure();
  return inputs;
}

LogicalResult mlir::lci::setEnables(ProgramOp program, ArrayRef<std::string> enabled,
                                    ArrayRef<std::string> disabled, RunArguments &arguments) {
  std::vector<std::string> names;
  for (Operation &op : program.getBody().front())
    if (isa<RuleOp, ConstraintOp>(op))
      names.push_back(SymbolTable::getSymbolName(&op).str());
  llvm::StringSet<> seen;
  auto set = [&](StringRef flag, ArrayRef<std::string> switched, bool on) -> LogicalResult {
    for (const std::string &name : switched) {
      if (!llvm::is_contained(names, name)) {
        InFlightDiagnostic error = emitError(UnknownLoc::get(program.getContext()))
                                   << ErrorId::NoSuchName << flag << " '" << name
                                   << "': the program has no rule or constraint of that name";
        if (std::optional<std::string> near = ::lci::nearestName(name, names))
          error.attachNote() << "did you mean '" << *near << "'?";
        return error;
      }
      if (!seen.insert(name).second)
        return emitError(UnknownLoc::get(program.getContext()))
               << ErrorId::CommandLine << flag << " '" << name << "': it is switched twice";
      arguments.enables[name] = on;
    }
    return success();
  };
  return success(succeeded(set("--disable", disabled, false)) &&
                 succeeded(set("--enable", enabled, true)));
}

/// Names given by one flag must be declared in the kind of that flag; `other` are those of another
/// flag.
static LogicalResult checkFlag(ProgramOp program, StringRef flag,
                               const std::vector<std::string> &given, StringRef what,
                               const std::vector<std::string> &names,
                               const std::vector<std::string> &others, StringRef hint) {
  bool failed = false;
  for (const std::string &name : given) {
    if (llvm::is_contained(names, name))
      continue;
    InFlightDiagnostic error = emitError(UnknownLoc::get(program.getContext()))
                               << ErrorId::NoSuchName << flag << " '" << name
                               << "': the program has no " << what << " of that name";
    if (llvm::is_contained(others, name))
      error.attachNote() << hint;
    else if (std::optional<std::string> near = ::lci::nearestName(name, names))
      error.attachNote() << "did you mean '" << *near << "'?";
    failed = true;
  }
  return failure(failed);
}

/// Warns of unused names in the bindings file that are near to a name with a default in the
/// program. It is no error: one file may serve several programs. (A parameter without a default is
/// missing then, and that is an error with the same hint.)
template <typename DeclarationOp>
static void warnOfSlips(ProgramOp program, const Bindings &bindings, StringRef section) {
  std::vector<std::string> given = bindings.namesIn(section), said;
  for (DeclarationOp declaration : program.getOps<DeclarationOp>())
    if ((section == "inputs" || declaration.hasInit()) &&
        !llvm::is_contained(given, declaration.getSymName()))
      said.push_back(declaration.getSymName().str());
  for (const std::string &name : given) {
    std::optional<std::string> near = ::lci::nearestName(name, said);
    if (!near || program.lookupSymbol(name))
      continue;
    const ::lci::ArrayBinding *binding =
        section == "params" ? bindings.param(name) : bindings.input(name);
    InFlightDiagnostic warning = emitWarning(locationOf(binding->location, program.getContext()))
                                 << ErrorId::NoSuchName << "the program has no '" << name
                                 << "', which '" << section << "' gives";
    warning.attachNote() << "did you mean '" << *near << "'?";
  }
}

/// Rejects sizes that a flag sets to something else than a whole number.
static LogicalResult checkSizeFlags(const std::vector<std::string> &sizes, const Bindings &bindings,
                                    MLIRContext *context) {
  bool failed = false;
  for (const std::string &name : bindings.setNames()) {
    if (!llvm::is_contained(sizes, name) || bindings.size(name))
      continue;
    emitError(locationOf(bindings.param(name)->location, context))
        << ErrorId::WrongBinding << "expected a whole number from 0 to 2^63 - 1 for the size '"
        << name << "'";
    failed = true;
  }
  return failure(failed);
}

/// Rejects sets that a flag gives an array.
static LogicalResult checkNoSets(ProgramOp program, const Bindings &bindings) {
  bool failed = false;
  for (const std::string &name : bindings.inputNames()) {
    ValueOp value = program.lookupValue(name);
    if (!value || !value.isSet())
      continue;
    emitError(UnknownLoc::get(program.getContext()))
        << ErrorId::WrongBinding << "--input '" << name
        << "': a set takes no input; the run fills it, and --merge";
    failed = true;
  }
  return failure(failed);
}

LogicalResult mlir::lci::checkFlagNames(ProgramOp program, const Bindings &bindings) {
  std::vector<std::string> sizes, values, params;
  for (Attribute size : program.getSizes())
    sizes.push_back(cast<StringAttr>(size).str());
  for (ValueOp value : program.getOps<ValueOp>())
    values.push_back(value.getSymName().str());
  for (ParamOp param : program.getOps<ParamOp>())
    params.push_back(param.getSymName().str());
  std::vector<std::string> settable = sizes, fillable = values;
  settable.insert(settable.end(), params.begin(), params.end());
  fillable.insert(fillable.end(), params.begin(), params.end());
  bool failed = checkFlag(program, "--set", bindings.setNames(), "size or parameter", settable,
                          values, "values are given with --input NAME=F.npy")
                    .failed();
  failed |= checkFlag(program, "--input", bindings.inputNames(), "value or parameter", fillable,
                      sizes, "sizes are given with --set NAME=NUMBER")
                .failed();
  failed |= checkNoSets(program, bindings).failed();
  failed |= checkSizeFlags(sizes, bindings, program.getContext()).failed();
  warnOfSlips<ParamOp>(program, bindings, "params");
  warnOfSlips<ValueOp>(program, bindings, "inputs");
  return failure(failed);
}
