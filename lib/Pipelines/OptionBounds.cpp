//===- OptionBounds.cpp - Bounds of the options of pipelines --------------===//

#include "LCI/Pipelines/OptionBounds.h"
#include "LCI/Dialect/Targets.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/VectorLanes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// The bounds of an option's values, if not from 0 to `kMaxOption`: as its passes require.
struct Bounds {
  StringRef option;
  int64_t least, most;
};
} // namespace

static constexpr Bounds kBounds[] = {
    {"eager-blocks", 0, ::lci::numerics::kEagerBlocks},
    {"epoch-columns", 1, kMaxOption},
    {"epoch-inner", 0, 100},
    {"epoch-rows", 1, kMaxOption},
    {"epoch-threads", 1, kMaxBlockThreads},
    {"epoch-tiles", -1, kMaxOption},
    {"epochs", 1, kMaxOption},
    {"fused-epochs", 1, kMaxOption},
    {"jam-rows", 1, 1024},
    {"jam-saved", 0, 100},
    {"model-tile", 1, kMaxOption},
    {"multiprocessors", 1, kMaxMultiprocessors},
    {"strip-words", 1, kMaxOption},
    {"table-saved", -1000, kMaxOption},
    {"threads", 1, kMaxThreads},
    {"tile-rows", 1, kMaxOption},
    {"vector-bits", kNumberBits, kMaxVectorBits},
    {"vector-registers", 1, kMaxVectorRegisters},
};

/// Options whose values are text.
static constexpr StringRef kTexts[] = {"chip", "features"};

/// Options that are as the module says if they are -1.
static constexpr StringRef kOfTarget[] = {"multiprocessors", "threads", "vector-bits",
                                          "vector-registers"};

/// Whether an option is a truth value, whose name alone is true.
static bool takesNoValue(const llvm::cl::Option &option) {
  return option.getValueExpectedFlag() == llvm::cl::ValueOptional;
}

static Bounds findBounds(StringRef option, bool isForGPU) {
  if (option == "threads" && isForGPU)
    return {option, 1, kMaxBlockThreads};
  const Bounds *known =
      llvm::find_if(kBounds, [&](const Bounds &bounds) { return bounds.option == option; });
  return known == std::end(kBounds) ? Bounds{option, 0, kMaxOption} : *known;
}

/// What an option has to be, in words behind its name; empty if `word` is that.
static std::string findExpected(const llvm::cl::Option &option, StringRef word, bool isForGPU) {
  if (llvm::is_contained(kTexts, option.ArgStr))
    return "";
  if (takesNoValue(option))
    return word == "true" || word == "false" ? "" : "to be true or false";
  Bounds bounds = findBounds(option.ArgStr, isForGPU);
  int64_t number = 0;
  bool isNumber = !word.getAsInteger(10, number);
  bool isUnset = isNumber && number == -1 && llvm::is_contained(kOfTarget, option.ArgStr);
  if (isUnset || (isNumber && number >= bounds.least && number <= bounds.most))
    return "";
  return "from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most);
}

std::string mlir::lci::findOptionProblem(StringRef text, FindOption find, bool isForGPU) {
  SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  for (StringRef word : words) {
    auto [name, value] = word.split('=');
    const llvm::cl::Option *option = find(name);
    if (!option || (name == word && takesNoValue(*option)))
      continue;
    std::string expected = findExpected(*option, value, isForGPU);
    if (!expected.empty())
      return ("expected '" + name + "' " + expected + ", but got '" + value + "'").str();
  }
  return "";
}
