//===- lmpm-translate.cpp - Text in, text and machine code out ------------===//
//
// Moves programs between the levels of the ladder that are not MLIR: the language's text above,
// LLVM IR and object code below.
//
//===----------------------------------------------------------------------===//

#include "LCI/Bindings/Bindings.h"
#include "LCI/Driver/Explain.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/InitAllTranslations.h"
#include "LCI/Runtime/File.h"
#include "LCI/Tools/KeptOutput.h"
#include "LCI/Tools/LimitFlags.h"
#include "LCI/Tools/ToolInit.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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

namespace {
/// A flag, and the translations that it has an effect on.
struct FlagEffect {
  llvm::StringRef flag;
  std::vector<std::string> translations;
};
} // namespace

static const std::vector<std::string> kTranslations = {
    "import-lmpm", "export-lmpm", "import-golly", "lci-to-llvmir", "lci-to-object", "lci-to-bundle",
    "lci-to-svg",  "lci-to-plan", "lci-to-ptx",   "lci-to-cubin",  "mlir-to-llvmir"};

static const std::vector<std::string> kOfPrograms = {
    "lci-to-llvmir", "lci-to-object", "lci-to-bundle", "lci-to-svg",
    "lci-to-plan",   "lci-to-ptx",    "lci-to-cubin"};
static const FlagEffect kEffects[] = {
    {"bindings", kOfPrograms},
    {"set", kOfPrograms},
    {"threads", {"lci-to-llvmir", "lci-to-object"}},
    {"cpu", {"lci-to-llvmir", "lci-to-object", "lci-to-bundle"}},
    {"triple", {"lci-to-llvmir", "lci-to-object"}},
    {"chip", {"lci-to-bundle", "lci-to-ptx", "lci-to-cubin"}},
    {"bundle-for", {"lci-to-bundle"}},
    {"fixed",
     {"lci-to-llvmir", "lci-to-object", "lci-to-bundle", "lci-to-plan", "lci-to-ptx",
      "lci-to-cubin"}},
    {"tf32", {"lci-to-bundle", "lci-to-plan", "lci-to-ptx", "lci-to-cubin"}},
    {"view", {"lci-to-svg"}},
    {"view-window", {"lci-to-svg"}},
};

/// Says what is wrong with the command line; false, for who returns it.
static bool reject(const llvm::Twine &message, llvm::StringRef hint) {
  llvm::errs() << "lmpm-translate: error: "
               << lmpm::withErrorId(message.str(), lmpm::ErrorId::CommandLine) << '\n'
               << "lmpm-translate: note: " << hint << '\n';
  return false;
}

/// The flags of a command line, without the words that are their values.
static std::vector<llvm::StringRef> flagsIn(int argc, char **argv) {
  std::vector<llvm::StringRef> flags;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i], flag = word.ltrim('-').split('=').first;
    if (!word.starts_with("-") || flag.empty())
      continue;
    flags.push_back(flag);
    llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(flag);
    bool takesNext =
        option && !word.contains('=') && option->getValueExpectedFlag() == llvm::cl::ValueRequired;
    i += takesNext;
  }
  return flags;
}

/// LLVM's parser says of a missing translation once for each that there is.
static bool checkAsked(llvm::ArrayRef<llvm::StringRef> flags) {
  for (llvm::StringRef flag : flags)
    if (flag.starts_with("help") || flag == "version" || flag == "explain")
      return true;
  for (llvm::StringRef flag : flags)
    if (std::optional<std::string> near = lci::nearestName(flag, kTranslations))
      return reject("expected a translation, but got '--" + flag + "'",
                    "did you mean '--" + *near + "'?");
  return reject("expected a translation, but got none",
                "such as --import-lmpm or --lci-to-ptx; --help shows them");
}

/// A translation is there, and each flag has an effect on it.
static bool checkFlags(int argc, char **argv) {
  std::vector<llvm::StringRef> flags = flagsIn(argc, argv);
  auto isAsked = [&](const std::string &name) { return llvm::is_contained(flags, name); };
  const auto asked = llvm::find_if(kTranslations, isAsked);
  if (asked == kTranslations.end())
    return checkAsked(flags);
  for (const FlagEffect &effect : kEffects)
    if (llvm::is_contained(flags, effect.flag) && llvm::none_of(effect.translations, isAsked))
      return reject("--" + effect.flag + " has no effect on --" + *asked,
                    "--" + llvm::join(effect.translations, ", --") +
                        (effect.translations.size() == 1 ? " takes it" : " take it"));
  return true;
}

int main(int argc, char **argv) {
  mlir::lci::initTool("lmpm-translate");
  if (!mlir::lci::checkArguments("lmpm-translate", argc, argv, filesOfBindings(argc, argv)))
    return 1;
  mlir::lci::hideLibraryOptions();
  mlir::lci::LimitFlags limits("lmpm-translate", llvm::cl::getGeneralCategory());
  mlir::lci::addExplainFlag();
  mlir::lci::registerAllTranslations();
  if (!checkFlags(argc, argv))
    return 1;
  mlir::lci::KeptOutput output(argc, argv);
  if (mlir::failed(mlir::mlirTranslateMain(output.argc(), output.argv(), overview))) {
    explainRules(argc, argv);
    return 1;
  }
  return output.keep("lmpm-translate") ? 0 : 1;
}
