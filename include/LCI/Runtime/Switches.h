//===- Switches.h - Enabled rules and constraints ---------------*- C++ -*-===//
//
// The set of enabled declarations, as replicas change it: an observed-remove set. Every declaration
// begins enabled; enabling adds a tag, disabling strikes the tags that are known here. Of
// concurrent changes, enabling wins.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_SWITCHES_H
#define LCI_RUNTIME_SWITCHES_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <map>

namespace lci {

/// The state of a declaration; one that was never switched is on (S-ENABLE).
inline bool isOn(const std::map<std::string, bool> &states, const std::string &name) {
  auto state = states.find(name);
  return state == states.end() || state->second;
}

/// Whether the same is on in both.
bool haveSame(const std::map<std::string, bool> &left, const std::map<std::string, bool> &right);

class Switches {
public:
  /// Whether a declaration is on; one that was never switched is.
  bool isOn(const std::string &name) const;
  /// Switches a declaration on or off; no effect if it is in that state.
  void switchTo(const std::string &name, bool on, uint64_t replica);
  void switchOn(const std::string &name, uint64_t replica);
  void switchOff(const std::string &name);
  /// The state of every declaration that was ever switched.
  std::map<std::string, bool> states() const;

  /// The union of both: associative, commutative, idempotent.
  void join(const Switches &other);

  /// Prints a line for each tag, and parses them.
  std::string text() const;
  static Result<Switches> parse(const std::string &text);

  bool operator==(const Switches &other) const { return tags == other.tags; }

private:
  /// The clock and replica of an enabling; the declaration itself is {0, 0}.
  using Tag = std::pair<uint64_t, uint64_t>;
  /// For each declaration the tags, and whether each still counts.
  std::map<std::string, std::map<Tag, bool>> tags;
};

} // namespace lci

#endif // LCI_RUNTIME_SWITCHES_H
