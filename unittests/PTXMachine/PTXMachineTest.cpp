//===- PTXMachineTest.cpp - Instructions, and errors of kernels -----------===//
#include "Machine.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace lci::ptx;

namespace {
/// A kernel `k` with one argument, an array of words in `%rd0`; `%r0` is the thread's number and
/// `%rd1` the address of its word.
std::string kernelOf(const std::string &body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(\n.param .u64 .ptr .align 16 k_param_0\n)\n.maxntid 128, 1, 1\n{\n"
         ".reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<99>;\n.reg .b64 %rd<99>;\n"
         ".shared .align 8 .b8 words[512];\n"
         "ld.param.b64 %rd0, [k_param_0];\nmov.u32 %r0, %tid.x;\n"
         "mul.wide.u32 %rd1, %r0, 8;\nadd.s64 %rd1, %rd0, %rd1;\n" +
         body + "\nret;\n}\n";
}

/// The final contents of a kernel's array, and its error.
struct Left {
  std::vector<uint64_t> words;
  std::string error;
};

Left runKernel(const std::string &body, unsigned threads = 1, unsigned blocks = 1,
               std::vector<uint64_t> words = std::vector<uint64_t>(64)) {
  Left left;
  Module module;
  if (!parse(kernelOf(body), module, left.error))
    return left;
  Memory memory;
  auto address = reinterpret_cast<uint64_t>(words.data());
  memory.add(address, words.size() * 8);
  Launch launch{module.kernels.at("k"), {blocks, 1, 1}, {threads, 1, 1}, {}};
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &address, 8);
  Uses uses;
  left.error = run(launch, memory, &uses);
  left.words = words;
  return left;
}

/// The result of one thread in `%r9` or `%rd9` from two registers, which are given as words.
uint64_t compute(const std::string &body, uint64_t a, uint64_t b = 0, bool isWide = false) {
  Left left = runKernel("ld.global.v2.b64 {%rd2, %rd3}, [%rd0];\n"
                        "cvt.u32.u64 %r2, %rd2;\ncvt.u32.u64 %r3, %rd3;\n" +
                            body +
                            (isWide ? "\nst.global.b64 [%rd0], %rd9;"
                                    : "\ncvt.u64.u32 %rd9, %r9;\nst.global.b64 [%rd0], %rd9;"),
                        1, 1, {a, b});
  EXPECT_EQ(left.error, "");
  return left.words.empty() ? 0 : left.words[0];
}

uint64_t bits(float value) { return bitsOf(value); }
} // namespace

TEST(PTXMachineTest, GlobalsHaveTheirInitialValues) {
  Module module;
  std::string error;
  ASSERT_TRUE(parse(".version 8.0\n.target sm_90\n.address_size 64\n"
                    ".global .align 8 .u64 one = 12345678901;\n"
                    ".global .align 8 .b8 bytes[4] = {1, 2, 255};\n"
                    ".global .align 8 .b32 words[2] = {0f3F800000, -1};\n",
                    module, error))
      << error;
  auto bytes = [&](const std::string &name) { return module.globals.at(name); };
  using Bytes = std::vector<unsigned char>;
  EXPECT_EQ(bytes("one"), Bytes({0x35, 0x1c, 0xdc, 0xdf, 2, 0, 0, 0}));
  EXPECT_EQ(bytes("bytes"), Bytes({1, 2, 255, 0}));
  EXPECT_EQ(bytes("words"), Bytes({0, 0, 0x80, 0x3f, 255, 255, 255, 255}));
  EXPECT_FALSE(parse(".version 8.0\n.target sm_90\n.address_size 64\n"
                     ".global .align 1 .b8 few[1] = {1, 2};\n",
                     module, error));
}

TEST(PTXMachineTest, ComputesBits) {
  EXPECT_EQ(compute("lop3.b32 %r9, %r2, %r3, 0, 0xE8;", 0b1100, 0b1010), 0b1000u);
  EXPECT_EQ(compute("lop3.b32 %r9, %r2, %r3, %r3, 0x42;", 0b1100, 0b1010), 0u);
  EXPECT_EQ(compute("lop3.b32 %r9, %r2, 0, %r3, 2;", 0b1100, 0b1010), 0b0010u);
  EXPECT_EQ(compute("prmt.b32 %r9, %r2, %r3, 0x5410U;", 0x33221100, 0x77665544), 0x55441100u);
  EXPECT_EQ(compute("prmt.b32 %r9, %r2, 0, 0xBBB3U;", 0x83221100), 0xFFFFFF83u);
  EXPECT_EQ(compute("shf.l.wrap.b32 %r9, %r2, %r3, 4;", 0x80000000, 1), 0x18u);
  EXPECT_EQ(compute("shf.r.wrap.b32 %r9, %r2, %r3, 4;", 0x10, 3), 0x30000001u);
  EXPECT_EQ(compute("bfe.u32 %r9, %r2, 4, 8;", 0x12345), 0x34u);
  EXPECT_EQ(compute("bfe.s32 %r9, %r2, 4, 8;", 0x12F45), 0xFFFFFFF4u);
  EXPECT_EQ(compute("bfe.s32 %r9, %r2, 24, 16;", 0x80000000), 0xFFFFFF80u);
  EXPECT_EQ(compute("bfe.s64 %rd9, %rd2, 0, 1;", 1, 0, true), ~uint64_t(0));
  EXPECT_EQ(compute("bfi.b32 %r9, %r2, %r3, 8, 4;", 0xFF, 0x11111111), 0x11111F11u);
  EXPECT_EQ(compute("shl.b32 %r9, %r2, %r3;", 1, 32), 0u);
  EXPECT_EQ(compute("shr.s32 %r9, %r2, %r3;", 0x80000000, 40), 0xFFFFFFFFu);
  EXPECT_EQ(compute("shr.u64 %rd9, %rd2, 60;", 0xF000000000000000, 0, true), 15u);
  EXPECT_EQ(compute("popc.b64 %r9, %rd2;", 0xFF00000000000001), 9u);
  EXPECT_EQ(compute("clz.b32 %r9, %r2;", 1), 31u);
  EXPECT_EQ(compute("brev.b32 %r9, %r2;", 1), 0x80000000u);
  EXPECT_EQ(compute("not.b32 %r9, %r2;", 1), 0xFFFFFFFEu);
  EXPECT_EQ(compute("mov.b64 {%r9, _}, %rd2;", 0x500000003), 3u);
  EXPECT_EQ(compute("mov.b64 %rd9, {%r3, %r2};", 1, 2, true), 0x100000002u);
}

TEST(PTXMachineTest, ComputesIntegers) {
  EXPECT_EQ(compute("add.s32 %r9, %r2, -3;", 1), 0xFFFFFFFEu);
  EXPECT_EQ(compute("mul.wide.u32 %rd9, %r2, %r3;", 0xFFFFFFFF, 2, true), 0x1FFFFFFFEu);
  EXPECT_EQ(compute("mul.wide.s32 %rd9, %r2, %r3;", 0xFFFFFFFF, 2, true), uint64_t(-2));
  EXPECT_EQ(compute("mul.hi.u64 %rd9, %rd2, %rd3;", uint64_t(1) << 63, 6, true), 3u);
  EXPECT_EQ(compute("mad.lo.s64 %rd9, %rd2, %rd3, 5;", 7, 6, true), 47u);
  EXPECT_EQ(compute("div.s32 %r9, %r2, %r3;", uint32_t(-7), 2), uint32_t(-3));
  EXPECT_EQ(compute("rem.s32 %r9, %r2, %r3;", uint32_t(-7), 2), uint32_t(-1));
  EXPECT_EQ(compute("add.s16x2 %r9, %r2, %r3;", 0x0001FFFF, 0x00010001), 0x00020000u);
  EXPECT_EQ(compute("max.u16x2 %r9, %r2, %r3;", 0x0001FFFF, 0x00020001), 0x0002FFFFu);
  EXPECT_EQ(compute("min.s32 %r9, %r2, %r3;", uint32_t(-7), 2), uint32_t(-7));
  EXPECT_EQ(compute("max.u32 %r9, %r2, %r3;", uint32_t(-7), 2), uint32_t(-7));
  EXPECT_EQ(compute("setp.lt.s32 %p1, %r2, %r3;\nselp.b32 %r9, 8, 9, %p1;", uint32_t(-7), 2), 8u);
  EXPECT_EQ(compute("setp.lt.u32 %p1, %r2, %r3;\nselp.b32 %r9, 8, 9, %p1;", uint32_t(-7), 2), 9u);
  EXPECT_EQ(compute("cvt.u16.u32 %rs1, %r2;\ncvt.s32.s16 %r9, %rs1;", 0x1FFFF), 0xFFFFFFFFu);
}

TEST(PTXMachineTest, ComputesNumbers) {
  const float none = std::nanf("");
  EXPECT_EQ(compute("add.rn.f32 %r9, %r2, %r3;", bits(1), bits(0x1p-30F)), bits(1));
  EXPECT_EQ(compute("add.rn.f32 %r9, %r2, %r3;", bits(none), bits(1)), 0x7FFFFFFFu);
  EXPECT_EQ(
      compute("fma.rn.f32 %r9, %r2, %r3, 0fBF800000;", bits(1 + 0x1p-20F), bits(1 - 0x1p-20F)),
      bits(-0x1p-40F));
  EXPECT_EQ(compute("mul.rn.f32 %r9, %r2, 0f3FC00000;", bits(2)), bits(3));
  EXPECT_EQ(compute("div.rn.f32 %r9, %r2, %r3;", bits(1), bits(3)), bits(1.F / 3));
  EXPECT_EQ(compute("rcp.rn.f32 %r9, %r2;", bits(3)), bits(1.F / 3));
  EXPECT_EQ(compute("sqrt.rn.f32 %r9, %r2;", bits(2)), bits(std::sqrt(2.F)));
  EXPECT_EQ(compute("max.f32 %r9, %r2, %r3;", bits(none), bits(1)), bits(1));
  EXPECT_EQ(compute("max.NaN.f32 %r9, %r2, %r3;", bits(none), bits(1)), 0x7FFFFFFFu);
  EXPECT_EQ(compute("max.f32 %r9, %r2, %r3;", bits(-0.F), bits(0)), bits(0));
  EXPECT_EQ(compute("min.f32 %r9, %r2, %r3;", bits(0), bits(-0.F)), bits(-0.F));
  EXPECT_EQ(compute("abs.f32 %r9, %r2;", bits(-2)), bits(2));
  EXPECT_EQ(compute("copysign.f32 %r9, %r2, %r3;", bits(-0.F), bits(5)), bits(-5));
  EXPECT_EQ(compute("add.rn.f64 %rd9, %rd2, 0d3FF0000000000000;", bitsOf(2.0), 0, true),
            bitsOf(3.0));
  EXPECT_EQ(compute("add.rn.f32x2 %rd9, %rd2, %rd3;", bits(1) << 32 | bits(2),
                    bits(10) << 32 | bits(20), true),
            bits(11) << 32 | bits(22));
  for (auto [word, yes] : {std::pair("lt", false),
                           {"ltu", true},
                           {"ne", false},
                           {"neu", true},
                           {"num", false},
                           {"nan", true}})
    EXPECT_EQ(compute("setp." + std::string(word) + ".f32 %p1, %r2, %r3;\nselp.b32 %r9, 1, 0, %p1;",
                      bits(none), bits(1)),
              yes)
        << word;
}

TEST(PTXMachineTest, Converts) {
  EXPECT_EQ(compute("cvt.rzi.s32.f32 %r9, %r2;", bits(-2.7F)), uint32_t(-2));
  EXPECT_EQ(compute("cvt.rni.s32.f32 %r9, %r2;", bits(2.5F)), 2u);
  EXPECT_EQ(compute("cvt.rzi.s32.f32 %r9, %r2;", bits(1e20F)), 0x7FFFFFFFu);
  EXPECT_EQ(compute("cvt.rzi.u32.f32 %r9, %r2;", bits(-1)), 0u);
  EXPECT_EQ(compute("cvt.rzi.s32.f32 %r9, %r2;", bits(std::nanf(""))), 0u);
  EXPECT_EQ(compute("cvt.rzi.s64.f32 %rd9, %r2;", bits(std::nanf("")), 0, true), uint64_t(1) << 63);
  EXPECT_EQ(compute("cvt.rpi.f32.f32 %r9, %r2;", bits(2.1F)), bits(3));
  EXPECT_EQ(compute("cvt.rn.f32.s64 %r9, %rd2;", uint64_t(-3)), bits(-3));
  EXPECT_EQ(compute("cvt.rn.f32.f64 %r9, %rd2;", bitsOf(0.1)), bits(0.1F));
  EXPECT_EQ(compute("cvt.rna.tf32.f32 %r9, %r2;", bits(1 + 0x1p-11F)), bits(1 + 0x1p-10F));
  EXPECT_EQ(compute("cvt.rna.tf32.f32 %r9, %r2;", bits(INFINITY)), bits(INFINITY));
}

// Diverged threads reconverge where their paths meet.
TEST(PTXMachineTest, ComesTogether) {
  Left left = runKernel("mov.b32 %r2, 0;\n"
                        "$L:\nadd.s32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r0;\n@%p1 bra $L;\n"
                        "shfl.sync.down.b32 %r3|%p2, %r2, 1, 31, -1;\n"
                        "cvt.u64.u32 %rd2, %r3;\nst.global.b64 [%rd1], %rd2;",
                        32);
  EXPECT_EQ(left.error, "");
  for (unsigned thread = 0; thread < 32; ++thread)
    EXPECT_EQ(left.words[thread], thread < 31 ? thread + 2 : 32) << thread;
}

// Each thread branches to the label of its number, as for a switch.
TEST(PTXMachineTest, ChoosesAmongLabels) {
  std::string body = "mov.b64 %rd2, 1;\nrem.u32 %r2, %r0, 3;\n$L0:\n.branchtargets\n$A,\n$B,\n$C;\n"
                     "brx.idx %r2, $L0;\n$A:\nmov.b64 %rd2, 7;\nbra $E;\n$B:\nmov.b64 %rd2, 8;\n"
                     "$C:\nadd.s64 %rd2, %rd2, 90;\n$E:\nst.global.b64 [%rd1], %rd2;";
  Left left = runKernel(body, 6);
  ASSERT_EQ(left.error, "");
  EXPECT_EQ(std::vector<uint64_t>(left.words.begin(), left.words.begin() + 6),
            (std::vector<uint64_t>{7, 98, 91, 7, 98, 91}));
  body.replace(body.find(", 3;"), 4, ", 4;");
  EXPECT_NE(runKernel(body, 4).error.find("there is no such label in the list"), std::string::npos);
}

TEST(PTXMachineTest, TakesFromOtherThreads) {
  auto shuffle = [](const std::string &how) {
    return runKernel("shfl.sync." + how + ".b32 %r3, %r0, 5, 31, -1;\n" +
                         "cvt.u64.u32 %rd2, %r3;\nst.global.b64 [%rd1], %rd2;",
                     32);
  };
  EXPECT_EQ(shuffle("bfly").words[1], 4u);
  EXPECT_EQ(shuffle("idx").words[1], 5u);
  EXPECT_EQ(shuffle("down").words[1], 6u);
  Left up = runKernel("shfl.sync.up.b32 %r3|%p1, %r0, 5, 0, -1;\nselp.b32 %r3, %r3, 99, %p1;\n"
                      "cvt.u64.u32 %rd2, %r3;\nst.global.b64 [%rd1], %rd2;",
                      32);
  EXPECT_EQ(up.words[1], 99u);
  EXPECT_EQ(up.words[6], 1u);
  Left sum = runKernel("redux.sync.add.s32 %r3, %r0, -1;\n"
                       "cvt.u64.u32 %rd2, %r3;\nst.global.b64 [%rd1], %rd2;",
                       8);
  EXPECT_EQ(sum.error, "");
  EXPECT_EQ(sum.words[3], 28u); // those that never were are not waited for
}

static const std::string kExchange = "mov.b64 %rd2, words;\nmul.wide.u32 %rd3, %r0, 8;\n"
                                     "add.s64 %rd4, %rd2, %rd3;\nst.shared.b64 [%rd4], %rd3;\n";

TEST(PTXMachineTest, WaitsAtBarriers) {
  std::string behind = "sub.s64 %rd4, %rd2, %rd3;\nld.shared.b64 %rd5, [%rd4+504];\n"
                       "st.global.b64 [%rd1], %rd5;";
  Left left = runKernel(kExchange + ("bar.sync 0;\n" + behind), 64);
  EXPECT_EQ(left.error, "");
  EXPECT_EQ(left.words[1], 8u * 62);
  Left race = runKernel(kExchange + behind, 64);
  EXPECT_NE(race.error.find("another thread uses the same bytes, and no barrier is between"),
            std::string::npos)
      << race.error;
  // A warp that has synchronised in between needs no barrier, and writes of equal values do not
  // race.
  Left warp = runKernel(kExchange + ("redux.sync.add.s32 %r3, %r0, -1;\nxor.b64 %rd4, %rd4, 8;\n"
                                     "ld.shared.b64 %rd5, [%rd4];\nst.global.b64 [%rd1], %rd5;"),
                        32);
  EXPECT_EQ(warp.error, "");
  EXPECT_EQ(warp.words[4], 40u);
  Left same = runKernel("st.shared.b32 [words], 7;", 32);
  EXPECT_EQ(same.error, "");
  Left other = runKernel("st.shared.b32 [words], %r0;", 32);
  EXPECT_NE(other.error.find("uses the same bytes"), std::string::npos);
  Left count = runKernel("setp.lt.u32 %p1, %r0, 40;\nbar.red.popc.u32 %r3, 0, %p1;\n"
                         "cvt.u64.u32 %rd2, %r3;\nst.global.b64 [%rd1], %rd2;",
                         64);
  EXPECT_EQ(count.words[63], 40u);
}

TEST(PTXMachineTest, AddsInMemory) {
  Left left = runKernel("cvt.u64.u32 %rd2, %r0;\natom.global.add.u64 %rd3, [%rd0], %rd2;\n"
                        "red.global.max.u64 [%rd0+8], %rd2;",
                        10, 3);
  EXPECT_EQ(left.error, "");
  EXPECT_EQ(left.words[0], 3u * 45);
  EXPECT_EQ(left.words[1], 9u);
}

// Thread 4g + t has the numbers of rows g and g + 8, and of columns t and t + 4.
TEST(PTXMachineTest, MultipliesMatrices) {
  std::string body = "and.b32 %r1, %r0, 3;\nshr.u32 %r2, %r0, 2;\n"; // t and g
  auto toFloat = [&](const std::string &to, const std::string &from) {
    body += "cvt.rn.f32.u32 " + to + ", " + from + ";\n";
  };
  // a[row][column] = 8 row + column
  body += "mad.lo.s32 %r3, %r2, 8, %r1;\nadd.s32 %r4, %r3, 64;\nadd.s32 %r5, %r3, 4;\n"
          "add.s32 %r6, %r3, 68;\n";
  for (int i = 3; i < 7; ++i)
    toFloat("%r1" + std::to_string(i), "%r" + std::to_string(i));
  // b[row][column] = row + 2 column
  body += "mad.lo.s32 %r7, %r2, 2, %r1;\nadd.s32 %r8, %r7, 4;\n";
  toFloat("%r17", "%r7");
  toFloat("%r18", "%r8");
  body += "mov.b32 %r20, 0f3F800000;\n"
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32\n{%r30, %r31, %r32, %r33},\n"
          "{%r13, %r14, %r15, %r16},\n{%r17, %r18},\n{%r20, %r20, %r20, %r20};\n"
          "mov.b64 %rd2, {%r30, %r31};\nmov.b64 %rd3, {%r32, %r33};\n"
          "mul.wide.u32 %rd4, %r0, 16;\nadd.s64 %rd4, %rd0, %rd4;\n"
          "st.global.v2.b64 [%rd4], {%rd2, %rd3};";
  Left left = runKernel(body, 32);
  ASSERT_EQ(left.error, "");
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      float sum = 1;
      for (unsigned step = 0; step < 8; ++step)
        sum += float(8 * row + step) * float(step + 2 * column);
      unsigned thread = row % 8 * 4 + column / 2;
      uint64_t pair = left.words[2 * thread + row / 8];
      EXPECT_EQ(as<float>(pair >> column % 2 * 32), sum) << row << ", " << column;
    }
}

// Each thread has private memory, by both kinds of address.
TEST(PTXMachineTest, HasMemoryOfThreads) {
  Left left =
      runKernel(".local .align 8 .b8 own[16];\nmov.b64 %rd2, own;\ncvta.local.u64 %rd3, %rd2;\n"
                "cvt.u64.u32 %rd4, %r0;\nst.local.b64 [%rd2+8], %rd4;\nld.b64 %rd5, [%rd3+8];\n"
                "cvta.to.local.u64 %rd6, %rd3;\nld.local.b64 %rd7, [%rd6+8];\n"
                "add.s64 %rd5, %rd5, %rd7;\nst.b64 [%rd1], %rd5;",
                40);
  EXPECT_EQ(left.error, "");
  EXPECT_EQ(left.words[33], 66u);
}

TEST(PTXMachineTest, SeesWrongAccesses) {
  auto errorOf = [](const std::string &body, unsigned threads = 1) {
    return runKernel(body, threads).error;
  };
  EXPECT_EQ(
      errorOf("ld.global.b64 %rd2, [%rd1+504];", 2),
      "kernel 'k', line 18, 'ld.global.b64', block (0, 0, 0), thread (1, 0, 0): the address is "
      "in no array");
  EXPECT_NE(errorOf("st.global.b64 [%rd0+-8], %rd0;").find("is in no array"), std::string::npos);
  EXPECT_NE(errorOf("st.global.v2.b64 [%rd0+8], {%rd0, %rd0};").find("is no multiple of 16"),
            std::string::npos);
  EXPECT_NE(errorOf("mov.b64 %rd2, words;\nld.shared.b64 %rd3, [%rd2+512];").find("is in no array"),
            std::string::npos);
}

TEST(PTXMachineTest, SeesRacesOfBlocks) {
  auto errorOf = [](const std::string &body, unsigned threads, unsigned blocks) {
    return runKernel(body, threads, blocks).error;
  };
  const char *const race = "another thread uses the same bytes, and no barrier is between";
  const std::string add = "ld.global.b64 %rd2, [%rd1];\nadd.s64 %rd2, %rd2, 1;\n";
  EXPECT_EQ(errorOf(add + "st.global.b64 [%rd1], %rd2;", 32, 1), "");
  EXPECT_NE(errorOf(add + "st.global.b64 [%rd1], %rd2;", 32, 2).find(race), std::string::npos);
  EXPECT_NE(errorOf(add + "st.global.b64 [%rd1+8], %rd2;", 32, 1).find(race), std::string::npos);
  EXPECT_EQ(errorOf("st.global.b64 [%rd0], 7;\nred.global.add.u64 [%rd0+8], 1;", 32, 2), "");
}

TEST(PTXMachineTest, SeesWhoIsNotThere) {
  Left gone = runKernel("setp.eq.u32 %p1, %r0, 3;\n@%p1 ret;\n"
                        "shfl.sync.down.b32 %r3, %r0, 1, 31, -1;",
                        32);
  EXPECT_NE(gone.error.find("takes something from a thread that does not take part"),
            std::string::npos)
      << gone.error;
  Left apart = runKernel("setp.eq.u32 %p1, %r0, 3;\n@!%p1 bra $L;\nbar.sync 0;\n$L:\n"
                         "redux.sync.add.s32 %r3, %r0, -1;",
                         32);
  EXPECT_NE(apart.error.find("not all threads of the warp that this is for come here"),
            std::string::npos)
      << apart.error;
  Left few = runKernel("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r1, %r2, %r3, %r4}, "
                       "{%r1, %r2, %r3, %r4}, {%r1, %r2}, {%r1, %r2, %r3, %r4};",
                       16);
  EXPECT_NE(few.error.find("threads of the warp have ended, or never were"), std::string::npos);
}

TEST(PTXMachineTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(runKernel("add.rz.f32 %r1, %r2, %r3;").error,
            "line 18: this machine does not know 'add.rz.f32'");
  EXPECT_EQ(runKernel("bra $M;").error, "line 18: there is no label or symbol '$M'");
  EXPECT_EQ(runKernel("mov.b32 %r99, 0;").error, "line 18: there is no register '%r99'");
  EXPECT_EQ(runKernel("mov.b32 _, 0;").error, "line 18: this machine does not know 'mov.b32'");
  EXPECT_EQ(runKernel(".align 3;").error, "line 18: '.align 3' is not known here");
  Module module;
  std::string error;
  EXPECT_FALSE(parse(".func f;", module, error));
  EXPECT_EQ(error, "line 1: '.func f' is not known here");
}
