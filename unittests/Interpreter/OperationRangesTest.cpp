//===- OperationRangesTest.cpp - Ranges and folds of every operation ------===//
//
// The inferred range of an operation contains every computed result, for all intervals between
// edge-case numbers; and a fold equals the computed result. The registry lists the operations: one
// without a case fails.
//
//===----------------------------------------------------------------------===//

#include "IntegerCases.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/KnownIntegers.h"
#include "LCI/Analysis/Ranges.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Numerics/ScalarOps.h"
#include "Testing.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// Numbers of a type, in an order, and the range of those between two of them.
struct Interval {
  std::vector<uint64_t> numbers;
  ConstantIntRanges range;
};

/// All intervals between two edges, signed or unsigned.
std::vector<Interval> intervalsOf(unsigned width, bool isSigned) {
  std::vector<uint64_t> edges = edgesOf(width);
  if (isSigned)
    llvm::sort(edges,
               [&](uint64_t a, uint64_t b) { return signExtend(a, width) < signExtend(b, width); });
  std::vector<Interval> intervals;
  for (size_t first = 0; first < edges.size(); ++first)
    for (size_t last = first; last < edges.size(); ++last) {
      APInt low(width, edges[first]), high(width, edges[last]);
      intervals.push_back({{edges.begin() + first, edges.begin() + last + 1},
                           isSigned ? ConstantIntRanges::fromSigned(low, high)
                                    : ConstantIntRanges::fromUnsigned(low, high)});
    }
  return intervals;
}

bool holds(const ConstantIntRanges &range, const APInt &number) {
  return range.smin().sle(number) && number.sle(range.smax()) && range.umin().ule(number) &&
         number.ule(range.umax());
}

bool isInverted(const ConstantIntRanges &range) {
  return range.smin().sgt(range.smax()) || range.umin().ugt(range.umax());
}

std::string print(const ConstantIntRanges &range) {
  std::string text;
  llvm::raw_string_ostream(text) << range;
  return text;
}

class OperationRangesTest : public testing::Test {
protected:
  OperationRangesTest() : quiet(&context, [](Diagnostic &) { return success(); }) {
    context.disableMultithreading();
    context.loadDialect<LCIDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                        scf::SCFDialect, tensor::TensorDialect>();
  }

  void forEachCase(llvm::function_ref<void(IntegerCase &)> visit) {
    test::forEachCase(context, visit);
  }

  MLIRContext context;
  ScopedDiagnosticHandler quiet; ///< of widths that an operation does not have
};

/// The inferred range of one operation for one choice of intervals.
void checkRanges(IntegerCase &each, ArrayRef<Interval> chosen) {
  SmallVector<ConstantIntRanges> operands;
  std::vector<std::vector<uint64_t>> numbers;
  for (unsigned place : each.places())
    operands.push_back(chosen[place].range);
  for (const Interval &interval : chosen)
    numbers.push_back(interval.numbers);
  SmallVector<std::optional<ConstantIntRanges>> found(each.op()->getNumResults());
  cast<InferIntRangeInterface>(each.op()).inferResultRanges(
      operands, [&](Value result, const ConstantIntRanges &range) {
        found[cast<OpResult>(result).getResultNumber()] = range;
      });
  for (const auto &range : found)
    ASSERT_FALSE(range && isInverted(*range)) << print(*range);
  forEachChoice<uint64_t>(numbers, [&](ArrayRef<uint64_t> arguments) {
    if (!each.isDefined(arguments))
      return;
    for (auto [range, bits] : llvm::zip_equal(found, each.evaluate(arguments)))
      ASSERT_TRUE(!range || holds(*range, APInt(range->smin().getBitWidth(), bits)))
          << print(*range) << " does not hold " << bits;
  });
}

// The operation with a wrong range upstream: the least integer divided by two. Lowered programs
// have none.
bool isWrongUpstream(Operation *op) { return isa<arith::CeilDivSIOp>(op); }

TEST_F(OperationRangesTest, areWrongUpstreamOfQuotientsRoundedUp) {
  IntegerCase each(context, "%r = arith.ceildivsi %a, %b : T", 8);
  auto infer = [&](ArrayRef<ConstantIntRanges> operands) {
    std::optional<ConstantIntRanges> found;
    cast<InferIntRangeInterface>(each.op()).inferResultRanges(
        operands, [&](Value, const ConstantIntRanges &range) { found = range; });
    return *found;
  };
  auto least = ConstantIntRanges::constant(APInt(8, 128)),
       two = ConstantIntRanges::constant(APInt(8, 2));
  EXPECT_FALSE(holds(infer({least, two}), APInt(8, each.evaluate({128, 2}).front())));
}

TEST_F(OperationRangesTest, holdWhateverIsComputed) {
  forEachCase([&](IntegerCase &each) {
    if (!isa<InferIntRangeInterface>(each.op()) || isWrongUpstream(each.op()))
      return;
    for (bool isSigned : {true, false}) {
      std::vector<std::vector<Interval>> intervals;
      for (unsigned width : each.widths())
        intervals.push_back(intervalsOf(width, isSigned));
      forEachChoice<Interval>(intervals, [&](ArrayRef<Interval> chosen) {
        if (testing::Test::HasFailure())
          return;
        checkRanges(each, chosen);
        if (testing::Test::HasFailure()) {
          each.op()->dump();
          for (const Interval &interval : chosen)
            llvm::errs() << "  of " << interval.range << "\n";
        }
      });
    }
  });
}

// Operations with a range and no case here: indices and candidates of bodies, which have tests
// below, results beyond 64 bits, which no body has, and operations that are only measured.
const std::set<std::string> kElsewhere = {"lci.tick",
                                          "lci.agree",
                                          "arith.addui_extended",
                                          "arith.mulsi_extended",
                                          "arith.mului_extended",
                                          "tensor.dim"};

TEST_F(OperationRangesTest, areKnownOfEveryOperation) {
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    std::string text = name.getStringRef().str();
    bool isOurs = name.getDialectNamespace() == "lci" || name.getDialectNamespace() == "arith" ||
                  name.getDialectNamespace() == "math" || name.getDialectNamespace() == "tensor";
    if (isOurs && name.hasInterface<InferIntRangeInterface>())
      EXPECT_TRUE(integerOperations().count(text) || kElsewhere.count(text))
          << text << " has a range that no test looks at";
  }
}

/// The range of the first block argument of an operation's body.
ConstantIntRanges rangeOfBody(Operation *op, ArrayRef<ConstantIntRanges> operands) {
  Value argument = op->getRegion(0).getArgument(0);
  std::optional<ConstantIntRanges> found;
  auto known = llvm::map_to_vector(
      operands, [](const ConstantIntRanges &range) { return IntegerValueRange(range); });
  known.resize(op->getNumOperands(), IntegerValueRange());
  auto set = [&](Value value, const IntegerValueRange &range) {
    if (value == argument)
      found = range.getValue();
  };
  cast<InferIntRangeInterface>(op).inferResultRangesFromOptional(known, set);
  return *found;
}

TEST_F(OperationRangesTest, candidatesOfAnAgreementAreBetweenItsBounds) {
  auto module = parseSourceString<ModuleOp>(R"(
func.func @f(%low: i64, %high: i64, %s: f32, %yes: i1) {
  %w, %found = lci.agree %low to %high {
  ^bb0(%k: i64):
    lci.candidate %yes levels() score %s proposed %yes
  }
  return
})",
                                            &context);
  ASSERT_TRUE(module);
  Operation *agree = &(*module->getOps<func::FuncOp>().begin()).getBody().front().front();
  std::vector<Interval> intervals = intervalsOf(64, /*isSigned=*/true);
  for (const Interval &low : intervals)
    for (const Interval &high : intervals) {
      ConstantIntRanges range = rangeOfBody(agree, {low.range, high.range});
      ASSERT_FALSE(isInverted(range));
      if (high.range.smax().sgt(low.range.smin())) { // there is a first candidate, and a last
        EXPECT_TRUE(holds(range, low.range.smin()));
        EXPECT_TRUE(holds(range, high.range.smax() - 1));
      }
    }
}

TEST_F(OperationRangesTest, indicesOfATickAreThoseOfItsBox) {
  for (int64_t first : {0, 1, 5})
    for (int64_t count : {0, 1, 3})
      for (int64_t step : {1, 2, 7}) {
        auto number = [](int64_t value) { return "[" + std::to_string(value) + "]"; };
        auto module = parseSourceString<ModuleOp>(
            "func.func @f(%s: tensor<40xi64>, %e: i64) {\n%n = lci.tick @A at %e, %e, %e target(%s "
            ": "
            "tensor<40xi64>) box " +
                number(first) + " " + number(count) + " step " + number(step) +
                " class_stride 1 {\n^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):\n%yes = "
                "arith.constant true\nlci.install %epoch if %yes : i64\n} -> "
                "tensor<40xi64>\nreturn\n}",
            &context);
        ASSERT_TRUE(module);
        Operation *tick = &(*module->getOps<func::FuncOp>().begin()).getBody().front().front();
        ConstantIntRanges range = rangeOfBody(tick, {});
        ASSERT_FALSE(isInverted(range));
        for (int64_t i = 0; i < count; ++i)
          EXPECT_TRUE(holds(range, APInt(64, first + i * step)));
      }
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// Checks the fold of an operation with some constant operands.
void checkFold(IntegerCase &each, ArrayRef<uint64_t> arguments, unsigned known) {
  OpBuilder builder(each.op());
  Operation *clone = builder.clone(*each.op());
  SmallVector<Attribute> constants;
  for (auto [place, operand] : llvm::zip_equal(each.places(), each.op()->getOperands())) {
    APInt number(getWidth(operand.getType()), arguments[place]);
    constants.push_back(known >> place & 1 ? builder.getIntegerAttr(operand.getType(), number)
                                           : IntegerAttr());
  }
  SmallVector<OpFoldResult> folded;
  if (succeeded(clone->fold(constants, folded)) && !folded.empty())
    for (auto [result, bits] : llvm::zip_equal(folded, each.evaluate(arguments))) {
      auto constant = dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(result));
      auto value = dyn_cast<Value>(result);
      uint64_t found = ~bits;
      if (constant)
        found = constant.getValue().getZExtValue();
      else if (auto argument = dyn_cast_or_null<BlockArgument>(value))
        found = arguments[argument.getArgNumber()];
      EXPECT_EQ(found, bits) << each.op()->getName().getStringRef().str();
    }
  clone->erase();
}

TEST_F(OperationRangesTest, foldsAreWhatIsComputed) {
  forEachCase([&](IntegerCase &each) {
    std::vector<std::vector<uint64_t>> numbers;
    for (unsigned width : each.widths())
      numbers.push_back(edgesOf(width));
    forEachChoice<uint64_t>(numbers, [&](ArrayRef<uint64_t> arguments) {
      for (unsigned known = 0; known < 1u << arguments.size(); ++known)
        if (each.isDefined(arguments) && !testing::Test::HasFailure())
          checkFold(each, arguments, known);
    });
    if (testing::Test::HasFailure())
      each.op()->dump();
  });
}

/// The function of one operation, with its results, and a constant for one argument.
OwningOpRef<ModuleOp> withConstant(IntegerCase &each, unsigned argument, uint64_t number) {
  OwningOpRef<ModuleOp> module = each.cloneWithResults();
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  Block &block = function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  Value known = block.getArgument(argument);
  Type type = known.getType();
  auto constant = arith::ConstantOp::create(
      builder, function.getLoc(), builder.getIntegerAttr(type, APInt(getWidth(type), number)));
  known.replaceAllUsesWith(constant);
  return module;
}

/// A canonicalised operation with a constant has the same results.
void checkCanonical(IntegerCase &each, PassManager &manager, unsigned argument, uint64_t number) {
  OwningOpRef<ModuleOp> module = withConstant(each, argument, number);
  ASSERT_TRUE(succeeded(manager.run(*module)));
  std::vector<std::vector<uint64_t>> numbers;
  for (auto [place, width] : llvm::enumerate(each.widths()))
    numbers.push_back(place == argument ? std::vector<uint64_t>{number} : edgesOf(width));
  Evaluator evaluator;
  forEachChoice<uint64_t>(numbers, [&](ArrayRef<uint64_t> arguments) {
    if (!each.isDefined(arguments) || testing::Test::HasFailure())
      return;
    auto data = llvm::map_to_vector(arguments, [](uint64_t bits) { return Datum{bits, nullptr}; });
    auto found = evaluator.call(*module->getOps<func::FuncOp>().begin(), data);
    for (auto [datum, bits] : llvm::zip_equal(found, each.evaluate(arguments)))
      ASSERT_EQ(datum.bits, bits);
  });
  if (testing::Test::HasFailure())
    module->dump();
}

TEST_F(OperationRangesTest, canonicalFormsAreWhatIsComputed) {
  PassManager manager(&context);
  manager.addPass(arith::createIntRangeOptimizationsPass());
  manager.addPass(createCanonicalizerPass());
  forEachCase([&](IntegerCase &each) {
    auto widths = each.widths();
    for (auto [argument, width] : llvm::enumerate(widths))
      for (uint64_t number : edgesOf(width))
        if (!HasFailure() && !isWrongUpstream(each.op()))
          checkCanonical(each, manager, argument, number);
  });
}

//===----------------------------------------------------------------------===//
// Bodies of programs
//===----------------------------------------------------------------------===//

/// A number that may be any of some, as a chain of selects.
std::string makeChoice(const std::string &name, ArrayRef<uint64_t> numbers, int stream) {
  std::string text, last;
  for (auto [i, number] : llvm::enumerate(numbers)) {
    std::string mine = name + "n" + std::to_string(i);
    text += mine + " = arith.constant " + std::to_string(int64_t(number)) + " : i64\n";
    std::string next = i + 1 == numbers.size() ? name : name + "c" + std::to_string(i);
    std::string before = i == 0 ? mine : last;
    text += name + "d" + std::to_string(i) + " = lci.bernoulli %p stream <0, " +
            std::to_string(stream + i) + ">\n" + next + " = arith.select " + name + "d" +
            std::to_string(i) + ", " + before + ", " + mine + " : i64\n";
    last = next;
  }
  return text;
}

/// All operations on 64 bits, each with a result of a different name.
std::vector<std::string> operationsOnLongs() {
  std::vector<std::string> all;
  for (const auto &[name, texts] : integerOperations())
    for (std::string text : texts) {
      bool isLong = text.find("%a") != std::string::npos &&
                    text.find(" to ") == std::string::npos && text.find("%r:") == std::string::npos;
      if (!isLong)
        continue;
      text.replace(text.find("T"), 1, "i64");
      all.push_back(text);
    }
  for (std::string name : {"math.absi", "math.ctpop"})
    all.push_back("%r = " + name + " %a : i64");
  for (int power : {0, 1, 2, 3})
    all.push_back("%r = lci.power %a, " + std::to_string(power) + " : i64");
  return all;
}

std::string makeProgram(const std::string &body) {
  return "lci.program @p sizes [] {\nlci.value @A token vocabulary affine_map<() -> (4)> shape "
         "affine_map<() -> (4)> boundary [#lci.boundary<open>] {\n^bb0(%i: index):\n%p = "
         "arith.constant 0.5 : f32\n%t = lci.bernoulli %p stream <0, 99>\n" +
         body + "%zero = arith.constant 0 : i64\nlci.yield %zero : i64\n}\n}\n";
}

/// Whether a range in a body, in which integers are wider, contains some bits of a type.
bool holdsBits(const ConstantIntRanges &range, Type type, uint64_t bits) {
  APInt number =
      type.isInteger(1) ? APInt(1, bits) : APInt(RangeAnalysis::kWidth, bits, /*isSigned=*/true);
  return range.smin().sle(number) && number.sle(range.smax());
}

/// Evaluates an operation of a body for all values of its operands.
void checkBody(Operation *op, const RangeAnalysis &ranges,
               const DenseMap<Value, std::vector<uint64_t>> &numbers) {
  llvm::SetVector<Value> leaves(op->operand_begin(), op->operand_end());
  std::vector<std::vector<uint64_t>> lists;
  for (Value leaf : leaves)
    lists.push_back(leaf.getType().isInteger(1) ? std::vector<uint64_t>{0, 1}
                                                : numbers.lookup(leaf));
  Evaluator evaluator;
  Value result = op->getResult(0);
  ConstantIntRanges range = ranges.getRange(result);
  ASSERT_FALSE(isInverted(range)) << print(range);
  forEachChoice<uint64_t>(lists, [&](ArrayRef<uint64_t> chosen) {
    for (auto [leaf, bits] : llvm::zip_equal(leaves, chosen))
      evaluator.set(leaf, Datum{bits, nullptr});
    evaluator.evaluate(*op);
    if (isa<FloorModOp>(op) && evaluator.get(op->getOperand(1)).bits == 0)
      return; // the checks reject its uses
    uint64_t bits = evaluator.get(result).bits;
    ASSERT_TRUE(holdsBits(range, result.getType(), bits))
        << print(range) << " does not hold " << int64_t(bits);
  });
}

TEST_F(OperationRangesTest, ofBodiesHoldWhateverIsComputed) {
  const uint64_t least = uint64_t(1) << 63;
  const std::vector<uint64_t> edges = {least, uint64_t(-7), uint64_t(-1), 0, 1, 63, least - 1};
  std::vector<std::vector<uint64_t>> intervals;
  for (size_t first = 0; first < edges.size(); ++first)
    for (size_t last = first; last < edges.size(); ++last)
      intervals.emplace_back(edges.begin() + first, edges.begin() + last + 1);
  std::vector<std::string> operations = operationsOnLongs();
  forEachChoice<std::vector<uint64_t>>({intervals, intervals}, [&](auto chosen) {
    if (HasFailure())
      return;
    std::string body = makeChoice("%a", chosen[0], 0) + makeChoice("%b", chosen[1], 50);
    for (auto [i, text] : llvm::enumerate(operations)) {
      std::string named = text;
      named.replace(named.find("%r"), 2, "%r" + std::to_string(i));
      body += named + "\n";
    }
    auto module = parseSourceString<ModuleOp>(makeProgram(body), &context);
    ASSERT_TRUE(module) << body;
    ValueOp value = (*module->getOps<ProgramOp>().begin()).lookupValue("A");
    RangeAnalysis ranges(value);
    auto ops = llvm::map_to_vector(value.getInit().front(), [](Operation &op) { return &op; });
    ArrayRef<Operation *> tested = ArrayRef(ops).drop_back(2).take_back(operations.size());
    DenseMap<Value, std::vector<uint64_t>> numbers;
    for (auto [operand, choice] : llvm::zip(tested.front()->getOperands(), chosen))
      numbers[operand] = choice;
    for (Operation *op : tested) {
      if (llvm::is_contained(ranges.getOverflows(), op) || HasFailure())
        continue;
      checkBody(op, ranges, numbers);
      if (HasFailure())
        op->dump();
    }
  });
}

// A bound that is not positive counts as 0, one beyond the bits of a draw as 2^32.
TEST_F(OperationRangesTest, ofDrawsHoldWhateverIsDrawn) {
  for (const Interval &bound : intervalsOf(64, /*isSigned=*/true)) {
    std::string body = makeChoice("%a", bound.numbers, 0) + "%r = lci.randint %a stream <0, 60>\n";
    auto module = parseSourceString<ModuleOp>(makeProgram(body), &context);
    ASSERT_TRUE(module) << body;
    ValueOp value = (*module->getOps<ProgramOp>().begin()).lookupValue("A");
    Operation *draw = value.getInit().front().getTerminator()->getPrevNode()->getPrevNode();
    ConstantIntRanges range = RangeAnalysis(value).getRange(draw->getResult(0));
    ::lci::numerics::ScalarOps ops;
    for (uint64_t number : bound.numbers)
      for (uint64_t drawn : {uint64_t(0), uint64_t(1), uint64_t(1) << 31, llvm::maxUIntN(32)}) {
        uint64_t result = ::lci::numerics::randintOf(ops, drawn, number);
        EXPECT_TRUE(holdsBits(range, draw->getResult(0).getType(), result)) << int64_t(number);
      }
  }
}

// Values known of bodies before a run equal the interpreter's.
TEST_F(OperationRangesTest, knownIntegersAreWhatIsComputed) {
  for (std::string text : operationsOnLongs()) {
    for (uint64_t a : edgesOf(64))
      for (uint64_t b : edgesOf(64)) {
        std::string body = "%a = arith.constant " + std::to_string(int64_t(a)) +
                           " : i64\n%b = arith.constant " + std::to_string(int64_t(b)) +
                           " : i64\n" + text + "\n";
        auto module = parseSourceString<ModuleOp>(makeProgram(body), &context);
        ASSERT_TRUE(module) << body;
        ValueOp value = (*module->getOps<ProgramOp>().begin()).lookupValue("A");
        Block &block = value.getInit().front();
        Operation *op = block.getTerminator()->getPrevNode()->getPrevNode();
        IndexDomain domain = IndexDomain::around(op);
        std::optional<int64_t> known = KnownIntegers(domain).get(op->getResult(0), {0});
        Evaluator evaluator;
        for (Value operand : op->getOperands())
          if (Operation *constant = operand.getDefiningOp(); isa<arith::ConstantOp>(constant))
            evaluator.evaluate(*constant);
        evaluator.evaluate(*op);
        if (known)
          EXPECT_EQ(uint64_t(*known), evaluator.get(op->getResult(0)).bits) << body;
      }
  }
}

} // namespace
