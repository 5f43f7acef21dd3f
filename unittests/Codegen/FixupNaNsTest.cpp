//===- FixupNaNsTest.cpp - Selects that become one instruction ------------===//

#include "LCI/Codegen/Optimize.h"
#include "TestMachine.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// The number of selects in a function of a number that become an instruction on a machine.
unsigned fixedOn(StringRef cpu, const std::string &type, const std::string &body) {
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString("define " + type + " @f(" + type + " %x, " +
                                                           type + " %y) {\n" + body + "}\n",
                                                       error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  std::unique_ptr<TargetMachine> machine = makeMachine(cpu);
  Function &function = *module->getFunction("f");
  unsigned count = lci::fixupNaNs(function, *machine);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  unsigned found = 0;
  for (Instruction &op : function.getEntryBlock())
    if (auto *call = dyn_cast<IntrinsicInst>(&op))
      found += call->getCalledFunction()->getName().contains("fixupimm");
  EXPECT_EQ(count, found);
  return count;
}

/// The form that commits produce: on bits.
std::string choice(const std::string &lanes) {
  std::string numbers = "<" + lanes + " x float>", bits = "<" + lanes + " x i32>";
  return "  %n = fcmp uno " + numbers + " %x, %x\n  %b = bitcast " + numbers + " %x to " + bits +
         "\n  %s = select <" + lanes + " x i1> %n, " + bits + " splat (i32 2143289344), " + bits +
         " %b\n  %r = bitcast " + bits + " %s to " + numbers + "\n  ret " + numbers + " %r\n";
}

TEST(FixupNaNs, EveryWidth) {
  for (std::string lanes : {"4", "8", "16"})
    EXPECT_EQ(fixedOn("znver4", "<" + lanes + " x float>", choice(lanes)), 1u) << lanes;
}

TEST(FixupNaNs, DoublesToo) {
  EXPECT_EQ(fixedOn("znver4", "<8 x double>",
                    "  %n = fcmp uno <8 x double> %x, zeroinitializer\n"
                    "  %r = select <8 x i1> %n, <8 x double> splat (double 0x7FF8000000000000), "
                    "<8 x double> %x\n  ret <8 x double> %r\n"),
            1u);
}

TEST(FixupNaNs, TheOtherWayRound) {
  EXPECT_EQ(fixedOn("znver4", "<16 x float>",
                    "  %n = fcmp ord <16 x float> %x, %x\n"
                    "  %r = select <16 x i1> %n, <16 x float> %x, <16 x float> zeroinitializer\n"
                    "  ret <16 x float> %r\n"),
            1u);
}

TEST(FixupNaNs, OtherMachinesStay) {
  EXPECT_EQ(fixedOn("znver3", "<8 x float>", choice("8")), 0u);
  EXPECT_EQ(fixedOn("knl", "<8 x float>", choice("8")), 0u); // 512 bits only
  EXPECT_EQ(fixedOn("knl", "<16 x float>", choice("16")), 1u);
}

TEST(FixupNaNs, OtherChoicesStay) {
  std::string test = "  %n = fcmp uno <16 x float> %x, %x\n";
  std::string ret = "  ret <16 x float> %r\n";
  // Another number is kept, another one is tested, and the replacement is no constant.
  EXPECT_EQ(fixedOn("znver4", "<16 x float>",
                    test +
                        "  %r = select <16 x i1> %n, <16 x float> zeroinitializer, "
                        "<16 x float> %y\n" +
                        ret),
            0u);
  EXPECT_EQ(fixedOn("znver4", "<16 x float>",
                    "  %n = fcmp uno <16 x float> %x, %y\n"
                    "  %r = select <16 x i1> %n, <16 x float> zeroinitializer, "
                    "<16 x float> %x\n" +
                        ret),
            0u);
  EXPECT_EQ(fixedOn("znver4", "<16 x float>",
                    test + "  %r = select <16 x i1> %n, <16 x float> %y, <16 x float> %x\n" + ret),
            0u);
  // A scalar, and more than a register.
  EXPECT_EQ(fixedOn("znver4", "float",
                    "  %n = fcmp uno float %x, %x\n"
                    "  %r = select i1 %n, float 0x7FF8000000000000, float %x\n  ret float %r\n"),
            0u);
  EXPECT_EQ(fixedOn("znver4", "<32 x float>", choice("32")), 0u);
}

} // namespace
