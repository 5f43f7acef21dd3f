//===- OptionBounds.h - Bounds of the options of pipelines ------*- C++ -*-===//
//
// A pipeline's options go to passes, where they have other names. Their bounds are checked before,
// so that an error names the option that was written.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_OPTIONBOUNDS_H
#define LCI_PIPELINES_OPTIONBOUNDS_H

#include "LCI/Pipelines/Pipelines.h"

namespace mlir::lci {

/// Finds the option of a pipeline by its name; null if there is none.
using FindOption = llvm::function_ref<const llvm::cl::Option *(StringRef)>;

/// What is wrong with the first value in `name=value name=value` that its option does not take;
/// empty if nothing is. Words that are no options are not looked at.
std::string findOptionProblem(StringRef text, FindOption find, bool isForGPU);

/// The options of a pipeline by name. Upstream's options have two base classes, one of which shows
/// its table only to derived classes.
template <typename Options>
// NOLINTNEXTLINE(misc-multiple-inheritance): upstream's virtual base counts as a second one.
struct NamedOptions : Options {
  const llvm::cl::Option *find(StringRef name) const { return this->OptionsMap.lookup(name); }
};

} // namespace mlir::lci

#endif // LCI_PIPELINES_OPTIONBOUNDS_H
