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
#include "llvm/Support/Program.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;

namespace {
struct Flags {
  cl::OptionCategory category{"lmpm-reduce options"};
  cl::opt<std::string> input{cl::Positional, cl::Required, cl::desc("PROGRAM.lmpm"),
                             cl::cat(category)};
  cl::opt<std::string> test{"test", cl::Required, cl::value_desc("SCRIPT"), cl::cat(category),
                            cl::desc("Is called with the path of a smaller program, and exits "
                                     "with 0 while that is still interesting")};
  cl::opt<std::string> output{"o", cl::init("-"), cl::value_desc("FILE"), cl::cat(category),
                              cl::desc("Where the smallest one goes (else the terminal)")};
};
} // namespace

static const char overview[] = R"(lmpm-reduce - makes a program smaller that shows something

  lmpm-reduce P.lmpm --test=./fails.sh -o smaller.lmpm

drops declarations and lines while fails.sh exits with 0. A script that does so for a program on
which the interpreter and the compiler do not agree:

  #!/bin/sh
  ! lmpm-run "$1" --bindings B.json --check >log 2>&1 && grep -q differ log

  lmpm-reduce --mlir P.mlir --reduction-tree='traversal-mode=0 test=./fails.sh'

is upstream's mlir-reduce with this project's dialect and passes: any level as IR, one operation
less at a time. Its script exits with 1 while a file is interesting; --mlir --help says more.
)";

/// Prints an error and exits: the requested run cannot be completed.
[[noreturn]] static void fail(const Twine &message, lmpm::ErrorId id = lmpm::ErrorId::FileAccess) {
  errs() << "lmpm-reduce: error: " << lmpm::withErrorId(message.str(), id) << "\n";
  exit(1);
}

/// The exit status of the script on a program.
static int runScript(StringRef script, StringRef path, const lci::Declarations &declarations) {
  std::error_code error;
  raw_fd_ostream file(path, error);
  file << lci::joinDeclarations(declarations);
  file.close();
  if (error || file.has_error())
    fail("cannot write '" + path + "'");
  std::string message;
  std::optional<StringRef> silent[] = {StringRef(), StringRef(), StringRef()};
  int code = sys::ExecuteAndWait(script, {script, path}, /*Env=*/std::nullopt, silent,
                                 /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (code < 0)
    fail("cannot run '" + script + "': " + message);
  return code;
}

/// A temporary file with the same extension, for the script to read.
static SmallString<64> makeCandidateFile() {
  SmallString<64> path;
  if (std::error_code error = sys::fs::createTemporaryFile("lmpm-reduce", "lmpm", path))
    fail("cannot make a temporary file: " + error.message());
  return path;
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
  ErrorOr<std::string> script = sys::findProgramByName(flags.test);
  if (!script)
    fail("cannot run '" + flags.test + "': " + script.getError().message());
  SmallString<64> candidate = makeCandidateFile();
  FileRemover remover(candidate);
  lci::Declarations whole = lci::splitDeclarations((*text)->getBuffer().str());
  if (int code = runScript(*script, candidate, whole))
    fail("expected the test to exit with 0 for the whole program, but it exited with " +
             Twine(code),
         lmpm::ErrorId::CommandLine);
  lci::Declarations smallest =
      lci::reduceDeclarations(whole, [&](const lci::Declarations &smaller) {
        return runScript(*script, candidate, smaller) == 0;
      });
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
