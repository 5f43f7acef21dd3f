//===- BundleProgram.h - A loaded bundle ------------------------*- C++ -*-===//
//
// The arguments and inputs of a bundle, which may be changed before a run, and the back end that
// holds its state.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_BUNDLEPROGRAM_H
#define LCI_RUNTIME_BUNDLEPROGRAM_H

#include "LCI/Runtime/Bundle.h"
#include "LCI/Runtime/Tokens.h"

namespace lci {

/// The first rejected proposals of a run, as far as they are known.
struct FirstRejections {
  std::map<std::string, int64_t> epochs;     ///< by counter
  std::map<std::string, RejectedCell> cells; ///< by value
};

class BundleProgram {
public:
  static Result<std::unique_ptr<BundleProgram>> open(Bundle bundle,
                                                     const BundleMachine &machine = {});
  /// Code that is loaded already; it is the bundle's first one.
  static Result<std::unique_ptr<BundleProgram>> of(Bundle bundle,
                                                   std::unique_ptr<CompiledProgram> code);
  /// The same code with a separate state, given what this one was given so far and not started.
  Result<std::unique_ptr<BundleProgram>> another() const;

  const Bundle &bundle() const { return *made; }
  Backend &backend() const { return *program; }
  /// The canonical form of each value's array.
  std::map<std::string, CanonicalForm> canonicalForms() const;
  const std::map<std::string, Array> &givenInputs() const { return inputs; }
  const RunArguments &arguments() const { return given; }
  /// The values with their shapes, and the names of values and observers, in the program's order.
  const std::vector<SlotForm> &values() const { return forms; }
  std::vector<std::string> names() const;
  const std::vector<std::string> &observers() const { return watched; }
  /// The hard constraints that cells may break, in the program's order.
  const std::vector<std::string> &breakable() const { return constraints; }
  Result<const SlotForm *> find(const std::string &value) const;

  // Before `start`.
  void setSeed(uint64_t seed) { given.seed = seed; }
  Status setParameter(const std::string &name, const Array &numbers);
  Status setEnabled(const std::string &name, bool on);
  /// Sets a value at the start; any element type of a file.
  Status setInput(const std::string &name, const Array &array);

  /// Sets all arguments, and computes the first state.
  Status start();
  /// The same without inputs, for a state that comes from a checkpoint.
  Status startEmpty();

  /// Adds where the next epoch rejects the first proposal of each value of which none is known.
  Status findRejected(int64_t epoch, FirstRejections &first);
  /// A sentence for each value that had proposals rejected between two counts, with the first one.
  std::vector<std::string> rejections(const Counters &before, const Counters &now,
                                      const FirstRejections &first) const;

  /// A sentence for each value whose numbers are all zero because no input gives them.
  std::vector<std::string> emptyInputs() const;

  /// A value as files store it: tokens in the smallest signed type, I32, or F32.
  Result<Array> value(const std::string &name);

private:
  BundleProgram(std::shared_ptr<const Bundle> bundle, std::unique_ptr<CompiledProgram> program);

  std::shared_ptr<const Bundle> made;
  std::unique_ptr<CompiledProgram> program;
  std::vector<SlotForm> forms;
  std::vector<std::string> watched, constraints;
  RunArguments given;
  std::map<std::string, Array> inputs;
};

} // namespace lci

#endif // LCI_RUNTIME_BUNDLEPROGRAM_H
