//===- Messages.cpp - JSON messages of a client ---------------------------===//
#include "LCI/Bindings/Nest.h"
#include "LCI/LanguageServer/Server.h"
#include "llvm/Support/LSP/Logging.h"

namespace lsp = llvm::lsp;

namespace {
class Messages : public lsp::JSONTransportInput {
public:
  explicit Messages(std::FILE *stream) : stream(stream) {}

  bool hasError() const override { return stream.hasError(); }
  bool isEndOfInput() const override { return stream.isEndOfInput(); }
  llvm::LogicalResult readDelimitedMessage(std::string &json) override {
    return checked(stream.readDelimitedMessage(json), json);
  }
  llvm::LogicalResult readStandardMessage(std::string &json) override {
    return checked(stream.readStandardMessage(json), json);
  }

private:
  static llvm::LogicalResult checked(llvm::LogicalResult read, const std::string &json) {
    if (failed(read) || !::lci::findDeepNest(json))
      return read;
    static_assert(::lci::kMaxJsonNest == 100, "as the message says");
    lsp::Logger::error("a message is nested more than 100 levels deep");
    return llvm::failure();
  }

  lsp::JSONTransportInputOverFile stream;
};
} // namespace

std::unique_ptr<lsp::JSONTransportInput> lmpm::readMessages(std::FILE *stream) {
  return std::make_unique<Messages>(stream);
}
