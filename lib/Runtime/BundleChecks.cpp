//===- BundleChecks.cpp - Check that a bundle's parts are consistent ------===//
//
// The code that runs a function trusts its description: that there is an argument for the first
// epoch, that an observation has the shape of the value it copies. All of this is checked once
// here, before anything of the bundle is loaded.
//
//===----------------------------------------------------------------------===//

#include "BundleChecks.h"
#include "LCI/Runtime/Memory.h"
#include "Text.h"
#include <algorithm>

using namespace lci;

static Failure contradicts(const std::string &what) {
  return Failure{ErrorId::MalformedFile, "the bundle's parts contradict one another: " + what};
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// "state 'A'", for messages.
static std::string titleOf(const SlotForm &slot) {
  return std::string(roleWord(slot.role)) + " '" + slot.name + "'";
}

static bool isNumber(const SlotForm &slot) { return slot.kind == ElementKind::F32; }

static int64_t elementsOf(const SlotForm &slot) { return elementCount(slot.shape()).value_or(0); }

/// Whether the element kind fits the vocabulary and the components.
static bool holdsItsElements(const SlotForm &slot) {
  if (slot.components > 0 && (!isNumber(slot) || slot.vocabulary))
    return false;
  if (!slot.vocabulary)
    return true;
  int64_t bits = slot.kind == ElementKind::I1 ? 1 : 8 * byteWidth(slot.kind);
  int64_t most = bits < 63 ? int64_t(1) << bits : INT64_MAX;
  return !isNumber(slot) && *slot.vocabulary > 0 && *slot.vocabulary <= most;
}

static Status checkSlot(const SlotForm &slot, const std::string &symbol) {
  RoleForm form = roleForm(slot.role);
  bool mustBeArray = form == RoleForm::Array || slot.role == Role::Observation;
  if (mustBeArray ? !slot.isArray : form != RoleForm::Any && slot.isArray)
    return contradicts("expected the " + titleOf(slot) + " of '" + symbol + "' to be " +
                       (mustBeArray ? "an array" : "a number"));
  if (!holdsItsElements(slot) || (slot.role == Role::Observation && elementsOf(slot) != 1))
    return contradicts("the " + titleOf(slot) + " of '" + symbol + "' cannot have such elements");
  return Done{};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static const SlotForm *findSlot(const FunctionForm &function, Role role) {
  for (const SlotForm &slot : function.slots)
    if (slot.role == role)
      return &slot;
  return nullptr;
}

static const SlotForm *findValue(const FunctionForm &function, const std::string &name) {
  for (const SlotForm &slot : function.slots)
    if (slot.isValue() && slot.name == name)
      return &slot;
  return nullptr;
}

/// Whether the values have equal extents, components and vocabulary, and both hold numbers or both
/// do not.
static bool areAlike(const SlotForm &a, const SlotForm &b) {
  return a.extents == b.extents && a.components == b.components && a.vocabulary == b.vocabulary &&
         isNumber(a) == isNumber(b);
}

/// The counters of a function need an array of integers with an element for each.
static Status checkCounters(const FunctionForm &function) {
  const SlotForm *counts = findSlot(function, Role::Counts);
  if (!counts)
    return Done{};
  if (isNumber(*counts) || elementsOf(*counts) < static_cast<int64_t>(function.counters.size()))
    return contradicts("'" + function.symbol + "' has " + std::to_string(function.counters.size()) +
                       " counters, but no array of integers for all of them");
  return Done{};
}

/// Copies and persistent arrays of a value have its shape.
static Status checkValues(const FunctionForm &function, const FunctionForm &run) {
  for (const SlotForm &slot : function.slots) {
    if (!slot.isValue() && slot.role != Role::Persistent)
      continue;
    const SlotForm *value = findValue(run, slot.name);
    if (!value || (slot.isValue() && !areAlike(slot, *value)))
      return contradicts("expected the " + titleOf(slot) + " of '" + function.symbol +
                         "' to be one of '" + run.symbol + "'");
  }
  return Done{};
}

/// The roles of arguments that a function is called with.
static std::vector<Role> rolesOf(const FunctionForm &function, bool runsEpochs) {
  if (runsEpochs)
    return {Role::First};
  if (endsWith(function.symbol, ".rejections"))
    return {Role::Epoch, Role::Before};
  return endsWith(function.symbol, ".init") ? std::vector<Role>() : std::vector{Role::Epoch};
}

/// The function that runs epochs comes first; the suffix of a name gives the kind of the others.
static Status checkFunction(const FunctionForm &function, const FunctionForm &run) {
  for (const SlotForm &slot : function.slots)
    if (Status fits = checkSlot(slot, function.symbol); !fits)
      return fits;
  for (Role needed : rolesOf(function, &function == &run))
    if (!findSlot(function, needed))
      return contradicts("'" + function.symbol + "' has no argument of the role '" +
                         std::string(roleWord(needed)) + "'");
  Status counted = checkCounters(function);
  return counted ? checkValues(function, run) : counted;
}

/// Whether a function is of this one, by their names.
static bool standsBeside(const std::string &run, const std::string &symbol) {
  const FunctionBeside *beside = findBeside(symbol);
  return beside && symbol == run + beside->suffix;
}

static Status checkSymbols(const BundledCode &code) {
  const std::string &run = code.functions.front().form.symbol;
  std::set<std::string> symbols;
  for (const BundledFunction &function : code.functions) {
    const std::string &symbol = function.form.symbol;
    bool isKnown = symbol == run || standsBeside(run, symbol);
    if (!isKnown || findBeside(run) || !symbols.insert(symbol).second)
      return contradicts("'" + symbol + "' is no function of '" + run + "', or is there twice");
  }
  return Done{};
}

//===----------------------------------------------------------------------===//
// Bundles
//===----------------------------------------------------------------------===//

/// All codes have the same values, in one order.
static bool haveSameValues(const FunctionForm &a, const FunctionForm &b) {
  auto valuesOf = [](const FunctionForm &function) {
    std::vector<const SlotForm *> values;
    for (const SlotForm &slot : function.slots)
      if (slot.isValue())
        values.push_back(&slot);
    return values;
  };
  std::vector<const SlotForm *> left = valuesOf(a), right = valuesOf(b);
  bool isSame = left.size() == right.size();
  for (size_t i = 0; isSame && i < left.size(); ++i)
    isSame = left[i]->name == right[i]->name && areAlike(*left[i], *right[i]);
  return isSame;
}

/// The types into which the compiler converts arguments.
static Status checkGiven(const RunArguments &given) {
  for (const auto &[name, array] : given.params)
    if (array.dtype() != DType::I64 && array.dtype() != DType::F32)
      return contradicts("the parameter '" + name + "' is of the type " + nameOf(array.dtype()));
  for (const auto *group : {&given.palettes, &given.regions})
    for (const auto &[name, array] : *group)
      if (array.dtype() != DType::Bool)
        return contradicts("'" + name + "' is no mask, but of the type " + nameOf(array.dtype()));
  return Done{};
}

Status lci::checkParts(const Bundle &bundle) {
  const FunctionForm &first = bundle.codes.front().functions.front().form;
  for (const BundledCode &code : bundle.codes) {
    const FunctionForm &run = code.functions.front().form;
    if (Status fits = checkSymbols(code); !fits)
      return fits;
    for (const BundledFunction &function : code.functions)
      if (Status fits = checkFunction(function.form, run); !fits)
        return fits;
    if (!haveSameValues(first, run))
      return contradicts("the code for '" + code.backend + "' is of other values");
  }
  return checkGiven(bundle.arguments);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether a function that only looks works on an array of the function that runs epochs.
static bool isLent(const BundledCode &code, const FunctionForm &to, const SlotForm &slot) {
  const FunctionForm &run = code.functions.front().form;
  bool mayWrite = &to == &run || endsWith(to.symbol, ".rejections");
  return code.backend == "cpu" && !mayWrite &&
         std::any_of(run.slots.begin(), run.slots.end(), [&](const SlotForm &value) {
           return value.isValue() && value.name == slot.name && value.isStoredLike(slot);
         });
}

Status lci::checkRoom(const BundledCode &code) {
  uint64_t bytes = 0;
  for (const BundledFunction &function : code.functions)
    for (const SlotForm &slot : function.form.slots)
      if (slot.isArray && !isLent(code, function.form, slot))
        bytes = saturatingAdd(bytes, static_cast<uint64_t>(slot.bufferSize().value_or(INT64_MAX)));
  return checkFits(bytes, "the state of the program");
}
