//===- Report.cpp - Report a run as JSON and as text ----------------------===//
//
// Collects the counters of a run by declaration and prints them, as JSON and as text, both from one
// struct, so that they cannot disagree.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::lci;
namespace json = llvm::json;

double Report::commitsPerSecond() const {
  if (outcome.seconds <= 0)
    return 0;
  return static_cast<double>(commits() - commitsBefore) / outcome.seconds;
}

Report mlir::lci::describe(ProgramOp program, ArrayRef<ValueInfo> values,
                           const RunArguments &arguments, const Backend &backend,
                           const ::lci::Digest &digest) {
  Report report;
  report.backend = backend.name();
  report.programDigest = ::lci::hexText(digest);
  report.seed = arguments.seed;
  for (const ValueInfo &value : values)
    if (value.ruled)
      report.values.push_back(value.name);
  for (ConstraintOp constraint : program.getOps<ConstraintOp>()) {
    report.constraints.push_back(constraint.getSymName().str());
    if (constraint.cannotBeOutvoted())
      report.hard.push_back(constraint.getSymName().str());
  }
  for (const auto &[name, on] : arguments.enables)
    if (!on)
      report.disabled.push_back(name);
  if (const ::lci::Device *device = backend.device())
    report.device.emplace(device->name(), device->counts());
  return report;
}

/// A counter by its parts; events that never happened have none.
static int64_t countOf(const Report &report, const std::string &name, const char *what) {
  auto found = report.outcome.counters.find(name + "." + what);
  return found == report.outcome.counters.end() ? 0 : found->second;
}

/// The number of cells that break a hard constraint.
static int64_t brokenOf(const Report &report, const std::string &name) {
  auto found = report.broken.find(name + ".broken");
  return found == report.broken.end() ? 0 : found->second;
}

static json::Object countsOf(const Report &report, const std::string &name,
                             std::initializer_list<const char *> whats) {
  json::Object counts;
  for (const char *what : whats)
    counts[what] = countOf(report, name, what);
  return counts;
}

static json::Object countsOfValue(const Report &report, const std::string &name) {
  json::Object counts = countsOf(report, name, {"invalid"});
  if (report.counting != Counting::None)
    counts["changed"] = countOf(report, name, "changed");
  return counts;
}

/// An observation; one that is no number (the mean of nothing, a NaN) is null in JSON.
static json::Value observationJson(const Observation &observation) {
  if (!observation.value)
    return nullptr;
  const ::lci::Array &value = *observation.value;
  if (!::lci::isFloat(value.dtype()))
    return value.intAt(0);
  return std::isfinite(value.doubleAt(0)) ? json::Value(value.doubleAt(0)) : json::Value(nullptr);
}

/// The host's work for the kernels of all ticks.
static json::Object deviceJson(const Report &report) {
  const auto &[name, counts] = *report.device;
  double ticks = static_cast<double>(std::max<int64_t>(report.ticks(), 1));
  return json::Object{{"name", name},
                      {"launches", counts.launches},
                      {"allocations", counts.allocations},
                      {"allocated_bytes", counts.allocatedBytes},
                      {"uploads", counts.uploads},
                      {"uploaded_bytes", counts.uploadedBytes},
                      {"downloads", counts.downloads},
                      {"downloaded_bytes", counts.downloadedBytes},
                      {"host_microseconds_per_tick", counts.seconds * 1e6 / ticks}};
}

json::Value mlir::lci::toJson(const Report &report) {
  json::Object values, constraints, observations;
  for (const std::string &name : report.values)
    values[name] = countsOfValue(report, name);
  for (const std::string &name : report.constraints) {
    json::Object counts;
    if (report.counting == Counting::Full)
      counts = countsOf(report, name, {"satisfied", "violated", "decisive"});
    if (llvm::is_contained(report.hard, name))
      counts["broken"] = brokenOf(report, name);
    counts["enabled"] = !llvm::is_contained(report.disabled, name);
    constraints[name] = std::move(counts);
  }
  for (const Observation &observation : report.observations)
    observations[observation.name] = observationJson(observation);
  json::Object root{{"program", report.program},
                    {"digest", report.programDigest},
                    {"backend", report.backend},
                    {"checked", report.checked},
                    {"seed", report.seed},
                    {"first_epoch", report.firstEpoch},
                    {"epochs", report.outcome.epochs},
                    {"fixpoint", report.outcome.fixpoint},
                    {"interrupted", report.outcome.interrupted},
                    {"ticks", report.ticks()},
                    {"seconds", report.outcome.seconds},
                    {"longest_stretch", json::Object{{"epochs", report.outcome.longest.epochs},
                                                     {"seconds", report.outcome.longest.seconds}}},
                    {"disabled", json::Array(report.disabled)},
                    {"values", std::move(values)},
                    {"constraints", std::move(constraints)},
                    {"observations", std::move(observations)}};
  if (report.counting != Counting::None) {
    root["commits"] = report.commits();
    root["commits_per_second"] = report.commitsPerSecond();
  }
  if (report.device)
    root["device"] = deviceJson(report);
  return root;
}

void mlir::lci::print(const Report &report, llvm::raw_ostream &os) {
  os << report.program << ": " << report.outcome.epochs << " epochs"
     << (report.outcome.fixpoint ? " (fixpoint)" : "") << ", " << report.ticks() << " ticks";
  if (report.counting != Counting::None)
    os << ", " << report.commits() << " commits";
  os << " on " << report.backend << (report.checked ? ", all checked" : "");
  if (double rate = report.commitsPerSecond(); rate > 0)
    os << llvm::format(", %.3g commits per second", rate);
  os << '\n';
  for (const std::string &name : report.values)
    if (int64_t invalid = countOf(report, name, "invalid"))
      os << "  " << name << ": " << invalid << " proposals outside the vocabulary\n";
  for (const std::string &name : report.constraints) {
    int64_t broken = brokenOf(report, name);
    std::string said;
    if (llvm::is_contained(report.disabled, name))
      said = ", disabled";
    else if (report.counting == Counting::Full)
      said = llvm::formatv(", satisfied {0}, violated {1}, decisive {2}",
                           countOf(report, name, "satisfied"), countOf(report, name, "violated"),
                           countOf(report, name, "decisive"));
    if (broken > 0)
      said += llvm::formatv(", broken at {0} {1}", broken, broken == 1 ? "cell" : "cells");
    if (!said.empty())
      os << "  " << name << ": " << StringRef(said).drop_front(2) << '\n';
  }
  for (const Observation &observation : report.observations)
    os << "  " << observation.name << " = "
       << (observation.value ? ::lci::textOf(observation) : "nothing") << '\n';
}

void mlir::lci::print(const std::map<std::string, ::lci::JoinedCells> &values,
                      const std::string &file, llvm::raw_ostream &os) {
  os << "joined '" << file << "'\n";
  for (const auto &[name, cells] : values)
    if (int64_t differ = cells.fromLeft + cells.fromRight)
      os << "  " << name << ": " << differ << " cells differ, " << cells.fromRight
         << " come from it, " << cells.concurrent << " were committed at the same time\n";
}
