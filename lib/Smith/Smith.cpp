//===- Smith.cpp - Random well-formed programs ------------------------------===//

#include "LCI/Smith/Smith.h"
#include "Forge.h"
#include "LCI/Runtime/Npy.h"
#include <fstream>
#include <sstream>

using namespace lci;

std::string SmithProgram::text() const {
  std::string all;
  for (const std::string &declaration : declarations)
    all += declaration + "\n";
  return all;
}

SmithProgram lci::forgeProgram(uint64_t seed) { return Forge(seed).make(); }

/// Separated by bars.
static const char kConstructs[] =
    "!= set|%|*|+|-|/|>>|F32|Grid(…)|I32|Token|^|absent tokens|abs|accept|all|and|any|"
    "any in|argmax|argmin|array parameter|atan|atan2|axes|bernoulli|bits|bound parameter|"
    "boundary|ceil|chain|clamp|coarse read|count|def|Diagonal|dynamic when|erf|exp|exp2|"
    "float /|floor|forbid|forbid change|four_color|in range|init draw|init of indices|"
    "input|integer parameter|integer to number|label|let|log|log2|max|mean|member draw|"
    "metropolis|min|Moore(1)|N4|N8|neighbourhood|normal|not|observe|on … when|open|or|"
    "other value|palette|parameter of the epoch|past family|pointwise|popcount|pow|"
    "priority|priority 1000|priority hard|product|randint|range|range of cells|read_future|rank 1|"
    "rank 2|rank 3|red_black|region|relu|require|round|row family|rsqrt|satisfy count|"
    "satisfy max|satisfy weighted|score|score draw|self|shifted read|sigmoid|sin|cos|"
    "sqrt|sum|tan|tanh|unary|unchecked proposal|uniform|VonNeumann(1)|VonNeumann(2)|"
    "whole value|wrap|{(1,0), (0,-1)}|";

const std::vector<std::string> &lci::smithConstructs() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> parts;
    std::istringstream text(kConstructs);
    for (std::string part; std::getline(text, part, '|');)
      parts.push_back(part);
    return parts;
  }();
  return names;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string quoted(const std::string &text) { return "\"" + text + "\""; }

/// `"name": value` for each entry, as one object.
template <typename Map, typename Function>
static std::string object(const Map &map, Function value) {
  std::string text;
  for (const auto &[name, entry] : map)
    text += (text.empty() ? "" : ", ") + quoted(name) + ": " + value(name, entry);
  return "{" + text + "}";
}

static std::string list(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

static std::string bindingsText(const SmithProgram &program) {
  auto file = [](const std::string &name, const Array &) { return quoted(name + ".npy"); };
  auto rect = [](const std::string &, const std::vector<std::pair<int64_t, int64_t>> &ranges) {
    std::string text;
    for (const auto &[low, high] : ranges)
      text += (text.empty() ? "" : ", ") + list({low, high});
    return "{\"rect\": [" + text + "]}";
  };
  return "{\n  \"sizes\": " +
         object(program.sizes,
                [](const std::string &, int64_t size) { return std::to_string(size); }) +
         ",\n  \"params\": " + object(program.params, file) +
         ",\n  \"inputs\": " + object(program.inputs, file) + ",\n  \"palettes\": " +
         object(program.palettes,
                [](const std::string &, const std::vector<int64_t> &m) { return list(m); }) +
         ",\n  \"regions\": " + object(program.regions, rect) +
         ",\n  \"epochs\": " + std::to_string(program.epochs) +
         ",\n  \"seed\": " + std::to_string(program.seed) + "\n}\n";
}

static Status writeText(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush())
    return Failure{"cannot write '" + path + "'"};
  return Done();
}

Status lci::writeProgram(const SmithProgram &program, const std::string &folder) {
  for (const auto *arrays : {&program.params, &program.inputs})
    for (const auto &[name, array] : *arrays)
      if (Status written = writeNpy(folder + "/" + name + ".npy", array); !written)
        return written;
  if (Status written = writeText(folder + "/program.lmpm", program.text()); !written)
    return written;
  return writeText(folder + "/bindings.json", bindingsText(program));
}
