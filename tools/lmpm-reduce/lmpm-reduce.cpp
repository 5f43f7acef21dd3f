//===- lmpm-reduce.cpp - Test-case reducer --------------------------------===//
//
// `lmpm-reduce P.lmpm --test=SCRIPT -o SMALLER.lmpm` drops everything that the script does not need
// to find the program interesting; `lmpm-reduce --mlir` does so with IR.
//
//===----------------------------------------------------------------------===//

#include "LCI/InitAllDialects.h"
#include "LCI/InitAllPasses.h"
#include "LCI/Reduce/Reduce.h"
#include "LCI/Tools/FlagParsers.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;

namespace {
struct Flags {
  cl::OptionCategory category{"lmpm-reduce options"};
  cl::opt<std::string> input{cl::Positional, cl::Required, cl::desc("PROGRAM.lmpm"),
                             cl::cat(category)};
  cl::opt<std::string> test{"test", cl::value_desc("SCRIPT"), cl::cat(category),
                            cl::desc("Is called with the path of a smaller program, and exits "
                                     "with 0 while that is still interesting")};
  cl::opt<std::string> check{"check", cl::value_desc("FLAGS"), cl::cat(category),
                             cl::desc("In place of a script: a program is interesting while "
                                      "lmpm-run --check with these flags finds a difference")};
  cl::opt<std::string> output{"o", cl::init("-"), cl::value_desc("FILE"), cl::cat(category),
                              cl::desc("Where the smallest one goes (else the terminal)")};
};
} // namespace

static const char overview[] = R"(lmpm-reduce - makes a program smaller that shows something

  lmpm-reduce P.lmpm --test=./fails.sh -o smaller.lmpm

drops declarations and lines while fails.sh exits with 0. A program on which the interpreter and the
compiler do not agree needs no script:

  lmpm-reduce P.lmpm --check="--bindings B.json" -o smaller.lmpm

  lmpm-reduce --mlir P.mlir --reduction-tree='traversal-mode=0 test=./fails.sh'

is upstream's mlir-reduce with this project's dialect and passes: any level as IR, one operation
less at a time. Its script exits with 1 while a file is interesting; --mlir --help says more.
)";

/// Prints an error and exits: the requested run cannot be completed.
[[noreturn]] static void fail(const Twine &message, lmpm::ErrorId id = lmpm::ErrorId::FileAccess) {
  errs() << "lmpm-reduce: error: " << lmpm::withErrorId(message.str(), id) << "\n";
  exit(1);
}

/// Writes a program to a file that a test reads.
static void write(StringRef path, const lci::Declarations &declarations) {
  std::error_code error;
  raw_fd_ostream file(path, error);
  file << lci::joinDeclarations(declarations);
  file.close();
  if (error || file.has_error())
    fail("cannot write '" + path + "'");
}

/// Runs a program with its output in files, which are empty for none.
static int execute(StringRef program, ArrayRef<StringRef> words, StringRef errors = "") {
  std::string message;
  std::optional<StringRef> streams[] = {StringRef(), StringRef(), errors};
  int code = sys::ExecuteAndWait(program, words, /*Env=*/std::nullopt, streams,
                                 /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (code < 0)
    fail("cannot run '" + program + "': " + message);
  return code;
}

/// A temporary file.
static SmallString<64> makeFile(StringRef extension) {
  SmallString<64> path;
  if (std::error_code error = sys::fs::createTemporaryFile("lmpm-reduce", extension, path))
    fail("cannot make a temporary file: " + error.message());
  return path;
}

namespace {
/// Whether a program is interesting.
class Test {
public:
  virtual ~Test() = default;
  /// The exit status: 0 while it is.
  virtual int run(StringRef program) = 0;
  /// Why the whole program is not.
  virtual std::string explain(int code) const = 0;
};

class ScriptTest final : public Test {
public:
  explicit ScriptTest(StringRef name) {
    ErrorOr<std::string> found = sys::findProgramByName(name);
    if (!found)
      fail("cannot run '" + name + "': " + found.getError().message());
    script = *found;
  }
  int run(StringRef program) override { return execute(script, {script, program}); }
  std::string explain(int code) const override {
    return "expected the test to exit with 0 for the whole program, but it exited with " +
           std::to_string(code);
  }

private:
  std::string script;
};

/// Runs `lmpm-run --check`, which lies beside this tool.
class CheckTest final : public Test {
public:
  CheckTest(StringRef flags, const char *self) : errors(makeFile("txt")), remover(errors) {
    cl::TokenizeGNUCommandLine(flags, saver, words);
    runner = sys::fs::getMainExecutable(self, reinterpret_cast<void *>(&makeFile));
    sys::path::remove_filename(runner);
    sys::path::append(runner, "lmpm-run");
  }
  int run(StringRef program) override {
    SmallVector<StringRef> all{runner, program, "--check", "--quiet"};
    all.append(words.begin(), words.end());
    execute(runner, all, errors);
    auto said = MemoryBuffer::getFile(errors);
    bool differs = said && (*said)->getBuffer().contains("[check-failed]");
    return differs ? 0 : 1;
  }
  std::string explain(int) const override {
    return "expected lmpm-run --check to find a difference in the whole program, but it found none";
  }

private:
  BumpPtrAllocator allocator;
  StringSaver saver{allocator};
  SmallVector<const char *> words;
  SmallString<128> runner;
  SmallString<64> errors;
  FileRemover remover;
};
} // namespace

/// The test of the command line, which has one of two.
static std::unique_ptr<Test> makeTest(const Flags &flags, const char *self) {
  bool isScript = flags.test.getNumOccurrences() > 0, checks = flags.check.getNumOccurrences() > 0;
  if (isScript == checks)
    fail("expected --test or --check, but got " + Twine(checks ? "both" : "none"),
         lmpm::ErrorId::CommandLine);
  if (checks)
    return std::make_unique<CheckTest>(flags.check, self);
  return std::make_unique<ScriptTest>(flags.test);
}

/// Reduces text: a program of the language.
static int reduceText(int argc, char **argv) {
  Flags flags;
  cl::HideUnrelatedOptions(flags.category);
  if (!mlir::lci::WordCheck(argc, argv, flags.category, {1, 1, "program"}).isGood())
    return 1;
  cl::ParseCommandLineOptions(argc, argv, overview);
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFileOrSTDIN(flags.input);
  if (std::error_code error = text.getError())
    fail("cannot open '" + flags.input + "': " + error.message());
  std::unique_ptr<Test> test = makeTest(flags, argv[0]);
  SmallString<64> candidate = makeFile("lmpm");
  FileRemover remover(candidate);
  auto run = [&](const lci::Declarations &program) {
    write(candidate, program);
    return test->run(candidate);
  };
  lci::Declarations whole = lci::splitDeclarations((*text)->getBuffer().str());
  if (int code = run(whole))
    fail(test->explain(code), lmpm::ErrorId::CommandLine);
  lci::Declarations smallest = lci::reduceDeclarations(
      whole, [&](const lci::Declarations &smaller) { return run(smaller) == 0; });
  std::error_code error;
  ToolOutputFile output(flags.output, error, sys::fs::OF_None);
  if (error)
    fail("cannot write '" + flags.output + "': " + error.message());
  output.os() << lci::joinDeclarations(smallest);
  output.keep();
  return 0;
}

/// Reduces IR by upstream's reducer, which parses the remaining arguments itself.
static int reduceIR(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::lci::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::lci::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}

int main(int argc, char **argv) {
  mlir::lci::initTool("lmpm-reduce");
  if (!mlir::lci::checkArguments("lmpm-reduce", argc, argv))
    return 1;
  if (argc < 2 || StringRef(argv[1]) != "--mlir")
    return reduceText(argc, argv);
  argv[1] = argv[0];
  return reduceIR(argc - 1, argv + 1);
}
