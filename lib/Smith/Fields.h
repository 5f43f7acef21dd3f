//===- Fields.h - Random programs of fields that read each other *- C++ -*-===//
//
// Two or three values on one lattice, of numbers or of few tokens, each of which reads the others
// in the same phase. They exercise loop fusion: fused into one nest and computed in place where
// only the same cell is read, kept separate where a neighbour is. They have no draws and no
// constraints, since either prevents fusion.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_FIELDS_H
#define LCI_LIB_SMITH_FIELDS_H

#include "Dice.h"
#include "LCI/Smith/Smith.h"

namespace lci {

/// Makes one program.
class Fields {
public:
  explicit Fields(uint64_t seed) : dice(seed) { program.seed = dice.below(1000); }
  SmithProgram make();

private:
  enum class Kind { Number, Integer, Token };
  struct Field {
    std::string name;
    Kind kind;
    int64_t vocabulary; ///< of tokens
  };
  /// A term that a rule may read, as text.
  struct Term {
    std::string text;
    Kind kind;
  };

  void makeSizes();
  void makeField(Kind kind);
  void makeSights(const Field &field);
  void makeSightsOf(const Field &field, const Field &source);
  void makeRule(const Field &field);
  std::string number(int depth);
  std::string integer(int depth);
  std::string condition();
  std::string termOf(Kind least);
  std::string cell(const std::string &name) const;
  void declare(std::string text) { program.declarations.push_back(std::move(text)); }

  Dice dice;
  SmithProgram program;
  std::vector<std::string> axes, sizes;
  std::vector<Field> fields;
  std::vector<Term> terms;
};

} // namespace lci

#endif // LCI_LIB_SMITH_FIELDS_H
