//===- Receipt.cpp - What a search has done -------------------------------===//
//
// A search as JSON for programs, as CSV for tables, and in a few lines for people.
//
//===----------------------------------------------------------------------===//

#include "LCI/Tune/Tune.h"
#include "LCI/Version.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Outcome;
namespace json = llvm::json;

static StringRef wordOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Measured:
    return "measured";
  case Outcome::Hopeless:
    return "hopeless";
  case Outcome::Wrong:
    return "wrong";
  case Outcome::Failed:
    return "failed";
  case Outcome::Untried:
    return "untried";
  }
  llvm_unreachable("no other outcome");
}

const Contender *TuneResult::findWrong() const {
  for (const Contender &contender : contenders)
    if (contender.track.outcome == Outcome::Wrong)
      return &contender;
  return nullptr;
}

static json::Object entryOf(const Contender &contender) {
  json::Object object{{"candidate", contender.name},
                      {"choices", contender.choices},
                      {"outcome", wordOf(contender.track.outcome)}};
  if (!contender.track.reason.empty())
    object["reason"] = contender.track.reason;
  if (contender.cost)
    object["estimate"] = json::Object{{"cycles", contender.cost->cycles},
                                      {"operations", contender.cost->operations},
                                      {"bytes", json::Array(contender.cost->bytes)},
                                      {"launches", contender.cost->launches}};
  if (!contender.track.seconds.empty()) {
    object["seconds"] = json::Array(contender.track.seconds);
    object["ratio"] = contender.track.median();
  }
  return object;
}

std::string TuneResult::receipt() const {
  json::Array all;
  for (const Contender &contender : contenders)
    all.push_back(entryOf(contender));
  json::Object object{{"compiler", LCI_VERSION_STRING},
                      {"program", key.program},
                      {"target", key.target},
                      {"sizes", key.sizes},
                      {"space", std::to_string(space)},
                      {"lowered", int64_t(lowered)},
                      {"epochs", epochs},
                      {"measured", isMeasured},
                      {"interrupted", isInterrupted},
                      {"best", contenders[best].name},
                      {"candidates", std::move(all)}};
  if (!unmeasured.empty())
    object["unmeasured"] = unmeasured;
  if (!interpreter.empty())
    object["interpreter"] = interpreter;
  return llvm::formatv("{0:2}\n", json::Value(std::move(object))).str();
}

/// Names of choices are anybody's.
static std::string quoted(const std::string &cell) {
  if (cell.find_first_of(",\"\n") == std::string::npos)
    return cell;
  std::string text = "\"";
  for (char letter : cell)
    text += letter == '"' ? "\"\"" : std::string(1, letter);
  return text + "\"";
}

std::string TuneResult::trace() const {
  std::string text =
      "candidate,cycles,operations,bytes_L1,bytes_L2,bytes_L3,launches,outcome,ratio,"
      "seconds\n";
  llvm::raw_string_ostream os(text);
  for (const Contender &contender : contenders) {
    os << quoted(contender.name) << ",";
    if (contender.cost)
      os << llvm::formatv("{0:F0},{1:F0},{2:F0},{3:F0},{4:F0},{5:F0},", contender.cost->cycles,
                          contender.cost->operations, contender.cost->bytes[0],
                          contender.cost->bytes[1], contender.cost->bytes[2],
                          contender.cost->launches);
    else
      os << ",,,,,,";
    os << wordOf(contender.track.outcome) << ",";
    if (!contender.track.ratios.empty())
      os << llvm::formatv("{0:F4}", contender.track.median());
    os << ",";
    llvm::interleave(
        contender.track.seconds, os,
        [&](double seconds) { os << llvm::formatv("{0:F6}", seconds); }, " ");
    os << "\n";
  }
  return text;
}

/// How the winner did.
static std::string gainOf(const TuneResult &result) {
  const Contender &best = result.contenders[result.best];
  if (result.best == 0)
    return "nothing is faster than the default by more than its times spread";
  if (result.isMeasured)
    return llvm::formatv("takes {0:F3} of the default's time", best.track.median()).str();
  return llvm::formatv("takes {0:F3} of the default's time, by the model",
                       best.cost->cycles / result.contenders[0].cost->cycles)
      .str();
}

std::string TuneResult::summary() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  size_t measured = llvm::count_if(
      contenders, [](const Contender &contender) { return !contender.track.seconds.empty(); });
  os << "candidates: " << contenders.size() << " with code of their own, of " << lowered
     << " lowered in a space of " << space << "; " << measured << " measured\n";
  if (!unmeasured.empty())
    os << "ranked by counted instructions and bytes: " << unmeasured << "\n";
  if (!interpreter.empty())
    os << "interpreter: " << interpreter << "\n";
  for (const Contender &contender : contenders)
    if (contender.track.outcome == Outcome::Failed || contender.track.outcome == Outcome::Wrong)
      os << contender.name << ": " << contender.track.reason << "\n";
  if (isInterrupted)
    os << "interrupted: the best so far\n";
  os << "best: " << contenders[best].name << ", " << gainOf(*this) << "\n";
  return text;
}
