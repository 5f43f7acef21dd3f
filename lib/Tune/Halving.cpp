//===- Halving.cpp - The fastest of several candidates --------------------===//
//
// Rounds of runs, each with all candidates that are left; after some rounds the slower half goes. A
// candidate whose values differ from those of the default goes at once.
//
//===----------------------------------------------------------------------===//

#include "LCI/Tune/Halving.h"
#include <algorithm>
#include <cmath>

using namespace lci;

/// The number below which `part` of all lie.
static double quantile(std::vector<double> numbers, double part) {
  if (numbers.empty())
    return 1;
  std::sort(numbers.begin(), numbers.end());
  double place = part * (numbers.size() - 1);
  size_t below = static_cast<size_t>(place), above = std::min(below + 1, numbers.size() - 1);
  return numbers[below] + (place - below) * (numbers[above] - numbers[below]);
}

double Track::median() const { return quantile(ratios, 0.5); }
double Track::upperQuartile() const { return quantile(ratios, 0.75); }

namespace {
class Halving {
public:
  Halving(Measurer &measurer, size_t count, const HalvingOptions &options)
      : measurer(measurer), options(options) {
    result.tracks.resize(count);
    for (size_t i = 0; i < count; ++i)
      left.push_back(i);
    all = countRuns(count);
  }

  HalvingResult run();

private:
  size_t countRuns(size_t count) const;
  /// Runs all that are left once; false if the search is over.
  bool runRound(bool isFirst);
  bool runOne(size_t candidate, bool isFirst);
  void keep(size_t count);
  void choose();
  double bestSoFar() const;

  Measurer &measurer;
  const HalvingOptions &options;
  HalvingResult result;
  std::vector<size_t> left; ///< in the order of their turns; the default comes first
  std::string digest;       ///< of the default's values
  double base = 0;          ///< the default's time in this round
  size_t done = 0, all = 0;
};
} // namespace

static size_t halfOf(size_t count) { return (count + 1) / 2; }

/// The runs of a search in which nothing fails.
size_t Halving::countRuns(size_t count) const {
  size_t runs = count;
  for (count = halfOf(count); count > options.finalists; count = halfOf(count))
    runs += 2 * count;
  return runs + options.finalRounds * std::min(options.finalists, result.tracks.size());
}

double Halving::bestSoFar() const {
  double best = 1;
  for (size_t candidate : left)
    best = std::min(best, result.tracks[candidate].median());
  return best;
}

bool Halving::runOne(size_t candidate, bool isFirst) {
  if (!options.progress(done++, std::max(all, done), bestSoFar()))
    return !(result.isInterrupted = true);
  Track &track = result.tracks[candidate];
  Result<Sample> sample = measurer.run(candidate, options.epochs, /*wantsDigest=*/isFirst);
  if (!sample) {
    track.outcome = Outcome::Failed;
    track.reason = sample.error();
    return candidate != 0;
  }
  if (candidate == 0)
    base = sample->seconds;
  if (isFirst && candidate == 0)
    digest = sample->digest;
  track.outcome = Outcome::Measured;
  track.seconds.push_back(sample->seconds);
  track.ratios.push_back(base > 0 ? sample->seconds / base : 1);
  if (isFirst && sample->digest != digest) {
    track.outcome = Outcome::Wrong;
    track.reason = "other bits than the default's";
  } else if (isFirst && track.ratios.back() > options.hopeless) {
    track.outcome = Outcome::Hopeless;
  }
  return true;
}

bool Halving::runRound(bool isFirst) {
  for (size_t candidate : left)
    if (!runOne(candidate, isFirst))
      return false;
  // The default stays the first; the others begin at another place each time.
  if (left.size() > 2)
    std::rotate(left.begin() + 1, left.begin() + 2, left.end());
  return true;
}

/// The fastest ones, and the default.
void Halving::keep(size_t count) {
  left.erase(std::remove_if(left.begin(), left.end(),
                            [&](size_t candidate) {
                              return result.tracks[candidate].outcome != Outcome::Measured;
                            }),
             left.end());
  if (left.size() < 2)
    return;
  std::sort(left.begin() + 1, left.end(), [&](size_t a, size_t b) {
    return std::make_pair(result.tracks[a].median(), a) <
           std::make_pair(result.tracks[b].median(), b);
  });
  left.resize(std::min(left.size(), std::max(count, options.finalists)));
}

/// The first run of a candidate warms its caches, so only later ones tell a winner.
void Halving::choose() {
  double best = 1 - options.leastGain;
  for (size_t candidate : left) {
    const Track &track = result.tracks[candidate];
    if (candidate != 0 && track.outcome == Outcome::Measured && track.upperQuartile() < best) {
      best = track.upperQuartile();
      result.best = candidate;
    }
  }
}

HalvingResult Halving::run() {
  size_t count = left.size();
  bool goesOn = runRound(/*isFirst=*/true);
  for (count = halfOf(count); goesOn && count > options.finalists; count = halfOf(count)) {
    keep(count);
    goesOn = runRound(/*isFirst=*/false) && runRound(/*isFirst=*/false);
  }
  keep(options.finalists);
  for (size_t round = 0; goesOn && round < options.finalRounds; ++round)
    goesOn = runRound(/*isFirst=*/false);
  choose();
  return std::move(result);
}

HalvingResult lci::findFastest(Measurer &measurer, size_t count, const HalvingOptions &options) {
  return Halving(measurer, count, options).run();
}
