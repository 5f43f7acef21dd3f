//===- Matching.cpp - Decision diagrams of transitions --------------------===//
//
// Determinises the nondeterministic matching of a transition by subset construction. A state of the
// automaton is an order that still matches or, with permutation symmetry, the number of unmatched
// inputs of each kind; a node of the diagram is a set of such states.
//
//===----------------------------------------------------------------------===//

#include "Matching.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::lci::golly;

namespace {
/// A state of the nondeterministic automaton: an order, or numbers of unmatched inputs.
using Rest = std::vector<uint8_t>;
using Rests = std::set<Rest>;

class Matcher {
public:
  /// Adds the successors of a state on reading the state of the next place.
  using Advance = llvm::function_ref<void(const Rest &, unsigned place, unsigned state, Rests &)>;

  Matcher(const Transition &transition, unsigned numStates, Advance advance)
      : diagram(numStates, transition.inputs.size()), advance(advance),
        known(transition.inputs.size()) {
    std::map<std::vector<bool>, unsigned> firsts;
    for (unsigned state = 0; state < numStates; ++state) {
      std::vector<bool> fits;
      for (const States &input : transition.inputs)
        fits.push_back(input.test(state));
      alike.push_back(firsts.try_emplace(fits, state).first->second);
    }
  }

  Diagram run(const Rests &rests) {
    diagram.setRoot(visit(0, rests));
    return std::move(diagram);
  }

private:
  unsigned visit(unsigned place, const Rests &rests) {
    if (place == diagram.getNumPlaces())
      return !rests.empty();
    if (rests.empty())
      return diagram.internAll(place, 0);
    auto entry = known[place].find(rests);
    if (entry != known[place].end())
      return entry->second;
    Diagram::Node node;
    for (unsigned state = 0; state < diagram.getNumStates(); ++state) {
      if (alike[state] != state) {
        node.push_back(node[alike[state]]);
        continue;
      }
      Rests next;
      for (const Rest &rest : rests)
        advance(rest, place, state, next);
      node.push_back(visit(place + 1, next));
    }
    return known[place][rests] = diagram.intern(place, std::move(node));
  }

  Diagram diagram;
  Advance advance;
  std::vector<unsigned> alike; ///< for each state the first one that fits the same inputs
  std::vector<std::map<Rests, unsigned>> known;
};
} // namespace

Diagram mlir::lci::golly::matchOrders(const Transition &transition, unsigned numStates,
                                      ArrayRef<SmallVector<unsigned>> orders) {
  auto advance = [&](const Rest &order, unsigned place, unsigned state, Rests &next) {
    if (transition.inputs[orders[order.front()][place]].test(state))
      next.insert(order);
  };
  Rests all;
  for (unsigned order = 0; order < orders.size(); ++order)
    all.insert({static_cast<uint8_t>(order)});
  return Matcher(transition, numStates, advance).run(all);
}

Diagram mlir::lci::golly::matchPermuted(const Transition &transition, unsigned numStates,
                                        bool isSelfFirst) {
  SmallVector<States> kinds; // of neighbours' inputs
  Rest numbers;
  for (const States &input : ArrayRef(transition.inputs).drop_front()) {
    auto *kind = llvm::find(kinds, input);
    if (kind == kinds.end())
      kinds.push_back(input), numbers.push_back(0), kind = &kinds.back();
    ++numbers[kind - kinds.begin()];
  }
  unsigned self = isSelfFirst ? 0 : transition.inputs.size() - 1;
  auto advance = [&](const Rest &left, unsigned place, unsigned state, Rests &next) {
    if (place == self) {
      if (transition.inputs.front().test(state))
        next.insert(left);
      return;
    }
    for (auto [kind, number] : llvm::enumerate(left))
      if (number && kinds[kind].test(state)) {
        Rest less = left;
        --less[kind];
        next.insert(less);
      }
  };
  return Matcher(transition, numStates, advance).run({numbers});
}
