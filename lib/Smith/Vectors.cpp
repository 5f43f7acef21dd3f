//===- Vectors.cpp - A random value of vectors ----------------------------===//
//
// One value of vectors, with a rule, on all axes of the program; rules of other values may read its
// components.
//
//===----------------------------------------------------------------------===//

#include "Forge.h"

using namespace lci;

static constexpr int64_t kLength = 3;

/// Numbers from -1 to 1.
static Array makeNumbers(Dice &dice, std::vector<int64_t> shape) {
  Array numbers(DType::F32, std::move(shape));
  for (int64_t i = 0; i < numbers.size(); ++i)
    numbers.setDouble(i, dice.between(-8, 8) * 0.125);
  return numbers;
}

void Forge::makeVectorValue() {
  latent.name = "Z";
  latent.cells = Cells::Number;
  std::string init = dice.chance(50) ? " init normal()"
                     : dice.chance(50)
                         ? use(" init concat(1.0, uniform(), 0.25)", "init of a vector")
                         : "";
  declare("param mix : F32[3, 4]");
  declare("param bias : F32[3]");
  program.params["mix"] = makeNumbers(dice, {kLength, 4});
  program.params["bias"] = makeNumbers(dice, {kLength});
  declare("value Z : " + use("Latent[3]", "Latent") + makeShape(latent) + init);
  if (dice.chance(30)) {
    std::vector<int64_t> shape = frame.extents;
    shape.push_back(kLength);
    program.inputs["Z"] = makeNumbers(dice, shape);
  }
}

/// An operand of a rule of vectors.
std::string Forge::vectorLeaf() {
  switch (dice.below(7)) {
  case 0:
    return "bias";
  case 5:
    return use("(mean(zn) ?? bias)", "mean of vectors");
  case 6:
    return dice.chance(50) ? use("(argmax(zn when zn[1] < 0.5) ?? self)", "argmax of vectors")
                           : use("(argmin(zn) ?? bias)", "argmin of vectors");
  case 1:
    return use("sum(zn)", "sum of vectors");
  case 2:
    return use("(max(zn when zn[0] > 0.0) ?? self)", "max of vectors");
  default:
    return "self";
  }
}

/// Booleans, one for each component.
std::string Forge::truths(int depth) {
  static const std::vector<std::string> signs = {" < ", " <= ", " > ", " >= ", " == ", " != "};
  switch (dice.below(6)) {
  case 0:
    return use("(not " + vectorLeaf() + " > bias and self < 0.5)", "and of vectors");
  case 1:
    return use(dice.chance(50) ? "(any(zn > bias))" : "(all(zn > 0.0))", "any of vectors");
  case 2:
    return use("(0.0 < " + vectorLeaf() + " <= 1.0)", "chain of vectors");
  default:
    return use("(" + vector(depth) + dice.pick(signs) + vectorLeaf() + ")", "vector comparison");
  }
}

std::string Forge::vector(int depth) {
  if (depth == 0)
    return vectorLeaf();
  std::string a = vector(depth - 1);
  switch (dice.below(14)) {
  case 9:
    return use("(if " + truths(depth - 1) + " then " + a + " else " + vector(depth - 1) + ")",
               "choice of components");
  case 10:
    return use("(" + a + " * " + truths(depth - 1) + ")", "truths as numbers");
  case 11:
    return use("(if " + use(dice.chance(50) ? "any" : "all", "any of components") +
                   truths(depth - 1) + " then " + a + " else -self)",
               "choice of vectors");
  case 12:
    return dice.chance(50) ? use("pow(abs(" + a + "), bias)", "pow of vectors")
                           : use("atan2(" + a + ", 0.5)", "atan2 of vectors");
  case 13:
    return use("concat(count" + truths(depth - 1) + ", mean(" + a + "), argmin(" + a + "))",
               "reduced components");
  case 0:
    return "(" + a + (dice.chance(50) ? " + " : " * ") + vector(depth - 1) + ")";
  case 1:
    return use("(0.5 * " + a + " - 0.25)", "vector and number");
  case 2:
    return use("softmax(" + a + ")", "softmax");
  case 3:
    return use("relu(" + a + ")", "relu of a vector");
  case 4:
    return use("tanh(" + a + ")", "function of a vector");
  case 5:
    return use("(mix @ concat(" + a + ", " + use("norm(" + vectorLeaf() + ")", "norm") + "))",
               "matrix times vector");
  case 6:
    return use("concat(dot(" + a + ", bias), sum(" + a + "), " + a + "[epoch])", "concat");
  case 7:
    return use("(if bernoulli(0.5) then " + a + " else -self)", "choice of vectors");
  default:
    return "clamp(" + a + ", -2.0, max(bias, 1.0))";
  }
}

void Forge::makeVectorRule() {
  std::string at = join(frame.axes), moved = frame.axes.front() + "+dz";
  for (size_t axis = 1; axis < frame.axes.size(); ++axis)
    moved += ", " + frame.axes[axis];
  declare("visible Z[" + at + "] <- Z[" + at + "]");
  declare("visible zn: Z[" + at + "] <- Z[" + moved + "] when dz in -1..1 and dz != 0");
  int depth = static_cast<int>(dice.between(1, 3));
  declare("rule RZ:\n  on Z[" + at + "]\n  let h = " + vector(depth) + "\n  emit proposal Z[" + at +
          "] := " + (dice.chance(50) ? "h" : "0.5 * self + clamp(h, -4.0, 4.0)"));
  declare("commit Z[*] using accept");
  declare("observe oz := mean(Z[" + at + "][1])");
}

/// Lets rules of another value read a component.
void Forge::seeComponent(const Made &value) {
  declare("visible " + cell(value.name) + " <- Z[" + join(frame.axes) + "]");
  Sight sight;
  sight.source = &latent;
  sight.isComputed = true;
  sight.spelling = use("Z[" + join(frame.axes) + "][2]", "component");
  sights.push_back(sight);
}
