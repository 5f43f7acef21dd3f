//===- Arguments.h - Run-time arguments from the bindings -------*- C++ -*-===//
//
// Converts the contents of the bindings (numbers, files, token ranges, rectangles) into the arrays
// of a back end, checked against the declarations of a bound program. Errors point to the bindings
// file if it is wrong and to the program if something is missing.
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

/// The array that a binding gives to a parameter of a bound program, in its declared shape.
FailureOr<::lci::Array> loadParam(ParamOp op, const ::lci::ArrayBinding &binding);

/// The regions and the palettes of a run, which must outlive the result.
NamedSets getNamedSets(const RunArguments &arguments);

/// Rejects hard constraints that contradict each other, given the regions and the palettes of a
/// run. Those without regions and palettes were rejected before.
LogicalResult checkContradictions(ProgramOp program, const RunArguments &arguments);

/// The given content of values, by name, in canonical form. Values that are
/// neither given nor have an `init` start absent or at zero.
FailureOr<std::map<std::string, ::lci::Array>> loadInputs(ProgramOp program,
                                                          const ::lci::Bindings &bindings);

/// A value with an `init` must be given a token in each cell: its reads were proved with that.
/// `source` names the tokens in the error, and `place` is their location.
LogicalResult checkFull(const ValueInfo &value, std::optional<int64_t> firstAbsent,
                        const Twine &source, Location place);
LogicalResult checkFull(const ValueInfo &value, const ::lci::Array &tokens, const Twine &source,
                        Location place);

/// Loads the weights of models from their files, each of which has all required ones.
LogicalResult loadWeights(ProgramOp program, const ::lci::Bindings &bindings,
                          RunArguments &arguments);
/// The weights that a model's function takes, with their types; none before it is bound.
std::map<std::string, RankedTensorType> weightsOf(ModelOp model);
/// Checks that every weight of a model's function is given.
LogicalResult checkWeightsGiven(ProgramOp program, const RunArguments &arguments);
/// Converts a weight to the type of the model's function: F32, or the bits of integers. Fails on
/// another shape, or where the conversion would change numbers.
FailureOr<::lci::Array> takeWeight(ModelOp model, const std::string &name, RankedTensorType type,
                                   const ::lci::Array &array, Location where);

/// Switches rules and constraints by name; a name the program does not have is
/// an error with the nearest one.
LogicalResult setEnables(ProgramOp program, ArrayRef<std::string> enabled,
                         ArrayRef<std::string> disabled, RunArguments &arguments);

/// Names given by --set and --input that the program does not declare in the kind of the flag are
/// errors: unlike a file, a flag is meant for this program.
LogicalResult checkFlagNames(ProgramOp program, const ::lci::Bindings &bindings);

} // namespace mlir::lci

#endif // LCI_DRIVER_ARGUMENTS_H
