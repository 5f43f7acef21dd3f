//===- lmpm-translate.cpp - Import and export of programs -----------------===//
//
// Translates between the levels of the ladder and the formats outside MLIR: the language's text
// above, LLVM IR and object code below.
//
//===----------------------------------------------------------------------===//

#include "LCI/Bindings/Bindings.h"
#include "LCI/Driver/Explain.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/InitAllTranslations.h"
#include "LCI/Runtime/File.h"
#include "LCI/Tools/FlagParsers.h"
#include "LCI/Tools/KeptOutput.h"
#include "LCI/Tools/LimitFlags.h"
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

/// The files that the bindings name. Errors in them are reported by their readers.
static std::vector<lci::FileUse> filesOfBindings(int argc, char **argv) {
  std::vector<lci::BindingError> errors;
  for (int i = 1; i < argc; ++i) {
    auto [flag, file] = llvm::StringRef(argv[i]).ltrim('-').split('=');
    if (flag != "bindings" || argv[i][0] != '-')
      continue;
    std::string path = file.empty() && i + 1 < argc ? argv[i + 1] : file.str();
    if (lci::isPlainFile(path)) // a FIFO can be read only once
      return lci::Bindings::read(path, errors).files();
  }
  return {};
}

/// Explains that --export-lmpm reads IR, when it got a text of the language.
static void explainTexts(int argc, char **argv) {
  llvm::ArrayRef<char *> words(argv + 1, argc - 1);
  if (!llvm::any_of(words, [](llvm::StringRef word) { return word.ltrim('-') == "export-lmpm"; }))
    return;
  for (llvm::StringRef word : words)
    if (word.ends_with(".lmpm"))
      llvm::errs() << "lmpm-translate: note: --export-lmpm reads IR, and '" << word
                   << "' is text of the language, of which --import-lmpm makes IR\n";
}

/// Whether a file has that name, even one that cannot be opened.
static bool isNameOfFile(llvm::StringRef word) {
  llvm::sys::fs::file_status status;
  std::error_code error = llvm::sys::fs::status(word, status, /*follow=*/false);
  return error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory &&
         error != std::errc::filename_too_long;
}

/// Explains that --import-golly takes a file: a rule itself is piped in.
static void explainRules(int argc, char **argv) {
  llvm::ArrayRef<char *> words(argv + 1, argc - 1);
  if (!llvm::any_of(words, [](llvm::StringRef word) { return word.ltrim('-') == "import-golly"; }))
    return;
  llvm::StringRef before;
  for (llvm::StringRef word : words) {
    bool isOfFlag = before.starts_with("-") && before.ltrim('-') != "import-golly";
    before = word;
    if (!word.starts_with("-") && !isOfFlag && !isNameOfFile(word))
      llvm::errs() << "note: --import-golly reads a file: echo '" << word
                   << "' | lmpm-translate --import-golly\n";
  }
}

using mlir::lci::rejectFlag;

namespace {
/// A flag, and the translations that it affects.
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
    {"debug-info", {"lci-to-llvmir", "lci-to-object"}},
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

/// LLVM's parser reports a missing translation once for each registered one.
static bool checkRequested(llvm::ArrayRef<llvm::StringRef> flags) {
  for (llvm::StringRef flag : flags)
    if (flag.starts_with("help") || flag == "version" || flag == "explain")
      return true;
  for (llvm::StringRef flag : flags)
    if (std::optional<std::string> near = lci::nearestName(flag, kTranslations))
      return !rejectFlag("expected a translation, but got '--" + flag + "'",
                         "did you mean '--" + *near + "'?");
  return !rejectFlag("expected a translation, but got none",
                     "such as --import-lmpm or --lci-to-ptx; --help shows them");
}

/// Flags that upstream's main declares when it runs.
static const std::vector<std::string> kOfMain = {"o",
                                                 "allow-unregistered-dialect",
                                                 "error-diagnostics-only",
                                                 "no-implicit-module",
                                                 "output-split-marker",
                                                 "split-input-file",
                                                 "verify-diagnostics"};

/// Whether the flag exists; LLVM's parser would suggest those of its libraries.
static bool checkKnown(llvm::StringRef flag) {
  auto registered = llvm::cl::getRegisteredOptions();
  std::vector<std::string> known(kTranslations);
  known.insert(known.end(), kOfMain.begin(), kOfMain.end());
  for (auto [name, option] : registered)
    if (option->getOptionHiddenFlag() == llvm::cl::NotHidden)
      known.push_back(name.str());
  if (registered.count(flag) || llvm::is_contained(known, flag.str()) || flag.starts_with("mlir-"))
    return true;
  std::optional<std::string> near = lci::nearestName(flag, known);
  return !rejectFlag("expected a flag of lmpm-translate, but got '--" + flag + "'",
                     near ? "did you mean '--" + *near + "'?" : "--help shows the flags");
}

/// Checks that there is a translation, and that each flag affects it.
static bool checkFlags(int argc, char **argv) {
  std::vector<llvm::StringRef> flags = flagsIn(argc, argv);
  auto isRequested = [&](const std::string &name) { return llvm::is_contained(flags, name); };
  const auto requested = llvm::find_if(kTranslations, isRequested);
  if (requested == kTranslations.end())
    return checkRequested(flags);
  if (!llvm::all_of(flags, checkKnown))
    return false;
  for (const FlagEffect &effect : kEffects)
    if (llvm::is_contained(flags, effect.flag) && llvm::none_of(effect.translations, isRequested))
      return !rejectFlag("--" + effect.flag + " has no effect on --" + *requested,
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
    explainTexts(argc, argv);
    return 1;
  }
  return output.keep("lmpm-translate") ? 0 : 1;
}
