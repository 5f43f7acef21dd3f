//===- Sets.cpp - The sets of a program -----------------------------------===//
#include "LCI/Driver/Sets.h"
#include "LCI/Runtime/File.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::lci;
namespace json = llvm::json;
using ::lci::EventLog;
using ::lci::History;

::lci::Schedules mlir::lci::schedulesOf(ProgramOp program) {
  ::lci::Schedules schedules;
  for (auto value : program.getOps<ValueOp>()) {
    auto rule = value->getAttrOfType<StringAttr>("lci.events"); // from lci-bind
    auto formula = rule ? program.lookupSymbol<DefOp>(rule) : DefOp();
    if (!formula)
      continue;
    formula.walk([&](SampleTilesOp tiles) {
      schedules[value.getSymName().str()] = {
          rule.str(), stringifyStrategy(tiles.getStrategy()).str(), /*replica=*/0};
    });
  }
  return schedules;
}

std::vector<std::string> mlir::lci::setNamesOf(ProgramOp program) {
  std::vector<std::string> names;
  for (auto value : program.getOps<ValueOp>())
    if (value.isSet())
      names.push_back(value.getSymName().str());
  return names;
}

static json::Value eventsToJson(const EventLog &log) {
  json::Array events;
  for (const auto &[event, epochs] : log.events()) {
    json::Array ranges;
    for (const auto &[first, last] : epochs)
      ranges.push_back(json::Array{first, last});
    events.push_back(json::Object{{"rule", event.rule},
                                  {"strategy", event.strategy},
                                  {"replica", static_cast<int64_t>(event.replica)},
                                  {"epochs", std::move(ranges)}});
  }
  return events;
}

/// The switchable declarations with their states.
static json::Value declarationsToJson(ProgramOp program, const ::lci::Switches &switches) {
  json::Array all;
  for (Operation &op : program.getBody().front()) {
    if (!isa<RuleOp, ConstraintOp>(op))
      continue;
    std::string name = SymbolTable::getSymbolName(&op).str();
    all.push_back(json::Object{{"name", name},
                               {"kind", isa<RuleOp>(op) ? "rule" : "constraint"},
                               {"on", switches.isOn(name)}});
  }
  return all;
}

json::Value mlir::lci::toJson(ValueOp set, const History &history) {
  if (set.getKind() == Kind::Rule)
    return declarationsToJson(set->getParentOfType<ProgramOp>(), history.switches);
  auto log = history.logs.find(set.getSymName().str());
  return eventsToJson(log == history.logs.end() ? EventLog() : log->second);
}

::lci::Status mlir::lci::writeSets(ProgramOp program, const History &history,
                                   ArrayRef<NamedFile> files) {
  for (const NamedFile &file : files) {
    ValueOp value = program.lookupValue(file.name);
    if (!value.isSet())
      continue;
    std::string text = llvm::formatv("{0:2}\n", toJson(value, history)).str();
    if (::lci::Status status = ::lci::writeFileAtomically(file.file, text); !status)
      return status;
  }
  return ::lci::Done();
}
