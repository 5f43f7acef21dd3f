//===- Bundle.cpp - Encode, decode and load a bundle ----------------------===//
//
// Encoder and decoder of the file, checks of a decoded bundle, and loaders of its code, for the
// host and for a GPU. Each code ends in a line with a digest of all else, so that code of another
// bundle is refused.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/Bundle.h"
#include "BundleChecks.h"
#include "LCI/Runtime/Codec.h"
#include "LCI/Runtime/DeviceCode.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/HostCode.h"
#include "Text.h"
#include <functional>

using namespace lci;

/// The line that ends each code; a comment in PTX, and behind the end of a shared object.
static constexpr char kMadeFor[] = "\n// made for ";
static constexpr size_t kMadeForSize = sizeof kMadeFor - 1 + 2 * sizeof(Digest) + 1;

static std::string madeForLine(const Digest &description) {
  return kMadeFor + hexText(description) + "\n";
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// Appends the parts of a bundle.
class BundleEncoder : public Encoder {
public:
  /// Without `madeFor` only the parts that are not code, which code is made for.
  explicit BundleEncoder(const Digest *madeFor) : madeFor(madeFor) {}

  void integers(const std::vector<int64_t> &values) {
    number(values.size());
    for (int64_t value : values)
      number(static_cast<uint64_t>(value));
  }
  template <typename Texts>
  void texts(const Texts &values) {
    number(values.size());
    for (const std::string &value : values)
      text(value);
  }
  void arrays(const std::map<std::string, Array> &named) {
    number(named.size());
    for (const auto &[name, value] : named) {
      text(name);
      array(value);
    }
  }
  void slot(const SlotForm &form) {
    text(std::string(roleWord(form.role)));
    text(form.name);
    number(static_cast<uint64_t>(form.kind));
    number(form.isArray);
    integers(form.extents);
    integers(form.low);
    integers(form.high);
    number(static_cast<uint64_t>(form.components));
    number(form.vocabulary.has_value());
    number(static_cast<uint64_t>(form.vocabulary.value_or(0)));
    number(form.elements.has_value());
    integers(form.elements.value_or(std::vector<int64_t>()));
  }
  void function(const BundledFunction &function) {
    text(function.form.symbol);
    number(function.form.slots.size());
    for (const SlotForm &form : function.form.slots)
      slot(form);
    texts(function.form.counters);
    text(function.plan);
  }
  void code(const BundledCode &code) {
    text(code.backend);
    text(code.target);
    if (madeFor) {
      text(code.code + madeForLine(*madeFor));
      text(code.binary);
    } else {
      number(code.code.size());
      number(code.binary.size());
    }
    number(code.functions.size());
    for (const BundledFunction &member : code.functions)
      function(member);
  }
  void schedules(const Schedules &schedules) {
    number(schedules.size());
    for (const auto &[set, event] : schedules)
      for (const std::string *part : {&set, &event.rule, &event.strategy})
        text(*part);
  }
  void given(const RunArguments &arguments) {
    for (const auto *group :
         {&arguments.params, &arguments.palettes, &arguments.regions, &arguments.weights})
      arrays(*group);
    number(arguments.enables.size());
    for (const auto &[name, on] : arguments.enables) {
      text(name);
      number(on);
    }
    number(arguments.seed);
  }
  void namedTexts(const std::map<std::string, std::string> &texts) {
    number(texts.size());
    for (const auto &[name, said] : texts) {
      text(name);
      text(said);
    }
  }
  void bundle(const Bundle &bundle) {
    text(bundle.name);
    text(bundle.compiler);
    raw(bundle.program.data(), bundle.program.size());
    namedTexts(bundle.described);
    namedTexts(bundle.defaults);
    number(static_cast<uint64_t>(bundle.epochs));
    number(bundle.stopsAtFixpoint);
    number(bundle.fixedParameters);
    namedTexts(bundle.full);
    texts(bundle.zeros);
    texts(bundle.warnings);
    texts(bundle.switches);
    schedules(bundle.schedules);
    given(bundle.arguments);
    arrays(bundle.inputs);
    number(bundle.codes.size());
    for (const BundledCode &member : bundle.codes)
      code(member);
  }

private:
  const Digest *madeFor;
};
} // namespace

/// A digest of everything that a bundle's code is made for: all parts that are not code.
static Digest describe(const Bundle &bundle) {
  BundleEncoder parts(nullptr);
  parts.bundle(bundle);
  return digestOf(parts.bytes.data(), parts.bytes.size());
}

std::vector<uint8_t> lci::encodeBundle(const Bundle &bundle) {
  Digest description = describe(bundle);
  BundleEncoder payload(&description);
  payload.bundle(bundle);
  return seal(kBundle, payload.bytes);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads the parts and checks every count and tag, because the file may be crafted.
class BundleDecoder {
public:
  explicit BundleDecoder(Decoder &from) : from(from) {}

  bool flag() {
    uint64_t value = from.number();
    check(value <= 1);
    return value == 1;
  }
  std::vector<int64_t> integers() {
    std::vector<int64_t> values;
    repeat([&] { values.push_back(static_cast<int64_t>(from.number())); });
    return values;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values;
    repeat([&] { values.push_back(from.text()); });
    return values;
  }
  std::map<std::string, Array> arrays() {
    std::map<std::string, Array> named;
    repeat([&] {
      std::string name = from.text();
      named.insert_or_assign(std::move(name), from.array());
    });
    return named;
  }
  SlotForm slot() {
    SlotForm form;
    std::optional<Role> role = findRole(from.text());
    check(role.has_value());
    form.role = role.value_or(Role::None);
    form.name = from.text();
    uint64_t kind = from.number();
    check(kind <= static_cast<uint64_t>(ElementKind::F32));
    form.kind = static_cast<ElementKind>(kind);
    form.isArray = flag();
    form.extents = integers();
    form.low = integers();
    form.high = integers();
    form.components = static_cast<int64_t>(from.number());
    bool isTokens = flag();
    int64_t vocabulary = static_cast<int64_t>(from.number());
    check(isTokens || vocabulary == 0);
    if (isTokens)
      form.vocabulary = vocabulary;
    bool isBound = flag();
    std::vector<int64_t> elements = integers();
    check(isBound || elements.empty());
    if (isBound)
      form.elements = std::move(elements);
    check(isPossible(form));
    return form;
  }
  BundledFunction function() {
    BundledFunction function;
    function.form.symbol = from.text();
    repeat([&] { function.form.slots.push_back(slot()); });
    function.form.counters = texts();
    function.plan = from.text();
    return function;
  }
  BundledCode code() {
    BundledCode code;
    code.backend = from.text();
    code.target = from.text();
    code.code = from.text();
    takeMadeFor(code.code);
    code.binary = from.text();
    repeat([&] { code.functions.push_back(function()); });
    check(!code.functions.empty());
    return code;
  }
  Schedules schedules() {
    Schedules schedules;
    repeat([&] {
      EventLog::Event &event = schedules[from.text()];
      event.rule = from.text();
      event.strategy = from.text();
    });
    return schedules;
  }
  RunArguments given() {
    RunArguments arguments;
    for (auto *group :
         {&arguments.params, &arguments.palettes, &arguments.regions, &arguments.weights})
      *group = arrays();
    repeat([&] {
      std::string name = from.text();
      arguments.enables[name] = flag();
    });
    arguments.seed = from.number();
    return arguments;
  }
  std::map<std::string, std::string> namedTexts() {
    std::map<std::string, std::string> texts;
    repeat([&] {
      std::string name = from.text();
      texts[name] = from.text();
    });
    return texts;
  }
  /// The lines at the end of the codes.
  const std::vector<std::string> &madeFor() const { return lines; }
  template <typename Visit>
  void repeat(Visit visit) {
    for (uint64_t n = from.count(); from.good() && n > 0; --n)
      visit();
  }

private:
  void check(bool holds) {
    if (!holds)
      from.reject();
  }
  void takeMadeFor(std::string &code) {
    check(code.size() >= kMadeForSize);
    size_t end = code.size() - std::min(code.size(), kMadeForSize);
    lines.push_back(code.substr(end));
    code.resize(end);
  }
  /// Whether a buffer of that form can exist.
  static bool isPossible(const SlotForm &form) {
    constexpr int64_t kMost = int64_t(1) << 40;
    size_t rank = form.extents.size();
    if (form.low.size() != rank || form.high.size() != rank || form.components < 0 ||
        form.components > kMost || (!form.isArray && rank > 0))
      return false;
    for (const std::vector<int64_t> *sizes : {&form.extents, &form.low, &form.high})
      for (int64_t size : *sizes)
        if (size < 0 || size > kMost)
          return false;
    std::optional<int64_t> bytes = form.bufferSize();
    return bytes && *bytes <= kMost;
  }

  Decoder &from;
  std::vector<std::string> lines;
};
} // namespace

/// Reads a bundle, and the lines at the end of its codes.
static Result<Bundle> decode(const std::vector<uint8_t> &bytes, const std::string &name,
                             std::vector<std::string> &madeFor) {
  Result<Decoder> payload = unseal(kBundle, bytes, name);
  if (!payload)
    return payload.failure();
  BundleDecoder reader(*payload);
  Bundle bundle;
  bundle.name = payload->text();
  bundle.compiler = payload->text();
  payload->raw(bundle.program.data(), bundle.program.size());
  bundle.described = reader.namedTexts();
  bundle.defaults = reader.namedTexts();
  bundle.epochs = static_cast<int64_t>(payload->number());
  bundle.stopsAtFixpoint = reader.flag();
  bundle.fixedParameters = reader.flag();
  bundle.full = reader.namedTexts();
  for (std::string &name : reader.texts())
    bundle.zeros.insert(std::move(name));
  bundle.warnings = reader.texts();
  for (std::string &name : reader.texts())
    bundle.switches.insert(std::move(name));
  bundle.schedules = reader.schedules();
  bundle.arguments = reader.given();
  bundle.inputs = reader.arrays();
  reader.repeat([&] { bundle.codes.push_back(reader.code()); });
  if (!payload->complete() || bundle.codes.empty() || bundle.epochs < 0)
    return malformed(kBundle, name);
  madeFor = reader.madeFor();
  return bundle;
}

/// The bundle, if its parts are consistent.
static Result<Bundle> check(Result<Bundle> bundle, const std::string &name) {
  Status fits = bundle ? checkParts(*bundle) : bundle.failure();
  if (bundle && !fits)
    return Failure{fits.failure().id, "'" + name + "': " + fits.error()};
  return bundle;
}

Result<Bundle> lci::decodeParts(const std::vector<uint8_t> &bytes, const std::string &name) {
  std::vector<std::string> madeFor;
  return check(decode(bytes, name, madeFor), name);
}

Result<Bundle> lci::decodeBundle(const std::vector<uint8_t> &bytes, const std::string &name) {
  std::vector<std::string> madeFor;
  Result<Bundle> bundle = decode(bytes, name, madeFor);
  std::string expected = bundle ? madeForLine(describe(*bundle)) : "";
  for (const std::string &line : madeFor)
    if (line != expected)
      return Failure{ErrorId::MalformedFile,
                     "'" + name +
                         "': expected code that was made for what the bundle says of it, but got "
                         "code of another bundle"};
  return check(std::move(bundle), name);
}

Result<Bundle> lci::readBundle(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.failure();
  return decodeBundle(*bytes, path);
}

bool lci::isBundleName(const std::string &path) { return endsWith(path, ".bundle"); }

bool lci::isBundle(const void *bytes, size_t size) {
  return size >= sizeof kBundle.magic &&
         std::memcmp(bytes, kBundle.magic, sizeof kBundle.magic) == 0;
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

Result<const BundledCode *> Bundle::find(const std::string &backend) const {
  std::string there;
  for (const BundledCode &code : codes) {
    if (code.backend == backend)
      return &code;
    there += (there.empty() ? "'" : ", '") + code.backend + "'";
  }
  return Failure{ErrorId::WrongMachine,
                 "the bundle has no code for the back end '" + backend + "', but for " + there};
}

std::vector<SlotForm> Bundle::values() const {
  std::vector<SlotForm> values;
  for (const SlotForm &slot : codes.front().functions.front().form.slots)
    if (slot.isValue())
      values.push_back(slot);
  return values;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

std::string lci::entryName(const std::string &symbol) { return "lci.entry." + symbol; }

bool lci::hostHas(const std::string &level) {
#if defined(__x86_64__)
  // The compiler knows these four by name alone.
  return level == kProcessorLevels[0] ||
         (level == kProcessorLevels[1] && __builtin_cpu_supports("x86-64-v2")) ||
         (level == kProcessorLevels[2] && __builtin_cpu_supports("x86-64-v3")) ||
         (level == kProcessorLevels[3] && __builtin_cpu_supports("x86-64-v4"));
#else
  return false;
#endif
}

namespace {
/// Loads the code of one function.
using MakeCode = std::function<Result<std::unique_ptr<Code>>(const BundledFunction &)>;
} // namespace

/// Sorts the functions by the suffix of their names.
static Result<CompiledFunctions> loadFunctions(const BundledCode &code, const MakeCode &make) {
  CompiledFunctions functions;
  for (const BundledFunction &function : code.functions) {
    Result<std::unique_ptr<Code>> made = make(function);
    if (!made)
      return made.failure();
    CompiledFunction compiled(function.form, std::move(*made));
    const FunctionBeside *beside = findBeside(function.form.symbol);
    if (beside)
      functions.*beside->place = std::move(compiled);
    else
      functions.run = std::move(compiled);
  }
  return functions;
}

static Result<std::unique_ptr<CompiledProgram>> loadForHost(const BundledCode &code) {
  if (!hostHas(code.target))
    return Failure{ErrorId::WrongMachine, "the bundle's code is for processors of the level '" +
                                              code.target + "', which this one has not"};
  Result<std::shared_ptr<SharedObject>> object = SharedObject::load(code.code);
  if (!object)
    return object.failure();
  auto make = [&](const BundledFunction &function) -> Result<std::unique_ptr<Code>> {
    Result<HostCode::Entry> entry = (*object)->find(entryName(function.form.symbol));
    if (!entry)
      return entry.failure();
    return std::unique_ptr<Code>(new HostCode(*entry));
  };
  Result<CompiledFunctions> functions = loadFunctions(code, make);
  if (!functions)
    return functions.failure();
  return std::make_unique<CompiledProgram>("cpu", std::move(*functions), std::move(*object));
}

static Result<std::unique_ptr<CompiledProgram>> loadForGPU(const BundledCode &code,
                                                           const BundleMachine &machine) {
  auto opened = openCudaDevice(machine.ordinal, machine.driver);
  if (!opened)
    return opened.failure();
  std::shared_ptr<CudaDevice> device = std::move(*opened);
  bool isExactChip = device->chip() == code.target && !code.binary.empty();
  if (Status loaded = device->load(isExactChip ? code.binary : code.code); !loaded)
    return loaded.failure();
  auto make = [&](const BundledFunction &function) -> Result<std::unique_ptr<Code>> {
    Result<Plan> plan = parsePlan(function.plan);
    if (!plan)
      return plan.failure();
    return DeviceCode::load(std::move(*plan), *device);
  };
  Result<CompiledFunctions> functions = loadFunctions(code, make);
  if (!functions)
    return functions.failure();
  return std::make_unique<CompiledProgram>("cuda", std::move(*functions), device, device.get());
}

Result<std::unique_ptr<CompiledProgram>> lci::loadBundle(const Bundle &bundle,
                                                         const BundleMachine &machine) {
  Result<const BundledCode *> code = bundle.find(machine.backend);
  if (!code)
    return code.failure();
  if (Status fits = checkRoom(**code); !fits)
    return fits.failure();
  return machine.backend == "cuda" ? loadForGPU(**code, machine) : loadForHost(**code);
}
