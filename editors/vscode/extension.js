// Starts lmpm-lsp-server for programs (.lmpm) that are files.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const settings = workspace.getConfiguration("lmpm");
  client = new LanguageClient(
    "lmpm",
    "LMPM",
    { command: settings.get("server") },
    {
      documentSelector: [{ scheme: "file", language: "lmpm" }],
      initializationOptions: { bindings: settings.get("bindings") },
    },
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
