//===- Dice.cpp - A small generator of random numbers ---------------------===//

#include "Dice.h"

using namespace lci;

uint64_t Dice::next() {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
