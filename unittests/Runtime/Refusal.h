//===- Refusal.h - What cannot be had any number of times -------*- C++ -*-===//
#ifndef LCI_UNITTESTS_RUNTIME_REFUSAL_H
#define LCI_UNITTESTS_RUNTIME_REFUSAL_H

#include <string>
#include <vector>

/// Makes ever more like it, all of which stay; why there are no more at last.
template <typename Thing>
std::string refusalOfAnother(const Thing &thing) {
  std::vector<decltype(thing.another())> made;
  for (int i = 0; i < 100; ++i)
    if (!made.emplace_back(thing.another()))
      return made.back().error();
  return "";
}

#endif // LCI_UNITTESTS_RUNTIME_REFUSAL_H
