//===- BundleRun.cpp - One run of a bundle --------------------------------===//
//
// The run of a bundle, for `lmpm-run`: check flags, load, set inputs, check output files, start or
// resume, run epochs, write results and a report. Each step is a member function that fails with a
// sentence. All checks that need no epoch come before the first one, because a long run should not
// end in a wrong file name.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/BundleRun.h"
#include "LCI/Runtime/BundleProgram.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/FileUse.h"
#include "LCI/Runtime/Image.h"
#include "LCI/Runtime/Limits.h"
#include "LCI/Runtime/Npy.h"
#include "LCI/Runtime/NumberText.h"
#include "LCI/Runtime/ObservationTable.h"
#include "LCI/Runtime/Rle.h"
#include "LCI/Runtime/RunLoop.h"
#include "LCI/Runtime/RunState.h"
#include <filesystem>
#include <iomanip>
#include <sstream>

using namespace lci;

namespace {
class BundleRun {
public:
  BundleRun(const BundleRunOptions &options, const BundleOpener &open, const Listener &complain)
      : options(options), open(open), complain(complain) {}

  // In the order in which they run.
  Status checkFlags();
  Status load();
  Status feed();
  Status checkOutputs();
  Status start();
  Status loop();
  Status finish();

  Result<Array> readInput(const NamedText &given) const;
  Status checkPattern(const NamedText &file) const;
  std::string summary() const;
  /// A warning for each value with rejected proposals (S-INVALID).
  std::vector<std::string> warnings() const;
  std::string report() const;
  std::string interruptPath() const {
    if (!options.checkpoint.empty())
      return options.checkpoint;
    // The name in a bundle is not trusted as a path.
    std::string name = std::filesystem::path(program->bundle().name).filename();
    return ownCheckpoint(name, options.resume);
  }

  LoopOutcome outcome;
  int64_t epochs = 1;
  std::string leftAt; ///< the checkpoint that Ctrl-C left

private:
  int64_t firstEpoch() const { return resumed ? static_cast<int64_t>(resumed->epoch) : 0; }
  Status resume();
  Status identify();
  Status observe(int64_t epoch);
  Status save(const std::string &path, const LoopOutcome &reached);
  Status draw(const NamedText &picture);

  const BundleRunOptions &options;
  const BundleOpener &open;
  const Listener &complain;
  std::unique_ptr<BundleProgram> program;
  RunIdentity identity;
  std::optional<Checkpoint> resumed;
  std::optional<ObservationTable> table;
  Observations lastSeen;
  Counters broken;
  FirstRejections rejected;
  History history;
};
} // namespace

Result<NamedText> lci::splitName(const std::string &text, const std::string &flag) {
  size_t at = text.find('=');
  if (at == 0 || at == std::string::npos || at + 1 == text.size())
    return Failure{ErrorId::CommandLine,
                   "expected " + flag + " NAME=VALUE, but got '" + text + "'"};
  return NamedText{text.substr(0, at), text.substr(at + 1)};
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

/// Rejects flags that would have no effect.
Status BundleRun::checkFlags() {
  auto refuse = [](const std::string &what) { return Failure{ErrorId::CommandLine, what}; };
  if (options.checkpointEvery > 0 && options.checkpoint.empty())
    return refuse("--checkpoint-every needs --checkpoint F");
  if (options.observeEvery != 1 && options.observe.empty())
    return refuse("--observe-every needs --observe F.csv");
  for (const auto &[flag, given] :
       {std::pair("--set", &options.parameters), std::pair("--input", &options.inputs)}) {
    std::set<std::string> names;
    for (const NamedText &one : *given)
      if (!names.insert(one.name).second)
        return refuse(std::string(flag) + " gives '" + one.name + "' twice");
  }
  std::set<std::string> off(options.disable.begin(), options.disable.end());
  for (const std::string &name : options.enable)
    if (off.count(name))
      return refuse("expected --enable or --disable for '" + name + "', but got both");
  return Done{};
}

Status BundleRun::load() {
  auto opened = open(options);
  if (!opened)
    return opened.failure();
  program = std::move(*opened);
  epochs = options.epochs.value_or(program->bundle().epochs);
  if (Status few = checkEpochs(epochs, ErrorId::CommandLine); !few)
    return few;
  for (const std::string &warning : program->bundle().warnings)
    complain("warning: " + warning + "\n");
  return Done{};
}

/// A number, a list, or the contents of a file.
static Result<Array> readNumbers(const NamedText &given) {
  Result<Array> read = Failure{ErrorId::WrongBinding, "expected a number, an array of numbers or "
                                                      "a file, but got '" +
                                                          given.text + "'"};
  if (isNumberText(given.text))
    read = parseNumbers(given.text);
  else if (given.text.find('.') != std::string::npos)
    read = readNpy(given.text);
  if (read)
    return read;
  return Failure{read.failure().id, "--set " + given.name + "=" + given.text + ": " + read.error()};
}

/// An array, or a pattern, which is at the beginning of the value's cells.
Result<Array> BundleRun::readInput(const NamedText &given) const {
  if (!isRlePath(given.text))
    return readNpy(given.text);
  Result<const SlotForm *> value = program->find(given.name);
  if (!value)
    return value.failure();
  if (Status fits = checkPattern(given); !fits)
    return fits.failure();
  return readRle(given.text, (*value)->shape());
}

/// Checks that a value that is read from a pattern or written as one can be one.
Status BundleRun::checkPattern(const NamedText &file) const {
  Result<const SlotForm *> value = program->find(file.name);
  if (!value)
    return value.failure();
  if (!isRlePath(file.text))
    return Done{};
  return checkRle(file.text, (*value)->shape(), (*value)->vocabulary.value_or(0));
}

Status BundleRun::feed() {
  if (options.seed)
    program->setSeed(*options.seed);
  if (Status done = options.resume.empty() ? Status(Done{}) : resume(); !done)
    return done;
  for (const NamedText &given : options.parameters) {
    Result<Array> read = readNumbers(given);
    Status set = read ? program->setParameter(given.name, *read) : read.failure();
    if (!set)
      return set;
  }
  for (bool on : {true, false})
    for (const std::string &name : on ? options.enable : options.disable)
      if (Status set = program->setEnabled(name, on); !set)
        return set;
  for (const auto &[name, on] : program->arguments().enables)
    history.switches.switchTo(name, on, /*replica=*/0);
  for (const NamedText &given : options.inputs) {
    Result<Array> read = readInput(given);
    Status set = read ? program->setInput(given.name, *read) : read.failure();
    if (!set)
      return set;
  }
  return identify();
}

/// A flag of a run, as it is typed.
static std::string spellFlag(const std::string &key, const std::string &value) {
  return key.substr(key.find("--")) + (value.empty() ? "" : "=" + value);
}

/// Checks that the run of a checkpoint began with no flag that bundles lack.
static Status checkFlagsOf(const Given &began, const Given &ours) {
  for (const auto &[key, text] : began) {
    auto own = ours.find(key);
    bool isFlag = key.find("--") < key.find('\''); // no name of a parameter
    bool isKnown = own != ours.end();
    if (!isFlag || (isKnown && own->second == text))
      continue;
    std::string usual =
        isKnown ? "with " + spellFlag(key, own->second) : "without " + spellFlag(key, "");
    return Failure{ErrorId::OtherProgram, "expected a run that began " + usual +
                                              ", as those of bundles do, but got one with " +
                                              spellFlag(key, text) +
                                              "; lmpm-run on the program goes on with it"};
  }
  return Done{};
}

/// Identifies the run; a resumed one must continue as it began.
Status BundleRun::identify() {
  const RunArguments &arguments = program->arguments();
  const Bundle &bundle = program->bundle();
  identity.program = bundle.program;
  identity.described = bundle.described;
  identity.defaults = bundle.defaults;
  identity.seed = arguments.seed;
  identity.given = givenBy(arguments, program->givenInputs());
  identity.given[kCountersFlag] = kCountsChanges;
  if (!resumed)
    return Done{};
  Status admitted = checkFlagsOf(givenIn(*resumed), identity.given);
  if (admitted)
    admitted = admitCheckpoint(*resumed, program->canonicalForms(), identity);
  if (!admitted)
    return Failure{admitted.failure().id, "'" + options.resume + "': " + admitted.error()};
  return Done{};
}

Status BundleRun::resume() {
  Result<Checkpoint> read = readToResume(options.resume, options.seed);
  if (!read)
    return read.failure();
  program->setSeed(read->seed);
  Result<History> loaded = History::load(*read);
  if (!loaded)
    return Failure{loaded.failure().id, "'" + options.resume + "': " + loaded.error()};
  history = std::move(*loaded);
  for (const auto &[name, on] : history.switches.states())
    if (Status set = program->setEnabled(name, on); !set)
      return Failure{set.failure().id, "'" + options.resume + "': " + set.error()};
  resumed = std::move(*read);
  if (firstEpoch() >= epochs)
    complain("warning: " +
             Failure{ErrorId::NothingToRun,
                     nothingLeftText("'" + options.resume + "'", firstEpoch(), epochs)}
                 .text() +
             "\n");
  return Done{};
}

Status BundleRun::checkOutputs() {
  if (!options.observe.empty() && program->observers().empty())
    return Failure{ErrorId::NoSuchName,
                   "the program has no observer to write to '" + options.observe + "'"};
  std::vector<FileUse> read = {{"the bundle", options.bundle}}, written;
  auto add = [](std::vector<FileUse> &to, const std::string &flag,
                const std::vector<NamedText> &files, std::vector<std::string> suffixes = {}) {
    for (const NamedText &file : files)
      to.push_back({flag + " " + file.name, file.text, suffixes});
  };
  add(read, "the file of --set", options.parameters);
  add(read, "the file of --input", options.inputs);
  // A resumed run may write its state to the file that it was read from.
  if (placeOf(options.resume) != placeOf(options.checkpoint))
    read.push_back({"the file of --resume", options.resume});
  for (const std::vector<NamedText> *named : {&options.outputs, &options.pictures})
    for (const NamedText &file : *named)
      if (Status fits = checkPattern(file); !fits)
        return fits;
  add(written, "--output", options.outputs, {".npy", ".rle"});
  add(written, "--picture", options.pictures, {".png"});
  written.push_back({"--observe", options.observe, {".csv", ".txt"}});
  written.push_back({"--report", options.report, {".json", ".txt"}});
  written.push_back({"--checkpoint", options.checkpoint});
  if (Status files = checkFiles(read, written); !files)
    return files;
  if (Status status = prepareToWrite(interruptPath()); !status)
    complain("warning: " +
             Failure{status.failure().id, "Ctrl-C would leave no checkpoint (" + status.error() +
                                              "); --checkpoint F says where it can"}
                 .text() +
             "\n");
  return Done{};
}

Status BundleRun::start() {
  if (!resumed) {
    for (const std::string &warning : program->emptyInputs())
      complain("warning: " + warning + "\n");
    return program->start();
  }
  if (Status started = program->startEmpty(); !started)
    return started;
  Status restored = restoreCheckpoint(program->backend(), program->names(), *resumed);
  resumed->arrays.clear(); // the back end holds them now
  return restored;
}

//===----------------------------------------------------------------------===//
// The run, and after it
//===----------------------------------------------------------------------===//

Status BundleRun::observe(int64_t epoch) {
  Result<Observations> seen = program->backend().observe(epoch);
  if (!seen)
    return seen.failure();
  lastSeen = std::move(*seen);
  return table ? table->row(epoch, lastSeen) : Status(Done{});
}

Status BundleRun::save(const std::string &path, const LoopOutcome &reached) {
  History now = history.after(/*replica=*/0, program->bundle().schedules, firstEpoch(), reached);
  Result<Checkpoint> taken =
      takeCheckpoint(program->backend(), program->names(), identity, reached.epochs, now);
  return taken ? writeCheckpoint(path, *taken) : taken.failure();
}

Status BundleRun::loop() {
  LoopOptions how;
  how.firstEpoch = firstEpoch();
  how.epochs = epochs;
  how.stopsAtFixpoint = program->bundle().stopsAtFixpoint;
  how.isAtFixpoint = history.isAtFixpoint();
  how.observeEvery = options.observe.empty() ? 0 : options.observeEvery;
  how.checkpointEvery = options.checkpoint.empty() ? 0 : options.checkpointEvery;
  how.counters = history.total();
  if (how.observeEvery > 0) {
    auto opened = ObservationTable::open(options.observe, program->observers(), how.firstEpoch);
    if (!opened)
      return opened.failure();
    table.emplace(std::move(*opened));
  }
  LoopHooks hooks;
  hooks.observe = [&](int64_t epoch, const Counters &) { return observe(epoch); };
  hooks.checkpoint = [&](const LoopOutcome &reached) { return save(options.checkpoint, reached); };
  hooks.look = [](int64_t, const Counters &) { return Status(Done{}); };
  hooks.rejected = [&](int64_t epoch) { return program->findRejected(epoch, rejected); };
  Result<LoopOutcome> ran = runLoopOnTerminal(program->backend(), how, hooks);
  if (!ran)
    return ran.failure();
  outcome = std::move(*ran);
  rejected.epochs = outcome.rejectedIn;
  return Done{};
}

Status BundleRun::draw(const NamedText &picture) {
  Result<Array> value = program->value(picture.name);
  if (!value)
    return value.failure();
  PictureOptions look;
  look.vocabulary = (*program->find(picture.name))->vocabulary.value_or(0);
  Result<Array> pixels = pictureOf(*value, look);
  if (!pixels)
    return Failure{pixels.failure().id, "picture of '" + picture.name + "': " + pixels.error()};
  return writePng(picture.text, *pixels);
}

Status BundleRun::finish() {
  if (outcome.interrupted)
    return save(leftAt = interruptPath(), outcome);
  if (!program->observers().empty() && lastSeen.empty())
    if (Status seen = observe(outcome.epochs); !seen)
      return seen;
  Result<Counters> violations = program->backend().broken(outcome.epochs);
  if (!violations)
    return violations.failure();
  broken = std::move(*violations);
  for (const NamedText &output : options.outputs) {
    Result<Array> value = program->value(output.name);
    if (!value)
      return value.failure();
    int64_t numStates = (*program->find(output.name))->vocabulary.value_or(0);
    if (Status put = writeArray(output.text, *value, numStates); !put)
      return put;
  }
  for (const NamedText &picture : options.pictures)
    if (Status put = draw(picture); !put)
      return put;
  if (!options.report.empty())
    if (Status put = writeFileAtomically(options.report, report()); !put)
      return put;
  // A last checkpoint, so that the run can be prolonged.
  if (options.checkpoint.empty())
    return Done{};
  return save(options.checkpoint, outcome);
}

std::string BundleRun::summary() const {
  int64_t commits = changesIn(outcome.counters), before = changesIn(history.total());
  std::ostringstream text;
  text << program->bundle().name << ": " << outcome.epochs << " epochs"
       << (outcome.fixpoint ? " (fixpoint)" : "") << ", " << commits << " commits on "
       << program->backend().name();
  if (outcome.seconds > 0 && commits > before)
    text << ", " << std::setprecision(3) << static_cast<double>(commits - before) / outcome.seconds
         << " commits per second";
  text << '\n';
  for (const auto &[name, cells] : broken)
    if (cells > 0)
      text << "  " << name.substr(0, name.rfind('.')) << ": broken at " << cells
           << (cells == 1 ? " cell" : " cells") << '\n';
  for (const Observation &seen : lastSeen)
    text << "  " << seen.name << " = " << (seen.value ? textOf(seen) : "nothing") << '\n';
  return text.str();
}

std::vector<std::string> BundleRun::warnings() const {
  return program->rejections(history.total(), outcome.counters, rejected);
}

/// A text as a JSON string.
static std::string jsonQuoted(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + '"';
}

/// Counters by name, as a JSON object.
static std::string toJson(const Counters &counters) {
  std::string json;
  for (const auto &[name, count] : counters)
    json += (json.empty() ? "" : ", ") + jsonQuoted(name) + ": " + std::to_string(count);
  return "{" + json + "}";
}

std::string BundleRun::report() const {
  const Backend &backend = program->backend();
  std::ostringstream json;
  json << "{\n  \"program\": " << jsonQuoted(program->bundle().name)
       << ",\n  \"digest\": " << jsonQuoted(hexText(program->bundle().program))
       << ",\n  \"backend\": " << jsonQuoted(backend.name())
       << ",\n  \"seed\": " << program->arguments().seed << ",\n  \"first_epoch\": " << firstEpoch()
       << ",\n  \"epochs\": " << outcome.epochs
       << ",\n  \"commits\": " << changesIn(outcome.counters)
       << ",\n  \"counters\": " << toJson(outcome.counters) << ",\n  \"broken\": " << toJson(broken)
       << ",\n  \"seconds\": " << outcome.seconds
       << ",\n  \"longest_stretch\": {\"epochs\": " << outcome.longest.epochs
       << ", \"seconds\": " << outcome.longest.seconds << "}";
  if (const Device *device = backend.device()) {
    const DeviceCounts &counts = device->counts();
    json << ",\n  \"device\": {\"name\": " << jsonQuoted(device->name())
         << ", \"launches\": " << counts.launches
         << ", \"allocated_bytes\": " << counts.allocatedBytes
         << ", \"uploads\": " << counts.uploads << ", \"uploaded_bytes\": " << counts.uploadedBytes
         << ", \"downloads\": " << counts.downloads
         << ", \"downloaded_bytes\": " << counts.downloadedBytes
         << ", \"host_seconds\": " << counts.seconds << "}";
  }
  json << "\n}\n";
  return json.str();
}

RunEnd lci::runBundle(const BundleRunOptions &options, const BundleOpener &open,
                      const Listener &say, const Listener &complain) {
  BundleRun run(options, open, complain);
  using Step = Status (BundleRun::*)();
  for (Step step :
       {&BundleRun::checkFlags, &BundleRun::load, &BundleRun::feed, &BundleRun::checkOutputs,
        &BundleRun::start, &BundleRun::loop, &BundleRun::finish})
    if (Status done = (run.*step)(); !done) {
      complain("error: " + done.failure().text() + "\n");
      return RunEnd::Failure;
    }
  for (const std::string &warning : run.warnings())
    complain("warning: " + warning + "\n");
  if (run.outcome.interrupted) {
    complain(stoppedText(run.outcome.epochs, run.epochs, run.leftAt) + "\n");
    return isTimeOver() ? RunEnd::OutOfTime : RunEnd::Interrupted;
  }
  if (!options.quiet)
    say(run.summary());
  return RunEnd::Success;
}

/// Reads the file of a bundle, and loads its code.
static Result<std::unique_ptr<BundleProgram>> openFile(const BundleRunOptions &options) {
  Result<Bundle> read = readBundle(options.bundle);
  if (!read)
    return read.failure();
  auto opened = BundleProgram::open(std::move(*read), options.machine);
  if (!opened)
    return Failure{opened.failure().id, "'" + options.bundle + "': " + opened.error()};
  return opened;
}

RunEnd lci::runBundle(const BundleRunOptions &options, const Listener &say,
                      const Listener &complain) {
  return runBundle(options, openFile, say, complain);
}
