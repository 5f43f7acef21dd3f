//===- Bindings.cpp - Looking names up in the bindings --------------------===//
#include "LCI/Bindings/Bindings.h"
#include "LCI/Bindings/SafeTensors.h"
#include "LCI/Runtime/File.h"
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
  collect(setParams, names); // every --set is here, sizes included
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
  return near ? "the bindings have '" + *near + "' in '" + section.str() + "'; did you mean that?"
              : std::string();
}

std::optional<std::string> lci::nearestName(StringRef name, const std::vector<std::string> &names) {
  // A slip is a letter or two, less in short names; case alone always counts as one.
  unsigned limit = name.size() <= 2 ? 0 : name.size() <= 5 ? 1 : 2;
  std::optional<std::string> best;
  unsigned bestDistance = limit + 1;
  for (const std::string &candidate : names) {
    unsigned distance = StringRef(candidate).equals_insensitive(name)
                            ? 0
                            : StringRef(candidate).edit_distance(name, true, bestDistance);
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

namespace {
/// Adds named things to a digest, with the contents of the files they name.
struct DigestBuilder {
  Hasher hasher;
  std::optional<Failure> failure;

  void addFile(const std::string &path) {
    if (path.empty()) {
      hasher.add(uint64_t(0));
      return;
    }
    Result<std::vector<uint8_t>> bytes = readFile(StringRef(path).split('#').first.str());
    if (!bytes) {
      failure = bytes.failure();
      return;
    }
    hasher.add(uint64_t(bytes->size())).add(bytes->data(), bytes->size());
    hasher.add(StringRef(path).split('#').second.str());
  }

  void addArray(const ArrayBinding &binding) {
    hasher.add(uint64_t(binding.numbers.has_value()));
    if (!binding.numbers)
      return addFile(binding.path);
    std::vector<uint8_t> bytes = encodeNpy(*binding.numbers);
    hasher.add(bytes.data(), bytes.size());
  }

  void addRanges(const std::vector<std::pair<int64_t, int64_t>> &ranges) {
    hasher.add(uint64_t(ranges.size()));
    for (const auto &[low, high] : ranges)
      hasher.add(uint64_t(low)).add(uint64_t(high));
  }
};
} // namespace

Result<Digest> Bindings::digest() const {
  DigestBuilder builder;
  Hasher &hasher = builder.hasher;
  auto section = [&](const char *title, const auto &map, auto add) {
    hasher.add(std::string(title)).add(uint64_t(map.size()));
    for (const auto &[name, binding] : map) {
      hasher.add(name);
      add(binding);
    }
  };
  auto addArray = [&](const ArrayBinding &binding) { builder.addArray(binding); };
  auto addSize = [&](const SizeBinding &size) { hasher.add(uint64_t(size.value)); };
  // A flag that repeats the file changes nothing: the digest sees the merged names.
  auto mergedSizes = sizes;
  for (const auto &[name, size] : setSizes)
    mergedSizes[name] = size;
  auto mergedParams = params;
  for (const auto &[name, param] : setParams)
    mergedParams[name] = param;
  section("sizes", mergedSizes, addSize);
  section("params", mergedParams, addArray);
  section("palettes", palettes, [&](const PaletteBinding &p) { builder.addRanges(p.ranges); });
  section("regions", regions, [&](const RegionBinding &region) {
    builder.addRanges(region.rect);
    if (region.mask)
      builder.addArray(*region.mask);
  });
  section("models", models, [&](const ModelBinding &model) {
    builder.addFile(model.file);
    hasher.add(model.function);
    builder.addFile(model.weights);
  });
  hasher.add(uint64_t(hardPriority.value_or(1000)));
  hasher.add(uint64_t(legalize.value_or(Legalize::Snapshot)));
  if (builder.failure)
    return *builder.failure;
  return hasher.finish();
}
