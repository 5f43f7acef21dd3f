//===- BindingsParser.cpp - Parse the bindings file and its flags ---------===//
//
// The schema of the bindings file, in one place: the keys, their valid contents, and the messages
// for others. Errors are collected, so that one run shows them all.
//
//===----------------------------------------------------------------------===//
#include "LCI/Bindings/Bindings.h"
#include "LCI/Bindings/JsonIndex.h"
#include "LCI/Bindings/Nest.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/NumberText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace lci;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr const char *kTooDeep = "lists and objects are nested more than 100 levels deep";
static_assert(lci::kMaxJsonNest == 100, "as kTooDeep says");

const std::vector<std::string> topLevelKeys = {"sizes",   "params", "inputs",        "palettes",
                                               "regions", "models", "hard_priority", "legalize",
                                               "epochs",  "seed"};

/// The kind of a JSON value, for "but got …".
static std::string kindText(const json::Value &value) {
  switch (value.kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Object:
    return "an object";
  case json::Value::Array:
    return "an array";
  default:
    return llvm::formatv("{0}", value).str();
  }
}

namespace {
/// Collects nested arrays of numbers into one dense array.
class NumberCollector {
public:
  /// An error, or nothing.
  std::optional<std::string> collect(const json::Value &value) { return visit(value, 0); }

  /// 1 and 1.0 are the same number in JSON.
  Array array() const { return numbers.array(); }

private:
  std::optional<std::string> visit(const json::Value &value, size_t depth) {
    if (const json::Array *list = value.getAsArray())
      return visitList(*list, depth);
    if (auto error = numbers.beginNumber(depth))
      return error;
    if (std::optional<bool> flag = value.getAsBoolean())
      return add(*flag, *flag, true);
    std::optional<double> number = value.getAsNumber();
    if (!number)
      return "expected numbers, but got " + kindText(value);
    // JSON has no infinity: LLVM returns it for numbers beyond a double.
    if (std::isinf(*number))
      return "expected numbers that F32 holds, up to 3.4028235e38, but got one beyond 1e308" +
             foundAt();
    // -0.0 is no integer: it differs from 0.
    std::optional<int64_t> integer = value.getAsInteger();
    bool isInteger = integer && (*integer != 0 || !std::signbit(*number));
    return add(integer.value_or(0), *number, isInteger);
  }

  std::optional<std::string> visitList(const json::Array &list, size_t depth) {
    if (auto error = numbers.beginList(depth))
      return error;
    if (auto error = numbers.setLength(depth, static_cast<int64_t>(list.size())))
      return error;
    for (const auto &[i, element] : llvm::enumerate(list)) {
      indices.push_back(std::to_string(i));
      if (auto error = visit(element, depth + 1))
        return error;
      indices.pop_back();
    }
    return std::nullopt;
  }

  /// The indices in nested lists.
  std::string foundAt() const {
    return indices.empty() ? "" : " at [" + llvm::join(indices, ", ") + "]";
  }

  std::optional<std::string> add(int64_t integer, double number, bool isInteger) {
    numbers.add(integer, number, isInteger);
    return std::nullopt;
  }

  NestedNumbers numbers;
  std::vector<std::string> indices;
};
} // namespace

/// Sorts ranges and merges those that overlap or are adjacent.
static void normalise(std::vector<std::pair<int64_t, int64_t>> &ranges) {
  llvm::sort(ranges);
  std::vector<std::pair<int64_t, int64_t>> joined;
  for (const auto &range : ranges) {
    if (!joined.empty() && range.first <= joined.back().second + 1)
      joined.back().second = std::max(joined.back().second, range.second);
    else
      joined.push_back(range);
  }
  ranges = std::move(joined);
}

namespace lci {
/// Fills a Bindings from the root object of its file.
class BindingsParser {
public:
  BindingsParser(StringRef text, const std::string &file, std::vector<BindingError> &errors)
      : text(text), errors(errors) {
    bindings.file = file;
  }

  Bindings run() {
    if (std::optional<size_t> deep = findDeepNest(text)) {
      errors.push_back({ErrorId::NestedTooDeep, placeOf(*deep), kTooDeep, ""});
      return std::move(bindings);
    }
    StringRef behindMark = text; // a byte-order mark is no error
    behindMark.consume_front("\xEF\xBB\xBF");
    llvm::Expected<json::Value> root = json::parse(behindMark);
    if (!root) {
      syntaxError(root.takeError());
      return std::move(bindings);
    }
    JsonIndex places(text);
    index = &places;
    for (const auto &[path, where] : places.duplicates())
      errors.push_back({ErrorId::MalformedJSON,
                        {bindings.file, where.line, where.column},
                        "'" + path.substr(path.rfind('/') + 1) + "' appears twice",
                        ""});
    if (const json::Object *object = root->getAsObject())
      topLevel(*object);
    else
      error(ErrorId::WrongBinding, "",
            "expected a JSON object at the top, but got " + kindText(*root));
    return std::move(bindings);
  }

private:
  using Path = std::string;
  using Ranges = std::vector<std::pair<int64_t, int64_t>>;

  BindingLocation place(const Path &path) {
    TextPosition position = index->find(path);
    return {bindings.file, position.line, position.column};
  }
  void error(ErrorId id, const Path &path, const std::string &message,
             const std::string &hint = "") {
    errors.push_back({id, place(path), message, hint});
  }

  /// llvm::json reports `[3:5, byte=23]: Expected …`, mostly one behind the wrong character, with
  /// columns from 0. A text that ends too early is reported at its last character.
  void syntaxError(llvm::Error failure) {
    std::string message = llvm::toString(std::move(failure));
    StringRef rest = message, place;
    if (rest.consume_front("["))
      std::tie(place, rest) = rest.split("]: ");
    size_t behind = 0;
    (void)place.split("byte=").second.getAsInteger(10, behind);
    behind += text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    behind += rest.starts_with("Text after end"); // which is not parsed
    size_t at = std::min(behind, text.rtrim().size());
    errors.push_back(
        {ErrorId::MalformedJSON, placeOf(at - (at > 0)), "not valid JSON: " + rest.str(), ""});
  }

  BindingLocation placeOf(size_t byte) {
    StringRef before = text.take_front(byte);
    BindingLocation where{bindings.file, 1, 1};
    where.line += before.count('\n');
    where.column += before.size() - (before.rfind('\n') + 1); // npos + 1 is 0
    return where;
  }

  void unknownKey(const Path &path, StringRef key, const std::vector<std::string> &known) {
    std::optional<std::string> near = nearestName(key, known);
    error(ErrorId::UnknownKey, path, "unknown key '" + key.str() + "'",
          near ? "did you mean '" + *near + "'?" : "expected one of: " + llvm::join(known, ", "));
  }

  void topLevel(const json::Object &object) {
    for (const auto &[key, value] : object) {
      Path path = "/" + key.str();
      if (key == "sizes")
        section(path, value, [&](auto... a) { size(a...); });
      else if (key == "params")
        section(path, value, [&](auto... a) { param(a...); });
      else if (key == "inputs")
        section(path, value, [&](auto... a) { input(a...); });
      else if (key == "palettes")
        section(path, value, [&](auto... a) { palette(a...); });
      else if (key == "regions")
        section(path, value, [&](auto... a) { region(a...); });
      else if (key == "models")
        section(path, value, [&](auto... a) { model(a...); });
      else
        scalar(path, key, value);
    }
    llvm::sort(errors, [](const BindingError &a, const BindingError &b) {
      return std::tie(a.location.line, a.location.column) <
             std::tie(b.location.line, b.location.column);
    });
  }

  void scalar(const Path &path, StringRef key, const json::Value &value) {
    if (key == "legalize")
      return legalize(path, value);
    if (key == "seed") {
      bindings.seed = value.getAsUINT64();
      if (!bindings.seed)
        error(ErrorId::WrongBinding, path,
              "expected a natural number below 2^64 for 'seed', but got " + kindText(value));
      return;
    }
    if (key != "epochs" && key != "hard_priority")
      return unknownKey(path, key, topLevelKeys);
    std::optional<int64_t> number = value.getAsInteger();
    if (!number || *number < 0)
      error(ErrorId::WrongBinding, path,
            "expected a natural number for '" + key.str() + "', but got " + kindText(value));
    else
      (key == "epochs" ? bindings.epochs : bindings.hardPriority) = number;
  }

  void legalize(const Path &path, const json::Value &value) {
    StringRef word = value.getAsString().value_or("");
    if (word == "snapshot")
      bindings.legalize = Legalize::Snapshot;
    else if (word == "recolor")
      bindings.legalize = Legalize::Recolor;
    else if (word == "strict")
      bindings.legalize = Legalize::Strict;
    else
      error(ErrorId::WrongBinding, path,
            "expected \"snapshot\", \"recolor\" or \"strict\" for 'legalize', but got " +
                kindText(value));
  }

  /// Calls `entry(name, path, value)` for each member of a section.
  template <typename Entry>
  void section(const Path &path, const json::Value &value, Entry entry) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return error(ErrorId::WrongBinding, path,
                   "expected an object for '" + path.substr(1) + "', but got " + kindText(value));
    for (const auto &[key, member] : *object)
      entry(key.str(), path + "/" + key.str(), &member);
  }

  void size(const std::string &name, const Path &path, const json::Value *value) {
    std::optional<int64_t> number = value->getAsInteger();
    if (!number || *number < 0)
      return error(ErrorId::WrongBinding, path,
                   "expected a natural number for the size '" + name + "', but got " +
                       kindText(*value));
    bindings.sizes[name] = {*number, place(path)};
  }

  void param(const std::string &name, const Path &path, const json::Value *value) {
    ArrayBinding binding;
    binding.location = place(path);
    if (std::optional<StringRef> file = value->getAsString()) {
      binding.path = resolvePath(file->str(), bindings.file);
    } else {
      NumberCollector collector;
      if (auto problem = collector.collect(*value))
        return error(ErrorId::WrongBinding, path, "parameter '" + name + "': " + *problem);
      binding.numbers = collector.array();
    }
    bindings.params[name] = std::move(binding);
  }

  void input(const std::string &name, const Path &path, const json::Value *value) {
    if (std::optional<StringRef> file = value->getAsString())
      bindings.inputs[name] = {{}, resolvePath(file->str(), bindings.file), place(path)};
    else
      error(ErrorId::WrongBinding, path,
            "expected a path for the input '" + name + "', but got " + kindText(*value));
  }

  /// `[low, high]` with low <= high.
  std::optional<std::pair<int64_t, int64_t>> range(const json::Value &value) {
    const json::Array *pair = value.getAsArray();
    if (!pair || pair->size() != 2)
      return std::nullopt;
    std::optional<int64_t> low = (*pair)[0].getAsInteger(), high = (*pair)[1].getAsInteger();
    if (!low || !high || *low < 0 || *low > *high)
      return std::nullopt;
    return std::make_pair(*low, *high);
  }

  void palette(const std::string &name, const Path &path, const json::Value *value) {
    PaletteBinding binding;
    binding.location = place(path);
    const json::Array *items = value->getAsArray();
    if (!items)
      return error(ErrorId::WrongBinding, path,
                   "expected a list of tokens or [low, high] ranges for the palette '" + name +
                       "', but got " + kindText(*value));
    for (auto [i, item] : llvm::enumerate(*items)) {
      std::optional<int64_t> token = item.getAsInteger();
      auto span = range(item);
      if (token && *token >= 0)
        binding.ranges.emplace_back(*token, *token);
      else if (span)
        binding.ranges.push_back(*span);
      else
        error(ErrorId::WrongBinding, path + "/" + std::to_string(i),
              "expected a token or a range [low, high] in the palette '" + name + "', but got " +
                  llvm::formatv("{0}", item).str());
    }
    normalise(binding.ranges);
    bindings.palettes[name] = std::move(binding);
  }

  void region(const std::string &name, const Path &path, const json::Value *value) {
    RegionBinding binding;
    binding.location = place(path);
    const json::Object *object = value->getAsObject();
    if (!object || object->size() != 1)
      return error(ErrorId::WrongBinding, path,
                   "expected {\"rect\": [[low, high], …]} or {\"mask\": \"file\"} for the "
                   "region '" +
                       name + "', but got " + kindText(*value));
    const auto &[key, content] = *object->begin();
    Path inner = path + "/" + key.str();
    if (key == "rect")
      binding.rect = rect(name, inner, content);
    else if (key == "mask")
      binding.mask = mask(name, inner, content);
    else
      return unknownKey(inner, key, {"rect", "mask"});
    bindings.regions[name] = std::move(binding);
  }

  Ranges rect(const std::string &name, const Path &path, const json::Value &value) {
    Ranges ranges;
    const json::Array *axes = value.getAsArray();
    if (!axes || axes->empty()) {
      error(ErrorId::WrongBinding, path,
            "expected a list of [low, high] ranges, one for each axis, for the region '" + name +
                "', but got " + kindText(value));
      return ranges;
    }
    for (auto [i, axis] : llvm::enumerate(*axes)) {
      if (auto span = range(axis))
        ranges.push_back(*span);
      else
        error(ErrorId::WrongBinding, path + "/" + std::to_string(i),
              "expected a range [low, high] in the region '" + name + "', but got " +
                  llvm::formatv("{0}", axis).str());
    }
    return ranges;
  }

  ArrayBinding mask(const std::string &name, const Path &path, const json::Value &value) {
    ArrayBinding binding;
    binding.location = place(path);
    if (std::optional<StringRef> file = value.getAsString())
      binding.path = resolvePath(file->str(), bindings.file);
    else
      error(ErrorId::WrongBinding, path,
            "expected a path for the mask of the region '" + name + "', but got " +
                kindText(value));
    return binding;
  }

  void model(const std::string &name, const Path &path, const json::Value *value) {
    const json::Object *object = value->getAsObject();
    if (!object)
      return error(ErrorId::WrongBinding, path,
                   "expected {\"file\": …, \"function\": …, \"weights\": …} for the model '" +
                       name + "', but got " + kindText(*value));
    ModelBinding binding;
    binding.location = place(path);
    bool isUnknown = false; // probably a missing key, misspelt
    for (const auto &[key, content] : *object) {
      Path inner = path + "/" + key.str();
      std::string *field = key == "file"       ? &binding.file
                           : key == "function" ? &binding.function
                           : key == "weights"  ? &binding.weights
                                               : nullptr;
      isUnknown |= !field;
      if (!field)
        unknownKey(inner, key, {"file", "function", "weights"});
      else if (std::optional<StringRef> word = content.getAsString())
        *field = key == "function" ? word->str() : resolvePath(word->str(), bindings.file);
      else
        error(ErrorId::WrongBinding, inner,
              "expected a string for '" + key.str() + "', but got " + kindText(content));
    }
    if (!isUnknown && (!object->get("file") || !object->get("function")))
      return error(ErrorId::WrongBinding, path,
                   "the model '" + name + "' needs \"file\" and \"function\"");
    bindings.models[name] = std::move(binding);
  }

  StringRef text;
  std::vector<BindingError> &errors;
  Bindings bindings;
  const JsonIndex *index = nullptr;
};
} // namespace lci

Bindings Bindings::parse(StringRef text, const std::string &file,
                         std::vector<BindingError> &errors) {
  return BindingsParser(text, file, errors).run();
}

Bindings Bindings::read(const std::string &path, std::vector<BindingError> &errors) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes) {
    errors.push_back({bytes.failure().id, {path, 0, 0}, bytes.error(), ""});
    return Bindings();
  }
  return parse(StringRef(reinterpret_cast<const char *>(bytes->data()), bytes->size()), path,
               errors);
}

/// The error of two flags for one name, of which only one could apply.
static Failure givenTwice(const std::string &flag, StringRef name) {
  return Failure{ErrorId::CommandLine, flag + " gives '" + name.str() + "' twice"};
}

static Failure givenByBoth(StringRef name) {
  return Failure{ErrorId::CommandLine,
                 "expected --set or --input for '" + name.str() + "', but got both"};
}

Status Bindings::set(StringRef assignment) {
  auto [name, value] = assignment.split('=');
  if (name.empty() || value.empty())
    return Failure{ErrorId::CommandLine,
                   "expected --set NAME=VALUE, but got '" + assignment.str() + "'"};
  if (setSizes.count(name.str()) || setParams.count(name.str()))
    return givenTwice("--set", name);
  if (setInputs.count(name.str()))
    return givenByBoth(name);
  BindingLocation location{"--set " + assignment.str(), 0, 0};
  ArrayBinding binding;
  binding.location = location;
  if (findDeepNest(value))
    return Failure{ErrorId::NestedTooDeep, "--set " + name.str() + ": " + kTooDeep};
  llvm::Expected<json::Value> parsed = json::parse(value);
  if (!parsed || parsed->getAsString()) {
    // Not a number: a file, relative to the working directory.
    llvm::consumeError(parsed.takeError());
    if (!value.contains('.'))
      return Failure{ErrorId::WrongBinding,
                     "expected a number, an array of numbers or a file in --set " +
                         assignment.str() + ", but got '" + value.str() + "'"};
    binding.path = value.str();
  } else {
    NumberCollector collector;
    if (auto problem = collector.collect(*parsed))
      return Failure{ErrorId::WrongBinding, "--set " + assignment.str() + ": " + *problem};
    binding.numbers = collector.array();
    if (std::optional<int64_t> size = parsed->getAsInteger(); size && *size >= 0)
      setSizes[name.str()] = {*size, location};
  }
  setParams[name.str()] = std::move(binding);
  return Done();
}

Status Bindings::setInput(StringRef assignment) {
  auto [name, path] = assignment.split('=');
  if (name.empty() || path.empty())
    return Failure{ErrorId::CommandLine,
                   "expected --input NAME=FILE, but got '" + assignment.str() + "'"};
  if (setInputs.count(name.str()))
    return givenTwice("--input", name);
  if (setParams.count(name.str()))
    return givenByBoth(name);
  setInputs[name.str()] = {{}, path.str(), {"--input " + assignment.str(), 0, 0}};
  return Done();
}
