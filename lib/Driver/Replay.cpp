//===- Replay.cpp - Schedules that a search has found ---------------------===//
//
// A schedule is admitted by the digest of a program and the name of a target, and found in a cache
// by both and the size of the values.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Replay.h"
#include "LCI/Dialect/Targets.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "LCI/Runtime/Digest.h"
#include "LCI/Runtime/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::lci;

static std::string targetOf(const RunOptions &options) {
  if (options.backend == BackendKind::Kernels || options.backend == BackendKind::CUDA)
    return "gpu";
  std::string threads =
      options.threads > 1 ? ", " + std::to_string(options.threads) + " threads" : "";
  return "cpu " + llvm::sys::getHostCPUName().str() + threads;
}

static std::string digestOf(StringRef text) {
  return ::lci::hexText(::lci::digestOf(text.data(), text.size())).substr(0, 16);
}

TuningKey mlir::lci::tuningKeyOf(StringRef text, ProgramOp program, const RunOptions &options) {
  TuningKey key;
  key.program = digestOf(text);
  key.target = targetOf(options);
  uint64_t cells = 0;
  for (const ValueInfo &value : collectValues(program)) {
    key.sizes += (key.sizes.empty() ? "" : " ") + value.name + "[";
    uint64_t elements = 1;
    for (auto [axis, extent] : llvm::enumerate(value.shape)) {
      key.sizes += (axis ? "," : "") + std::to_string(extent);
      elements *= extent;
    }
    key.sizes += "]";
    cells += elements;
  }
  key.sizeClass = llvm::Log2_64_Ceil(std::max<uint64_t>(cells, 1));
  return key;
}

std::string TuningKey::fileName() const {
  std::string name = program + "-" + target + "-" + std::to_string(sizeClass) + ".mlir";
  for (char &letter : name)
    if (!llvm::isAlnum(letter) && letter != '-' && letter != '.')
      letter = '_';
  return name;
}

void mlir::lci::setFoundFor(ModuleOp schedule, const TuningKey &key) {
  Builder builder(schedule.getContext());
  NamedAttrList parts;
  parts.set(kFoundForProgram, builder.getStringAttr(key.program));
  parts.set(kFoundForTarget, builder.getStringAttr(key.target));
  parts.set(kFoundForSizes, builder.getStringAttr(key.sizes));
  schedule->setDiscardableAttr(kFoundFor, parts.getDictionary(schedule.getContext()));
}

LogicalResult mlir::lci::admitSchedule(ModuleOp schedule, const TuningKey &key) {
  auto found = cast_or_null<DictionaryAttr>(schedule->getDiscardableAttr(kFoundFor));
  if (!found)
    return success();
  auto partOf = [&](StringRef name) { return found.getAs<StringAttr>(name).getValue(); };
  auto place = UnknownLoc::get(schedule.getContext());
  if (!key.program.empty() && partOf(kFoundForProgram) != key.program)
    return emitError(place, "expected a schedule for this program, whose digest is ")
           << ErrorId::OtherProgram << key.program << ", but it was found for '"
           << partOf(kFoundForProgram) << "'";
  if (!key.target.empty() && partOf(kFoundForTarget) != key.target)
    return emitError(place, "expected a schedule for the target '")
           << ErrorId::WrongMachine << key.target << "', but it was found for '"
           << partOf(kFoundForTarget) << "'";
  if (!key.sizes.empty() && partOf(kFoundForSizes) != key.sizes)
    mlir::emitRemark(place, "the schedule was found at the sizes ")
        << partOf(kFoundForSizes) << ", and runs at " << key.sizes;
  return success();
}

std::string mlir::lci::scheduleCache() {
  if (std::optional<std::string> given = llvm::sys::Process::GetEnv("LMPM_CACHE"))
    return *given;
  SmallString<128> folder;
  if (!llvm::sys::path::cache_directory(folder))
    return "";
  llvm::sys::path::append(folder, "lmpm");
  return folder.str().str();
}

/// The schedule that was found before. One that cannot be read any more is none.
static void readCached(RunOptions &options, const TuningKey &key, MLIRContext *context) {
  SmallString<128> path(scheduleCache());
  llvm::sys::path::append(path, key.fileName());
  auto place = UnknownLoc::get(context);
  if (!llvm::sys::fs::exists(path)) {
    mlir::emitRemark(place,
                     "no schedule was found for this program yet; lmpm-tune searches for one");
    return;
  }
  ::lci::Result<std::vector<uint8_t>> read = ::lci::readFile(path.str().str());
  std::string text = read ? std::string(read->begin(), read->end()) : "";
  bool isGood = false;
  {
    ScopedDiagnosticHandler silent(context, [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> schedule = readSchedule(text, path, context);
    isGood = schedule && succeeded(admitSchedule(*schedule, key));
  }
  if (isGood)
    options.scheduleText = std::move(text);
  else
    mlir::emitWarning(place,
                      "the schedule that was found before cannot be read, and is left out: '")
        << ErrorId::MalformedFile << path << "'; lmpm-tune writes it anew";
}

LogicalResult mlir::lci::readSelectedSchedule(RunOptions &options, const TuningKey &key,
                                              MLIRContext *context) {
  if (options.schedule == kAutomatic) {
    readCached(options, key, context);
    return success();
  }
  if (options.schedule.empty() && options.scheduleText.empty())
    return success();
  if (!options.schedule.empty()) {
    ::lci::Result<std::vector<uint8_t>> read = ::lci::readFile(options.schedule);
    if (!read)
      return emitError(UnknownLoc::get(context)) << read.failure().id << read.error();
    options.scheduleText.assign(read->begin(), read->end());
  }
  StringRef name = options.schedule.empty() ? StringRef("schedule") : StringRef(options.schedule);
  OwningOpRef<ModuleOp> schedule = readSchedule(options.scheduleText, name, context);
  return failure(!schedule || failed(admitSchedule(*schedule, key)));
}

FailureOr<ScheduleText> mlir::lci::readScheduleFor(StringRef text, const std::string &file,
                                                   MLIRContext *context) {
  RunOptions options;
  options.schedule = file;
  TuningKey key;
  key.program = digestOf(text);
  if (failed(readSelectedSchedule(options, key, context)))
    return failure();
  return ScheduleText{options.scheduleText, file};
}
