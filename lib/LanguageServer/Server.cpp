//===- Server.cpp - The language server -----------------------------------===//
//
// One method for each message of the protocol. Requests about a text are answered by the functions
// of Document.h.
//
//===----------------------------------------------------------------------===//

#include "LCI/LanguageServer/Server.h"
#include "LCI/LanguageServer/Completion.h"
#include "LCI/LanguageServer/Document.h"
#include "LCI/LanguageServer/Format.h"
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

/// `textDocument/rename`.
struct RenameParams : lsp::TextDocumentPositionParams {
  std::string newName;
};

static bool fromJSON(const llvm::json::Value &value, RenameParams &result, llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("newName", result.newName) &&
         lsp::fromJSON(value, static_cast<lsp::TextDocumentPositionParams &>(result), path);
}
} // namespace lmpm

namespace {
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
  void onOutline(const lsp::DocumentSymbolParams &params,
                 lsp::Callback<std::vector<lsp::DocumentSymbol>> reply);
  void onDefinition(const lsp::TextDocumentPositionParams &params,
                    lsp::Callback<std::vector<lsp::Location>> reply);
  void onReferences(const lsp::ReferenceParams &params,
                    lsp::Callback<std::vector<lsp::Location>> reply);
  void onHover(const lsp::TextDocumentPositionParams &params,
               lsp::Callback<std::optional<lsp::Hover>> reply);
  void onCompletion(const lsp::TextDocumentPositionParams &params,
                    lsp::Callback<lsp::CompletionList> reply);
  void onFormat(const lsp::DocumentSymbolParams &params,
                lsp::Callback<std::vector<lsp::TextEdit>> reply);
  void onRename(const RenameParams &params, lsp::Callback<lsp::WorkspaceEdit> reply);

  void update(const lsp::URIForFile &uri, int64_t version, std::string text);
  /// Replies with the result of `query` on an open text.
  template <typename T, typename Query>
  void answer(const lsp::TextDocumentIdentifier &text, lsp::Callback<T> &reply, Query query);

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
  handler.method("textDocument/documentSymbol", this, &Server::onOutline);
  handler.method("textDocument/definition", this, &Server::onDefinition);
  handler.method("textDocument/references", this, &Server::onReferences);
  handler.method("textDocument/hover", this, &Server::onHover);
  handler.method("textDocument/completion", this, &Server::onCompletion);
  handler.method("textDocument/formatting", this, &Server::onFormat);
  handler.method("textDocument/rename", this, &Server::onRename);
}

void Server::onInitialize(const InitializeParams &params, lsp::Callback<llvm::json::Value> reply) {
  bindings = params.bindings;
  Object sync{{"openClose", true}, {"change", static_cast<int>(lsp::TextDocumentSyncKind::Full)}};
  Object capabilities{{"textDocumentSync", std::move(sync)},
                      {"documentSymbolProvider", true},
                      {"definitionProvider", true},
                      {"referencesProvider", true},
                      {"hoverProvider", true},
                      {"completionProvider", Object{}},
                      {"documentFormattingProvider", true},
                      {"renameProvider", true}};
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
  documents[uri.uri()] = std::make_unique<Document>(uri, std::move(text), std::move(checked));
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

template <typename T, typename Query>
void Server::answer(const lsp::TextDocumentIdentifier &text, lsp::Callback<T> &reply, Query query) {
  auto document = documents.find(text.uri.uri());
  if (document == documents.end())
    return reply(
        llvm::make_error<lsp::LSPError>("the text is not open", lsp::ErrorCode::InvalidParams));
  reply(query(*document->second));
}

void Server::onOutline(const lsp::DocumentSymbolParams &params,
                       lsp::Callback<std::vector<lsp::DocumentSymbol>> reply) {
  answer(params.textDocument, reply, outlineOf);
}

void Server::onDefinition(const lsp::TextDocumentPositionParams &params,
                          lsp::Callback<std::vector<lsp::Location>> reply) {
  answer(params.textDocument, reply,
         [&](const Document &document) { return findDefinition(document, params.position); });
}

void Server::onReferences(const lsp::ReferenceParams &params,
                          lsp::Callback<std::vector<lsp::Location>> reply) {
  answer(params.textDocument, reply, [&](const Document &document) {
    return findReferences(document, params.position, params.context.includeDeclaration);
  });
}

void Server::onHover(const lsp::TextDocumentPositionParams &params,
                     lsp::Callback<std::optional<lsp::Hover>> reply) {
  answer(params.textDocument, reply,
         [&](const Document &document) { return describeName(document, params.position); });
}

void Server::onCompletion(const lsp::TextDocumentPositionParams &params,
                          lsp::Callback<lsp::CompletionList> reply) {
  answer(params.textDocument, reply,
         [&](const Document &document) { return completeAt(document, params.position); });
}

/// Client options, such as the tab width, are ignored: there is one canonical form.
void Server::onFormat(const lsp::DocumentSymbolParams &params,
                      lsp::Callback<std::vector<lsp::TextEdit>> reply) {
  answer(params.textDocument, reply, [](const Document &document) {
    std::vector<lsp::TextEdit> edits;
    std::optional<std::string> formatted = formatText(document.text);
    if (formatted && *formatted != document.text)
      edits.push_back({document.positions.rangeOfAll(), *formatted});
    return edits;
  });
}

void Server::onRename(const RenameParams &params, lsp::Callback<lsp::WorkspaceEdit> reply) {
  answer(params.textDocument, reply, [&](const Document &document) {
    return renameSymbol(document, params.position, params.newName);
  });
}

llvm::LogicalResult lmpm::runLanguageServer(lsp::JSONTransport &transport,
                                            const mlir::DialectRegistry &registry) {
  lsp::MessageHandler handler(transport);
  Server server(handler, registry);
  if (llvm::Error error = transport.run(handler)) {
    llvm::consumeError(std::move(error)); // it only reports the end of the stream
    lsp::Logger::error("the client left before 'exit'");
    return llvm::failure();
  }
  return llvm::success(server.isShutDown);
}
