//===- Switches.h - Which rules and constraints are on ----------*- C++ -*-===//
//
// The set of declarations that hold, as replicas change it: an observed-remove set. Every switch
// begins on; switching on adds a tag, switching off strikes the tags that are known here. Of an
// on and an off that did not know of each other, on wins.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_SWITCHES_H
#define LCI_RUNTIME_SWITCHES_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <map>

namespace lci {

/// How a declaration stands; one that was never switched is on (S-ENABLE).
inline bool isOn(const std::map<std::string, bool> &states, const std::string &name) {
  auto state = states.find(name);
  return state == states.end() || state->second;
}

class Switches {
public:
  /// Whether a declaration is on; one that was never switched is.
  bool isOn(const std::string &name) const;
  /// Leaves alone what stands as it should.
  void turn(const std::string &name, bool on, uint64_t replica);
  void switchOn(const std::string &name, uint64_t replica);
  void switchOff(const std::string &name);
  /// Every declaration that was ever switched, and how it stands.
  std::map<std::string, bool> states() const;

  /// What both know: associative, commutative, idempotent.
  void join(const Switches &other);

  /// A line for each tag, and back.
  std::string text() const;
  static Result<Switches> parse(const std::string &text);

  bool operator==(const Switches &other) const { return tags == other.tags; }

private:
  /// When and by whom something was switched on; the declaration itself is {0, 0}.
  using Tag = std::pair<uint64_t, uint64_t>;
  /// Of each declaration the tags, and whether each still counts.
  std::map<std::string, std::map<Tag, bool>> tags;
};

} // namespace lci

#endif // LCI_RUNTIME_SWITCHES_H
