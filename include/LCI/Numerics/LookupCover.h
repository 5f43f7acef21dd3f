//===- LookupCover.h - Map circuits to three-input look-ups -----*- C++ -*-===//
//
// Machines compute any function of three bits in one instruction, but circuits consist of and, or
// and xor. This chooses the gates that become values, and the operands and table of each look-up;
// the caller translates from and to MLIR or LLVM IR.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_NUMERICS_LOOKUPCOVER_H
#define LCI_NUMERICS_LOOKUPCOVER_H

#include "LCI/Numerics/LookupNetwork.h"
#include <map>

namespace lci::numerics {

/// Up to six distinct values.
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
  /// Adds a value unless it is there.
  void add(unsigned value);

private:
  std::array<unsigned, kMaxInputs> values{};
  unsigned count = 0;
};

/// The implementation of a gate: a network whose inputs are the leaves. A single look-up has as
/// many operands as there are leaves, and the others repeat the first one.
struct LookupImplementation {
  Leaves leaves;
  LookupNetwork network;

  /// The table of a single look-up.
  unsigned table() const { return network.front().table; }
};

/// A circuit, and its cover. Values are numbered in the order in which they are added.
class LookupCover {
public:
  enum class Kind { Input, Zeros, Ones, And, Or, Xor };

  /// An input or a constant.
  unsigned add(Kind kind) { return add(kind, 0, 0); }
  /// A gate; its operands are added before.
  unsigned add(Kind kind, unsigned left, unsigned right);
  /// Adds a use of a gate outside of the circuit.
  void addUse(unsigned gate);

  /// Computes the cover, once all gates are added.
  void cover();

  bool isMade(unsigned gate) const { return nodes[gate].users > 0; }
  LookupImplementation implementationOf(unsigned gate) const;
  /// The number of look-ups.
  unsigned numLookups() const;

private:
  /// A gate as a function of up to three values, or a network of up to six.
  struct Cut {
    Leaves leaves;
    unsigned table = 0;
    LookupNetwork network = {};
    double flow = 0;   ///< the share of look-ups of a user
    unsigned rank = 0; ///< among cuts of the same flow

    unsigned lookups() const { return network.empty() ? 1 : static_cast<unsigned>(network.size()); }
  };

  struct Node {
    Kind kind;
    std::array<unsigned, 2> operands;
    std::vector<Cut> cuts;
    size_t best = 0;
    unsigned users = 0; ///< look-ups that use it, and other users
    unsigned level = 0; ///< the number of gates on the longest path to it
    bool isRoot = false;

    bool isGate() const { return kind >= Kind::And; }
    bool isConstant() const { return kind == Kind::Zeros || kind == Kind::Ones; }
  };

  // Enumeration of cuts.
  static unsigned spread(const Cut &cut, const Leaves &leaves);
  static void reduce(Cut &cut);
  std::vector<Cut> viewsOf(unsigned value) const;
  void addCut(Node &node, const Cut &left, const Cut &right);
  void enumerate(Node &node);

  // Selection of cuts.
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
  /// By table and limit of look-ups, the result of a search.
  std::map<std::pair<uint64_t, unsigned>, std::optional<LookupNetwork>> networks;
};

} // namespace lci::numerics

#endif // LCI_NUMERICS_LOOKUPCOVER_H
