//===- Classes.h - Conditions on indices ------------------------*- C++ -*-===//

#ifndef LCI_LIB_SMITH_CLASSES_H
#define LCI_LIB_SMITH_CLASSES_H

#include "Dice.h"
#include <string>

namespace lci {

/// A condition that the indices of a cell alone decide: remainders and quotients of their sums,
/// whose products and sums pass the edges of eight bits in rows of a hundred cells, and bounds.
std::string makeIndexClass(Dice &dice, const std::vector<std::string> &axes);

} // namespace lci

#endif // LCI_LIB_SMITH_CLASSES_H
