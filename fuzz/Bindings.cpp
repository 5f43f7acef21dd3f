//===- Bindings.cpp - Fuzz target: bindings -------------------------------===//
#include "LCI/Bindings/Bindings.h"
#include "Readers.h"

using namespace lci;

void fuzz::runBindings(llvm::StringRef input) {
  std::vector<BindingError> errors;
  Bindings bindings = Bindings::parse(input, "folder/input.json", errors);
  for (const BindingError &error : errors) {
    check(!error.message.empty(), "refused without a message");
    check(error.location.line > 0 && error.location.column > 0, "refused without a place");
  }
  for (const char *section : {"sizes", "params", "inputs", "palettes", "regions", "models"})
    for (const std::string &name : bindings.namesIn(section))
      bindings.hintFor(section, name + "x");
}
