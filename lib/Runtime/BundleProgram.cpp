//===- BundleProgram.cpp - A loaded bundle --------------------------------===//
//
// Sets seed, parameters, switches and inputs of a loaded bundle, each checked against the slots of
// its functions, then passes them to the compiled program; and words the warnings about rejected
// proposals and inputs that are all zero. What has been set is kept, so that another state of the
// same code can start from it.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/BundleProgram.h"
#include "LCI/Runtime/Tokens.h"
#include "Text.h"

using namespace lci;

BundleProgram::BundleProgram(std::shared_ptr<const Bundle> bundle,
                             std::unique_ptr<CompiledProgram> program)
    : made(std::move(bundle)), program(std::move(program)), forms(made->values()),
      given(made->arguments) {
  // Counters of observers are in the program's order, which that of the slots need not be.
  for (const BundledFunction &function : made->codes.front().functions) {
    if (endsWith(function.form.symbol, ".observe"))
      watched = function.form.counters;
    if (endsWith(function.form.symbol, ".breaches"))
      for (const std::string &counter : function.form.counters)
        constraints.push_back(counter.substr(0, counter.rfind('.')));
  }
}

Result<std::unique_ptr<BundleProgram>> BundleProgram::open(Bundle bundle,
                                                           const BundleMachine &machine) {
  Result<std::unique_ptr<CompiledProgram>> loaded = loadBundle(bundle, machine);
  return loaded ? of(std::move(bundle), std::move(*loaded)) : loaded.failure();
}

Result<std::unique_ptr<BundleProgram>> BundleProgram::of(Bundle bundle,
                                                         std::unique_ptr<CompiledProgram> code) {
  std::unique_ptr<BundleProgram> opened(
      new BundleProgram(std::make_shared<const Bundle>(std::move(bundle)), std::move(code)));
  for (const auto &[name, array] : opened->made->inputs)
    if (Status set = opened->setInput(name, array); !set)
      return set.failure();
  return opened;
}

Result<std::unique_ptr<BundleProgram>> BundleProgram::another() const {
  Status room = checkRoom(**made->find(program->name()));
  auto state = room ? program->another() : room.failure();
  if (!state)
    return Failure{state.failure().id, "'" + made->name + "': " + state.error()};
  std::unique_ptr<BundleProgram> second(new BundleProgram(made, std::move(*state)));
  second->given = given;
  second->inputs = inputs;
  return second;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

template <typename Map>
static std::vector<std::string> keysOf(const Map &map) {
  std::vector<std::string> keys;
  for (const auto &[key, value] : map)
    keys.push_back(key);
  return keys;
}

std::vector<std::string> BundleProgram::names() const {
  std::vector<std::string> names;
  for (const SlotForm &form : forms)
    names.push_back(form.name);
  return names;
}

Result<const SlotForm *> BundleProgram::find(const std::string &value) const {
  for (const SlotForm &form : forms)
    if (form.name == value)
      return &form;
  return Failure{ErrorId::NoSuchName, "expected one of the program's values (" + listOf(names()) +
                                          "), but got '" + value + "'"};
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

Status BundleProgram::setParameter(const std::string &name, const Array &numbers) {
  auto found = given.params.find(name);
  if (found == given.params.end())
    return Failure{ErrorId::NoSuchName,
                   "expected one of the bundle's parameters (" + listOf(keysOf(given.params)) +
                       "), but got '" + name +
                       "'; sizes, and what the program computes, were bound when it was made"};
  Array &parameter = found->second;
  if (numbers.shape() != parameter.shape())
    return Failure{ErrorId::WrongShape, "expected shape " + shapeText(parameter.shape()) +
                                            " for the parameter '" + name + "', but got " +
                                            shapeText(numbers.shape())};
  std::string what = "the parameter '" + name + "'";
  Result<Array> canonical =
      isInteger(parameter.dtype()) ? toIntegers(numbers, what) : toFloats(numbers, what);
  if (!canonical)
    return canonical.failure();
  if (made->fixedParameters && *canonical != parameter)
    return Failure{ErrorId::OtherProgram,
                   "expected the parameters that the bundle was made with, which are compiled in "
                   "or by which cells are looked up, but got another '" +
                       name + "'"};
  parameter = std::move(*canonical);
  return Done{};
}

Status BundleProgram::setEnabled(const std::string &name, bool on) {
  if (!made->switches.count(name))
    return Failure{ErrorId::NoSuchName, "expected one of the program's rules and constraints (" +
                                            listOf({made->switches.begin(), made->switches.end()}) +
                                            "), but got '" + name + "'"};
  given.enables[name] = on;
  return Done{};
}

static bool holdsIntegers(const SlotForm &value) {
  return !value.vocabulary && value.kind != ElementKind::F32;
}

static CanonicalForm formOf(const SlotForm &value) {
  return {value.shape(), value.vocabulary, holdsIntegers(value)};
}

std::map<std::string, CanonicalForm> BundleProgram::canonicalForms() const {
  std::map<std::string, CanonicalForm> canonical;
  for (const SlotForm &value : forms)
    canonical.emplace(value.name, formOf(value));
  return canonical;
}

Status BundleProgram::setInput(const std::string &name, const Array &array) {
  Result<const SlotForm *> found = find(name);
  if (!found)
    return found.failure();
  const SlotForm &value = **found;
  Result<Array> canonical = toCanonical(array, formOf(value), name);
  if (!canonical)
    return canonical.failure();
  auto full = made->full.find(name);
  if (std::optional<int64_t> absent =
          full == made->full.end() ? std::nullopt : firstAbsent(*canonical))
    return Failure{ErrorId::MissingToken, "expected a token in every cell of '" + name +
                                              "', because " + full->second + ", but got -1 at [" +
                                              canonical->indexText(*absent) + "]"};
  inputs[name] = std::move(*canonical);
  return Done{};
}

Status BundleProgram::startEmpty() {
  Status set = program->setArguments(given);
  return set ? program->initialise() : set;
}

Status BundleProgram::start() {
  if (Status started = startEmpty(); !started)
    return started;
  for (const auto &[name, array] : inputs)
    if (Status set = program->setValue(name, array); !set)
      return set;
  return Done{};
}

Status BundleProgram::findRejected(int64_t epoch, FirstRejections &first) {
  for (const std::string &name : names()) {
    if (first.cells.count(name))
      continue;
    Result<std::optional<RejectedCell>> found = program->findRejected(name, epoch);
    if (!found)
      return found.failure();
    if (*found)
      first.cells[name] = **found;
  }
  return Done{};
}

/// Which proposal was the first to be rejected, as the end of a sentence.
static std::string firstText(const std::string &value, const FirstRejections &first) {
  auto epoch = first.epochs.find(rejectionCountOf(value));
  auto found = first.cells.find(value);
  std::string in = epoch == first.epochs.end() ? "" : " in epoch " + std::to_string(epoch->second);
  if (found == first.cells.end())
    return (in.empty() ? "" : ", first" + in) +
           "; the bundle has no code that finds the cell, so lmpm-run on the program names it";
  std::string cell;
  for (int64_t index : found->second.cell)
    cell += (cell.empty() ? "" : ",") + std::to_string(index);
  std::string at = cell.empty() ? value : value + "[" + cell + "]";
  return ", the first by rule '" + found->second.rule + "' at " + at + in;
}

std::vector<std::string> BundleProgram::rejections(const Counters &before, const Counters &now,
                                                   const FirstRejections &first) const {
  std::vector<std::string> sentences;
  for (const std::string &name : names()) {
    int64_t number = rejectionsOf(name, now) - rejectionsOf(name, before);
    if (number > 0)
      sentences.push_back(lmpm::withErrorId(
          std::to_string(number) + (number == 1 ? " proposal" : " proposals") + " of what '" +
              name + "' cannot hold " + (number == 1 ? "was" : "were") + " rejected" +
              firstText(name, first),
          ErrorId::OutsideVocabulary));
  }
  return sentences;
}

std::vector<std::string> BundleProgram::emptyInputs() const {
  std::vector<std::string> sentences;
  for (const std::string &name : made->zeros)
    if (!inputs.count(name))
      sentences.push_back(lmpm::withErrorId("'" + name + "' has no input and no 'init': all its " +
                                                "numbers are 0; give it one with --input " + name +
                                                "=F.npy",
                                            ErrorId::UnboundName));
  return sentences;
}

Result<Array> BundleProgram::value(const std::string &name) {
  Result<const SlotForm *> form = find(name);
  if (!form)
    return form.failure();
  Result<Array> value = program->value(name);
  return value && holdsIntegers(**form) ? toFileIntegers(*value) : value;
}
