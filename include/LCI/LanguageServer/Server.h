//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// Speaks the Language Server Protocol for texts of the language, over LLVM's transport.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LANGUAGESERVER_SERVER_H
#define LCI_LANGUAGESERVER_SERVER_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/LSP/Transport.h"

namespace lmpm {

/// Reads messages of the protocol from a stream. A message nested so deeply that it would exhaust
/// the stack of the JSON reader is logged and skipped, as one that is not JSON is.
std::unique_ptr<llvm::lsp::JSONTransportInput> readMessages(std::FILE *stream);

/// Serves until the client exits; fails if it left without `exit`.
llvm::LogicalResult runLanguageServer(llvm::lsp::JSONTransport &transport,
                                      const mlir::DialectRegistry &registry);

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_SERVER_H
