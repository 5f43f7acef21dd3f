//===- Sections.cpp - Sections of a rule file -----------------------------===//

#include "Sections.h"
#include "LCI/Target/Golly/Golly.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using mlir::lci::GollyError;
using namespace mlir::lci::golly;

StringRef mlir::lci::golly::takeLine(StringRef &text) {
  size_t end = text.find_first_of("\r\n");
  StringRef line = text.take_front(end);
  text = text.drop_front(line.size());
  if (!text.consume_front("\r\n"))
    text = text.drop_front(!text.empty());
  return line;
}

namespace {
class SectionFinder {
public:
  llvm::Expected<std::optional<Section>> run(StringRef text) {
    for (StringRef rest = text; !rest.empty() && !twice;) {
      StringRef line = takeLine(rest).split('#').first.trim();
      if (line.starts_with("@"))
        readHead(line);
      else if (!line.empty())
        readLine(line);
    }
    if (twice)
      return llvm::make_error<GollyError>(*twice, "expected one rule in a file, but got a second "
                                                  "'@RULE'");
    if (!isFound && rule)
      return llvm::make_error<GollyError>(*rule, "expected a '@TABLE' or a '@TREE' in the file of "
                                                 "a rule, but got neither");
    if (!isFound && !isOld)
      return std::nullopt;
    llvm::Expected<BoundedRule> bounded = parseGrid(name);
    if (!bounded)
      return bounded.takeError();
    section.name = name.str();
    section.bounds = name.drop_front(std::min(name.size(), bounded->rule.size() + 1));
    section.grid = bounded->grid;
    return std::optional(std::move(section));
  }

private:
  void readHead(StringRef line) {
    auto [word, rest] = line.split(' ');
    isInside = false;
    if (word == "@RULE") {
      (rule ? twice : rule) = line;
      name = rest.trim().split(' ').first;
    } else if ((word == "@TABLE" || word == "@TREE") && !isFound) {
      isInside = isFound = true;
      section.isTree = word == "@TREE";
      section.head = line;
      section.lines.clear();
    }
  }

  void readLine(StringRef line) {
    bool isTree = line.starts_with("num_states") || line.starts_with("num_nodes");
    if (!isOld && !isFound && !rule && (isTree || line.starts_with_insensitive("n_states:"))) {
      isOld = true;
      section.isTree = isTree;
      section.head = line;
    }
    if (isInside || (!isFound && !rule))
      section.lines.push_back(line);
  }

  Section section;
  StringRef name; ///< perhaps with a grid
  std::optional<StringRef> rule, twice;
  bool isFound = false, isInside = false, isOld = false;
};
} // namespace

llvm::Expected<std::optional<Section>> mlir::lci::golly::findSection(StringRef text) {
  return SectionFinder().run(text);
}
