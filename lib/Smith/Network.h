//===- Network.h - A random function for a model ----------------*- C++ -*-===//
//
// Writes a per-cell function as MLIR, of the operations that docs/models.md lists, with its
// weights. The numbers stay small enough to mean something; their order of summation is that of the
// text.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_NETWORK_H
#define LCI_LIB_SMITH_NETWORK_H

#include "Forge.h"

namespace lci {

/// A function under construction.
class Network {
public:
  Network(Dice &dice, std::map<std::string, int64_t> &coverage, std::string name)
      : dice(dice), coverage(coverage), name(std::move(name)) {}

  /// Adds an argument: the members of a read, of that element type. A non-zero vocabulary means
  /// that they are tokens below it, or equal to it where one is absent.
  void addArgument(const std::string &element, int64_t members, int64_t vocabulary);
  /// Concatenates everything to a tensor of one number for each feature.
  void join();
  /// Ends the function with a number for each entry of a vocabulary, or with a token of it, and
  /// with a number beside that if `isSure`.
  void answerLogits(int64_t vocabulary);
  void answerToken(int64_t vocabulary, bool isSure);
  /// Ends it with a score.
  void answerScore();

  std::string text() const;
  std::map<std::string, Array> weights;

private:
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string line(const std::string &text);
  std::string use(const std::string &construct);
  std::string addWeight(const std::vector<int64_t> &shape);
  std::string zeros(int64_t length, const std::string &element);
  std::string numbersOf(const std::string &argument, const std::string &present,
                        const std::string &element, int64_t members);
  std::string embed(const std::string &argument, const std::string &element, int64_t members,
                    int64_t vocabulary, int64_t &features);
  std::string reshaped(const std::string &value, int64_t length);
  std::string joinByInsertion();
  std::string dense(const std::string &value, int64_t from, int64_t to);
  std::string activate(const std::string &value, int64_t length);
  std::string control(const std::string &value, int64_t length);
  std::string tripCount(const std::string &value, int64_t length);
  std::string shift(const std::string &value, int64_t length);
  std::string halve(const std::string &value, int64_t length);
  std::string negate(const std::string &value, int64_t length);
  std::string scalarOf(const std::string &value, int64_t length, const std::string &element);
  void hide();

  Dice &dice;
  std::map<std::string, int64_t> &coverage;
  std::string name, parameters, trailing, body, results, answers;
  int next = 0;
  /// The features so far: values and their lengths; one after `join`.
  std::vector<std::pair<std::string, int64_t>> parts;
  /// An argument of integers, and its length; a token result is computed from it.
  std::string ids, idElement;
  int64_t numIds = 0;
};

} // namespace lci

#endif // LCI_LIB_SMITH_NETWORK_H
