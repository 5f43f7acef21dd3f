//===- FuseTernaryLogicTest.cpp - Circuits mapped to ternary logic --------===//

#include "LCI/Codegen/Optimize.h"
#include "TestMachine.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace llvm;

namespace {

/// One lane of a function of vectors, whose results are the operands of its stores.
class Lane {
public:
  explicit Lane(Function &function) : function(function) {}

  std::vector<uint64_t> run(std::vector<uint64_t> arguments) {
    std::vector<uint64_t> results;
    for (auto [argument, value] : zip(function.args(), arguments))
      values[&argument] = value;
    for (Instruction &op : function.getEntryBlock()) {
      if (auto *store = dyn_cast<StoreInst>(&op))
        results.push_back(get(store->getValueOperand()));
      else if (!op.isTerminator())
        values[&op] = compute(op);
    }
    return results;
  }

private:
  uint64_t get(Value *value) {
    if (auto *constant = dyn_cast<Constant>(value))
      return constant->isNullValue() ? 0 : constant->getUniqueInteger().getZExtValue();
    return values.at(value);
  }

  uint64_t compute(Instruction &op) {
    auto in = [&](unsigned number) { return get(op.getOperand(number)); };
    switch (op.getOpcode()) {
    case Instruction::And:
      return in(0) & in(1);
    case Instruction::Or:
      return in(0) | in(1);
    case Instruction::Xor:
      return in(0) ^ in(1);
    case Instruction::Mul:
      return in(0) * in(1);
    case Instruction::LShr:
      return in(0) >> in(1);
    case Instruction::BitCast:
      return in(0);
    default:
      break;
    }
    uint64_t result = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
      unsigned row = (in(0) >> bit & 1) * 4 + (in(1) >> bit & 1) * 2 + (in(2) >> bit & 1);
      result |= (in(3) >> row & 1) << bit;
    }
    return result;
  }

  Function &function;
  std::map<Value *, uint64_t> values;
};

/// A function of four vectors that stores the result of the text's last line.
std::unique_ptr<Module> parse(LLVMContext &context, const std::string &body) {
  SMDiagnostic error;
  std::string text = "define void @f(<8 x i64> %a, <8 x i64> %b, <8 x i64> %c, <8 x i64> %d, "
                     "ptr %to) {\n" +
                     body + "  ret void\n}\n";
  auto module = parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str() << "\n" << text;
  return module;
}

std::string store(const std::string &value) { return "  store <8 x i64> " + value + ", ptr %to\n"; }

/// Fuses a body for a machine, checks that its results are unchanged, and counts the remaining
/// operations.
unsigned fuse(const std::string &body, StringRef cpu = "skylake-avx512") {
  LLVMContext context;
  auto module = parse(context, body);
  Function &function = *module->getFunction("f");
  std::mt19937_64 random(1);
  std::vector<uint64_t> arguments{random(), random(), random(), random(), 0};
  std::vector<uint64_t> before = Lane(function).run(arguments);
  auto machine = makeMachine(cpu);
  if (!machine)
    return 0;
  lci::LogicCounts counts = lci::fuseTernaryLogic(function, *machine);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  EXPECT_EQ(Lane(function).run(arguments), before) << body;
  return counts.after;
}

const char *const fullAdder = "  %x = xor <8 x i64> %a, %b\n"
                              "  %sum = xor <8 x i64> %x, %c\n"
                              "  %p = and <8 x i64> %x, %c\n"
                              "  %n = xor <8 x i64> %x, splat (i64 -1)\n"
                              "  %q = and <8 x i64> %n, %a\n"
                              "  %carry = or <8 x i64> %p, %q\n";

TEST(FuseTernaryLogic, AFullAdderIsTwoOperations) {
  EXPECT_EQ(fuse(fullAdder + store("%sum") + store("%carry")), 2u);
}

TEST(FuseTernaryLogic, WhatIsNeededOutsideStays) {
  EXPECT_EQ(fuse(fullAdder + store("%x") + store("%sum") + store("%carry")), 3u);
}

TEST(FuseTernaryLogic, ConstantsFold) {
  EXPECT_EQ(fuse("  %x = and <8 x i64> %a, zeroinitializer\n  %y = or <8 x i64> %x, %b\n"
                 "  %z = xor <8 x i64> %y, splat (i64 -1)\n" +
                 store("%z")),
            1u);
}

TEST(FuseTernaryLogic, MasksThatTellWhichBitsAreZeroStay) {
  std::string body = "  %x = xor <8 x i64> %a, %b\n"
                     "  %y = and <8 x i64> %x, splat (i64 4294967295)\n"
                     "  %z = lshr <8 x i64> %y, splat (i64 3)\n";
  EXPECT_EQ(fuse(body + store("%z")), 1u);
}

TEST(FuseTernaryLogic, FactorsStay) {
  std::string body = "  %x = xor <8 x i64> %a, %b\n"
                     "  %y = xor <8 x i64> %x, %c\n"
                     "  %z = mul <8 x i64> %y, %d\n";
  EXPECT_EQ(fuse(body + store("%z")), 1u);
}

TEST(FuseTernaryLogic, OtherMachinesKeepTheirLogic) {
  EXPECT_EQ(fuse(fullAdder + store("%sum") + store("%carry"), "haswell"), 0u);
}

TEST(FuseTernaryLogic, RandomCircuitsComputeWhatTheyDid) {
  std::mt19937 random(2);
  unsigned total = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> known{"%a", "%b", "%c", "%d", "splat (i64 -1)"};
    std::string body;
    for (int line = 0; line < 20; ++line) {
      std::string name = "%v" + std::to_string(line);
      auto pick = [&] { return known[random() % known.size()]; };
      const char *const kinds[] = {"and", "or", "xor"};
      body +=
          "  " + name + " = " + kinds[random() % 3] + " <8 x i64> " + pick() + ", " + pick() + "\n";
      known.push_back(name);
      if (random() % 6 == 0)
        body += store(name);
    }
    unsigned count = fuse(body + store(known.back()));
    EXPECT_LE(count, 20u);
    total += count;
  }
  // 1372 without reconsidering choices.
  EXPECT_LE(total, 1359u);
}

} // namespace
