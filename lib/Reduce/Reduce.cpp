//===- Reduce.cpp - Test-case reduction of programs -----------------------===//

#include "LCI/Reduce/Reduce.h"
#include <algorithm>
#include <sstream>

using namespace lci;

using Judge = std::function<bool(const Declarations &)>;

Declarations lci::splitDeclarations(const std::string &text) {
  Declarations declarations;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    bool begins = !line.empty() && line.front() != ' ' && line.front() != '\t';
    if (begins || declarations.empty())
      declarations.push_back(line);
    else
      declarations.back() += "\n" + line;
  }
  return declarations;
}

std::string lci::joinDeclarations(const Declarations &declarations) {
  std::string text;
  for (const std::string &declaration : declarations)
    text += declaration + "\n";
  return text;
}

/// Tries runs of half of the declarations first, then of half of that, down to one, from the last
/// on.
static bool dropDeclarations(Declarations &declarations, const Judge &isInteresting) {
  size_t before = declarations.size();
  for (size_t length = (before + 1) / 2; length > 0; length /= 2)
    for (size_t end = declarations.size(); end > 0;) {
      size_t start = end - std::min(length, end);
      Declarations smaller = declarations;
      smaller.erase(smaller.begin() + start, smaller.begin() + end);
      if (isInteresting(smaller))
        declarations = std::move(smaller);
      end = start;
    }
  return declarations.size() < before;
}

/// Tries each line of one declaration except the first, from the last on.
static bool dropLines(Declarations &declarations, size_t number, const Judge &isInteresting) {
  bool isSmaller = false;
  for (size_t end = declarations[number].size(); end > 0;) {
    size_t start = declarations[number].rfind('\n', end - 1);
    if (start == std::string::npos)
      break;
    Declarations smaller = declarations;
    smaller[number].erase(start, end - start);
    if (isInteresting(smaller)) {
      declarations = std::move(smaller);
      isSmaller = true;
    }
    end = start;
  }
  return isSmaller;
}

Declarations lci::reduceDeclarations(Declarations declarations, const Judge &isInteresting) {
  for (bool isSmaller = true; isSmaller;) {
    isSmaller = dropDeclarations(declarations, isInteresting);
    for (size_t number = 0; number < declarations.size(); ++number)
      isSmaller |= dropLines(declarations, number, isInteresting);
  }
  return declarations;
}
