// Runs `memc lsp` for programs of memc.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const server = { command: workspace.getConfiguration("memc").get("path"), args: ["lsp"] };
  client = new LanguageClient("memc", server, { documentSelector: [{ language: "memc" }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
