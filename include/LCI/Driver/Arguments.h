//===- Arguments.h - Run-time arguments from the bindings -------*- C++ -*-===//
//
// Turns what the bindings say (numbers, files, token ranges, rectangles) into
// the arrays a back end takes, checked against the declarations of a bound
// program. Errors point at the bindings file where it said something wrong and
// at the program where something is missing.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_ARGUMENTS_H
#define LCI_DRIVER_ARGUMENTS_H

#include "LCI/Analysis/Constraints.h"
#include "LCI/Bindings/Bindings.h"
#include "LCI/Driver/ValueInfo.h"
#include "LCI/Execution/Backend.h"

namespace mlir::lci {

/// Parameters, palettes, regions and weights of a bound program.
FailureOr<RunArguments> makeArguments(ProgramOp program, const ::lci::Bindings &bindings);

/// What a binding gives a parameter of a bound program, in its declared shape.
FailureOr<::lci::Array> loadParam(ParamOp op, const ::lci::ArrayBinding &binding);

/// The regions and the palettes of a run, which must outlive the answer.
NamedSets getNamedSets(const RunArguments &arguments);

/// Refuses hard constraints that contradict each other, given the regions and the palettes of a
/// run. Those without regions and palettes were refused before.
LogicalResult checkContradictions(ProgramOp program, const RunArguments &arguments);

/// The given content of values, by name, in canonical form. Values that are
/// neither given nor have an `init` start absent or at zero.
FailureOr<std::map<std::string, ::lci::Array>> loadInputs(ProgramOp program,
                                                          const ::lci::Bindings &bindings);

/// A value that says how its cells start has a token in each of them: that is what its reads were
/// proved with. `source` is what the tokens are called, and `place` where they were given.
LogicalResult checkFull(const ValueInfo &value, std::optional<int64_t> firstAbsent,
                        const Twine &source, Location place);
LogicalResult checkFull(const ValueInfo &value, const ::lci::Array &tokens, const Twine &source,
                        Location place);

/// Loads the weights of models from their files, each of which has all that are asked for.
LogicalResult loadWeights(ProgramOp program, const ::lci::Bindings &bindings,
                          RunArguments &arguments);
/// The weights that a model's function asks for, with their types; none before it is bound.
std::map<std::string, RankedTensorType> weightsOf(ModelOp model);
/// That every weight that a model's function asks for is given.
LogicalResult checkWeightsGiven(ProgramOp program, const RunArguments &arguments);
/// A weight as a model's function takes it, whatever type its array has: F32, or the bits of
/// integers. Fails where it has another shape, or where that would be other numbers.
FailureOr<::lci::Array> takeWeight(ModelOp model, const std::string &name, RankedTensorType type,
                                   const ::lci::Array &array, Location where);

/// Switches rules and constraints by name; a name the program does not have is
/// an error with the nearest one.
LogicalResult setEnables(ProgramOp program, ArrayRef<std::string> enabled,
                         ArrayRef<std::string> disabled, RunArguments &arguments);

/// Names given by --set and --input that the program does not declare as what
/// the flag gives are errors: unlike a file, a flag is meant for this program.
LogicalResult checkFlagNames(ProgramOp program, const ::lci::Bindings &bindings);

} // namespace mlir::lci

#endif // LCI_DRIVER_ARGUMENTS_H
