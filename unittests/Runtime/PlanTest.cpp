//===- PlanTest.cpp - Launch plans: text and execution --------------------===//
#include "LCI/Runtime/LoadedPlan.h"
#include "gtest/gtest.h"
#include <cstring>
#include <limits>

using namespace lci;

namespace {
/// Records its requests; memory is allocated from 1000 on.
class Recorder final : public Device {
public:
  std::string name() const override { return "a recorder"; }
  Result<std::unique_ptr<Device>> another() const override {
    return std::unique_ptr<Device>(std::make_unique<Recorder>());
  }
  Result<Kernel> find(const std::string &kernel) override {
    if (kernel == "missing")
      return Failure{ErrorId::CannotCompile, "expected a kernel 'missing'"};
    names.push_back(kernel);
    return names.size() - 1;
  }

  std::vector<std::string> names, log;
  std::vector<Address> released;

  void release(Address address) override { released.push_back(address); }
  void share(Address memory, Address array, size_t bytes) override {
    log.push_back("share " + std::to_string(memory) + ": " + std::to_string(array) + " " +
                  std::to_string(bytes));
  }
  Status undefine(Address array, size_t bytes) override {
    log.push_back("undefine " + std::to_string(array) + " " + std::to_string(bytes));
    return Done{};
  }
  Status wait() override { return Done{}; }

protected:
  Result<Address> makeMemory(size_t bytes) override {
    if (bytes > 1'000'000)
      return Failure{ErrorId::NoMemory, "expected fewer bytes"};
    return next += bytes;
  }
  Status copyTo(Address, const void *, size_t) override { return Done{}; }
  Status copyFrom(void *, Address, size_t) override { return Done{}; }
  Status start(Kernel kernel, const Sides &blocks, const Sides &threads,
               std::vector<void *> &operands) override {
    std::string line =
        names[kernel] + " " + std::to_string(blocks[0]) + "x" + std::to_string(threads[0]) + ":";
    for (void *operand : operands) {
      int64_t value = 0;
      std::memcpy(&value, operand, sizeof value);
      line += " " + std::to_string(value);
    }
    log.push_back(line);
    return names[kernel] == "broken"
               ? Status(Failure{ErrorId::CannotCompile, "the kernel is broken"})
               : Status(Done{});
  }

private:
  Address next = 1000;
};

} // namespace

static Plan read(const std::string &text) {
  Result<Plan> plan = parsePlan(text);
  EXPECT_TRUE(plan) << (plan ? "" : plan.error());
  return plan ? *plan : Plan{};
}

/// The launches of a plan when it is called with arguments.
static std::vector<std::string> logOf(const std::string &text,
                                      const std::vector<uint64_t> &arguments) {
  Recorder device;
  auto loaded = LoadedPlan::load(read(text), device);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error());
  if (loaded)
    EXPECT_TRUE((*loaded)->dispatch(arguments));
  return device.log;
}

static const char *const kPlan = R"(plan program registers 8
writes %0
  %4 = allocate 256
  %5 = add.64 %2 1
  loop %6 %2 %3 2
    if %1
      launch tick blocks 2 1 1 threads 128 1 1 %0 %6 %5
    else
      launch rest blocks 1 1 1 threads 32 4 1 %4
    end
  end
end
)";

TEST(PlanTest, TextIsReadBack) {
  Plan plan = read(kPlan);
  EXPECT_EQ(printPlan(plan), kPlan);
  EXPECT_EQ(plan.kernels, (std::vector<std::string>{"tick", "rest"}));
  EXPECT_EQ(plan.written, std::vector<uint32_t>{0});
}

TEST(PlanTest, LaunchesInOrder) {
  EXPECT_EQ(logOf(kPlan, {7, 1, 10, 14}),
            (std::vector<std::string>{"tick 2x128: 7 10 11", "tick 2x128: 7 12 11"}));
  EXPECT_EQ(logOf(kPlan, {7, 0, 10, 11}), std::vector<std::string>{"rest 1x32: 1256"});
  EXPECT_TRUE(logOf(kPlan, {7, 1, 3, 3}).empty());
  // Epochs are signed.
  EXPECT_EQ(logOf(kPlan, {7, 1, uint64_t(-1), 1}), std::vector<std::string>{"tick 2x128: 7 -1 0"});
}

/// The result of one operation on two numbers.
static uint64_t compute(const std::string &operation, uint64_t a, uint64_t b) {
  std::vector<std::string> log = logOf("plan p registers 3\nwrites\n%2 = " + operation +
                                           (operation.rfind("sign", 0) == 0 ? " %0" : " %0 %1") +
                                           "\nlaunch k blocks 1 1 1 threads 1 1 1 %2\nend\n",
                                       {a, b});
  return log.empty() ? 0 : std::stoull(log[0].substr(log[0].find(':') + 2));
}

TEST(PlanTest, IntegersWrapAroundAtTheirWidth) {
  EXPECT_EQ(compute("add.8", 250, 10), 4u);
  EXPECT_EQ(compute("subtract.16", 1, 2), 65535u);
  EXPECT_EQ(compute("multiply.32", 1u << 31, 2), 0u);
  EXPECT_EQ(compute("multiply.64", 1u << 31, 4), uint64_t(1) << 33);
  EXPECT_EQ(compute("divide.8", 200, 3), 66u);
  EXPECT_EQ(compute("remainder.8", 200, 3), 2u);
  EXPECT_EQ(compute("divide.64", 7, 0), 0u);
  EXPECT_EQ(compute("remainder.64", 7, 0), 0u);
  EXPECT_EQ(compute("divide_signed.8", 256 - 56, 3), 256u - 18);
  EXPECT_EQ(compute("remainder_signed.8", 256 - 56, 3), 256u - 2);
  EXPECT_EQ(compute("divide_signed.8", 128, 255), 128u); // -128 / -1
  EXPECT_EQ(compute("remainder_signed.8", 128, 255), 0u);
  EXPECT_EQ(compute("divide_signed.8", 5, 0), 0u);
}

TEST(PlanTest, BitsAndShifts) {
  EXPECT_EQ(compute("and.64", 12, 10), 8u);
  EXPECT_EQ(compute("or.64", 12, 10), 14u);
  EXPECT_EQ(compute("xor.1", 1, 1), 0u);
  EXPECT_EQ(compute("shift_left.8", 3, 7), 128u);
  EXPECT_EQ(compute("shift_left.8", 3, 8), 0u);
  EXPECT_EQ(compute("shift_right.8", 200, 3), 25u);
  EXPECT_EQ(compute("shift_right.8", 200, 8), 0u);
  EXPECT_EQ(compute("shift_right_signed.8", 200, 3), 249u);
  EXPECT_EQ(compute("shift_right_signed.8", 200, 9), 255u);
  EXPECT_EQ(compute("sign_extend.8", 127, 0), 127u);
}

TEST(PlanTest, Comparisons) {
  EXPECT_EQ(compute("equal.8", 3, 259), 1u); // the same eight bits
  EXPECT_EQ(compute("not_equal.64", 3, 259), 1u);
  EXPECT_EQ(compute("less.8", 200, 100), 0u);
  EXPECT_EQ(compute("less_signed.8", 200, 100), 1u);
  EXPECT_EQ(compute("less_equal.64", 5, 5), 1u);
  EXPECT_EQ(compute("less_equal_signed.8", 100, 200), 0u);
  EXPECT_EQ(compute("minimum.8", 250, 3), 3u);
  EXPECT_EQ(compute("maximum.8", 250, 3), 250u);
  EXPECT_EQ(compute("minimum_signed.8", 250, 3), 250u);
  EXPECT_EQ(compute("maximum_signed.8", 250, 3), 3u);
}

TEST(PlanTest, Choices) {
  const char *text = "plan p registers 2\nwrites\n%1 = select.64 %0 5 6\n"
                     "launch k blocks 1 1 1 threads 1 1 1 %1\nend\n";
  EXPECT_EQ(logOf(text, {1}), std::vector<std::string>{"k 1x1: 5"});
  EXPECT_EQ(logOf(text, {0}), std::vector<std::string>{"k 1x1: 6"});
}

TEST(PlanTest, ArraysOfTheHostSayHowManyBlocksThereAre) {
  const std::string text = "plan p registers 4\nwrites\n"
                           "  %2 = read.16 %0 2\n"
                           "  %3 = read.8 %0 0\n"
                           "  launch k blocks %2 1 1 threads 8 1 1 %3\n"
                           "end\n";
  EXPECT_EQ(printPlan(read(text)), text);
  Recorder device;
  auto loaded = LoadedPlan::load(read(text), device);
  ASSERT_TRUE(loaded);
  uint8_t bytes[] = {255, 0, 3, 1, 9};
  using Arrays = std::vector<LoadedPlan::HostArray>;
  EXPECT_TRUE((*loaded)->dispatch({7, 7}, Arrays{{bytes, sizeof bytes}, {}}));
  EXPECT_EQ(device.log, std::vector<std::string>{"k 259x8: 255"});
  bytes[2] = bytes[3] = 0; // no block: no launch
  EXPECT_TRUE((*loaded)->dispatch({7, 7}, Arrays{{bytes, sizeof bytes}, {}}));
  EXPECT_EQ(device.counts().launches, 1u);
  const std::string tooShort =
      "expected an array of more bytes for argument 0 in the launch plan 'p'";
  EXPECT_EQ((*loaded)->dispatch({7, 7}, Arrays{{bytes, 3}, {}}).error(), tooShort);
  EXPECT_EQ((*loaded)->dispatch({7, 7}, Arrays{{}, {}}).error(), tooShort);
  EXPECT_EQ((*loaded)->dispatch({7, 7}).error(), tooShort);
}

TEST(PlanTest, KernelsSayWhatTheyDo) {
  const std::string start = "plan p registers 1\nwrites\n"
                            "  launch k blocks 1 1 1 threads 1 1 1 %0 7 %0 %0\n"
                            "  launch other blocks 1 1 1 threads 1 1 1\nend\n";
  Plan plan = read(start + "kernel k read none add write\n");
  using Access = KernelAccess;
  EXPECT_EQ(plan.accesses[0],
            (std::vector<Access>{Access::Read, Access::None, Access::Add, Access::Write}));
  EXPECT_TRUE(plan.accesses[1].empty());
  EXPECT_EQ(printPlan(plan), start + "kernel k read none add write\n");
  auto errorOf = [&](const std::string &line) { return parsePlan(start + line).error(); };
  EXPECT_EQ(errorOf("kernel k reads"), "expected none, read, add or write in line 6 of a launch "
                                       "plan, but got 'kernel k reads'");
  const std::string nothing = "expected nothing after the plan but what its kernels do in line 6 "
                              "of a launch plan, but got ";
  EXPECT_EQ(errorOf("kernel unknown read"), nothing + "'kernel unknown read'");
  EXPECT_EQ(errorOf("kernel"), nothing + "'kernel'");
  EXPECT_EQ(errorOf("end"), nothing + "'end'");
}

TEST(PlanTest, BlocksAreCounted) {
  const std::string text =
      "plan p registers 1\nwrites\nlaunch k blocks 1 %0 1 threads 1 1 1\nend\n";
  EXPECT_TRUE(logOf(text, {uint64_t(-3)}).empty());
  EXPECT_EQ(logOf(text, {3}), std::vector<std::string>{"k 1x1:"});
  Recorder device;
  auto loaded = LoadedPlan::load(read(text), device);
  ASSERT_TRUE(loaded);
  EXPECT_EQ((*loaded)->dispatch({uint64_t(1) << 32}).error(),
            "expected fewer than 4294967296 blocks of the kernel 'k' in the launch plan 'p'");
}

TEST(PlanTest, MemoryIsMadeOnceAndGivenBack) {
  Recorder device;
  {
    auto loaded = LoadedPlan::load(read(kPlan), device);
    ASSERT_TRUE(loaded);
    for (int call = 0; call < 3; ++call)
      ASSERT_TRUE((*loaded)->dispatch({7, 0, 0, 2}));
    EXPECT_EQ(device.counts().allocations, 1u);
    EXPECT_EQ(device.counts().allocatedBytes, 256u);
    EXPECT_EQ(device.counts().launches, 3u);
    EXPECT_TRUE(device.released.empty());
  }
  EXPECT_EQ(device.released, std::vector<Device::Address>{1256});
}

static const char *const kViews = R"(plan p registers 5
writes
  %1 = allocate 100
  loop %2 0 %0 1
    %3 = view %1 0 60
    launch first blocks 1 1 1 threads 1 1 1 %3
    %4 = view %1 40 60
    launch second blocks 1 1 1 threads 1 1 1 %4
  end
end
)";

TEST(PlanTest, ViewsShareMemory) {
  Plan plan = read(kViews);
  EXPECT_EQ(printPlan(plan), kViews);
  Recorder device;
  auto loaded = LoadedPlan::load(plan, device);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(device.log, (std::vector<std::string>{"share 1100: 1100 60", "share 1100: 1140 60"}));
  device.log.clear();
  ASSERT_TRUE((*loaded)->dispatch({2}));
  const std::vector<std::string> turn = {"undefine 1100 60", "first 1x1: 1100", "undefine 1140 60",
                                         "second 1x1: 1140"};
  std::vector<std::string> turns = turn;
  turns.insert(turns.end(), turn.begin(), turn.end());
  EXPECT_EQ(device.log, turns);
}

// What is poisoned, and launches' operands, are of the plan, whatever a file says.
TEST(PlanTest, ViewsLieWithinTheirMemory) {
  Recorder device;
  auto load = [&](const std::string &lines) {
    auto loaded =
        LoadedPlan::load(read("plan p registers 3\nwrites\n" + lines + "\nend\n"), device);
    return loaded ? "loaded" : loaded.error();
  };
  const std::string memory = "%1 = allocate 100\n", where =
                                                        " within allocated memory in the launch "
                                                        "plan 'p'";
  EXPECT_EQ(load(memory + "%2 = view %1 100 0"), "loaded");
  EXPECT_EQ(load(memory + "%2 = view %1 41 60"), "expected a view of 60 bytes from 41" + where);
  EXPECT_EQ(load(memory + "%2 = view %1 9223372036854775807 2"),
            "expected a view of 2 bytes from 9223372036854775807" + where);
  EXPECT_EQ(load("%2 = view %0 0 1"), "expected a view of 1 bytes from 0" + where);
  // A computation does not move it.
  device.log.clear();
  auto loaded = LoadedPlan::load(
      read("plan p registers 3\nwrites\n" + memory + "%1 = move.64 7\n%2 = view %1 0 1\nend\n"),
      device);
  ASSERT_TRUE(loaded && (*loaded)->dispatch({}));
  EXPECT_EQ(device.log.back().substr(0, 10), "undefine 1");
}

TEST(PlanTest, WhatADeviceRefusesIsSaid) {
  Recorder device;
  auto load = [&](const std::string &line) {
    auto loaded = LoadedPlan::load(read("plan p registers 1\nwrites\n" + line + "\nend\n"), device);
    return loaded ? (*loaded)->dispatch({}).error() : loaded.error();
  };
  EXPECT_EQ(load("launch missing blocks 1 1 1 threads 1 1 1"), "expected a kernel 'missing'");
  EXPECT_EQ(load("%0 = allocate 2000000"), "expected fewer bytes");
  EXPECT_EQ(load("loop %0 0 3 1\nlaunch broken blocks 1 1 1 threads 1 1 1\nend"),
            "the kernel is broken");
  EXPECT_EQ(device.counts().launches, 1u); // the loop stopped
}

TEST(PlanTest, LoopsComeToAnEnd) {
  const std::string loop = "plan p registers 3\nwrites\nloop %2 %0 %1 ";
  const std::string body = "\nlaunch k blocks 1 1 1 threads 1 1 1 %2\nend\nend\n";
  // The next iteration of the last one would exceed the range of numbers.
  constexpr uint64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(logOf(loop + "4" + body, {most - 6, most}),
            (std::vector<std::string>{"k 1x1: " + std::to_string(most - 6),
                                      "k 1x1: " + std::to_string(most - 2)}));
  EXPECT_TRUE(logOf(loop + "1" + body, {5, 5}).empty());
  Recorder device;
  for (const char *step : {"0", "-1"}) {
    auto loaded = LoadedPlan::load(read(loop + step + body), device);
    ASSERT_TRUE(loaded);
    EXPECT_EQ((*loaded)->dispatch({0, 3}).error(),
              "expected loops with positive steps in the launch plan 'p'");
  }
  EXPECT_EQ(device.counts().launches, 0u);
}

TEST(PlanTest, ArgumentsFitInRegisters) {
  Recorder device;
  auto loaded = LoadedPlan::load(read("plan p registers 2\nwrites\nend\n"), device);
  ASSERT_TRUE(loaded);
  EXPECT_TRUE((*loaded)->dispatch({1, 2}));
  EXPECT_EQ((*loaded)->dispatch({1, 2, 3}).error(),
            "expected registers for 3 arguments in the launch plan 'p'");
}

/// The error for a text that is no plan.
static std::string errorOfPlan(const std::string &text) {
  Result<Plan> plan = parsePlan(text);
  return plan ? "" : plan.error();
}

TEST(PlanTest, WrongTextIsRefusedAtItsLine) {
  const std::string start = "plan p registers 2\nwrites %0\n";
  EXPECT_EQ(errorOfPlan(""),
            "expected plan NAME registers N in line 0 of a launch plan, but got ''");
  EXPECT_EQ(errorOfPlan("plan p registers x\n"),
            "expected plan NAME registers N in line 1 of a launch plan, but got 'plan p registers "
            "x'");
  EXPECT_EQ(errorOfPlan("plan p registers 1048577\n"),
            "expected at most 1048576 registers in line 1 of a launch plan, but got 'plan p "
            "registers 1048577'");
  EXPECT_EQ(errorOfPlan("plan p registers 2\nwrites %2\n"),
            "expected writes ARGUMENTS in line 2 of a launch plan, but got 'writes %2'");
  EXPECT_EQ(errorOfPlan("plan p registers 2\nend\n"),
            "expected writes ARGUMENTS in line 2 of a launch plan, but got 'end'");
  EXPECT_EQ(errorOfPlan(start), "expected end in line 2 of a launch plan, but got ''");
  EXPECT_EQ(errorOfPlan(start + "end\nend\n"),
            "expected nothing after the plan but what its kernels "
            "do in line 4 of a launch plan, but got 'end'");
  auto wrong = [&](const std::string &line, const std::string &expected) {
    EXPECT_EQ(errorOfPlan(start + line + "\nend\n"),
              "expected " + expected + " in line 3 of a launch plan, but got '" + line + "'");
  };
  wrong("jump", "a step");
  wrong("%2 = move.64 1", "a step");
  wrong("%1 = allocate %0", "a number of bytes");
  wrong("%1 = allocate -1", "a number of bytes");
  wrong("%1 = power.64 1 2", "an operation and a width");
  wrong("%1 = add.65 1 2", "an operation and a width");
  wrong("%1 = add 1 2", "an operation and a width");
  wrong("%1 = add.64 1", "2 operands");
  wrong("%1 = move.64 1x", "1 operands");
  wrong("%1 = select.64 1 2", "3 operands");
  wrong("launch k blocks 1 1 threads 1 1 1", "launch KERNEL blocks X Y Z threads X Y Z OPERANDS");
  wrong("launch k blocks x 1 1 threads 1 1 1", "launch KERNEL blocks X Y Z threads X Y Z OPERANDS");
  wrong("launch k blocks 1 1 1 threads 1 %0 1",
        "launch KERNEL blocks X Y Z threads X Y Z OPERANDS");
  wrong("%1 = read.12 %0 0", "read.BITS %ARGUMENT BYTES");
  wrong("%1 = read.8 0 0", "read.BITS %ARGUMENT BYTES");
  wrong("%1 = read.8 %0 -1", "read.BITS %ARGUMENT BYTES");
  wrong("loop %1 0 1", "loop %N FROM TO STEP");
  wrong("loop %1 0 1 a", "loop %N FROM TO STEP");
  wrong("if", "if OPERAND");
}

TEST(PlanTest, RegionsAreNotEndlesslyDeep) {
  auto nested = [](int depth) {
    std::string text = "plan p registers 1\nwrites\n";
    for (int i = 0; i < depth; ++i)
      text += "if %0\n";
    for (int i = 0; i <= depth; ++i)
      text += "end\n";
    return text;
  };
  EXPECT_EQ(errorOfPlan(nested(200)), "");
  EXPECT_EQ(errorOfPlan(nested(201)),
            "expected at most 200 loops and conditions in each other in line "
            "203 of a launch plan, but got 'if %0'");
}
