//===- DeclarationIndexTest.cpp - The index against linear search ---------===//

#include "LCI/Dialect/DeclarationIndex.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// All queries about the values A, B and one that does not exist.
std::vector<Operation *> queryAll(ProgramOp program) {
  std::vector<Operation *> found;
  for (StringRef name : {"A", "B", "C"}) {
    found.push_back(program.lookupValue(name));
    for (auto rule : getDeclarationsOn<RuleOp>(program, name))
      found.push_back(rule);
    for (auto line : getDeclarationsOn<VisibleOp>(program, name))
      found.push_back(line);
    found.push_back(nullptr);
  }
  return found;
}

// The same declarations in the same order; the index is used for its program only.
TEST(DeclarationIndexTest, AnswersLikeTheProgram) {
  RandomRelations random(41);
  RandomValue a = random.makeValue("A", 1), b = random.makeValue("B", 2);
  std::string text = a.declare();
  for (int number = 0; number < 3; ++number) {
    text += random.makeAccess(b, a).printVisible() + random.makeAccess(a, b).printVisible();
    text += random.makeAccess(a, a).printRule("R" + std::to_string(number));
  }
  auto first = random.parse(text + b.declare()), second = random.parse(a.declare() + b.declare());
  std::vector<Operation *> truth = queryAll(getProgram(*first)),
                           other = queryAll(getProgram(*second));
  ASSERT_GT(truth.size(), other.size());
  EXPECT_EQ(DeclarationIndex::find(getProgram(*first)), nullptr);
  {
    DeclarationIndex index(getProgram(*first));
    EXPECT_EQ(DeclarationIndex::find(getProgram(*first)), &index);
    EXPECT_EQ(queryAll(getProgram(*first)), truth);
    EXPECT_EQ(queryAll(getProgram(*second)), other);
    {
      DeclarationIndex inner(getProgram(*second));
      EXPECT_EQ(queryAll(getProgram(*second)), other);
      EXPECT_EQ(queryAll(getProgram(*first)), truth);
    }
    EXPECT_EQ(DeclarationIndex::find(getProgram(*first)), &index);
  }
  EXPECT_EQ(DeclarationIndex::find(getProgram(*first)), nullptr);
}

} // namespace
