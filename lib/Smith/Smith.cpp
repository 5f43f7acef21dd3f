//===- Smith.cpp - Random well-formed programs ----------------------------===//
//
// Chooses a generator by the seed, lists the constructs, and writes a program with its bindings,
// arrays and models to a folder.
//
//===----------------------------------------------------------------------===//

#include "LCI/Smith/Smith.h"
#include "Automaton.h"
#include "Classes.h"
#include "Fields.h"
#include "Forge.h"
#include "Grids.h"
#include "LCI/Bindings/SafeTensors.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Npy.h"
#include "ModelGrids.h"
#include <sstream>

using namespace lci;

std::string SmithProgram::text() const {
  std::string all;
  for (const std::string &declaration : declarations)
    all += declaration + "\n";
  return all;
}

SmithProgram lci::forgeProgram(uint64_t seed, bool beyond) {
  // Percentages of the generators: 25 of one rule at sizes that cross thresholds, 8 of few tokens,
  // 7 of fields, 4 of models, 4 of classes of cells and 3 of one plane. The choice is uncorrelated
  // with the order in which tests number seeds.
  int64_t kind = Dice(~seed).below(100);
  if (kind < 8)
    return Automaton(seed).make();
  if (kind < 15)
    return Fields(seed).make();
  if (kind < 18)
    return Automaton(seed, /*isTorus=*/true).make();
  if (kind < 43)
    return Grids(seed).make();
  if (kind < 47)
    return ModelGrids(seed).make();
  return kind < 51 ? Classes(seed).make() : Forge(seed, beyond).make();
}

/// Separated by bars.
static const char kConstructs[] =
    "classes|automaton|automaton of circuits|grid|grid of numbers|grid of integers|second draw of "
    "a "
    "first|model grid|"
    "automaton on a torus|election|fields|chance of few|cycle of "
    "tokens|any token of few|any token of whole votes|"
    "Latent|init of a vector|sum of vectors|max of vectors|vector and number|softmax|relu of a "
    "vector|"
    "function of a vector|norm|matrix times vector|concat|choice of vectors|component|"
    "gathered cell|gathered family|gathered range|index of a cell|limited range|whole axes beside "
    "each other|def at other indices|gathered index|index of a parameter|index of the "
    "epoch|product of "
    "indices|rank 4|"
    "score draw of numbers|!= set|%|*|+|-|/|<<|>>|?|^|abs|absent tokens|accept|all|and|any|any "
    "in|argmax|argmin|"
    "array parameter|atan|atan2|axes|bernoulli|bits|bound parameter|boundary|ceil|chain|"
    "change of the cell|clamp|clamp of integers|clock|coarse read|computed divisor|constraint on … "
    "when|cos|"
    "count|def|def of a truth value|def of an integer|def without indices|Diagonal|"
    "dynamic when|erf|exp|exp2|F32|float /|floor|forbid|forbid change|four_color|Grid(…)|I32|"
    "in range|in set|in union|init draw|init of NaN|init of a parameter|init of indices|input|"
    "integer array|integer parameter|integer to number|label|legalize|let|"
    "let of a constraint|let of a family|let of a truth value|let of the candidate|log|log2|"
    "masked|max|mean|member draw|metropolis|min|Model|model: computed from a read|"
    "model: computed integer|"
    "model: branch|model: computed number|model: computed truth|model: captured scalar|model: "
    "concat|model: "
    "elementary|"
    "model: elementwise arith|model: elementwise math|model: embedding|model: extract_slice|"
    "model: extracted scalar|model: f32|model: fma|model: generic|model: i1|model: i32|"
    "model: i64|model: insert_slice|model: logits|model: loop of all cells|model: loop of the "
    "cell|model: while|model: named elementwise|model: presence|"
    "model: reshape|model: token|model: token and score|model: vecmat|model: weight|"
    "Moore(1)|Moore(2)|N4|N8|neighbourhood|nested reduction|reductions nested three deep|draw in "
    "three reductions|no priority|normal|"
    "any in a few|on … when, a class of cells|constraint on a class of cells|observe a class of "
    "cells|"
    "not|not of a set|observe|observe a scalar|on … when|on … when … and|on … when … or|"
    "one cell of an axis|open|or|or of sets|other value|own cell|palette|palette named as a "
    "value|palette of a name|"
    "parameter of the epoch|past family|pi|pointwise|popcount|pow|prev_frame|priority|"
    "priority 1000|priority hard|product|randint|range|raster|range of cells|"
    "range of cells to a size|range of indices|rank 1|rank 2|rank 3|read a cell|recolor|"
    "read a family|read a label|read neighbors|read_future|red_black|reduced elements|"
    "reduced parameter|region|relu|require|round|row family|rsqrt|rule that schedules|sweep "
    "backwards|"
    "satisfy count|satisfy max|satisfy weighted|ranked NaN|signed zero|stretched "
    "read|Scalar|score|score "
    "beside a model|score draw|"
    "score of the model itself|shifted read|sigmoid|sin|size|sqrt|sum|tan|tanh|tile|"
    "temperature of the epoch|Token|truth as integer|truth xor|tuple|unary|unbound input|"
    "unchecked proposal|uniform|union of sets|value by its name|VonNeumann(1)|VonNeumann(2)|"
    "confidence(fraction)|constraints=weighted|quorum|random(fraction)|sample|score model|score "
    "model of any candidate|score model of the candidate|"
    "several rules|sweep|"
    "wavefront|when of members|whole axis|whole value|wrap|{(1,0), (0,-1)}|~|"
    "phase|recolor of gathered cells|mean of vectors|argmax of vectors|argmin of vectors|"
    "and of vectors|any of vectors|any of components|chain of vectors|vector comparison|"
    "choice of components|truths as numbers|pow of vectors|atan2 of vectors|reduced components|";

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
  auto model = [](const std::string &name, const SmithProgram::Model &bound) {
    std::string text = R"({"file": "models.mlir", "function": )" + quoted(bound.function);
    if (!bound.weights.empty())
      text += ", \"weights\": " + quoted(name + ".safetensors");
    return text + "}";
  };
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
         ",\n  \"models\": " + object(program.models, model) +
         ",\n  \"epochs\": " + std::to_string(program.epochs) +
         ",\n  \"seed\": " + std::to_string(program.seed) + "\n}\n";
}

Status lci::writeProgram(const SmithProgram &program, const std::string &folder) {
  for (const auto *arrays : {&program.params, &program.inputs})
    for (const auto &[name, array] : *arrays)
      if (Status written = writeNpy(folder + "/" + name + ".npy", array); !written)
        return written;
  for (const auto &[name, model] : program.models)
    if (Status written = writeFileAtomically(folder + "/" + name + ".safetensors",
                                             encodeSafeTensors(model.weights));
        !model.weights.empty() && !written)
      return written;
  if (Status written = writeFileAtomically(folder + "/models.mlir", program.modelText); !written)
    return written;
  if (Status written = writeFileAtomically(folder + "/program.lmpm", program.text()); !written)
    return written;
  return writeFileAtomically(folder + "/bindings.json", bindingsText(program));
}
