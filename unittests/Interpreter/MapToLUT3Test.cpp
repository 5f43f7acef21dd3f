//===- MapToLUT3Test.cpp - Circuits before and after LUT mapping ----------===//

#include "LCI/Interpreter/TickForm.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "Testing.h"
#include "mlir/Pass/PassManager.h"
#include <random>

using namespace mlir;
using namespace mlir::lci;

namespace {

class MapToLUT3Test : public InterpreterTest {
protected:
  FailureOr<SmallVector<Datum>> evaluate(ArrayRef<Datum> arguments) {
    return interpretTickForm(*module->getOps<func::FuncOp>().begin(), arguments);
  }

  int count(StringRef name) {
    int found = 0;
    module->walk([&](Operation *op) { found += op->getName().getStringRef() == name; });
    return found;
  }
};

/// Random gates on earlier values, on three inputs or all ones; the last few are results.
std::string makeCircuit(std::mt19937 &random, unsigned inputs, unsigned gates, unsigned results) {
  std::string text, types, values;
  for (unsigned i = 0; i < inputs; ++i)
    text += (i ? ", %v" : "%v") + std::to_string(i) + ": i64";
  for (unsigned i = 0; i < results; ++i) {
    types += i ? ", i64" : "i64";
    values += (i ? ", %v" : "%v") + std::to_string(inputs + gates - 1 - i);
  }
  text = "func.func @f(" + text + ") -> (" + types + ") {\n";
  text += "  %ones = arith.constant -1 : i64\n  %zeros = arith.constant 0 : i64\n";
  text += "  %mask = arith.constant 1311768467463790320 : i64\n";
  for (unsigned i = 0; i < gates; ++i) {
    auto draw = [&]() -> std::string {
      unsigned which = random() % 16;
      if (which < 3)
        return std::array{"%ones", "%zeros", "%mask"}[which];
      return "%v" + std::to_string(random() % (inputs + i));
    };
    text += "  %v" + std::to_string(inputs + i) + " = arith." +
            std::array{"andi", "ori", "xori"}[random() % 3] + " " + draw() + ", " + draw() +
            " : i64\n";
  }
  return text + "  return " + values + " : " + types + "\n}\n";
}

TEST_F(MapToLUT3Test, randomCircuitsGiveTheSameBits) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    unsigned inputs = 1 + random() % 9;
    std::string text = makeCircuit(random, inputs, 3 + random() % 40, 3);
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    SmallVector<Datum> arguments;
    for (unsigned i = 0; i < inputs; ++i)
      arguments.push_back(Datum{uint64_t(random()) << 32 | random(), nullptr});
    auto before = evaluate(arguments);
    int gates = count("arith.andi") + count("arith.ori") + count("arith.xori");
    PassManager passes(&context);
    passes.addPass(createMapToLUT3Pass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    auto after = evaluate(arguments);
    ASSERT_TRUE(succeeded(before) && succeeded(after));
    for (auto [old, now] : llvm::zip_equal(*before, *after))
      EXPECT_EQ(old.bits, now.bits) << text;
    EXPECT_LE(count("arith.andi") + count("arith.ori") + count("arith.xori") + count("lci.lookup"),
              gates);
  }
}

// Eight neighbours and the cell itself, as in Conway's game: three adders of three bits, and the
// rule on the remaining six bits in four operations.
TEST_F(MapToLUT3Test, aSumOfEightBitsTakesTenOperations) {
  std::string text = "func.func @f(%a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %f: i64, %g: i64, "
                     "%h: i64, %self: i64) -> i64 {\n  %ones = arith.constant -1 : i64\n";
  int next = 0;
  auto add = [&](StringRef op, const std::string &a, const std::string &b) {
    std::string name = "%t" + std::to_string(next++);
    text += "  " + name + " = arith." + op.str() + " " + a + ", " + b + " : i64\n";
    return name;
  };
  auto addThree = [&](const std::string &a, const std::string &b, const std::string &c) {
    std::string half = add("xori", a, b);
    std::string carry =
        add("ori", add("andi", half, c), add("andi", add("xori", half, "%ones"), a));
    return std::pair(add("xori", half, c), carry);
  };
  auto [s1, c1] = addThree("%a", "%b", "%c");
  auto [s2, c2] = addThree("%d", "%e", "%f");
  auto [s3, c3] = addThree("%g", "%h", s1);
  auto [low, c4] = std::pair(add("xori", s2, s3), add("andi", s2, s3));
  auto [s5, c5] = addThree(c1, c2, c3);
  std::string two = add("xori", s5, c4), four = add("ori", c5, add("andi", s5, c4));
  std::string few = add("andi", two, add("xori", four, "%ones"));
  text += "  return " + add("andi", few, add("ori", low, "%self")) + " : i64\n}\n";
  module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  PassManager passes(&context);
  passes.addPass(createMapToLUT3Pass());
  ASSERT_TRUE(succeeded(passes.run(*module)));
  EXPECT_EQ(count("lci.lookup") + count("arith.andi") + count("arith.xori") + count("arith.ori"),
            10);
}

} // namespace
