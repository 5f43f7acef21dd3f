//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// Speaks the Language Server Protocol about texts of the language, over LLVM's transport.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LANGUAGESERVER_SERVER_H
#define LCI_LANGUAGESERVER_SERVER_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/LSP/Transport.h"

namespace lmpm {

/// Messages from a stream of the protocol. One whose lists and objects are nested without end would
/// exhaust the stack of the JSON reader: it is logged and left out, as one that is not JSON is.
std::unique_ptr<llvm::lsp::JSONTransportInput> readMessages(std::FILE *stream);

/// Serves until the client says goodbye; fails if it left without.
llvm::LogicalResult runLanguageServer(llvm::lsp::JSONTransport &transport,
                                      const mlir::DialectRegistry &registry);

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_SERVER_H
