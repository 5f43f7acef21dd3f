//===- lmpm-run-bundle.cpp - Runs bundles, without a compiler -------------===//
//
// Parses the command line and returns the exit status; LCI/Runtime/BundleRun.h does the run.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/BundleRun.h"
#include "LCI/Runtime/FileUse.h"
#include "LCI/Runtime/Streams.h"
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <getopt.h>
#include <limits>
#include <set>

using namespace lci;

static constexpr const char kTool[] = "lmpm-run-bundle";
static constexpr const char kHelp[] =
    R"(lmpm-run-bundle - runs what `lmpm-translate --lci-to-bundle` wrote, without a compiler

  lmpm-run-bundle F.bundle [flags]

  --epochs N               Epochs to run (default: what the bindings said, else 1)
  --seed S                 Seed of all draws (default: the bindings', else 0)
  --backend cpu|cuda       What runs the program (default: cpu)
  --cuda-driver F.so       The library of NVIDIA's driver (default: the machine's)
  --set NAME=VALUE         Give another number, [1, 2], or F.npy, to a parameter
  --input NAME=F.npy       Give a value; -1 is an absent token
  --output VALUE=F.npy     Write a value; tokens in the smallest signed type
  --picture VALUE=F.png    Draw a value: tokens in colours, numbers in grey
  --observe F.csv          Write what the program's observers see
  --observe-every K        Observe every K epochs (default 1)
  --checkpoint F           Write the state of the run, at the end and on Ctrl-C
  --checkpoint-every K     ... and every K epochs
  --resume F               Go on from a checkpoint, as if never interrupted
  --report F.json          Write epochs, commits, seconds, and what a device was asked for
  --enable NAME            Switch a rule or constraint on
  --disable NAME           Switch a rule or constraint off
  --limit-memory SIZE      Take no more memory than that, such as 2G, and say so instead
  --limit-seconds N        Come to an end after that time, with exit status 124
  --quiet                  Print no summary
  --help                   Print this

EXAMPLES:

  Made where the compiler is, run where it is not:
    lmpm-translate --lci-to-bundle ising.lmpm --bindings b.json -o ising.bundle
    lmpm-run-bundle ising.bundle --epochs 1000 --observe ising.csv

EXIT STATUS: 0 done, 1 an error (said on standard error), 124 out of time, 130 interrupted.
)";

/// A number of at least `least`.
template <typename Number>
static Status parse(const std::string &flag, const char *text, Number least, Number &number) {
  const char *end = text + std::strlen(text);
  auto [rest, error] = std::from_chars(text, end, number);
  if (error == std::errc() && rest == end && number >= least)
    return Done{};
  std::string most = error == std::errc::result_out_of_range
                         ? " and at most " + std::to_string(std::numeric_limits<Number>::max())
                         : "";
  return Failure{ErrorId::CommandLine, "expected --" + flag + " of at least " +
                                           std::to_string(least) + most + ", but got '" + text +
                                           "'"};
}

namespace {
/// The action of a flag on its value.
using Take = std::function<Status(const char *text)>;
using Flags = std::vector<std::pair<std::string, Take>>;

/// Every flag that has a value, once.
class FlagTable {
public:
  explicit FlagTable(BundleRunOptions &options) {
    addNumber("epochs", int64_t(0), options.epochs);
    addNumber("seed", uint64_t(0), options.seed);
    addNumber("observe-every", int64_t(1), options.observeEvery);
    addNumber("checkpoint-every", int64_t(1), options.checkpointEvery);
    addText("backend", options.machine.backend);
    addText("cuda-driver", options.machine.driver);
    addOutput("observe", options.observe);
    addOutput("checkpoint", options.checkpoint);
    addText("resume", options.resume);
    addOutput("report", options.report);
    addNamed("set", options.parameters);
    addNamed("input", options.inputs);
    addNamed("output", options.outputs, outputPath);
    addNamed("picture", options.pictures, outputPath);
    addName("enable", options.enable);
    addName("disable", options.disable);
    addLimits();
  }

  Flags flags;

private:
  /// These take effect as soon as they are parsed.
  void addLimits() {
    flags.emplace_back("limit-memory", [](const char *text) -> Status {
      Result<uint64_t> bytes = parseBytes(text);
      if (!bytes)
        return Failure{ErrorId::CommandLine, "--limit-memory: " + bytes.error()};
      return limitMemory(*bytes, kTool);
    });
    flags.emplace_back("limit-seconds", [](const char *text) -> Status {
      Result<double> seconds = parseSeconds(text);
      if (!seconds)
        return Failure{ErrorId::CommandLine, "--limit-seconds: " + seconds.error()};
      limitSeconds(*seconds, kTool);
      return Done{};
    });
  }
  template <typename Number, typename Place>
  void addNumber(const char *name, Number least, Place &to) {
    flags.emplace_back(name, [=, &to](const char *text) {
      Number number = 0;
      Status read = parse(name, text, least, number);
      to = number;
      return read;
    });
  }
  void addText(const char *name, std::string &to) {
    flags.emplace_back(name, [&to](const char *text) {
      to = text;
      return Status(Done{});
    });
  }
  void addOutput(const char *name, std::string &to) {
    flags.emplace_back(name, [&to](const char *text) {
      to = outputPath(text);
      return Status(Done{});
    });
  }
  void addName(const char *name, std::vector<std::string> &to) {
    flags.emplace_back(name, [&to](const char *text) {
      to.push_back(text);
      return Status(Done{});
    });
  }
  void addNamed(const char *name, std::vector<NamedText> &to,
                std::string (*path)(const std::string &) = nullptr) {
    flags.emplace_back(name, [=, &to](const char *text) -> Status {
      Result<NamedText> split = splitName(text, std::string("--") + name);
      if (!split)
        return split.failure();
      to.push_back({split->name, path ? path(split->text) : split->text});
      return Done{};
    });
  }
};
} // namespace

/// The results of getopt_long: the number of a flag with a value, or one of these.
enum : int { kQuiet = 1000, kHelpFlag };

static std::vector<option> describe(const Flags &flags) {
  std::vector<option> described;
  for (size_t number = 0; number < flags.size(); ++number)
    described.push_back(
        {flags[number].first.c_str(), required_argument, nullptr, static_cast<int>(number)});
  described.push_back({"quiet", no_argument, nullptr, kQuiet});
  described.push_back({"help", no_argument, nullptr, kHelpFlag});
  described.push_back({nullptr, 0, nullptr, 0});
  return described;
}

/// Rejects a second occurrence of a flag, since only one could take effect.
static Status checkGivenOnce(const std::string &flag, std::set<std::string> &seen) {
  static const std::set<std::string> kMany = {"set",     "input",  "output",
                                              "picture", "enable", "disable"};
  if (kMany.count(flag) || seen.insert(flag).second)
    return Done{};
  return Failure{ErrorId::CommandLine, "--" + flag + " is given twice"};
}

/// Rejects flags that have no effect with the others.
static Status checkEffects(const std::set<std::string> &seen, const BundleRunOptions &options) {
  auto refuse = [](const char *what) { return Failure{ErrorId::CommandLine, what}; };
  if (seen.count("cuda-driver") && options.machine.backend != "cuda")
    return refuse("--cuda-driver is for --backend=cuda; the others load none");
  if (seen.count("observe-every") && !seen.count("observe"))
    return refuse("--observe-every needs --observe F.csv");
  return Done{};
}

/// Parses all flags, up to `--help`; returns whether that was given.
static Result<bool> parseFlags(int argc, char **argv, BundleRunOptions &options) {
  FlagTable table(options);
  std::vector<option> described = describe(table.flags);
  opterr = 0; // errors are said below
  std::set<std::string> seen;
  for (int flag; (flag = getopt_long(argc, argv, "", described.data(), nullptr)) != -1;) {
    if (flag == kHelpFlag)
      return true;
    if (flag == kQuiet) {
      options.quiet = true;
      if (Status once = checkGivenOnce("quiet", seen); !once)
        return once.failure();
      continue;
    }
    if (flag == '?')
      return Failure{ErrorId::CommandLine,
                     std::string("expected flags that --help shows, with their values, but got '") +
                         argv[optind - 1] + "'"};
    const auto &[name, take] = table.flags[static_cast<size_t>(flag)];
    Status taken = checkGivenOnce(name, seen);
    if (taken)
      taken = take(optarg);
    if (!taken)
      return taken.failure();
  }
  if (optind + 1 != argc)
    return Failure{ErrorId::CommandLine, "expected one bundle, but got " +
                                             std::to_string(argc - optind) +
                                             " files; --help shows the flags"};
  options.bundle = argv[optind];
  Status effects = checkEffects(seen, options);
  return effects ? Result<bool>(false) : effects.failure();
}

/// Whether a file of the run goes to standard output, which must then hold nothing else.
static bool writesToOutput(const BundleRunOptions &options) {
  for (const std::vector<NamedText> *files : {&options.outputs, &options.pictures})
    for (const NamedText &file : *files)
      if (isStandardOutput(file.text))
        return true;
  return isStandardOutput(options.observe) || isStandardOutput(options.report) ||
         isStandardOutput(options.checkpoint);
}

int main(int argc, char **argv) {
  openClosedStreams();
  endWithoutMemory(kTool);
  std::signal(SIGXFSZ, SIG_IGN); // a limit on files is an error of the write that meets it
  auto say = [](const std::string &text) { std::fputs(text.c_str(), stdout); };
  auto complain = [](const std::string &text) {
    std::fprintf(stderr, "%s: %s", kTool, text.c_str());
  };
  BundleRunOptions options;
  Result<bool> wantsHelp = parseFlags(argc, argv, options);
  if (!wantsHelp) {
    complain("error: " + wantsHelp.failure().text() + "\n");
    return static_cast<int>(RunEnd::Failure);
  }
  if (*wantsHelp) {
    say(kHelp);
    flushOutput(kTool);
    return static_cast<int>(RunEnd::Success);
  }
  auto sayBeside = [](const std::string &text) { std::fputs(text.c_str(), stderr); };
  RunEnd end = writesToOutput(options) ? runBundle(options, sayBeside, complain)
                                       : runBundle(options, say, complain);
  flushOutput(kTool);
  return static_cast<int>(end);
}
