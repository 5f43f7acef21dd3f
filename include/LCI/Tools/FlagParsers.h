//===- FlagParsers.h - Checks of flags and command lines --------*- C++ -*-===//
//
// Checks the values of flags, and the words of a command line as a whole, and reports errors in
// this project's form: expected, found, hint. LLVM's parser runs after that.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TOOLS_FLAGPARSERS_H
#define LCI_TOOLS_FLAGPARSERS_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Tools/ToolInit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <optional>

namespace mlir::lci {

/// Prints an error of the command line; returns true, as LLVM's parsers do on errors.
inline bool rejectFlag(const llvm::Twine &message, llvm::StringRef hint = "") {
  llvm::errs() << toolName()
               << ": error: " << lmpm::withErrorId(message.str(), lmpm::ErrorId::CommandLine)
               << '\n';
  if (!hint.empty())
    llvm::errs() << toolName() << ": note: " << hint << '\n';
  return true;
}

/// An integer that its type can represent.
template <typename Number>
bool checkNumber(llvm::StringRef flag, llvm::StringRef word) {
  Number number;
  if (!word.getAsInteger(10, number))
    return true;
  using Limits = std::numeric_limits<Number>;
  bool isLarge = !word.empty() && llvm::all_of(word, llvm::isDigit);
  std::string range = isLarge             ? " of at most " + std::to_string(Limits::max())
                      : Limits::is_signed ? ""
                                          : " of at least 0";
  return !rejectFlag("expected a whole number" + range + " for --" + flag + ", but got '" + word +
                     "'");
}

/// A boolean flag.
inline bool checkSwitch(llvm::StringRef flag, llvm::StringRef word) {
  return word == "true" || word == "false" ||
         !rejectFlag("expected no value for --" + flag + ", but got '" + word + "'");
}

/// One of an enumeration of words.
template <typename Choice>
class ChoiceParser : public llvm::cl::parser<Choice> {
public:
  using llvm::cl::parser<Choice>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef word, Choice &choice) {
    std::vector<std::string> words;
    for (const auto &known : this->Values) {
      if (known.Name == word) {
        choice = known.V.getValue();
        return false;
      }
      words.push_back(known.Name.str());
    }
    std::optional<std::string> near = ::lci::nearestName(word, words);
    if (word == "gpu" && llvm::is_contained(words, "cuda"))
      near = "cuda";
    std::string last = words.back();
    words.pop_back();
    return rejectFlag("expected " + llvm::join(words, ", ") + " or " + last + " for --" +
                          option.ArgStr + ", but got '" + word + "'",
                      near ? "did you mean '" + *near + "'?" : "");
  }
};

/// The number of files a tool takes beside its flags, its noun for one, and its usage.
struct FileCount {
  size_t least = 0, most = 0;
  const char *kind = "file", *example = "--help shows the flags";
};

/// Checks all words before LLVM does: each flag is known and has its values, and there are as many
/// files as the tool takes.
class WordCheck {
public:
  WordCheck(int argc, char **argv, llvm::cl::OptionCategory &category, FileCount files)
      : words(argv + 1, argv + argc), category(category), count(files) {}

  /// Flags whose values are checked.
  template <typename... Number>
  void addNumbers(const llvm::cl::opt<Number> &...options) {
    (checks.try_emplace(options.ArgStr, checkNumber<Number>), ...);
  }
  template <typename... Options>
  void addSwitches(const Options &...options) {
    (checks.try_emplace(options.ArgStr, checkSwitch), ...);
  }

  bool isGood() {
    for (next = 0; next < words.size();) {
      llvm::StringRef word = words[next++];
      if (word == "-" || !word.starts_with("-"))
        files.push_back(word);
      else if (bool isLast = word == "--"; isLast || !takeFlag(word))
        return isLast || wantsHelp;
    }
    bool fits = files.size() >= count.least && files.size() <= count.most;
    return fits || !rejectFiles();
  }

private:
  /// Returns false to end the check.
  bool takeFlag(llvm::StringRef word) {
    llvm::StringRef flag = word.ltrim('-').split('=').first;
    llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(flag);
    if (!option)
      return !rejectUnknown(word, flag);
    wantsHelp = !llvm::is_contained(option->Categories, &category) || flag == "explain";
    bool isInWord = word.contains('=');
    bool takesWord = !isInWord && option->getValueExpectedFlag() == llvm::cl::ValueRequired;
    size_t wanted = takesWord;
    if (size_t several = option->getNumAdditionalVals())
      wanted = several - isInWord;
    if (size_t left = words.size() - next; left < wanted)
      return !rejectFlag("expected " + counted(wanted) + " for --" + flag + ", but got " +
                         (left == 0 ? "none" : std::to_string(left)));
    llvm::StringRef value = isInWord ? word.split('=').second : takesWord ? words[next] : "";
    bool isChecked = checks.count(flag) && (isInWord || takesWord);
    next += wanted;
    return !wantsHelp && (!isChecked || checks.lookup(flag)(flag, value));
  }

  static std::string counted(size_t values) {
    return values == 1 ? "a value" : std::to_string(values) + " values";
  }

  bool rejectUnknown(llvm::StringRef word, llvm::StringRef flag) {
    std::vector<std::string> known;
    for (auto [name, option] : llvm::cl::getRegisteredOptions())
      if (llvm::is_contained(option->Categories, &category))
        known.push_back(name.str());
    llvm::sort(known);
    std::string hint = "--help shows the flags";
    bool takesSets = llvm::is_contained(known, "set");
    if (std::optional<std::string> near = ::lci::nearestName(flag, known))
      hint = "did you mean '--" + *near + "'?";
    else if (takesSets && word.contains('='))
      hint = "sizes and parameters are given as in --set " + word.ltrim('-').str();
    return rejectFlag("expected a flag of " + llvm::Twine(toolName()) + ", but got '" + word + "'",
                      hint);
  }

  bool rejectFiles() {
    std::string kind = count.kind, wanted = count.most == 0 ? "no " + kind : "one " + kind;
    if (files.empty())
      return rejectFlag("expected a " + kind + ", but got none", count.example);
    std::string listed;
    for (llvm::StringRef file : files)
      listed += (listed.empty() ? "'" : ", '") + file.str() + "'";
    bool isSplit = llvm::any_of(
        words, [](llvm::StringRef word) { return word.starts_with("=") || word.ends_with("="); });
    return rejectFlag("expected " + wanted + ", but got " + listed,
                      isSplit ? "NAME=VALUE is one word, without spaces around its '='" : "");
  }

  llvm::SmallVector<llvm::StringRef> words, files;
  llvm::StringMap<bool (*)(llvm::StringRef flag, llvm::StringRef word)> checks;
  size_t next = 0;
  llvm::cl::OptionCategory &category;
  FileCount count;
  bool wantsHelp = false; ///< which LLVM's parser answers, whatever else there is
};

} // namespace mlir::lci

#endif // LCI_TOOLS_FLAGPARSERS_H
