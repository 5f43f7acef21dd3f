//===- lmpm-translate.cpp - Text in, text and machine code out ------------===//
//
// Moves programs between the levels of the ladder that are not MLIR: the language's text above,
// LLVM IR and object code below.
//
//===----------------------------------------------------------------------===//

#include "LCI/Bindings/Bindings.h"
#include "LCI/Driver/Explain.h"
#include "LCI/InitAllTranslations.h"
#include "LCI/Runtime/File.h"
#include "LCI/Tools/KeptOutput.h"
#include "LCI/Tools/LimitFlags.h"
#include "LCI/Tools/ToolInit.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

static const char overview[] =
    "lmpm-translate - moves programs between text, MLIR and machine code\n\n"
    "  lmpm-translate --import-lmpm P.lmpm                                the IR of a text: level "
    "1\n"
    "  lmpm-translate --export-lmpm P.mlir                                and back\n"
    "  lmpm-translate --import-golly R.rule | lmpm-translate --export-lmpm\n"
    "                                     a cellular automaton of Golly: a rule, table, tree or "
    "pattern\n"
    "  lmpm-translate --lci-to-ptx --chip=sm_90 --bindings=B.json P.lmpm  kernels of a GPU\n"
    "  lmpm-translate --lci-to-object --bindings=B.json P.lmpm -o P.o     code of this processor\n"
    "  lmpm-translate --lci-to-bundle --bindings=B.json P.lmpm -o P.bundle\n"
    "                                     what lmpm-run-bundle runs where no compiler is\n\n"
    "--help-hidden has LLVM's options, too. Levels between text and code: lmpm-opt.\n";

/// The files that the bindings name. What is wrong with those is said where they are used.
static std::vector<lci::FileUse> filesOfBindings(int argc, char **argv) {
  std::vector<lci::BindingError> errors;
  for (int i = 1; i < argc; ++i) {
    auto [flag, file] = llvm::StringRef(argv[i]).ltrim('-').split('=');
    if (flag != "bindings" || argv[i][0] != '-')
      continue;
    std::string path = file.empty() && i + 1 < argc ? argv[i + 1] : file.str();
    if (lci::isPlainFile(path)) // a FIFO gives what it has only once
      return lci::Bindings::read(path, errors).files();
  }
  return {};
}

/// What is named after --import-golly is a file: a rule itself goes through a pipe.
static void explainRules(int argc, char **argv) {
  llvm::ArrayRef<char *> words(argv + 1, argc - 1);
  if (!llvm::any_of(words, [](llvm::StringRef word) { return word.ltrim('-') == "import-golly"; }))
    return;
  llvm::StringRef before;
  for (llvm::StringRef word : words) {
    bool isOfFlag = before.starts_with("-") && before.ltrim('-') != "import-golly";
    before = word;
    if (!word.starts_with("-") && !isOfFlag && !llvm::sys::fs::exists(word))
      llvm::errs() << "note: --import-golly reads a file: echo '" << word
                   << "' | lmpm-translate --import-golly\n";
  }
}

int main(int argc, char **argv) {
  mlir::lci::initTool("lmpm-translate");
  if (!mlir::lci::checkArguments("lmpm-translate", argc, argv, filesOfBindings(argc, argv)))
    return 1;
  mlir::lci::hideLibraryOptions();
  mlir::lci::LimitFlags limits("lmpm-translate", llvm::cl::getGeneralCategory());
  mlir::lci::addExplainFlag();
  mlir::lci::registerAllTranslations();
  mlir::lci::KeptOutput output(argc, argv);
  if (mlir::failed(mlir::mlirTranslateMain(output.argc(), output.argv(), overview))) {
    explainRules(argc, argv);
    return 1;
  }
  return output.keep("lmpm-translate") ? 0 : 1;
}
