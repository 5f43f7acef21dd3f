//===- Network.cpp - A random function for a model ------------------------===//
//
// Emits MLIR text, one operation a line: arguments are embedded and concatenated to features,
// layers and structured control flow transform them, and a projection gives the result. Every
// operation used is counted for coverage.
//
//===----------------------------------------------------------------------===//

#include "Network.h"

using namespace lci;

static std::string tensor(const std::vector<int64_t> &shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

/// A `linalg.generic` with identity maps on vectors.
static std::string pointwise(const std::string &operands, const std::string &target,
                             const std::string &type, const std::string &arguments,
                             const std::string &body, int numOperands) {
  std::string maps;
  for (int i = 0; i <= numOperands; ++i)
    maps += std::string(i ? ", " : "") + "affine_map<(i) -> (i)>";
  return "linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [\"parallel\"]}\n      ins(" + operands + ") outs(" + target + " : " +
         type + ") {\n  ^bb0(" + arguments + "):\n" + body + "  } -> " + type;
}

std::string Network::line(const std::string &text) {
  std::string value = fresh();
  body += "  " + value + " = " + text + "\n";
  return value;
}

std::string Network::use(const std::string &construct) {
  ++coverage["model: " + construct];
  return "";
}

std::string Network::addWeight(const std::vector<int64_t> &shape) {
  std::string weight = "w" + std::to_string(weights.size());
  Array array(DType::F32, shape);
  for (int64_t i = 0; i < array.size(); ++i)
    array.setDouble(i, dice.between(-24, 24) * 0.0625);
  weights[weight] = array;
  trailing += ", %" + weight + ": " + tensor(shape, "f32") + " {lci.weight = \"" + weight + "\"}";
  use("weight");
  return "%" + weight;
}

std::string Network::zeros(int64_t length, const std::string &element) {
  std::string zero =
      line("arith.constant " + std::string(element == "f32" ? "0.0" : "0") + " : " + element);
  std::string type = length < 0 ? tensor({}, element) : tensor({length}, element);
  std::string empty = line("tensor.empty() : " + type);
  return line("linalg.fill ins(" + zero + " : " + element + ") outs(" + empty + " : " + type +
              ") -> " + type);
}

//===----------------------------------------------------------------------===//
// From arguments to features
//===----------------------------------------------------------------------===//

/// The members as numbers; an absent one has a distinct number.
std::string Network::numbersOf(const std::string &argument, const std::string &present,
                               const std::string &element, int64_t members) {
  std::string absent = line("arith.constant -1.25 : f32");
  std::string scale = line("arith.constant " + std::to_string(dice.between(1, 4)) + ".0e-1 : f32");
  std::string empty = line("tensor.empty() : " + tensor({members}, "f32"));
  std::string steps, member = "%x";
  if (element != "f32") {
    steps = "    %n = arith." + std::string(element == "i1" ? "uitofp" : "sitofp") +
            " %x : " + element + " to f32\n";
    member = "%n";
  }
  steps += "    %s = arith.mulf " + member + ", " + scale +
           " : f32\n    %r = arith.select %p, %s, " + absent +
           " : f32\n    linalg.yield %r : f32\n";
  use("presence");
  return line(pointwise(argument + ", " + present + " : " + tensor({members}, element) + ", " +
                            tensor({members}, "i1"),
                        empty, tensor({members}, "f32"), "%x: " + element + ", %p: i1, %o: f32",
                        steps, 2));
}

/// The sum of the rows of a table that tokens index; an absent token has a row as well.
std::string Network::embed(const std::string &argument, const std::string &element, int64_t members,
                           int64_t vocabulary, int64_t &features) {
  features = dice.between(1, 3);
  use("embedding");
  std::string table = addWeight({vocabulary + 1, features});
  std::string type = tensor({features}, "f32");
  return line("linalg.generic {indexing_maps = [affine_map<(d, k) -> (k)>, affine_map<(d, k) -> "
              "(d)>], iterator_types = [\"parallel\", \"reduction\"]}\n      ins(" +
              argument + " : " + tensor({members}, element) + ") outs(" + zeros(features, "f32") +
              " : " + type + ") {\n  ^bb0(%id: " + element +
              ", %sum: f32):\n    %row = "
              "arith.index_cast %id : " +
              element +
              " to index\n    %d = linalg.index 0 : index\n"
              "    %e = tensor.extract " +
              table + "[%row, %d] : " + tensor({vocabulary + 1, features}, "f32") +
              "\n    %n = arith.addf %sum, %e : f32\n    linalg.yield %n : f32\n  } -> " + type);
}

void Network::addArgument(const std::string &element, int64_t members, int64_t vocabulary) {
  std::string number = std::to_string(parts.size());
  std::string argument = "%a" + number, present = "%p" + number;
  parameters += (parameters.empty() ? "" : ", ") + argument + ": " + tensor({members}, element) +
                ", " + present + ": " + tensor({members}, "i1");
  use(element);
  if (element == "i32" || element == "i64") {
    ids = argument;
    idElement = element;
    numIds = members;
  }
  int64_t features = members;
  bool embeds = vocabulary > 0 && dice.chance(40);
  std::string part = embeds ? embed(argument, element, members, vocabulary, features)
                            : numbersOf(argument, present, element, members);
  parts.push_back({part, features});
}

/// Expands to another shape and back.
std::string Network::reshaped(const std::string &value, int64_t length) {
  std::string flat = tensor({length}, "f32"), row = tensor({1, length}, "f32");
  use("reshape");
  std::string wide = line("tensor.expand_shape " + value + " [[0, 1]] output_shape [1, " +
                          std::to_string(length) + "] : " + flat + " into " + row);
  return line("tensor.collapse_shape " + wide + " [[0, 1]] : " + row + " into " + flat);
}

std::string Network::joinByInsertion() {
  int64_t total = 0, at = 0;
  for (const auto &part : parts)
    total += part.second;
  std::string all = zeros(total, "f32"), type = tensor({total}, "f32");
  use("insert_slice");
  for (const auto &[part, length] : parts) {
    all = line("tensor.insert_slice " + part + " into " + all + "[" + std::to_string(at) + "] [" +
               std::to_string(length) + "] [1] : " + tensor({length}, "f32") + " into " + type);
    at += length;
  }
  return all;
}

/// Loops and branches.
std::string Network::control(const std::string &value, int64_t length) {
  int64_t kind = dice.below(3);
  return kind == 0   ? shift(value, length)
         : kind == 1 ? halve(value, length)
                     : negate(value, length);
}

void Network::join() {
  int64_t total = 0;
  std::string names, types;
  for (const auto &[part, length] : parts) {
    total += length;
    names += (names.empty() ? "" : ", ") + part;
    types += (types.empty() ? "" : ", ") + tensor({length}, "f32");
  }
  std::string all;
  if (dice.chance(40)) {
    all = joinByInsertion();
  } else {
    use("concat");
    all = line("tensor.concat dim(0) " + names + " : (" + types + ") -> " + tensor({total}, "f32"));
  }
  if (dice.chance(30))
    all = reshaped(all, total);
  if (total > 2 && dice.chance(30)) {
    use("extract_slice");
    all = line("tensor.extract_slice " + all + "[1] [" + std::to_string(total - 1) +
               "] [1] : " + tensor({total}, "f32") + " to " + tensor({total - 1}, "f32"));
    --total;
  }
  if (dice.chance(40))
    all = control(all, total);
  parts = {{all, total}};
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

std::string Network::dense(const std::string &value, int64_t from, int64_t to) {
  std::string weight = addWeight({from, to}), type = tensor({to}, "f32");
  std::string start = dice.chance(50) ? addWeight({to}) : zeros(to, "f32");
  if (dice.chance(25)) {
    use("vecmat");
    return line("linalg.vecmat ins(" + value + ", " + weight + " : " + tensor({from}, "f32") +
                ", " + tensor({from, to}, "f32") + ") outs(" + start + " : " + type + ") -> " +
                type);
  }
  bool isFused = dice.chance(50);
  use(isFused ? "fma" : "generic");
  std::string sum = isFused
                        ? "    %n = math.fma %x, %w, %s : f32\n"
                        : "    %m = arith.mulf %x, %w : f32\n    %n = arith.addf %s, %m : f32\n";
  return line(
      "linalg.generic {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (k, "
      "j)>, affine_map<(j, k) -> (j)>], iterator_types = [\"parallel\", \"reduction\"]}\n"
      "      ins(" +
      value + ", " + weight + " : " + tensor({from}, "f32") + ", " + tensor({from, to}, "f32") +
      ") outs(" + start + " : " + type + ") {\n  ^bb0(%x: f32, %w: f32, %s: f32):\n" + sum +
      "    linalg.yield %n : f32\n  } -> " + type);
}

/// The trip count of a loop: the same for all cells, or data of the cell.
std::string Network::tripCount(const std::string &value, int64_t length) {
  if (dice.chance(50)) {
    use("loop of all cells");
    return line("arith.constant " + std::to_string(dice.between(0, 4)) + " : index");
  }
  use("loop of the cell");
  std::string number = line("arith.fptosi " + scalarOf(value, length, "f32") + " : f32 to i32");
  std::string bound = line("arith.constant 5 : i32");
  std::string count = line("arith.remui " + number + ", " + bound + " : i32");
  return line("arith.index_cast " + count + " : i32 to index");
}

/// Inserts elements of one vector into another one; the loop carries the two and swaps them in each
/// iteration. Indices may be out of bounds.
std::string Network::shift(const std::string &value, int64_t length) {
  std::string type = tensor({length}, "f32"), bound = tripCount(value, length);
  std::string first = line("arith.constant 0 : index"), step = line("arith.constant 1 : index");
  std::string half = line("arith.constant 0.5 : f32"), loop = fresh();
  body += "  " + loop + ":2 = scf.for %i = " + first + " to " + bound + " step " + step +
          " iter_args(%t = " + value + ", %o = " + zeros(length, "f32") + ") -> (" + type + ", " +
          type + ") {\n    %e = tensor.extract %t[%i] : " + type + "\n    %h = arith.mulf %e, " +
          half + " : f32\n    %s = arith.addf %t, %o : " + type +
          "\n    %u = tensor.insert %h into %o[%i] : " + type + "\n    scf.yield %u, %s : " + type +
          ", " + type + "\n  }\n";
  return loop + "#1";
}

/// Halves a vector while its sum is large, up to a bound.
std::string Network::halve(const std::string &value, int64_t length) {
  use("while");
  std::string type = tensor({length}, "f32"), sum = scalarOf(value, length, "f32");
  std::string first = line("arith.constant 0 : i32"), one = line("arith.constant 1 : i32");
  std::string most = line("arith.constant " + std::to_string(dice.between(1, 6)) + " : i32");
  std::string half = line("arith.constant 0.5 : f32"), small = line("arith.constant 0.25 : f32");
  std::string all = line("tensor.splat " + half + " : " + type), loop = fresh();
  body += "  " + loop + ":2 = scf.while (%t = " + value + ", %s = " + sum + ", %k = " + first +
          ") : (" + type + ", f32, i32) -> (i32, " + type + ") {\n    %a = math.absf %s : f32\n" +
          "    %big = arith.cmpf ogt, %a, " + small + " : f32\n    %few = arith.cmpi slt, %k, " +
          most + " : i32\n    %c = arith.andi %big, %few : i1\n    %h = arith.mulf %t, " + all +
          " : " + type + "\n    scf.condition(%c) %k, %h : i32, " + type +
          "\n  } do {\n  ^bb0(%k: i32, %h: " + type + "):\n    %i = arith.index_cast %k : i32 to " +
          "index\n    %s = tensor.extract %h[%i] : " + type + "\n    %n = arith.addi %k, " + one +
          " : i32\n    scf.yield %h, %s, %n : " + type + ", f32, i32\n  }\n";
  return loop + "#1";
}

/// A vector or its negative, by a number of the cell.
std::string Network::negate(const std::string &value, int64_t length) {
  use("branch");
  std::string type = tensor({length}, "f32"), sum = scalarOf(value, length, "f32");
  std::string zero = line("arith.constant 0.0 : f32");
  std::string isUp = line("arith.cmpf ogt, " + sum + ", " + zero + " : f32");
  return line("scf.if " + isUp + " -> " + type + " {\n    scf.yield " + value + " : " + type +
              "\n  } else {\n    %n = arith.negf " + value + " : " + type +
              "\n    scf.yield %n : " + type + "\n  }");
}

std::string Network::activate(const std::string &value, int64_t length) {
  std::string type = tensor({length}, "f32");
  switch (dice.below(5)) {
  case 4: {
    use("captured scalar");
    std::string scale = scalarOf(value, length, "f32");
    return line("linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
                "iterator_types = [\"parallel\"]}\n      ins(" +
                value + " : " + type + ") outs(" + zeros(length, "f32") + " : " + type +
                ") {\n  ^bb0(%x: f32, %o: f32):\n    %n = arith.mulf %x, " + scale +
                " : f32\n    linalg.yield %n : f32\n  } -> " + type);
  }
  case 0:
    use("elementary");
    return line("lci.elementary tanh " + value + " : " + type);
  case 1: {
    use("elementwise arith");
    std::string zero = line("arith.constant dense<0.0> : " + type);
    return line("arith.maximumf " + value + ", " + zero + " : " + type);
  }
  case 2:
    use("elementwise math");
    return line("math.absf " + value + " : " + type);
  default:
    use("named elementwise");
    return line("linalg.add ins(" + value + ", " + value + " : " + type + ", " + type + ") outs(" +
                zeros(length, "f32") + " : " + type + ") -> " + type);
  }
}

/// A hidden layer, or none.
void Network::hide() {
  if (!dice.chance(50))
    return;
  auto [value, length] = parts.front();
  int64_t width = dice.between(1, 5);
  parts = {{activate(dense(value, length, width), width), width}};
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// The sum of a vector as a scalar.
std::string Network::scalarOf(const std::string &value, int64_t length,
                              const std::string &element) {
  std::string type = tensor({}, element), add = element == "f32" ? "addf" : "addi";
  std::string sum =
      line("linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], "
           "iterator_types = [\"reduction\"]}\n      ins(" +
           value + " : " + tensor({length}, element) + ") outs(" + zeros(-1, element) + " : " +
           type + ") {\n  ^bb0(%x: " + element + ", %s: " + element + "):\n    %n = arith." + add +
           " %s, %x : " + element + "\n    linalg.yield %n : " + element + "\n  } -> " + type);
  use("extracted scalar");
  return line("tensor.extract " + sum + "[] : " + type);
}

void Network::answerLogits(int64_t vocabulary) {
  hide();
  auto [value, length] = parts.front();
  answers = dense(value, length, vocabulary);
  results = tensor({vocabulary}, "f32");
  use("logits");
}

void Network::answerToken(int64_t vocabulary, bool isSure) {
  std::string sum = ids.empty() ? line("arith.constant 1 : i32") : scalarOf(ids, numIds, idElement);
  std::string element = ids.empty() ? "i32" : idElement;
  // Some results are no tokens.
  int64_t modulus = vocabulary + (dice.chance(20) ? 1 : 0);
  std::string bound = line("arith.constant " + std::to_string(modulus) + " : " + element);
  answers = line("arith.remui " + sum + ", " + bound + " : " + element);
  results = element;
  use("token");
  if (!isSure)
    return;
  auto [value, length] = parts.front();
  answers += ", " + scalarOf(value, length, "f32");
  results = "(" + element + ", f32)";
  use("token and score");
}

void Network::answerScore() {
  hide();
  auto [value, length] = parts.front();
  answers = scalarOf(value, length, "f32");
  results = "f32";
}

std::string Network::text() const {
  std::string types = results.front() == '(' ? results.substr(1, results.size() - 2) : results;
  return "func.func @" + name + "(" + parameters + trailing + ") -> " + results + " {\n" + body +
         "  return " + answers + " : " + types + "\n}\n";
}
