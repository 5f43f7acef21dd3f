//===- Bindings.cpp - Look names up in the bindings -----------------------===//
//
// Lookups of bound names by section, with flags before the file; arrays are loaded from .npy, .npz
// and safetensors files. Also the nearest name for hints, by edit distance with a limit that
// depends on the length.
//
//===----------------------------------------------------------------------===//
#include "LCI/Bindings/Bindings.h"
#include "LCI/Bindings/SafeTensors.h"
#include "LCI/Runtime/Npy.h"
#include "llvm/ADT/STLExtras.h"

using namespace lci;
using llvm::StringRef;

std::string BindingLocation::str() const {
  return line ? file + ":" + std::to_string(line) + ":" + std::to_string(column) : file;
}

std::string BindingError::str() const {
  std::string text = location.str() + ": error: " + message;
  return hint.empty() ? text : text + "\n" + location.str() + ": note: " + hint;
}

bool PaletteBinding::contains(int64_t token) const {
  return llvm::any_of(
      ranges, [&](const auto &range) { return range.first <= token && token <= range.second; });
}

template <typename Map>
static auto lookup(const Map &map, StringRef name) -> const typename Map::mapped_type * {
  auto found = map.find(name.str());
  return found == map.end() ? nullptr : &found->second;
}

template <typename Map>
static void collect(const Map &map, std::vector<std::string> &names) {
  for (const auto &entry : map)
    names.push_back(entry.first);
}

const SizeBinding *Bindings::size(StringRef name) const {
  const SizeBinding *flag = lookup(setSizes, name);
  return flag || lookup(setParams, name) ? flag : lookup(sizes, name);
}

const ArrayBinding *Bindings::param(StringRef name) const {
  // `--input` gives array parameters too.
  if (const ArrayBinding *flag = lookup(setInputs, name))
    return flag;
  if (const ArrayBinding *flag = lookup(setParams, name))
    return flag;
  return lookup(params, name);
}

const ArrayBinding *Bindings::input(StringRef name) const {
  const ArrayBinding *flag = lookup(setInputs, name);
  return flag ? flag : lookup(inputs, name);
}

const PaletteBinding *Bindings::palette(StringRef name) const { return lookup(palettes, name); }
const RegionBinding *Bindings::region(StringRef name) const { return lookup(regions, name); }
const ModelBinding *Bindings::model(StringRef name) const { return lookup(models, name); }

std::vector<std::string> Bindings::setNames() const {
  std::vector<std::string> names;
  collect(setParams, names); // all --set flags are here, including sizes
  return names;
}

std::vector<std::string> Bindings::inputNames() const {
  std::vector<std::string> names;
  collect(setInputs, names);
  return names;
}

std::vector<std::string> Bindings::namesIn(StringRef section) const {
  std::vector<std::string> names;
  if (section == "sizes")
    collect(sizes, names);
  else if (section == "params")
    collect(params, names);
  else if (section == "inputs")
    collect(inputs, names);
  else if (section == "palettes")
    collect(palettes, names);
  else if (section == "regions")
    collect(regions, names);
  else if (section == "models")
    collect(models, names);
  return names;
}

std::string Bindings::hintFor(StringRef section, StringRef name) const {
  std::optional<std::string> near = nearestName(name, namesIn(section));
  if (near)
    return "the bindings have '" + *near + "' in '" + section.str() + "'; did you mean that?";
  for (StringRef other : {"sizes", "params", "inputs", "palettes", "regions", "models"})
    if (llvm::is_contained(namesIn(other), name))
      return "'" + name.str() + "' is in '" + other.str() + "'; " + section.str() + " are in '" +
             section.str() + "'";
  return "";
}

std::optional<std::string> lci::nearestName(StringRef name, const std::vector<std::string> &names) {
  // A misspelling has one or two wrong letters, fewer in short names; a difference only in case is
  // always one.
  unsigned limit = name.size() <= 2 ? 0 : name.size() <= 5 ? 1 : 2;
  std::optional<std::string> best;
  unsigned bestDistance = limit + 1;
  for (const std::string &candidate : names) {
    unsigned distance =
        StringRef(candidate).equals_insensitive(name)
            ? 0
            : StringRef(candidate).edit_distance_insensitive(name, true, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

Result<Array> lci::loadArray(const std::string &path) {
  auto [file, member] = StringRef(path).rsplit('#');
  if (file.ends_with(".safetensors") || file.ends_with(".npz")) {
    if (member.empty())
      return Failure{ErrorId::WrongBinding,
                     "expected '" + file.str() + "#NAME' with the name of an array in the file"};
    return file.ends_with(".npz") ? readNpz(file.str(), member.str())
                                  : readSafeTensor(file.str(), member.str());
  }
  if (StringRef(path).ends_with(".npy"))
    return readNpy(path);
  return Failure{ErrorId::WrongBinding,
                 "expected a .npy, .npz#NAME or .safetensors#NAME file, but got '" + path + "'"};
}

Result<Array> lci::loadArray(const ArrayBinding &binding) {
  if (binding.numbers)
    return *binding.numbers;
  return loadArray(binding.path);
}

std::vector<FileUse> Bindings::files() const {
  std::vector<FileUse> files = {{"the bindings", file}};
  auto add = [&](const std::string &what, const std::string &path) {
    files.push_back({what, StringRef(path).split('#').first.str()});
  };
  auto addArrays = [&](const char *what, const auto &arrays) {
    for (const auto &[name, array] : arrays)
      add(what + (" '" + name + "'"), array.path);
  };
  addArrays("the file of parameter", params);
  addArrays("the file of parameter", setParams);
  addArrays("the file of input", inputs);
  addArrays("the file of input", setInputs);
  for (const auto &[name, region] : regions)
    add("the mask of region '" + name + "'", region.mask ? region.mask->path : "");
  for (const auto &[name, model] : models) {
    add("the file of model '" + name + "'", model.file);
    add("the weights of model '" + name + "'", model.weights);
  }
  return files;
}
