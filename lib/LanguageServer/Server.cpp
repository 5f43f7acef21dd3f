//===- Server.cpp - The language server -----------------------------------===//
//
// One method for each message of the protocol. What is asked of a text is answered elsewhere.
//
//===----------------------------------------------------------------------===//
#include "LCI/LanguageServer/Server.h"
#include "LCI/LanguageServer/Checking.h"
#include "LCI/Version.h"

using namespace lmpm;
namespace lsp = llvm::lsp;
using llvm::json::Object;

namespace lmpm {
/// `initialize`, with what a client may configure.
struct InitializeParams : lsp::InitializeParams {
  std::string bindings;
};

static bool fromJSON(const llvm::json::Value &value, InitializeParams &result,
                     llvm::json::Path path) {
  if (!lsp::fromJSON(value, static_cast<lsp::InitializeParams &>(result), path))
    return false;
  const Object *options = value.getAsObject()->getObject("initializationOptions");
  if (options)
    result.bindings = options->getString("bindings").value_or("").str();
  return true;
}
} // namespace lmpm

namespace {
/// A text that a client has opened.
struct Document {
  lsp::URIForFile uri;
  int64_t version;
  std::string text;
  CheckResult checked;
};

class Server {
public:
  Server(lsp::MessageHandler &handler, const mlir::DialectRegistry &registry);

  bool isShutDown = false;

private:
  void onInitialize(const InitializeParams &params, lsp::Callback<llvm::json::Value> reply);
  void onInitialized(const lsp::InitializedParams &) {}
  void onShutdown(const lsp::NoParams &, lsp::Callback<std::nullptr_t> reply);
  void onOpen(const lsp::DidOpenTextDocumentParams &params);
  void onChange(const lsp::DidChangeTextDocumentParams &params);
  void onClose(const lsp::DidCloseTextDocumentParams &params);

  void update(const lsp::URIForFile &uri, int64_t version, std::string text);

  const mlir::DialectRegistry &registry;
  std::string bindings;
  llvm::StringMap<std::unique_ptr<Document>> documents;
  lsp::OutgoingNotification<lsp::PublishDiagnosticsParams> publishDiagnostics;
};
} // namespace

Server::Server(lsp::MessageHandler &handler, const mlir::DialectRegistry &registry)
    : registry(registry),
      publishDiagnostics(handler.outgoingNotification<lsp::PublishDiagnosticsParams>(
          "textDocument/publishDiagnostics")) {
  handler.method("initialize", this, &Server::onInitialize);
  handler.notification("initialized", this, &Server::onInitialized);
  handler.method("shutdown", this, &Server::onShutdown);
  handler.notification("textDocument/didOpen", this, &Server::onOpen);
  handler.notification("textDocument/didChange", this, &Server::onChange);
  handler.notification("textDocument/didClose", this, &Server::onClose);
}

void Server::onInitialize(const InitializeParams &params, lsp::Callback<llvm::json::Value> reply) {
  bindings = params.bindings;
  Object sync{{"openClose", true}, {"change", static_cast<int>(lsp::TextDocumentSyncKind::Full)}};
  Object capabilities{{"textDocumentSync", std::move(sync)}};
  Object info{{"name", "lmpm-lsp-server"}, {"version", LCI_VERSION_STRING}};
  reply(Object{{"serverInfo", std::move(info)}, {"capabilities", std::move(capabilities)}});
}

void Server::onShutdown(const lsp::NoParams &, lsp::Callback<std::nullptr_t> reply) {
  isShutDown = true;
  reply(nullptr);
}

void Server::update(const lsp::URIForFile &uri, int64_t version, std::string text) {
  CheckResult checked = checkText(uri, text, findBindings(uri.file(), bindings), registry);
  lsp::PublishDiagnosticsParams params(uri, version);
  params.diagnostics = checked.diagnostics;
  documents[uri.uri()] =
      std::make_unique<Document>(Document{uri, version, std::move(text), std::move(checked)});
  publishDiagnostics(params);
}

void Server::onOpen(const lsp::DidOpenTextDocumentParams &params) {
  update(params.textDocument.uri, params.textDocument.version, params.textDocument.text);
}

void Server::onChange(const lsp::DidChangeTextDocumentParams &params) {
  // Each change is the whole text; the last one counts.
  if (!params.contentChanges.empty())
    update(params.textDocument.uri, params.textDocument.version, params.contentChanges.back().text);
}

void Server::onClose(const lsp::DidCloseTextDocumentParams &params) {
  documents.erase(params.textDocument.uri.uri());
  publishDiagnostics(lsp::PublishDiagnosticsParams(params.textDocument.uri, 0)); // forget them
}

llvm::LogicalResult lmpm::runLanguageServer(lsp::JSONTransport &transport,
                                            const mlir::DialectRegistry &registry) {
  lsp::MessageHandler handler(transport);
  Server server(handler, registry);
  if (llvm::Error error = transport.run(handler)) {
    llvm::consumeError(std::move(error)); // says only that the stream ended
    lsp::Logger::error("the client left before 'exit'");
    return llvm::failure();
  }
  return llvm::success(server.isShutDown);
}
