//===- DeviceCellsTest.cpp - Cells that stay on a device ------------------===//
//
// The kernels of a GPU, run on this machine in its place, against the host functions that move
// cells, bit for bit.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Execution/CellLoops.h"
#include "../../lib/Execution/HostDevice.h"
#include "CompiledProgramTest.h"
#include "LCI/Codegen/ExternalTools.h"
#include "LCI/Target/Native/Native.h"
#include "mlir/Pass/PassManager.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::CanonicalForm;
using ::lci::Device;
using ::lci::DeviceArray;
using ::lci::DeviceCells;
using ::lci::DeviceInput;
using ::lci::DType;
using ::lci::ForeignArray;
using ::lci::Result;
using ::lci::SlotForm;

static constexpr DType kTypes[] = {DType::Bool, DType::I8,  DType::I16, DType::I32, DType::I64,
                                   DType::U8,   DType::U16, DType::U32, DType::U64, DType::F16,
                                   DType::BF16, DType::F32, DType::F64};

namespace {
class DeviceCellsTest : public CompiledProgramTest {
protected:
  DeviceCellsTest() {
    prepareContext(context);
    device = std::make_shared<HostDevice>();
    cells = std::make_unique<DeviceCells>(
        device, makeCellKernels(&context, *device, makeHostLoader(*device, /*optLevel=*/0)));
  }

  DeviceInput onDevice(const Array &array) {
    Result<DeviceArray> made = DeviceArray::make(device, array.dtype(), array.shape());
    EXPECT_TRUE(device->upload(made->address(), array.bytes().data(), array.bytes().size()));
    bool isToken = array.dtype() != DType::F32;
    return {*made, isToken ? ::lci::firstAbsent(array) : std::nullopt};
  }

  /// Cells that fit a slot: tokens, booleans, integers or numbers.
  Array randomCells(const SlotForm &form) {
    Array array(form.canonicalType(), form.shape());
    for (int64_t i = 0; i < array.size(); ++i)
      if (form.kind == ElementKind::F32)
        array.setDouble(i, static_cast<double>(random()) * 0x1p-64 - 0.5);
      else if (form.vocabulary) // the most tokens that leave a pattern for none
        array.setInt(i, static_cast<int64_t>(random() % (*form.vocabulary + 1)) - 1);
      else
        array.setInt(i, static_cast<int64_t>(random() % 2));
    return array;
  }

  std::shared_ptr<HostDevice> device;
  std::unique_ptr<DeviceCells> cells;
};
} // namespace

/// Slots of every rank, with and without halos, of every type.
static std::vector<SlotForm> someForms() {
  std::vector<SlotForm> forms;
  using Extents = std::vector<int64_t>;
  for (const Extents &extents : {Extents{}, {7}, {5, 130}, {3, 4, 5}, {2, 3, 4, 5}})
    for (auto [kind, vocabulary] : {std::pair<ElementKind, int64_t>(ElementKind::I8, 255),
                                    {ElementKind::I8, 2},
                                    {ElementKind::I16, 300},
                                    {ElementKind::I32, 70000},
                                    {ElementKind::I64, 5},
                                    {ElementKind::I64, 0},
                                    {ElementKind::I1, 0},
                                    {ElementKind::F32, 0}}) {
      SlotForm form;
      form.role = ::lci::Role::State;
      form.name = "A";
      form.kind = kind;
      form.isArray = true;
      form.extents = extents;
      if (vocabulary)
        form.vocabulary = vocabulary;
      for (size_t axis = 0; axis < extents.size(); ++axis) {
        form.low.push_back(static_cast<int64_t>(axis % 3));
        form.high.push_back(static_cast<int64_t>(2 - axis % 2));
      }
      forms.push_back(form);
      form.components = kind == ElementKind::F32 ? 5 : 0;
      if (form.components)
        forms.push_back(form);
    }
  return forms;
}

TEST_F(DeviceCellsTest, SlotsAreWhatTheHostMakesThem) {
  for (const SlotForm &form : someForms()) {
    SCOPED_TRACE(::testing::Message() << "kind " << static_cast<int>(form.kind) << ", shape "
                                      << ::lci::shapeText(form.shape()));
    Array array = randomCells(form);
    Slot expected(form), slot(form);
    ASSERT_TRUE(expected.write(array));
    auto address = reinterpret_cast<Device::Address>(slot.data()); // the device is this machine
    auto written = cells->write(form, address, onDevice(array));
    ASSERT_TRUE(written) << written.error();
    EXPECT_EQ(std::memcmp(slot.data(), expected.data(), slot.size()), 0);
    auto read = cells->read(form, address);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read->download(), expected.read());
  }
}

TEST_F(DeviceCellsTest, WhatASlotCannotHoldIsRefused) {
  SlotForm form = someForms()[9]; // a row of at most 255 tokens in a byte
  form.vocabulary = 256;
  Slot slot(form);
  Array array(DType::I16, {7});
  array.setInt(3, -1);
  auto address = reinterpret_cast<Device::Address>(slot.data());
  EXPECT_EQ(cells->write(form, address, onDevice(array)).error(),
            "expected a token in every cell of A, but got none at (3)");
  EXPECT_EQ(cells->write(form, address, onDevice(Array(DType::I16, {8}))).error(),
            "expected A of shape (7,), but got (8,)");
}

/// A view that is transposed, reversed and strided: every cell is where it should be, and no other
/// memory is read.
static ForeignArray scatter(const Array &array, std::vector<uint8_t> &memory) {
  ForeignArray view{0, array.dtype(), array.shape(), {}};
  int64_t width = byteWidth(array.dtype()), stride = 3 * width, lowest = 0;
  for (size_t axis = 0; axis < view.shape.size(); ++axis) { // the first axis is the densest
    bool isReversed = axis == 1;
    view.strides.push_back(isReversed ? -stride : stride);
    lowest -= isReversed ? stride * (view.shape[axis] - 1) : 0;
    stride *= view.shape[axis];
  }
  memory.assign(static_cast<size_t>(stride + width), 0xa5);
  view.address = reinterpret_cast<Device::Address>(memory.data() - lowest);
  for (int64_t i = 0; i < array.size(); ++i)
    std::memcpy(reinterpret_cast<void *>(view.addressOf(i)), &array.bytes()[i * width], width);
  return view;
}

/// Arbitrary bits, or small integers, of which a few do not fit.
static Array randomArray(DType dtype, bool isAnything, std::mt19937_64 &random) {
  Array array(dtype, {4, 33});
  for (uint8_t &byte : array.bytes())
    byte = static_cast<uint8_t>(isAnything ? random() : 0);
  int64_t outside = static_cast<int64_t>(random() % 400); // in two of three arrays all fit
  for (int64_t i = 0; i < array.size() && !isAnything; ++i)
    if (dtype != DType::F16 && dtype != DType::BF16)
      array.setInt(i, i == outside ? 100 + static_cast<int64_t>(random() % 100)
                      : dtype >= DType::U8 && dtype <= DType::U64
                          ? static_cast<int64_t>(random() % 2)
                          : static_cast<int64_t>(random() % 3) - 1);
  return array;
}

TEST_F(DeviceCellsTest, ForeignArraysAreWhatTheHostMakesOfThem) {
  CanonicalForm forms[] = {{{4, 33}, 2}, {{4, 33}, 300}, {{4, 33}, {}, true}, {{4, 33}, {}}};
  unsigned refused = 0, taken = 0;
  for (DType dtype : kTypes)
    for (const CanonicalForm &form : forms)
      for (int turn = 0; turn < 12; ++turn) {
        SCOPED_TRACE(::testing::Message() << nameOf(dtype) << ", turn " << turn);
        Array array = randomArray(dtype, /*isAnything=*/turn % 4 == 0, random);
        std::vector<uint8_t> memory;
        auto found = cells->toCanonical(scatter(array, memory), form, "A");
        Result<Array> expected = ::lci::toCanonical(array, form, "A");
        ASSERT_EQ(bool(found), bool(expected)) << (found ? expected.error() : found.error());
        if (!expected) {
          EXPECT_EQ(found.failure().text(), expected.failure().text());
          ++refused;
          continue;
        }
        EXPECT_EQ(*found->array.download(), *expected);
        if (form.vocabulary)
          EXPECT_EQ(found->firstAbsent, ::lci::firstAbsent(*expected));
        ++taken;
      }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(taken, 300u);
}

TEST_F(DeviceCellsTest, NumbersAtTheEdges) {
  const double kInfinity = std::numeric_limits<double>::infinity();
  const double numbers[] = {-0x1p31,
                            0x1p31 - 1,
                            0x1p31,
                            -0x1p31 - 1,
                            0.5,
                            -0.0,
                            1e300,
                            7,
                            -1,
                            8,
                            -2,
                            kInfinity,
                            -kInfinity,
                            0x1.ffffffp127,
                            -0x1.ffffffp127,
                            3.4e38,
                            NAN,
                            0x1.fffffefffffffp127};
  for (double number : numbers)
    for (DType dtype : {DType::F32, DType::F64}) {
      Array array(dtype, {});
      array.setDouble(0, number);
      ForeignArray view{reinterpret_cast<Device::Address>(array.bytes().data()), dtype, {}, {}};
      for (const CanonicalForm &form :
           {CanonicalForm{{}, {}, false}, {{}, {}, true}, {{}, 8, false}}) {
        auto found = cells->toCanonical(view, form, "A");
        Result<Array> expected = ::lci::toCanonical(array, form, "A");
        ASSERT_EQ(bool(found), bool(expected)) << number;
        if (expected)
          EXPECT_EQ(*found->array.download(), *expected);
        else
          EXPECT_EQ(found.error(), expected.error());
      }
    }
}

TEST_F(DeviceCellsTest, OneLoopIsCompiledOnce) {
  SlotForm form = someForms()[3];
  Slot slot(form);
  auto address = reinterpret_cast<Device::Address>(slot.data());
  auto kernels = makeCellKernels(&context, *device, makeHostLoader(*device, /*optLevel=*/0));
  auto first = kernels->read(form), other = kernels->write(form), again = kernels->read(form);
  ASSERT_TRUE(first && other && again);
  EXPECT_EQ(*first, *again);
  EXPECT_NE(*first, *other);
  EXPECT_TRUE(cells->read(form, address));
}

/// The PTX of a loop; empty where it cannot be made.
static std::string ptxOf(OwningOpRef<ModuleOp> loop) {
  prepareContextForPTX(*loop->getContext());
  LaunchPipelineOptions options;
  options.target.chip = "sm_90";
  PassManager passes(loop->getContext());
  buildLaunchPipeline(passes, options);
  buildKernelsToPTXPipeline(passes);
  if (failed(passes.run(*loop)))
    return "";
  FailureOr<std::string> code = findPTX(*loop);
  return succeeded(code) ? *code : "";
}

TEST_F(DeviceCellsTest, EveryLoopHasPTX) {
  std::vector<std::string> codes;
  for (const SlotForm &form : someForms())
    if (form.extents.size() == 2) {
      codes.push_back(ptxOf(makeWriteLoop(&context, form)));
      codes.push_back(ptxOf(makeReadLoop(&context, form)));
    }
  for (DType dtype : kTypes)
    for (const CanonicalForm &form :
         {CanonicalForm{{4, 33}, 2}, {{4, 33}, {}, true}, {{4, 33}, {}}}) {
      codes.push_back(ptxOf(makeConvertLoop(&context, dtype, form)));
      // Types that hold all elements need no check; 64-bit numbers do.
      bool isWide = byteWidth(dtype) == 8;
      bool checks = form.vocabulary || form.isInteger || dtype == DType::F64;
      if (isWide || !checks)
        EXPECT_EQ(StringRef(codes.back()).contains("min.s64"), checks) << nameOf(dtype);
    }
  for (const std::string &code : codes) {
    EXPECT_TRUE(StringRef(code).contains(".entry cells_kernel"));
    if (!::lci::hasAssembler())
      continue;
    auto binary = ::lci::assemblePTX(code, "sm_90");
    EXPECT_TRUE(bool(binary)) << llvm::toString(binary.takeError());
  }
}

TEST_F(DeviceCellsTest, ArraysOutliveWhoMadeThem) {
  SlotForm form = someForms()[9];
  Slot slot(form);
  Array array = randomCells(form);
  ASSERT_TRUE(slot.write(array));
  auto read = cells->read(form, reinterpret_cast<Device::Address>(slot.data()));
  cells.reset();
  device.reset();
  EXPECT_EQ(*read->download(), array);
}
