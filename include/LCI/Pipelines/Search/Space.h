//===- Space.h - The candidates of a schedule -------------------*- C++ -*-===//
//
// The knobs and alternatives of a schedule span a space; a candidate selects one option of each.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_SEARCH_SPACE_H
#define LCI_PIPELINES_SEARCH_SPACE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>

namespace mlir::lci {

/// One choice: all knobs of a name, or all alternatives of it.
struct Choice {
  std::string name;
  SmallVector<Attribute> options; ///< of alternatives: their numbers
  unsigned byDefault = 0;         ///< the selected option, else the first

  /// An option as text: `16`, `true`.
  std::string textOf(unsigned option) const;
};

/// For each choice the number of its option.
using Candidate = SmallVector<unsigned>;

/// The candidates of one schedule, which must outlive it.
class Space {
public:
  /// Collects the choices; fails with an error if one has no list of options, or if two of a name
  /// differ.
  static FailureOr<Space> create(ModuleOp schedule);

  ArrayRef<Choice> getChoices() const { return choices; }
  /// The number of candidates, constraints aside; the largest number on overflow.
  uint64_t size() const;
  Candidate getDefault() const;

  /// A copy of the schedule with the options of a candidate selected.
  OwningOpRef<ModuleOp> select(const Candidate &candidate) const;
  /// Whether the constraints of the schedule admit a candidate.
  FailureOr<bool> admits(const Candidate &candidate) const;

  /// Where a candidate differs from the default: `fused-epochs=4 tile-rows=16`; `default` if
  /// nowhere.
  std::string textOf(const Candidate &candidate) const;
  /// Every choice: `name=option name=option`.
  std::string fullTextOf(const Candidate &candidate) const;

  /// Leaves only options of choices for which `isLive` holds; the default stays.
  void restrict(llvm::function_ref<bool(unsigned choice, unsigned option)> isLive);

  /// At most `limit` candidates that constraints admit, each once: the default, those that differ
  /// from it in one choice, then others in an order that the seed determines. If there are no more
  /// than `limit`, all of them.
  FailureOr<std::vector<Candidate>> enumerate(uint64_t seed, size_t limit) const;

private:
  explicit Space(ModuleOp schedule) : schedule(schedule) {}

  ModuleOp schedule;
  SmallVector<Choice> choices;
};

} // namespace mlir::lci

#endif // LCI_PIPELINES_SEARCH_SPACE_H
