//===- lmpm-run-bundle.cpp - Runs bundles, without a compiler --------------===//
//
// Command line in, exit status out; what happens between is LCI/Runtime/BundleRun.h.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/BundleRun.h"
#include <cstdio>
#include <cstdlib>
#include <getopt.h>

using namespace lci;

static constexpr const char kTool[] = "lmpm-run-bundle";
static constexpr const char kHelp[] =
    R"(lmpm-run-bundle - runs what `lmpm-translate --lci-to-bundle` wrote, without a compiler

  lmpm-run-bundle F.bundle [flags]

  --epochs N               Epochs to run (default: what the bindings said, else 1)
  --seed S                 Seed of all draws (default: the bindings', else 0)
  --backend cpu|cuda       What runs the program (default: cpu)
  --cuda-driver F.so       The library of NVIDIA's driver (default: the machine's)
  --set NAME=VALUE         Give another number, or F.npy, to a parameter
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
  --quiet                  Print no summary
  --help                   Print this

EXAMPLES:

  Made where the compiler is, run where it is not:
    lmpm-translate --lci-to-bundle ising.lmpm --bindings b.json -o ising.bundle
    lmpm-run-bundle ising.bundle --epochs 1000 --observe ising.csv

EXIT STATUS: 0 done, 1 an error (said on standard error), 130 interrupted.
)";

namespace {
/// Flags as getopt_long numbers them.
enum Flag {
  Epochs = 1,
  Seed,
  Backend_,
  CudaDriver,
  Set,
  Input,
  Output,
  Picture,
  Observe,
  ObserveEvery,
  Checkpoint_,
  CheckpointEvery,
  Resume,
  Report,
  Enable,
  Disable,
  Quiet,
  Help
};
} // namespace

static constexpr option kFlags[] = {
    {"epochs", required_argument, nullptr, Epochs},
    {"seed", required_argument, nullptr, Seed},
    {"backend", required_argument, nullptr, Backend_},
    {"cuda-driver", required_argument, nullptr, CudaDriver},
    {"set", required_argument, nullptr, Set},
    {"input", required_argument, nullptr, Input},
    {"output", required_argument, nullptr, Output},
    {"picture", required_argument, nullptr, Picture},
    {"observe", required_argument, nullptr, Observe},
    {"observe-every", required_argument, nullptr, ObserveEvery},
    {"checkpoint", required_argument, nullptr, Checkpoint_},
    {"checkpoint-every", required_argument, nullptr, CheckpointEvery},
    {"resume", required_argument, nullptr, Resume},
    {"report", required_argument, nullptr, Report},
    {"enable", required_argument, nullptr, Enable},
    {"disable", required_argument, nullptr, Disable},
    {"quiet", no_argument, nullptr, Quiet},
    {"help", no_argument, nullptr, Help},
    {nullptr, 0, nullptr, 0}};

/// A number of at least `least`.
static Status parse(const char *flag, const char *text, int64_t least, int64_t &number) {
  char *end = nullptr;
  number = std::strtoll(text, &end, 10);
  if (*text != '\0' && *end == '\0' && number >= least)
    return Done{};
  return Failure{std::string("expected ") + flag + " of at least " + std::to_string(least) +
                 ", but got '" + text + "'"};
}

static Status add(const char *flag, const char *text, std::vector<NamedText> &to) {
  Result<NamedText> split = splitName(text, flag);
  if (!split)
    return split.failure();
  to.push_back(std::move(*split));
  return Done{};
}

/// Takes one flag.
static Status take(int flag, const char *text, BundleRunOptions &options) {
  int64_t number = 0;
  switch (flag) {
  case Epochs: {
    Status read = parse("--epochs", text, 0, number);
    options.epochs = number;
    return read;
  }
  case Seed: {
    Status read = parse("--seed", text, 0, number);
    options.seed = static_cast<uint64_t>(number);
    return read;
  }
  case Backend_:
    options.machine.backend = text;
    break;
  case CudaDriver:
    options.machine.driver = text;
    break;
  case Set:
    return add("--set", text, options.parameters);
  case Input:
    return add("--input", text, options.inputs);
  case Output:
    return add("--output", text, options.outputs);
  case Picture:
    return add("--picture", text, options.pictures);
  case Observe:
    options.observe = text;
    break;
  case ObserveEvery:
    return parse("--observe-every", text, 1, options.observeEvery);
  case Checkpoint_:
    options.checkpoint = text;
    break;
  case CheckpointEvery:
    return parse("--checkpoint-every", text, 1, options.checkpointEvery);
  case Resume:
    options.resume = text;
    break;
  case Report:
    options.report = text;
    break;
  case Enable:
    options.enable.push_back(text);
    break;
  case Disable:
    options.disable.push_back(text);
    break;
  case Quiet:
    options.quiet = true;
    break;
  default:
    return Failure{std::string("expected flags that --help shows, with their values, but got '") +
                   text + "'"};
  }
  return Done{};
}

int main(int argc, char **argv) {
  auto complain = [](const std::string &text) {
    std::fprintf(stderr, "%s: %s", kTool, text.c_str());
  };
  BundleRunOptions options;
  opterr = 0; // errors are said below
  for (int flag; (flag = getopt_long(argc, argv, "", kFlags, nullptr)) != -1;) {
    if (flag == Help) {
      std::fputs(kHelp, stdout);
      return 0;
    }
    const char *text = flag == '?' ? argv[optind - 1] : optarg;
    if (Status taken = take(flag, text, options); !taken) {
      complain("error: " + taken.error() + "\n");
      return 1;
    }
  }
  if (optind + 1 != argc) {
    complain("error: expected one bundle, but got " + std::to_string(argc - optind) +
             " files; --help shows the flags\n");
    return 1;
  }
  options.bundle = argv[optind];
  auto say = [](const std::string &text) { std::fputs(text.c_str(), stdout); };
  return static_cast<int>(runBundle(options, say, complain));
}
