//===- PrintSchedule.h - A pipeline as transform IR -------------*- C++ -*-===//
#ifndef LCI_PIPELINES_PRINTSCHEDULE_H
#define LCI_PIPELINES_PRINTSCHEDULE_H

#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace mlir::lci {

/// The options of a pipeline of this project with their default values, as `name=value name=value`;
/// nothing if there is no such pipeline.
std::optional<std::string> defaultOptions(llvm::StringRef pipeline);

/// Prints a pipeline as transform IR: each choice of it is a `transform.tune.knob` whose value is
/// the pipeline's default. To run it is to run the pipeline. Returns whether there is such a
/// pipeline.
bool printSchedule(llvm::StringRef pipeline, llvm::raw_ostream &os);

} // namespace mlir::lci

#endif // LCI_PIPELINES_PRINTSCHEDULE_H
