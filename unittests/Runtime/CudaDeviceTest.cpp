//===- CudaDeviceTest.cpp - The CUDA device, with a fake driver -----------===//
#include "LCI/Runtime/CudaDevice.h"
#include "LCI/Runtime/DeviceCells.h"
#include "LCI/Runtime/LoadedPlan.h"
#include "Refusal.h"
#include "gtest/gtest.h"
#include <dlfcn.h>
#include <thread>

using namespace lci;

static const char *const kCode = ".version 8.0 increment explode";

static std::unique_ptr<CudaDevice> openDevice() {
  Result<std::unique_ptr<CudaDevice>> device = openCudaDevice(0, LCI_FAKE_CUDA);
  EXPECT_TRUE(device) << (device ? "" : device.error());
  return device ? std::move(*device) : nullptr;
}

TEST(CudaDeviceTest, TellsWhatItIs) {
  auto device = openDevice();
  ASSERT_TRUE(device);
  EXPECT_EQ(device->name(), "Fake GPU");
  EXPECT_EQ(device->chip(), "sm_90");
  EXPECT_TRUE(device->place().isGPU);
  EXPECT_EQ(device->place().ordinal, 0);
  EXPECT_NE(device->stream(), 0u);
}

// A program without counters has an empty array of them.
TEST(CudaDeviceTest, MakesEmptyArrays) {
  auto device = openDevice();
  ASSERT_TRUE(device);
  Result<Device::Address> memory = device->allocate(0);
  ASSERT_TRUE(memory) << memory.error();
  EXPECT_NE(*memory, 0u);
  device->release(*memory);
}

TEST(CudaDeviceTest, CarriesOutAPlan) {
  auto device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  Result<Plan> plan =
      parsePlan("plan p registers 3\nwrites %0\n  loop %2 0 %1 1\n"
                "    launch increment blocks 1 1 1 threads 1 1 1 %0 4\n  end\nend\n");
  ASSERT_TRUE(plan);
  auto loaded = LoadedPlan::load(*plan, *device);
  ASSERT_TRUE(loaded);
  Result<Device::Address> memory = device->allocate(6);
  ASSERT_TRUE(memory);
  uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(device->upload(*memory, bytes, 6));
  ASSERT_TRUE((*loaded)->dispatch({*memory, 10}));
  ASSERT_TRUE(device->wait());
  ASSERT_TRUE(device->download(bytes, *memory, 6));
  EXPECT_EQ(std::vector<int>(bytes, bytes + 6), (std::vector<int>{11, 12, 13, 14, 5, 6}));
  device->release(*memory);
  EXPECT_EQ(device->counts().launches, 10u);
  EXPECT_EQ(device->counts().uploadedBytes, 6u);
  EXPECT_EQ(device->counts().downloads, 1u);
}

TEST(CudaDeviceTest, NoDriverIsASentence) {
  auto device = openCudaDevice(0, "libnodriver.so.1");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error(), "no GPU can be used: NVIDIA's driver library 'libnodriver.so.1' is not "
                            "on this machine; --backend=cpu needs none");
}

TEST(CudaDeviceTest, ALibraryThatIsNoDriver) {
  auto device = openCudaDevice(0, "libm.so.6");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error(), "expected a CUDA driver with 'cuInit', but it has none: it is older "
                            "than CUDA 11.4");
}

TEST(CudaDeviceTest, ErrorsOfTheDriverAreNamed) {
  EXPECT_EQ(openCudaDevice(3, LCI_FAKE_CUDA).error(),
            "the CUDA driver could not find GPU 3: CUDA_ERROR_INVALID_DEVICE");
  auto device = openDevice();
  ASSERT_TRUE(device);
  EXPECT_EQ(device->load("hello").error(),
            "the CUDA driver could not load the kernels for Fake GPU: "
            "CUDA_ERROR_NO_BINARY_FOR_GPU; it says: line 1: this is no PTX");
  EXPECT_EQ(device->allocate(2'000'000).error(),
            "the CUDA driver could not make 2000000 bytes of memory: CUDA_ERROR_OUT_OF_MEMORY (out "
            "of memory)");
  ASSERT_TRUE(device->load(kCode));
  EXPECT_EQ(device->find("nothing").error(),
            "the CUDA driver could not find the kernel 'nothing': CUDA_ERROR_NOT_FOUND");
}

TEST(CudaDeviceTest, WhatGoesWrongLaterIsSaidWhenItIsWaitedFor) {
  auto device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  Result<Device::Kernel> kernel = device->find("explode");
  ASSERT_TRUE(kernel);
  std::vector<void *> none;
  ASSERT_TRUE(device->launch(*kernel, {1, 1, 1}, {1, 1, 1}, none));
  EXPECT_EQ(device->wait().error(),
            "the CUDA driver could not finish what was launched: error 719");
}

TEST(CudaDeviceTest, CodeIsAddedToCode) {
  auto device = openDevice();
  ASSERT_TRUE(device && device->load(".version 8.0 increment") &&
              device->load(".version 8.0 later"));
  EXPECT_TRUE(device->find("increment"));
  EXPECT_TRUE(device->find("later"));
  EXPECT_FALSE(device->find("never"));
}

// Each kernel waits until one of the other stream runs concurrently: were one stream to wait for
// the other, or the host for one of them, none would end.
TEST(CudaDeviceTest, StreamsRunSideBySide) {
  auto first = openDevice();
  ASSERT_TRUE(first && first->load(".version 8.0 meet"));
  Result<std::unique_ptr<Device>> second = first->another();
  ASSERT_TRUE(second) << second.error();
  EXPECT_NE((*second)->stream(), first->stream());
  Result<Plan> plan = parsePlan("plan p registers 2\nwrites\n  loop %1 0 %0 1\n"
                                "    launch meet blocks 1 1 1 threads 1 1 1\n  end\nend\n");
  ASSERT_TRUE(plan);
  auto run = [&](Device &device) {
    auto loaded = LoadedPlan::load(*plan, device);
    ASSERT_TRUE(loaded) << loaded.error();
    EXPECT_TRUE((*loaded)->dispatch({20}));
    EXPECT_TRUE(device.wait());
    EXPECT_EQ(device.counts().launches, 20u);
  };
  std::thread other([&] { run(**second); });
  run(*first);
  other.join();
}

TEST(CudaDeviceTest, CodeStaysAsLongAsAStreamDoes) {
  auto first = openDevice();
  ASSERT_TRUE(first && first->load(kCode));
  Result<std::unique_ptr<Device>> second = first->another();
  ASSERT_TRUE(second && first->load(".version 8.0 later"));
  EXPECT_EQ((*second)->name(), "Fake GPU");
  first.reset();
  EXPECT_TRUE((*second)->find("increment"));
  EXPECT_FALSE((*second)->find("later"));
}

TEST(CudaDeviceTest, StreamsThatTheDriverRefusesAreErrors) {
  auto device = openDevice();
  ASSERT_TRUE(device);
  EXPECT_EQ(refusalOfAnother(*device),
            "the CUDA driver could not make a stream: CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
}

/// A counter that the fake driver keeps for tests.
static int numberOf(const char *name) {
  void *library = dlopen(LCI_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
  auto *number = static_cast<int *>(dlsym(library, name));
  int value = number ? *number : -1;
  dlclose(library);
  return value;
}

namespace {
/// Six bytes on the device, and a plan that works on them.
class GraphTest : public ::testing::Test {
protected:
  GraphTest() { unsetenv("LMPM_POISON_SCRATCH"); } // which tests set for all devices
  void load(const std::string &body, bool isWhole = false) {
    loaded.reset();
    device = openDevice();
    ASSERT_TRUE(device && device->load(".version 8.0 increment again refuse"));
    Result<Plan> plan =
        parsePlan("plan p registers 6\nwrites %0\n" + body + (isWhole ? "" : "end\n"));
    ASSERT_TRUE(plan) << plan.error();
    auto made = LoadedPlan::load(*plan, *device);
    ASSERT_TRUE(made);
    loaded = std::move(*made);
    Result<Device::Address> memory = device->allocate(6);
    ASSERT_TRUE(memory);
    address = *memory;
    uint8_t zeros[6] = {};
    ASSERT_TRUE(device->upload(address, zeros, 6));
    graphs = numberOf("fakeGraphs");
    changes = numberOf("fakeChanges");
  }
  void TearDown() override {
    if (address)
      device->release(address);
  }
  std::vector<int> bytes() {
    uint8_t bytes[6];
    EXPECT_TRUE(device->download(bytes, address, 6));
    return {bytes, bytes + 6};
  }
  /// Since the plan was loaded.
  int launchedGraphs() const { return numberOf("fakeGraphs") - graphs; }
  int changedOperands() const { return numberOf("fakeChanges") - changes; }

  std::unique_ptr<CudaDevice> device;
  std::unique_ptr<LoadedPlan> loaded;
  Device::Address address = 0;
  int graphs = 0, changes = 0;
};
} // namespace

// 1,030 iterations: the first 256 one by one, since nothing says that they repeat, the next 768 as
// a graph, the last six one by one.
TEST_F(GraphTest, WhatIsRepeatedIsAGraph) {
  load("  loop %2 0 %1 1\n    launch increment blocks 1 1 1 threads 1 1 1 %0 4\n  end\n");
  ASSERT_TRUE(loaded->dispatch({address, 1030}));
  EXPECT_EQ(bytes(), (std::vector<int>{1030 % 256, 1030 % 256, 1030 % 256, 1030 % 256, 0, 0}));
  EXPECT_EQ(launchedGraphs(), 3);
  EXPECT_EQ(changedOperands(), 0);
  EXPECT_EQ(device->counts().launches, 1030u);
  // It is known in the next call.
  ASSERT_TRUE(loaded->dispatch({address, 256}));
  EXPECT_EQ(bytes(), (std::vector<int>{1030 % 256, 1030 % 256, 1030 % 256, 1030 % 256, 0, 0}));
  EXPECT_EQ(launchedGraphs(), 4);
}

// Of two kernels in an iteration one has an operand that depends on the iteration.
TEST_F(GraphTest, OperandsThatChangeAreGivenToTheGraph) {
  load("  loop %2 0 %1 1\n    %3 = and.64 %2 1023\n    %4 = shift_right.64 %3 8\n"
       "    launch increment blocks 1 1 1 threads 1 1 1 %0 %4\n"
       "    launch increment blocks 1 1 1 threads 1 1 1 %0 1\n  end\n");
  ASSERT_TRUE(loaded->dispatch({address, 1024}));
  EXPECT_EQ(bytes(), (std::vector<int>{768 % 256 + 1024 % 256, 512 % 256, 256 % 256, 0, 0, 0}));
  EXPECT_EQ(launchedGraphs(), 7);
  EXPECT_EQ(changedOperands(), 3 * 128);
}

// Ping-pong buffers are the same after two iterations.
TEST_F(GraphTest, AnEvenNumberOfTurnsIsGathered) {
  load("  %3 = move.64 0\n  %4 = move.64 1\n  loop %2 0 %1 1\n"
       "    launch increment blocks 1 1 1 threads 1 1 1 %0 %3\n"
       "    launch increment blocks 1 1 1 threads 1 1 1 %0 %3\n"
       "    launch increment blocks 1 1 1 threads 1 1 1 %0 %3\n"
       "    %5 = move.64 %3\n    %3 = move.64 %4\n    %4 = move.64 %5\n  end\n");
  ASSERT_TRUE(loaded->dispatch({address, 600}));
  EXPECT_EQ(bytes()[0], 900 % 256);
  EXPECT_GT(launchedGraphs(), 3);
  EXPECT_EQ(changedOperands(), 0);
}

// Each iteration adds to two arrays, of which a third kernel reads one: it waits for the kernel
// that adds to it, and that one, in the next iteration, for the reader. So do the others for
// earlier accesses.
TEST_F(GraphTest, LaunchesWaitForThoseThatTouchTheSameArrays) {
  const std::string body = "  %3 = add.64 %0 1\n  loop %2 0 %1 1\n"
                           "    launch increment blocks 1 1 1 threads 1 1 1 %0 1\n"
                           "    launch increment blocks 1 1 1 threads 1 1 1 %3 1\n"
                           "    launch increment blocks 1 1 1 threads 1 1 1 %0 1\n  end\nend\n";
  constexpr int iterations = 86;
  auto waitsOf = [&](const std::string &accesses) {
    load(body + accesses, /*isWhole=*/true);
    int before = numberOf("fakeWaits");
    EXPECT_TRUE(loaded->dispatch({address, 2 * iterations}));
    EXPECT_EQ(launchedGraphs(), 1);
    device->release(address);
    address = 0;
    return numberOf("fakeWaits") - before;
  };
  // Without access information: a chain.
  EXPECT_EQ(waitsOf(""), 3 * iterations - 1);
  EXPECT_EQ(waitsOf("kernel increment write\n"), 3 * iterations - 1);
  // A writer waits for the previous writer of the same array: two chains.
  EXPECT_EQ(waitsOf("kernel increment write none\n"), (2 * iterations - 1) + (iterations - 1));
  // Additions wait for none, and neither do reads.
  EXPECT_EQ(waitsOf("kernel increment add none\n"), 0);
  EXPECT_EQ(waitsOf("kernel increment read none\n"), 0);
}

// Two kernels: one reads the sum that the other adds to.
TEST_F(GraphTest, ReadersWaitForWhoAdds) {
  load("  %3 = add.64 %0 1\n  loop %2 0 %1 1\n"
       "    launch increment blocks 1 1 1 threads 1 1 1 %0 1\n"
       "    launch again blocks 1 1 1 threads 1 1 1 %0 1\n  end\nend\n"
       "kernel increment add none\nkernel again read none\n",
       /*isWhole=*/true);
  int before = numberOf("fakeWaits");
  ASSERT_TRUE(loaded->dispatch({address, 2 * 128}));
  // A reader waits for the addition and for the previous reader, an addition for that reader.
  EXPECT_EQ(numberOf("fakeWaits") - before, 128 + 127 + 127);
}

// Two views of one allocation, which may have bytes in common.
TEST_F(GraphTest, LaunchesWaitForThoseThatTouchTheSameMemory) {
  auto waitsOf = [&](const std::string &one, const std::string &other) {
    load("  %3 = allocate 1024\n  %4 = view %3 " + one + "\n  %5 = view %3 " + other +
             "\n  loop %2 0 %1 1\n    launch increment blocks 1 1 1 threads 1 1 1 %4 1\n"
             "    launch increment blocks 1 1 1 threads 1 1 1 %5 1\n  end\nend\n"
             "kernel increment write none\n",
         /*isWhole=*/true);
    int before = numberOf("fakeWaits");
    EXPECT_TRUE(loaded->dispatch({address, 2 * 128}));
    device->release(address);
    address = 0;
    return numberOf("fakeWaits") - before;
  };
  constexpr int turns = 128;
  EXPECT_EQ(waitsOf("0 512", "512 512"), 2 * (turns - 1)); // two chains
  // Each also waits for its predecessor, by the bytes that are its alone.
  EXPECT_EQ(waitsOf("0 513", "512 512"), turns + 3 * (turns - 1));
  EXPECT_EQ(waitsOf("256 256", "0 1024"), turns + 2 * (turns - 1));
  EXPECT_EQ(waitsOf("0 0", "0 1024"), 2 * turns - 1); // one address: a chain
  EXPECT_EQ(waitsOf("0 1024", "1024 0"), 2 * (turns - 1));
}

// An operand is known by its address: of two views that begin together, the longer one counts.
TEST_F(GraphTest, NoLaunchWaitsForItself) {
  load("  %3 = allocate 1024\n  %4 = view %3 0 1024\n  %4 = view %3 0 512\n"
       "  %5 = view %3 512 512\n  loop %2 0 %1 1\n"
       "    launch increment blocks 1 1 1 threads 1 1 1 %4 %5\n  end\nend\n"
       "kernel increment write write\n",
       /*isWhole=*/true);
  int before = numberOf("fakeWaits");
  EXPECT_TRUE(loaded->dispatch({address, 0}));
  EXPECT_EQ(numberOf("fakeWaits"), before);
}

namespace {
/// The same, where scratch is poisoned.
struct PoisonTest : GraphTest {
  PoisonTest() { setenv("LMPM_POISON_SCRATCH", "1", 1); }
  ~PoisonTest() override { unsetenv("LMPM_POISON_SCRATCH"); }
};
} // namespace

/// Counts in the first byte of scratch, and once more after its life has begun again.
static const char *const kCounting = "  %3 = allocate 16\n  loop %2 0 %1 1\n    %4 = view %3 0 16\n"
                                     "    launch increment blocks 1 1 1 threads 1 1 1 %4 3\n  end\n"
                                     "  %5 = add.64 %3 0\n";

// The first iterations are issued one by one, later ones are a graph.
TEST_F(PoisonTest, ScratchIsPoisonedWhereItsLifeBegins) {
  for (uint64_t iterations : {1, 2 * 256}) {
    load(kCounting);
    ASSERT_TRUE(loaded->dispatch({address, iterations}));
    uint8_t scratch[4];
    ASSERT_TRUE(device->download(scratch, loaded->allocated().front(), 4));
    EXPECT_EQ(std::vector<int>(scratch, scratch + 4), (std::vector<int>{0, 0, 0, 255}));
    EXPECT_EQ(launchedGraphs(), iterations > 1 ? 3 : 0);
    device->release(address);
    address = 0;
  }
}

// A second view of the same bytes has others where accesses beyond arrays are looked for.
TEST_F(GraphTest, ScratchMayBeSeparate) {
  const std::string views = "  %3 = allocate 32\n  %4 = view %3 0 16\n  %5 = view %3 0 16\n";
  load(views);
  EXPECT_EQ(loaded->allocated().size(), 1u);
  device->release(address);
  setenv("LMPM_SEPARATE_SCRATCH", "1", 1);
  load(views);
  unsetenv("LMPM_SEPARATE_SCRATCH");
  EXPECT_EQ(loaded->allocated().size(), 3u);
  EXPECT_EQ(device->counts().allocatedBytes, 32u + 16 + 16 + 6);
}

// Nobody pays for it who does not test.
TEST_F(GraphTest, ScratchIsElseLeftAsItIs) {
  load(kCounting);
  uint8_t scratch[4] = {7, 7, 7, 7};
  ASSERT_TRUE(device->upload(loaded->allocated().front(), scratch, 4));
  ASSERT_TRUE(loaded->dispatch({address, 2}));
  ASSERT_TRUE(device->download(scratch, loaded->allocated().front(), 4));
  EXPECT_EQ(std::vector<int>(scratch, scratch + 4), (std::vector<int>{9, 9, 9, 7}));
}

// Sequences of many lengths: the oldest ones are evicted.
TEST_F(GraphTest, OldGraphsMakeRoom) {
  load("  loop %2 0 %1 1\n    launch increment blocks 1 1 1 threads 1 1 1 %0 1\n  end\n"
       "  launch increment blocks %1 1 1 threads 1 1 1 %0 1\n");
  for (uint64_t iterations : {300, 301, 302, 303})
    for (int i = 0; i < 3; ++i)
      ASSERT_TRUE(loaded->dispatch({address, iterations}));
  EXPECT_EQ(bytes()[0], 3 * (301 + 302 + 303 + 304) % 256);
}

TEST_F(GraphTest, AGraphThatTheDriverRefusesIsAnError) {
  load("  loop %2 0 %1 1\n    launch refuse blocks 1 1 1 threads 1 1 1 %0 1\n  end\n");
  EXPECT_EQ(loaded->dispatch({address, 512}).error(),
            "the CUDA driver could not make a graph of launches: error 1");
}

/// The number of contexts that the driver has for this thread.
static int contextsHere() {
  void *library = dlopen(LCI_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
  auto count = reinterpret_cast<int (*)()>(dlsym(library, "fakeContexts"));
  int contexts = count ? count() : -1;
  dlclose(library);
  return contexts;
}

// Another library may have a context in this process: it finds that one current again.
TEST(CudaDeviceTest, AnyThreadMayUseItAndKeepsItsContext) {
  auto device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  EXPECT_EQ(contextsHere(), 0);
  std::thread other([&] {
    uint8_t bytes[2] = {1, 2};
    Result<Device::Address> memory = device->allocate(2);
    ASSERT_TRUE(memory) << memory.error();
    ASSERT_TRUE(device->upload(*memory, bytes, 2));
    Result<Device::Kernel> kernel = device->find("increment");
    ASSERT_TRUE(kernel);
    uint64_t count = 2;
    std::vector<void *> operands = {&*memory, &count};
    ASSERT_TRUE(device->launch(*kernel, {1, 1, 1}, {1, 1, 1}, operands));
    ASSERT_TRUE(device->wait());
    ASSERT_TRUE(device->download(bytes, *memory, 2));
    EXPECT_EQ(bytes[0] + bytes[1], 5);
    device->release(*memory);
    EXPECT_EQ(contextsHere(), 0);
  });
  other.join();
}

namespace {
/// Plans of one kernel, which increments the bytes of an array; no element is ever reported
/// invalid.
class Incrementers final : public CellKernels {
public:
  explicit Incrementers(Device &device) : device(device) {}
  Result<LoadedPlan *> write(const SlotForm &) override { return make("%1 3"); }
  Result<LoadedPlan *> read(const SlotForm &) override { return make("%0 3"); }
  Result<LoadedPlan *> convert(DType, const CanonicalForm &) override { return make("%2 3"); }

private:
  Result<LoadedPlan *> make(const std::string &operands) {
    Result<Plan> plan = parsePlan("plan p registers 4\nwrites %0\n    launch increment blocks 1 1 "
                                  "1 threads 1 1 1 " +
                                  operands + "\nend\n");
    auto loaded = plan ? LoadedPlan::load(*plan, device) : plan.failure();
    if (!loaded)
      return loaded.failure();
    plans.push_back(std::move(*loaded));
    return plans.back().get();
  }

  Device &device;
  std::vector<std::unique_ptr<LoadedPlan>> plans;
};
} // namespace

/// The slot of a row of cells without halo.
static SlotForm makeRow(ElementKind kind, int64_t extent) {
  SlotForm form;
  form.kind = kind;
  form.isArray = true;
  form.extents = {extent};
  form.low = form.high = {0};
  return form;
}

TEST(CudaDeviceTest, ArraysStayThere) {
  std::shared_ptr<CudaDevice> device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  DeviceCells cells(device, std::make_unique<Incrementers>(*device));
  SlotForm form = makeRow(ElementKind::I8, 3);
  form.vocabulary = 9;
  Result<Device::Address> buffer = device->allocate(3);
  ASSERT_TRUE(buffer);
  ForeignArray foreign{*buffer, DType::I8, {3}, {1}};
  Result<DeviceInput> input = cells.toCanonical(foreign, {{3}, 9}, "A");
  ASSERT_TRUE(input) << input.error();
  EXPECT_FALSE(input->firstAbsent);
  ASSERT_TRUE(cells.write(form, *buffer, *input));
  Result<DeviceArray> read = cells.read(form, *buffer);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->dtype(), DType::I8);
  // Only the list of invalid elements was transferred.
  EXPECT_EQ(device->counts().launches, 3u);
  EXPECT_EQ(device->counts().uploadedBytes, 16u);
  EXPECT_EQ(device->counts().downloadedBytes, 16u);
  device->release(*buffer);
}

TEST(CudaDeviceTest, WhatTheDriverRefusesOfArraysIsSaid) {
  std::shared_ptr<CudaDevice> device = openDevice();
  ASSERT_TRUE(device && device->load(kCode));
  DeviceCells cells(device, std::make_unique<Incrementers>(*device));
  SlotForm form = makeRow(ElementKind::I64, 2'000'000);
  EXPECT_EQ(
      cells.read(form, 0).error(),
      "the CUDA driver could not make 16000000 bytes of memory: CUDA_ERROR_OUT_OF_MEMORY (out "
      "of memory)");
  ForeignArray foreign{0, DType::I8, {2'000'000}, {1}};
  EXPECT_EQ(cells.toCanonical(foreign, {{2'000'000}, 9}, "A").error(),
            "the CUDA driver could not make 2000000 bytes of memory: CUDA_ERROR_OUT_OF_MEMORY (out "
            "of memory)");
  EXPECT_EQ(cells.toCanonical(foreign, {{3}, 9}, "A").error(),
            "expected shape (3,) for 'A', but got (2000000,)");
}
