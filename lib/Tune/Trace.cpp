//===- Trace.cpp - The trace of a search, read and drawn ------------------===//
//
// The times of a trace stand for a clock when a search is repeated. The picture has the estimate of
// the model to the right and the time upwards.
//
//===----------------------------------------------------------------------===//

#include "LCI/Tune/Tune.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <deque>

using namespace mlir;
using namespace mlir::lci;
using ::lci::Result;
using ::lci::Sample;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// The times of an earlier search.
class RecordedTimes final : public ::lci::Measurer {
public:
  explicit RecordedTimes(std::vector<std::deque<double>> times) : times(std::move(times)) {}

  /// Runs in which the number of epochs is found are none of the search.
  Result<Sample> run(size_t candidate, int64_t, bool wantsDigest) override {
    if (!std::exchange(isCalibrated, true))
      return Sample{1, ""};
    std::deque<double> &left = times[candidate];
    if (left.empty())
      return ::lci::Failure{ErrorId::MalformedFile, "no more times were recorded"};
    Sample sample{left.front(), wantsDigest ? "recorded" : ""};
    left.pop_front();
    return sample;
  }

private:
  std::vector<std::deque<double>> times; ///< by candidate
  bool isCalibrated = false;
};
} // namespace

/// The first cell of a line, which may be quoted.
static std::string firstCell(StringRef line) {
  if (!line.consume_front("\""))
    return line.split(',').first.str();
  std::string cell;
  for (size_t i = 0; i < line.size() && (line[i] != '"' || line.substr(i).starts_with("\"\""));
       ++i) {
    cell += line[i];
    i += line[i] == '"';
  }
  return cell;
}

/// The times of a line, which are its last column.
static Result<std::deque<double>> timesIn(StringRef column) {
  std::deque<double> times;
  SmallVector<StringRef> words;
  llvm::SplitString(column, words);
  for (StringRef word : words) {
    double seconds = 0;
    if (word.getAsDouble(seconds) || !(seconds > 0))
      return ::lci::Failure{ErrorId::MalformedFile,
                            "expected seconds, but got '" + word.str() + "'"};
    times.push_back(seconds);
  }
  return times;
}

Result<std::unique_ptr<::lci::Measurer>>
mlir::lci::measureFromTrace(StringRef trace, const std::vector<std::string> &names) {
  llvm::StringMap<std::deque<double>> known;
  SmallVector<StringRef> lines;
  llvm::SplitString(trace, lines, "\r\n");
  if (lines.empty() || !lines.front().starts_with("candidate,") ||
      !lines.front().ends_with(",seconds"))
    return ::lci::Failure{ErrorId::MalformedFile,
                          "expected the trace of a search, with columns from candidate to seconds"};
  for (StringRef line : ArrayRef(lines).drop_front()) {
    Result<std::deque<double>> times = timesIn(line.rsplit(',').second);
    if (!times)
      return times.failure();
    known[firstCell(line)] = std::move(*times);
  }
  std::vector<std::deque<double>> times;
  for (const std::string &name : names)
    times.push_back(known.lookup(name));
  return std::unique_ptr<::lci::Measurer>(std::make_unique<RecordedTimes>(std::move(times)));
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

namespace {
/// Where a candidate stands: its estimate and its time, of the default's.
struct Point {
  double estimate, time;
  std::string name;
  bool isBest;
};
} // namespace

static std::vector<Point> pointsOf(const TuneResult &result) {
  std::vector<Point> points;
  for (auto [number, contender] : llvm::enumerate(result.contenders)) {
    if (!contender.cost || !result.contenders[0].cost)
      continue;
    double estimate = contender.cost->cycles / result.contenders[0].cost->cycles;
    bool hasTime = !contender.track.ratios.empty();
    if (hasTime || !result.isMeasured)
      points.push_back({estimate, hasTime ? contender.track.median() : estimate, contender.name,
                        number == result.best});
  }
  return points;
}

std::string TuneResult::picture() const {
  constexpr double kSide = 400, kMargin = 48, kMost = 2;
  auto place = [&](double ratio) { return std::clamp(ratio, 0.0, kMost) / kMost * kSide; };
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{0}\" "
                      "font-family=\"sans-serif\" font-size=\"12\">\n",
                      kSide + 2 * kMargin);
  os << llvm::formatv("<rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{1}\" fill=\"none\" "
                      "stroke=\"#999\"/>\n",
                      kMargin, kSide);
  os << llvm::formatv("<path d=\"M{0} {1}H{2}M{1} {0}V{2}\" stroke=\"#ccc\"/>\n", kMargin,
                      kMargin + place(1), kMargin + kSide);
  for (const Point &point : pointsOf(*this))
    os << llvm::formatv("<circle cx=\"{0:F1}\" cy=\"{1:F1}\" r=\"{2}\" fill=\"{3}\"><title>{4}: "
                        "{5:F3}</title></circle>\n",
                        kMargin + place(point.estimate), kMargin + kSide - place(point.time),
                        point.isBest ? 7 : 4, point.isBest ? "#d62728" : "#1f77b4", point.name,
                        point.time);
  os << llvm::formatv("<text x=\"{0}\" y=\"{1}\">estimate, of the default's (0 to {2})</text>\n",
                      kMargin, kSide + 1.7 * kMargin, kMost);
  os << llvm::formatv("<text x=\"{0}\" y=\"{1}\">time, of the default's (0 to {2}); red: the best"
                      "</text>\n</svg>\n",
                      kMargin, 0.7 * kMargin, kMost);
  return text;
}
