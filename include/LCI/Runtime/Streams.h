//===- Streams.h - Standard input, output and error -------------*- C++ -*-===//
//
// What a tool was started with may be closed or full. A file that is opened must not take the
// number of a closed stream, and what cannot be printed is an error.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_STREAMS_H
#define LCI_RUNTIME_STREAMS_H

#include <string>

namespace lci {

/// Opens what is closed of the three in such a way that input and output still fail; what goes to
/// standard error goes nowhere.
void openClosedStreams();

/// Says that what a tool prints could not be written, for a reason, and ends it.
[[noreturn]] void endUnprinted(const std::string &tool, const std::string &reason);

/// Writes out what C's standard output still holds, or ends as above.
void flushOutput(const std::string &tool);

} // namespace lci

#endif // LCI_RUNTIME_STREAMS_H
