//===- LookupCover.h - Circuits as look-ups of three bits -------*- C++ -*-===//
//
// Machines compute any function of three bits in one instruction, circuits are written in and, or
// and xor. Which gates become values, and of which others each is a look-up, is chosen here; who
// has the circuit, as MLIR or as LLVM's IR, writes it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_NUMERICS_LOOKUPCOVER_H
#define LCI_NUMERICS_LOOKUPCOVER_H

#include "LCI/Numerics/LookupNetwork.h"
#include <map>

namespace lci::numerics {

/// Up to six values, each once.
class Leaves {
public:
  Leaves() = default;
  explicit Leaves(unsigned value) { add(value); }

  unsigned size() const { return count; }
  const unsigned *begin() const { return values.data(); }
  const unsigned *end() const { return values.data() + count; }
  unsigned operator[](unsigned place) const { return values[place]; }
  bool contains(unsigned value) const;
  bool contains(const Leaves &other) const;
  /// Unless it is there.
  void add(unsigned value);

private:
  std::array<unsigned, kMostInputs> values{};
  unsigned count = 0;
};

/// How a gate is made of other values: its network's inputs are the leaves. Of one look-up, the
/// operands are as many as there are leaves, and the others the first one again.
struct LookupWay {
  Leaves leaves;
  LookupNetwork network;

  /// The table of a way of one look-up.
  unsigned table() const { return network.front().table; }
};

/// A circuit, and its cover. Values are numbers, in the order in which they are added.
class LookupCover {
public:
  enum class Kind { Input, Zeros, Ones, And, Or, Xor };

  /// An input or a constant.
  unsigned add(Kind kind) { return add(kind, 0, 0); }
  /// A gate, behind its operands.
  unsigned add(Kind kind, unsigned left, unsigned right);
  /// Says that somebody else needs a gate.
  void addUse(unsigned gate);

  /// Chooses, once all is said.
  void cover();

  bool isMade(unsigned gate) const { return nodes[gate].users > 0; }
  LookupWay wayOf(unsigned gate) const;
  /// How many look-ups are made.
  unsigned numLookups() const;

private:
  /// What a gate is of up to three values, or the network that it is of up to six.
  struct Cut {
    Leaves leaves;
    unsigned table = 0;
    LookupNetwork network = {};
    double flow = 0;   ///< look-ups that a user stands for
    unsigned rank = 0; ///< among cuts of the same flow

    unsigned lookups() const { return network.empty() ? 1 : static_cast<unsigned>(network.size()); }
  };

  struct Node {
    Kind kind;
    std::array<unsigned, 2> operands;
    std::vector<Cut> cuts;
    size_t best = 0;
    unsigned users = 0; ///< look-ups that use it, and others that do
    unsigned level = 0; ///< gates on the longest way to it
    bool isRoot = false;

    bool isGate() const { return kind >= Kind::And; }
    bool isConstant() const { return kind == Kind::Zeros || kind == Kind::Ones; }
  };

  // What gates are functions of.
  static unsigned spread(const Cut &cut, const Leaves &leaves);
  static void reduce(Cut &cut);
  std::vector<Cut> viewsOf(unsigned value) const;
  void addCut(Node &node, const Cut &left, const Cut &right);
  void enumerate(Node &node);

  // Which of them are taken.
  unsigned use(const Cut &cut);
  unsigned release(const Cut &cut);
  unsigned levelOf(const Leaves &leaves) const;
  void choose(Node &node, bool fewestValues);
  void chooseAll(bool fewestValues);

  // Functions of up to six values.
  std::vector<unsigned> newOperands(const Node &node, const std::vector<unsigned> &leaves) const;
  bool widen(std::vector<unsigned> &leaves) const;
  uint64_t tableOf(unsigned value, const std::vector<unsigned> &leaves,
                   std::map<unsigned, uint64_t> &known) const;
  const std::optional<LookupNetwork> &networkOf(unsigned gate, const std::vector<unsigned> &leaves,
                                                unsigned most);
  void decompose(unsigned gate);
  void decompose(unsigned gate, const std::vector<unsigned> &leaves);

  std::vector<Node> nodes;
  /// By table, what was found with how many look-ups at most.
  std::map<std::pair<uint64_t, unsigned>, std::optional<LookupNetwork>> networks;
};

} // namespace lci::numerics

#endif // LCI_NUMERICS_LOOKUPCOVER_H
