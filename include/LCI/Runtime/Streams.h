//===- Streams.h - Standard input, output and error -------------*- C++ -*-===//
//
// The streams of a tool may be closed or full. A file that is opened must not take the number of a
// closed stream, and a failure to print is an error.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_STREAMS_H
#define LCI_RUNTIME_STREAMS_H

#include <string>

namespace lci {

/// Opens those of the three that are closed such that input and output still fail; standard error
/// is discarded.
void openClosedStreams();

/// Reports that output could not be written, and ends the tool.
[[noreturn]] void endUnprinted(const std::string &tool, const std::string &reason);

/// Flushes C's standard output, or ends as above.
void flushOutput(const std::string &tool);

} // namespace lci

#endif // LCI_RUNTIME_STREAMS_H
