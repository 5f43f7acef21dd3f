//===- Values.cpp - Random sizes, parameters and values -------------------===//
//
// Generates sizes, scalar and array parameters (with their bindings), and the declarations of
// values: type, shape, boundaries and initial cells or input arrays.
//
//===----------------------------------------------------------------------===//

#include "Forge.h"
#include "llvm/ADT/STLExtras.h"

using namespace lci;

void Forge::makeSizes() {
  static const std::vector<std::string> names[] = {
      {"x"}, {"x", "y"}, {"t", "x", "y"}, {"s", "t", "x", "y"}};
  static const std::vector<std::string> sizeNames[] = {
      {"N"}, {"W", "H"}, {"T", "W", "H"}, {"S", "T", "W", "H"}};
  static const int64_t longest[] = {12, 7, 4, 3};
  int64_t rank = dice.chance(8) ? 4 : dice.between(1, 3);
  use("", "rank " + std::to_string(rank));
  whole.axes = names[rank - 1];
  whole.sizes = sizeNames[rank - 1];
  for (const std::string &size : whole.sizes) {
    // Even on the last axis, which coarse values halve.
    int64_t extent = dice.between(1, longest[rank - 1]);
    whole.extents.push_back(&size == &whole.sizes.back() ? (extent + 1) / 2 * 2 : extent);
    program.sizes[size] = whole.extents.back();
  }
  frame = whole;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void Forge::makeParams() {
  if (dice.chance(50)) {
    declare("param beta : F32 = min(2.5, 0.5 * epoch + 0.25)");
    numberParams.push_back(use("beta", "parameter of the epoch"));
  }
  if (dice.chance(50)) {
    declare("param gain : F32");
    program.params["gain"] = Array::scalar(dice.between(-4, 9) * 0.375);
    numberParams.push_back(use("gain", "bound parameter"));
  }
  if (dice.chance(40)) {
    std::string size = dice.chance(50) ? use(" + " + dice.pick(whole.sizes), "size") : "";
    declare("param step : I32 = " + std::to_string(dice.below(5)) + size);
    integerParams.push_back(use("(step % 9)", "integer parameter"));
  }
  makeArrayParams();
}

void Forge::makeArrayParams() {
  if (dice.chance(40)) {
    declare("param level : F32[4]");
    Array level(DType::F32, {4});
    for (int64_t i = 0; i < 4; ++i)
      level.setDouble(i, dice.between(-8, 8) * 0.25);
    program.params["level"] = level;
    arrayParam = "level";
  }
  if (dice.chance(30)) {
    declare("param table : I32[3, 2]");
    Array table(DType::I64, {3, 2});
    for (int64_t i = 0; i < 6; ++i)
      table.setInt(i, dice.between(-90, 90));
    program.params["table"] = table;
    tableParam = "table";
  }
  if (dice.chance(25))
    makeLinks();
}

/// A graph over the last axis: two neighbours of each cell, and a variable number (CSR).
void Forge::makeLinks() {
  int64_t extent = whole.extents.back(), numEnds = dice.between(1, 2 * extent);
  const std::string &size = whole.sizes.back();
  declare("param links : I32[" + size + ", 2]");
  declare("param first : I32[" + size + "+1]");
  declare("param ends : I32[" + std::to_string(numEnds) + "]");
  Array links(DType::I64, {extent, 2}), first(DType::I64, {extent + 1}),
      ends(DType::I64, {numEnds});
  for (int64_t i = 0; i < 2 * extent; ++i)
    links.setInt(i, dice.below(extent));
  for (int64_t i = 0; i < numEnds; ++i)
    ends.setInt(i, dice.below(extent));
  for (int64_t i = 1, end = 0; i <= extent; ++i)
    first.setInt(i, end = std::min(numEnds, end + dice.below(4)));
  program.params["links"] = links;
  program.params["first"] = first;
  program.params["ends"] = ends;
  hasLinks = true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Frame Forge::frameOf(const Made &value) const {
  Frame its = value.isScalar ? Frame() : whole;
  if (value.isCoarse) {
    its.sizes.back() += "/2";
    its.extents.back() /= 2;
  }
  return its;
}

std::string Forge::makeInit(const Made &value) {
  if (value.cells == Cells::Number)
    return dice.chance(50)   ? use(" init normal()", "init draw")
           : dice.chance(50) ? use(" init (randint(3) - 1.0) / 0.0", "init of NaN")
                             : " init 0.75";
  std::string bound = std::to_string(value.cells == Cells::Token ? value.vocabulary : 5);
  if (dice.chance(60))
    return use(" init randint(" + bound + ")", "init draw");
  std::string sum;
  for (const std::string &axis : frame.axes)
    sum += (sum.empty() ? "" : " + ") + axis;
  if (dice.chance(20) && !integerParams.empty())
    sum += (sum.empty() ? "" : " + ") + use(integerParams.front(), "init of a parameter");
  if (sum.empty())
    return " init " + std::to_string(dice.below(2));
  return use(" " + cell("init") + " (" + sum + ") % " + bound, "init of indices");
}

/// The shape of a value, and its boundary conditions.
std::string Forge::makeShape(Made &value) {
  static const std::vector<std::string> boundaries = {"open", "wrap", "clamp"};
  if (value.isScalar)
    return use(" shape Scalar", "Scalar");
  static const char *names[] = {"Seq", "Grid2D", "Grid3D"};
  std::string text =
      " shape " +
      (frame.rank() > 3 || dice.chance(20) ? use("Grid", "Grid(…)") : names[frame.rank() - 1]) +
      "(" + join(frame.sizes) + ")";
  if (dice.chance(20))
    text += use(" clock Lamport", "clock");
  for (unsigned axis = 0; axis < frame.rank(); ++axis)
    value.boundaries.push_back(use(dice.pick(boundaries), "boundary"));
  bool alike =
      llvm::count(value.boundaries, value.boundaries[0]) == static_cast<int64_t>(frame.rank());
  for (const std::string &boundary : value.boundaries)
    use("", boundary);
  return text + " boundary " + (alike ? value.boundaries[0] : "(" + join(value.boundaries) + ")");
}

void Forge::makeValue(bool isRuled, bool isCoarse, bool isScalar) {
  static const std::vector<int64_t> vocabularies = {2, 2, 2, 3, 4, 5, 8, 9, 16, 17, 130, 257};
  Made value;
  value.name = std::string(1, static_cast<char>('A' + values.size()));
  value.isRuled = isRuled;
  value.isCoarse = isCoarse;
  value.isScalar = isScalar;
  frame = frameOf(value);
  int kind = static_cast<int>(dice.below(10));
  value.cells = kind < 6 ? Cells::Token : kind < 8 ? Cells::Number : Cells::Integer;
  value.vocabulary = value.cells == Cells::Token ? dice.pick(vocabularies) : 0;
  std::string type = value.cells == Cells::Token ? "Token[" + std::to_string(value.vocabulary) + "]"
                     : value.cells == Cells::Number ? "F32"
                                                    : "I32";
  use("", value.cells == Cells::Token ? "Token" : value.cells == Cells::Number ? "F32" : "I32");
  std::string text = "value " + value.name + " : " + type + makeShape(value);
  bool hasInit = dice.chance(65);
  if (hasInit)
    text += makeInit(value);
  value.isPresent = hasInit || value.cells != Cells::Token;
  if (!value.isPresent)
    use("", "absent tokens");
  declare(text);
  // Some inputs are unbound: their tokens are always absent.
  bool isGiven = isRuled ? dice.chance(40) : dice.chance(85);
  if (!isGiven && !isRuled && !value.isPresent)
    use("", "unbound input");
  values.push_back(value);
  if (isGiven)
    makeInput(values.back());
  frame = whole;
}

void Forge::makeInput(const Made &value) {
  Array input(value.cells == Cells::Number ? DType::F32 : DType::I64, frame.extents);
  use("", "input");
  for (int64_t i = 0; i < input.size(); ++i) {
    if (value.cells == Cells::Number)
      input.setDouble(i, dice.between(-16, 16) * 0.125);
    else if (!value.isPresent && dice.chance(25))
      input.setInt(i, -1);
    else
      input.setInt(i, dice.below(value.cells == Cells::Token ? value.vocabulary : 7));
  }
  program.inputs[value.name] = input;
}
