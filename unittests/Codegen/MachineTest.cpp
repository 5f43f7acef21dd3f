//===- MachineTest.cpp - Facts about target machines ----------------------===//

#include "LCI/Codegen/Machine.h"
#include "TestMachine.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

struct Known {
  const char *triple, *cpu;
  int64_t bits, registers;
};

class MachineTest : public testing::TestWithParam<Known> {};

TEST_P(MachineTest, VectorsAreThoseThatAllOperationsHave) {
  auto machine = makeMachine(GetParam().cpu, GetParam().triple);
  if (!machine)
    GTEST_SKIP() << "LLVM was built without " << GetParam().triple;
  lci::VectorUnit unit = lci::vectorUnitOf(*machine);
  EXPECT_EQ(unit.bits, GetParam().bits);
  EXPECT_EQ(unit.registers, GetParam().registers);
}

INSTANTIATE_TEST_SUITE_P(Machines, MachineTest,
                         testing::Values(Known{"x86_64-linux-gnu", "x86-64", 128, 16},
                                         Known{"x86_64-linux-gnu", "sandybridge", 128, 16},
                                         Known{"x86_64-linux-gnu", "znver3", 256, 16},
                                         // It has no operations on bytes in 512 bits.
                                         Known{"x86_64-linux-gnu", "knl", 256, 16},
                                         Known{"x86_64-linux-gnu", "skylake-avx512", 512, 32},
                                         Known{"x86_64-linux-gnu", "znver4", 512, 32},
                                         Known{"aarch64-linux-gnu", "neoverse-n1", 128, 32}));

TEST(HostMachineTest, CodeMayBeLoadedAnywhere) {
  auto machine = lci::makeHostMachine(CodeGenOptLevel::Default);
  ASSERT_TRUE(bool(machine)) << toString(machine.takeError());
  EXPECT_EQ((*machine)->getRelocationModel(), Reloc::PIC_);
  EXPECT_EQ((*machine)->getOptLevel(), CodeGenOptLevel::Default);
}

} // namespace
