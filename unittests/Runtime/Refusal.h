//===- Refusal.h - Exhaustion of a resource ---------------------*- C++ -*-===//
#ifndef LCI_UNITTESTS_RUNTIME_REFUSAL_H
#define LCI_UNITTESTS_RUNTIME_REFUSAL_H

#include <string>
#include <vector>

/// Creates copies, all of which stay, until that fails; returns the error.
template <typename Thing>
std::string refusalOfAnother(const Thing &thing) {
  std::vector<decltype(thing.another())> made;
  for (int i = 0; i < 100; ++i)
    if (!made.emplace_back(thing.another()))
      return made.back().error();
  return "";
}

#endif // LCI_UNITTESTS_RUNTIME_REFUSAL_H
