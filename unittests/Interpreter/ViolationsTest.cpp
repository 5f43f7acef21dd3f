//===- ViolationsTest.cpp - Violations against all states of small rings --===//

#include "LCI/Analysis/Violations.h"
#include "Testing.h"
#include <random>

using namespace mlir;
using namespace mlir::lci;

namespace {

using State = std::vector<int64_t>;

/// A rule and a hard constraint on the neighbours of a ring's cells, with different constants; all
/// cells are of one phase, or alternately of two.
struct Ring {
  int64_t cells, tokens;
  int64_t from, atMost, seen, step; // when V[i] == from and count(near == seen) <= atMost
  bool isFixed;                     // := step, else (V[i] + step) % tokens
  bool forbids, readsSelf;
  int64_t candidate, near, atLeast; // candidate == … and count(near == …) >= atLeast
  bool isOneSided, hasPhases;       // near is the right neighbour alone

  explicit Ring(std::mt19937 &random) {
    auto pick = [&](int64_t first, int64_t last) {
      return std::uniform_int_distribution<int64_t>(first, last)(random);
    };
    cells = pick(3, 5), tokens = pick(2, 3);
    from = pick(-1, tokens - 1), atMost = pick(0, 2), seen = pick(0, tokens - 1);
    step = pick(0, tokens - 1), isFixed = pick(0, 1);
    forbids = pick(0, 1), readsSelf = pick(0, 3) == 0;
    candidate = pick(0, tokens - 1), near = pick(0, tokens - 1), atLeast = pick(1, 2);
    isOneSided = pick(0, 1), hasPhases = pick(0, 1);
  }

  std::string print() const {
    auto text = [](int64_t number) { return std::to_string(number); };
    std::string guard = "count(near == " + text(seen) + ") <= " + text(atMost);
    if (from >= 0)
      guard += " and V[i] == " + text(from);
    std::string crowd = "count(near == " + text(near) + ") >= " + text(atLeast);
    std::string selfTest = readsSelf ? " and V[i] != " + text(near) : "";
    return "value V : Token[" + text(tokens) + "] shape Seq(" + text(cells) +
           ") boundary wrap init 0\n"
           "visible V[i] <- V[i]\n"
           "visible near: V[i] <- V[i+d] when d in " +
           (isOneSided ? "{1}" : "{-1, 1}") + "\n" + "rule R: on V[i] when " + guard +
           " emit proposal V[i] := " +
           (isFixed ? text(step) : "(V[i] + " + text(step) + ") % " + text(tokens)) + "\n" +
           "constraint C: on V[i] " + (forbids ? "forbid" : "require") +
           " candidate == " + text(candidate) + " and " + crowd + selfTest +
           (forbids ? "" : " or candidate != " + text(candidate)) + " priority hard\n" +
           (hasPhases ? "schedule V[*] using red_black\n" : "") + "commit V[*] using accept\n";
  }

  int64_t count(const State &state, int64_t cell, int64_t token) const {
    int64_t left = !isOneSided && state[(cell + cells - 1) % cells] == token;
    return (state[(cell + 1) % cells] == token) + left;
  }
  bool holds(const State &state, int64_t cell, int64_t token) const {
    bool is = token == candidate && count(state, cell, near) >= atLeast &&
              (!readsSelf || state[cell] != near);
    return forbids ? !is : is || token != candidate;
  }
  /// The contents of the cell after a tick.
  int64_t commit(const State &state, int64_t cell) const {
    int64_t held = state[cell], next = isFixed ? step : (held + step) % tokens;
    bool applies = count(state, cell, seen) <= atMost && (from < 0 || held == from);
    return applies && holds(state, cell, next) ? next : held;
  }
  int64_t getPhase(int64_t cell) const { return hasPhases ? cell % 2 : 0; }
  State tick(const State &state, int64_t phase) const {
    State after;
    for (int64_t cell = 0; cell < cells; ++cell)
      after.push_back(getPhase(cell) == phase ? commit(state, cell) : state[cell]);
    return after;
  }
  /// Whether other commits break a constraint at the cell that held before and holds with its
  /// commit alone.
  bool breaksTogether(const State &state, int64_t cell) const {
    State after = tick(state, getPhase(cell)), alone = state;
    alone[cell] = after[cell];
    return holds(state, cell, after[cell]) && holds(alone, cell, after[cell]) &&
           !holds(after, cell, after[cell]);
  }
  /// Whether a commit of the cell breaks a constraint there that held before.
  bool breaksAlone(const State &state, int64_t cell) const {
    State after = tick(state, getPhase(cell));
    return after[cell] != state[cell] && holds(state, cell, state[cell]) &&
           !holds(after, cell, after[cell]);
  }
  /// Whether the other phase breaks a constraint at the cell that held before, and the cell does
  /// not change.
  bool breaksInOtherPhase(const State &state, int64_t cell) const {
    int64_t other = 1 - getPhase(cell);
    if (!hasPhases)
      return false;
    State after = tick(state, other);
    bool stays = commit(other > getPhase(cell) ? state : after, cell) == state[cell];
    return stays && holds(state, cell, state[cell]) && !holds(after, cell, state[cell]);
  }
  bool breaks(const State &state, int64_t cell, Violation::Kind kind) const {
    switch (kind) {
    case Violation::Together:
      return breaksTogether(state, cell);
    case Violation::Alone:
      return breaksAlone(state, cell);
    case Violation::Apart:
      return breaksInOtherPhase(state, cell);
    }
    return false;
  }
  bool breaksSomewhere() const {
    State state(cells, 0);
    while (true) {
      for (int64_t cell = 0; cell < cells; ++cell)
        if (breaksTogether(state, cell) || breaksAlone(state, cell) ||
            breaksInOtherPhase(state, cell))
          return true;
      int64_t cell = 0;
      while (cell < cells && ++state[cell] == tokens)
        state[cell++] = 0;
      if (cell == cells)
        return false;
    }
  }
};

class ViolationsTest : public InterpreterTest {
protected:
  std::optional<Violation> find(const std::string &text) {
    readText(text);
    ConstraintOp constraint = *getProgram().getOps<ConstraintOp>().begin();
    return findViolation(constraint);
  }
};

// S-BROKEN: there is a warning iff some state breaks a constraint; the reported state does, for all
// contents of the cells that it leaves open.
TEST_F(ViolationsTest, FindsWhatAllStatesOfARingBreak) {
  std::mt19937 random(11);
  int numSafe = 0;
  std::map<Violation::Kind, int> numBroken;
  for (int round = 0; round < 1200; ++round) {
    Ring ring(random);
    std::optional<Violation> violation = find(ring.print());
    ASSERT_EQ(violation.has_value(), ring.breaksSomewhere()) << ring.print();
    ++(violation ? numBroken[violation->kind] : numSafe);
    if (!violation)
      continue;
    ASSERT_FALSE(violation->witness.empty()) << ring.print();
    State state;
    for (int64_t cell = 0; cell < ring.cells; ++cell)
      state.push_back(std::uniform_int_distribution<int64_t>(0, ring.tokens - 1)(random));
    for (const CellCommit &commit : violation->witness)
      state[commit.cell.front()] = commit.before;
    State after = ring.tick(state, violation->pair.phase);
    for (const CellCommit &commit : violation->witness)
      if (commit.rule)
        EXPECT_EQ(after[commit.cell.front()], commit.after) << ring.print();
    EXPECT_TRUE(ring.breaks(state, violation->pair.reader.front(), violation->kind))
        << ring.print();
  }
  EXPECT_GT(numBroken[Violation::Together], 100);
  EXPECT_GT(numBroken[Violation::Alone], 5);
  EXPECT_GT(numBroken[Violation::Apart], 20);
  EXPECT_GT(numSafe, 100);
}

} // namespace
