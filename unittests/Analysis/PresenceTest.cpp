//===- PresenceTest.cpp - Presence, cell by cell --------------------------===//
//
// Claims about reads at open and closed borders, combined and selected by conditions on the index,
// of values that have an initial token or need an input. The truth visits every cell.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Presence.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// A presence, and the cells at which it is false although all inputs are given.
struct Claim {
  std::string name;
  std::function<bool(int64_t)> isAbsent;
};

class RandomClaims {
public:
  explicit RandomClaims(RandomRelations &random)
      : random(random), extent(random.pick(1, 7)), boundary(makeBoundary()),
        hasInit(random.maybe(50)), firstCell(random.pick(0, 2)) {}

  Claim make(int depth) {
    int64_t kind = depth == 0 ? 0 : random.pick(0, 4);
    if (kind <= 1)
      return makeRead();
    Claim left = make(depth - 1), right = make(depth - 1);
    if (kind == 2)
      return join("andi", left, right,
                  [=](int64_t x) { return left.isAbsent(x) || right.isAbsent(x); });
    if (kind == 3)
      return join("ori", left, right,
                  [=](int64_t x) { return left.isAbsent(x) && right.isAbsent(x); });
    return choose(left, right);
  }

  std::string print(const Claim &claim) const {
    return "lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (" +
           std::to_string(extent) + ")> boundary [#lci.boundary<" +
           stringifyBoundary(boundary).str() + ">] {\n" +
           (hasInit ? "^bb0(%x: index):\n%one = arith.constant 1 : i64\nlci.yield %one : i64\n"
                    : "") +
           "}\nlci.rule @R on @A where [affine_set<(x) : (x - " + std::to_string(firstCell) +
           " >= 0)>] {\n^bb0(%x: index):\n%i = arith.index_cast %x : index to i64\n"
           "%two = arith.constant 2 : i64\n" +
           text + "%n = lci.unwrap %two, " + claim.name + " : i64\nlci.emit %n : i64\n}\n";
  }

  std::optional<int64_t> findFirst(const Claim &claim) const {
    for (int64_t x = firstCell; x < extent; ++x)
      if (claim.isAbsent(x))
        return x;
    return std::nullopt;
  }

  bool needsInit() const { return !hasInit; }
  bool isInside(int64_t index) const {
    return boundary != Boundary::Open || (index >= 0 && index < extent);
  }

private:
  Boundary makeBoundary() { return static_cast<Boundary>(random.pick(0, 2)); }
  std::string next() { return "%v" + std::to_string(number++); }

  Claim makeRead() {
    int64_t factor = random.maybe(80) ? 1 : 2, distance = random.pick(-2, 2);
    std::string name = next();
    text += name + "t, " + name + " = lci.read @A[affine_map<(x) -> (x * " +
            std::to_string(factor) + " + " + std::to_string(distance) + ")>](%x) : i64\n";
    int64_t size = extent;
    bool isOpen = boundary == Boundary::Open;
    return {name, [=](int64_t x) {
              int64_t index = factor * x + distance;
              return isOpen && (index < 0 || index >= size);
            }};
  }

  Claim join(const std::string &op, const Claim &left, const Claim &right,
             std::function<bool(int64_t)> isAbsent) {
    std::string name = next();
    text += name + " = arith." + op + " " + left.name + ", " + right.name + " : i1\n";
    return {name, std::move(isAbsent)};
  }

  Claim choose(const Claim &left, const Claim &right) {
    std::string name = next();
    int64_t bound = random.pick(0, 6), modulus = random.maybe(30) ? 2 : 100;
    text += name + "k = arith.constant " + std::to_string(bound) + " : i64\n" + name +
            "m = arith.constant " + std::to_string(modulus) + " : i64\n" + name +
            "r = lci.floormod %i, " + name + "m : i64\n" + name + "c = arith.cmpi slt, " + name +
            "r, " + name + "k : i64\n" + name + " = arith.select " + name + "c, " + left.name +
            ", " + right.name + " : i1\n";
    return {name,
            [=](int64_t x) { return x % modulus < bound ? left.isAbsent(x) : right.isAbsent(x); }};
  }

  RandomRelations &random;
  int64_t extent;
  Boundary boundary;
  bool hasInit;
  int64_t firstCell;
  std::string text;
  int number = 0;
};

// No false alarm, no miss, the first cell; values with an initial token require no input, and the
// reported read is absent there.
TEST(PresenceTest, ClaimsAgainstEveryCell) {
  RandomRelations random(61);
  int numAbsent = 0;
  for (int round = 0; round < 1500; ++round) {
    RandomClaims claims(random);
    Claim claim = claims.make(3);
    auto module = random.parse(claims.print(claim));
    UnwrapOp unwrap;
    module->walk([&](UnwrapOp op) { unwrap = op; });
    Presence presence = analyzePresence(unwrap);
    std::optional<int64_t> truth = claims.findFirst(claim);
    ASSERT_EQ(presence.absentAt.has_value(), truth.has_value()) << claims.print(claim);
    numAbsent += truth.has_value();
    if (truth) {
      ASSERT_EQ(*presence.absentAt, SmallVector<int64_t>{*truth}) << claims.print(claim);
      if (ReadOp read = presence.absentRead)
        ASSERT_FALSE(claims.isInside(valueAt(read.getMap().getResult(0), {*truth})));
    } else if (!claims.needsInit())
      ASSERT_TRUE(presence.required.empty()) << claims.print(claim);
  }
  EXPECT_GT(numAbsent, 200);
  EXPECT_LT(numAbsent, 1200);
}

} // namespace
