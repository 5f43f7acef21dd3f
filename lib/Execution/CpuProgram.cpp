//===- CpuProgram.cpp - A program compiled for this machine ---------------===//

#include "LCI/Execution/CpuProgram.h"
#include "LCI/Analysis/Colouring.h"
#include "LCI/Codegen/Machine.h"
#include "LCI/Codegen/Optimize.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Done;
using ::lci::Failure;
using ::lci::Status;

CpuProgram::CpuProgram() = default;
CpuProgram::~CpuProgram() = default;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static std::optional<ElementKind> kindOf(Type type) {
  if (type.isF32())
    return ElementKind::F32;
  if (!type.isInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return ElementKind::I1;
  case 8:
    return ElementKind::I8;
  case 16:
    return ElementKind::I16;
  case 32:
    return ElementKind::I32;
  case 64:
    return ElementKind::I64;
  default:
    return std::nullopt;
  }
}

static std::vector<int64_t> layoutOf(func::FuncOp function, unsigned number, StringRef which,
                                     size_t rank) {
  auto known = function.getArgAttrOfType<DenseI64ArrayAttr>(number, which);
  return known ? known.asArrayRef().vec() : std::vector<int64_t>(rank, 0);
}

/// What one argument takes, read off its type and attributes.
static FailureOr<Slot> describe(func::FuncOp function, unsigned number) {
  Slot slot;
  Type type = function.getArgument(number).getType();
  auto buffer = dyn_cast<MemRefType>(type);
  auto vector = buffer ? dyn_cast<VectorType>(buffer.getElementType()) : VectorType();
  std::optional<ElementKind> kind = kindOf(vector   ? vector.getElementType()
                                           : buffer ? buffer.getElementType()
                                                    : type);
  if (!kind || (buffer && !buffer.getLayout().isIdentity()))
    return function.emitOpError("expected arguments that are numbers, integers or buffers of them, "
                                "but got ")
           << type;
  slot.kind = *kind;
  slot.components = vector ? vector.getDimSize(0) : 0;
  if (auto role = function.getArgAttrOfType<StringAttr>(number, "lci.role"))
    slot.role = role.str();
  if (auto name = function.getArgAttrOfType<StringAttr>(number, "lci.name"))
    slot.name = name.str();
  if (auto elements = function.getArgAttrOfType<DenseI64ArrayAttr>(number, "lci.elements"))
    slot.elements = elements.asArrayRef().vec();
  if (auto vocabulary = function.getArgAttrOfType<IntegerAttr>(number, "lci.vocabulary"))
    slot.vocabulary = vocabulary.getInt();
  if (buffer) {
    slot.isArray = true;
    slot.low = layoutOf(function, number, "lci.halo_low", buffer.getRank());
    slot.high = layoutOf(function, number, "lci.halo_high", buffer.getRank());
    for (auto [extent, below, above] : llvm::zip_equal(buffer.getShape(), slot.low, slot.high))
      slot.extents.push_back(extent - below - above);
    slot.allocate();
  }
  return slot;
}

static FailureOr<CpuFunction> describe(func::FuncOp function) {
  CpuFunction described;
  described.symbol = function.getName().str();
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    FailureOr<Slot> slot = describe(function, i);
    if (failed(slot))
      return failure();
    described.slots.push_back(std::move(*slot));
  }
  if (auto counters = function->getAttrOfType<ArrayAttr>("lci.counters"))
    for (auto counter : counters.getAsRange<StringAttr>())
      described.counters.push_back(counter.str());
  return described;
}

/// The function that runs epochs.
static func::FuncOp findRun(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto role = function.getArgAttrOfType<StringAttr>(i, "lci.role"))
        if (role.getValue() == "first")
          return function;
  module.emitError("expected a function with an argument of the role 'first'");
  return nullptr;
}

static LogicalResult notCompiled(ModuleOp module, llvm::Error error) {
  return module.emitError("cannot be compiled for this machine: ")
         << llvm::toString(std::move(error));
}

/// How ticks on tensors become loops on buffers.
static LogicalResult readOptions(ModuleOp module, const CpuOptions &options,
                                 const ::lci::VectorUnit &vectors, LinalgPipelineOptions &linalg) {
  linalg.keepStorage = true;
  linalg.vectorBits = vectors.bits;
  linalg.threads = options.threads;
  std::string reason;
  llvm::raw_string_ostream said(reason);
  if (succeeded(linalg.parseFromString(options.lowering, said)))
    return success();
  return module.emitError("expected options of lci-to-linalg-pipeline, but got '")
         << options.lowering << "': " << StringRef(reason).trim();
}

FailureOr<std::unique_ptr<CpuProgram>> CpuProgram::compile(ModuleOp module,
                                                           const CpuOptions &options) {
  prepareContext(*module.getContext());
  auto machine = ::lci::makeHostMachine(static_cast<llvm::CodeGenOptLevel>(options.optLevel));
  if (!machine)
    return notCompiled(module, machine.takeError());
  ::lci::VectorUnit vectors = ::lci::vectorUnitOf(**machine);
  LinalgPipelineOptions linalg;
  if (failed(readOptions(module, options, vectors, linalg)))
    return failure();
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager toBuffers(module.getContext()), toLLVM(module.getContext());
  toBuffers.enableVerifier(options.verify);
  toLLVM.enableVerifier(options.verify);
  LLVMPipelineOptions llvmOptions;
  llvmOptions.threads = linalg.threads;
  llvmOptions.vectorBits = linalg.vectorBits;
  llvmOptions.vectorRegisters = vectors.registers;
  if (options.kernels) {
    buildKernelPipeline(toBuffers);
    toBuffers.addPass(createKernelsToLoopsPass());
  } else {
    buildLinalgPipeline(toBuffers, linalg);
  }
  buildLLVMPipeline(toLLVM, llvmOptions);
  if (failed(toBuffers.run(*lowered)))
    return failure();
  func::FuncOp run = findRun(*lowered);
  if (!run)
    return failure();
  std::unique_ptr<CpuProgram> program(new CpuProgram());
  program->runsKernels = options.kernels;
  FailureOr<CpuFunction> described = describe(run);
  if (failed(described))
    return failure();
  program->run = std::move(*described);
  for (auto [suffix, function] :
       {std::pair<StringRef, std::optional<CpuFunction> &>(".init", program->init),
        {".observe", program->observer}}) {
    auto found = lowered->lookupSymbol<func::FuncOp>((run.getName() + suffix).str());
    if (!found)
      continue;
    described = describe(found);
    if (failed(described))
      return failure();
    function = std::move(*described);
  }
  if (failed(toLLVM.run(*lowered)) ||
      failed(program->link(*lowered, options, linalg.threads, std::move(*machine))))
    return failure();
  return program;
}

std::string mlir::lci::defaultOpenMP() { return LCI_OPENMP_RUNTIME; }

/// Loads the functions by which compiled code asks for threads, for the whole process.
static LogicalResult loadOpenMP(ModuleOp module, const std::string &library, int64_t threads) {
  std::string reason;
  if (threads < 2 || !llvm::sys::DynamicLibrary::LoadLibraryPermanently(library.c_str(), &reason))
    return success();
  InFlightDiagnostic error = module.emitError("expected LLVM's OpenMP runtime library for ")
                             << threads << " threads, but got: " << reason;
  error.attachNote() << "on Debian it is in the package libomp5-14; one thread needs none";
  return failure();
}

LogicalResult CpuProgram::link(ModuleOp lowered, const CpuOptions &options, int64_t threads,
                               std::unique_ptr<llvm::TargetMachine> machine) {
  if (failed(loadOpenMP(lowered, options.openMP, threads)))
    return failure();
  // The engine compiles for the machine it is given, whatever `jitCodeGenOptLevel` says.
  ExecutionEngineOptions engineOptions;
  auto optimizer = ::lci::makeOptimizer(options.optLevel, *machine);
  engineOptions.transformer = optimizer;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto created = ExecutionEngine::create(lowered, engineOptions, std::move(machine));
  if (!created)
    return notCompiled(lowered, created.takeError());
  engine = std::move(*created);
  for (CpuFunction *function : {&run, init ? &*init : nullptr, observer ? &*observer : nullptr}) {
    if (!function)
      continue;
    auto entry = engine->lookupPacked(function->symbol);
    if (!entry)
      return notCompiled(lowered, entry.takeError());
    function->entry = *entry;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Arguments and values
//===----------------------------------------------------------------------===//

template <typename Map>
static const ::lci::Array *find(const Map &map, const std::string &name) {
  auto entry = map.find(name);
  return entry == map.end() ? nullptr : &entry->second;
}

/// Sets a parameter, palette, region or weight.
static Status setGiven(Slot &slot, const ::lci::Array *given) {
  if (!given)
    return Failure{"expected a " + slot.role + " '" + slot.name + "', but none is given"};
  if (slot.elements && !given->holds(*slot.elements))
    return Failure{kOtherElements.str() + slot.name + "'"};
  if (slot.isArray)
    return slot.write(*given);
  if (given->size() != 1)
    return Failure{"expected one number for '" + slot.name + "', but got " +
                   ::lci::shapeText(given->shape())};
  if (slot.kind == ElementKind::F32)
    slot.setFloat(static_cast<float>(given->doubleAt(0)));
  else
    slot.setInt(given->intAt(0));
  return Done{};
}

Status CpuProgram::setArguments(CpuFunction &function, const RunArguments &arguments) {
  const std::map<std::string, const std::map<std::string, ::lci::Array> *> groups = {
      {"param", &arguments.params},
      {"palette", &arguments.palettes},
      {"region", &arguments.regions},
      {"weight", &arguments.weights}};
  for (Slot &slot : function.slots) {
    if (slot.role == "seed") {
      slot.setInt(static_cast<int64_t>(arguments.seed));
    } else if (slot.role == "enable") {
      auto entry = arguments.enables.find(slot.name);
      slot.setInt(entry == arguments.enables.end() || entry->second);
    } else if (slot.role == "bounds") {
      const ::lci::Array *region = find(arguments.regions, slot.name);
      std::optional<::lci::Array> bounds;
      if (region)
        bounds = ::lci::boundsOf(*region);
      Status set = setGiven(slot, bounds ? &*bounds : nullptr);
      if (!set)
        return set;
    } else if (auto group = groups.find(slot.role); group != groups.end()) {
      Status set = setGiven(slot, find(*group->second, slot.name));
      if (!set)
        return set;
    }
  }
  return Done{};
}

Status CpuProgram::setArguments(const RunArguments &arguments) {
  Status set = setArguments(run, arguments);
  if (set && init)
    set = setArguments(*init, arguments);
  return set && observer ? setArguments(*observer, arguments) : set;
}

static bool isValue(const Slot &slot) { return slot.role == "state" || slot.role == "input"; }

Slot *CpuProgram::findValue(const std::string &name) {
  for (Slot &slot : run.slots)
    if (isValue(slot) && slot.name == name)
      return &slot;
  return nullptr;
}

static Failure noSuchValue(const std::string &name) {
  return Failure{"expected a value of the program, but got '" + name + "'"};
}

Status CpuProgram::setValue(const std::string &name, const ::lci::Array &value) {
  Slot *slot = findValue(name);
  if (!slot)
    return noSuchValue(name);
  bringBack(); // the other values
  storageHolds = false;
  return slot->write(value);
}

::lci::Result<::lci::Array> CpuProgram::value(const std::string &name) {
  Slot *slot = findValue(name);
  if (!slot)
    return noSuchValue(name);
  bringBack();
  return slot->read();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Slot *CpuFunction::find(StringRef role, StringRef name) {
  for (Slot &slot : slots)
    if (slot.role == role && slot.name == name)
      return &slot;
  return nullptr;
}

Counters CpuFunction::call() {
  Slot *counts = find("counts");
  if (counts)
    counts->clear();
  SmallVector<void *> arguments;
  for (Slot &slot : slots)
    arguments.push_back(slot.argument());
  entry(arguments.data());
  Counters counted;
  if (!counts)
    return counted;
  ::lci::Array sums = counts->read();
  for (auto [position, name] : llvm::enumerate(counters))
    counted[name] += sums.intAt(static_cast<int64_t>(position));
  return counted;
}

Status CpuProgram::initialise() {
  if (!init)
    return Done{};
  bringBack(); // what it does not compute
  storageHolds = false;
  init->call();
  for (Slot &slot : init->slots)
    if (Slot *target = isValue(slot) ? findValue(slot.name) : nullptr)
      target->copyCells(slot);
  return Done{};
}

void CpuProgram::setRange(int64_t firstEpoch, int64_t lastEpoch, int64_t firstPhase,
                          int64_t lastPhase) {
  run.find("first")->setInt(firstEpoch);
  Slot *last = run.find("last"), *begin = run.find("first_phase"), *end = run.find("last_phase");
  if (last)
    last->setInt(lastEpoch);
  if (begin && end) {
    begin->setInt(firstPhase);
    end->setInt(lastPhase);
  }
}

/// Runs the range that is set, on from the storage if that is up to date.
Counters CpuProgram::callRun(bool bringsBack) {
  Slot *enters = run.find("enter"), *leaves = run.find("leave");
  if (enters && leaves) {
    enters->setInt(!storageHolds);
    leaves->setInt(bringsBack);
    storageHolds = true;
    arraysHold = bringsBack;
  }
  return run.call();
}

/// Lets no epochs run, after which the arrays are what their storage is.
void CpuProgram::bringBack() {
  if (arraysHold)
    return;
  setRange(0, 0, 0, 0);
  callRun(/*bringsBack=*/true);
}

::lci::Result<Counters> CpuProgram::runEpochs(int64_t first, int64_t last) {
  setRange(first, last, 0, std::numeric_limits<int64_t>::max());
  return callRun(/*bringsBack=*/false);
}

::lci::Result<Counters> CpuProgram::runTick(int64_t epoch, int64_t phase) {
  if (!run.find("first_phase"))
    return Failure{"'" + run.symbol + "' is not compiled to stop inside of an epoch"};
  setRange(epoch, epoch + 1, phase, phase + 1);
  return callRun(/*bringsBack=*/false);
}

/// Where the state is now: of arrays whose storage is up to date, there.
std::vector<Slot *> CpuProgram::findState() {
  auto isStored = [&](const Slot &array) {
    return storageHolds && llvm::any_of(run.slots, [&](const Slot &slot) {
             return slot.role == "storage" && slot.name == array.name;
           });
  };
  std::vector<Slot *> state;
  for (Slot &slot : run.slots)
    if (slot.role == "state" && !isStored(slot))
      state.push_back(&slot);
    else if (slot.role == "storage" && storageHolds && findValue(slot.name)->role == "state")
      state.push_back(&slot);
  return state;
}

bool CpuProgram::remember() {
  std::vector<Slot *> state = findState();
  auto isSlot = [](const std::pair<Slot *, Slot> &known, Slot *slot) {
    return known.first == slot;
  };
  if (!llvm::equal(remembered, state, isSlot)) {
    remembered.clear();
    for (Slot *slot : state)
      remembered.emplace_back(slot, slot->sibling());
  }
  for (auto &[slot, copy] : remembered)
    copy.copyCells(*slot);
  return true;
}

void CpuProgram::recall() {
  storageHolds = false;
  for (const auto &[slot, copy] : remembered) {
    slot->copyCells(copy);
    storageHolds |= slot->role == "storage";
  }
  arraysHold = !storageHolds;
}

::lci::Result<Observations> CpuProgram::observe(int64_t epoch) {
  Observations observations;
  if (!observer)
    return observations;
  bringBack();
  for (Slot &slot : observer->slots)
    if (isValue(slot))
      slot.copyCells(*findValue(slot.name));
  observer->find("epoch")->setInt(epoch);
  // What is counted of an observer is whether it saw something.
  Counters some = observer->call();
  for (const std::string &name : observer->counters) {
    observations.push_back({name, std::nullopt});
    Slot *slot = observer->find("observation", name);
    if (!slot || !some[name])
      continue;
    ::lci::Array seen = slot->read();
    bool isNumber = slot->kind == ElementKind::F32;
    observations.back().value = isNumber ? observedNumber(*seen.data<float>()) : seen;
  }
  return observations;
}
