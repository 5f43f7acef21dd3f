//===- ErrorId.cpp - Identifiers as text ----------------------------------===//

#include "LCI/Errors/ErrorId.h"

using namespace lmpm;

const std::vector<std::string_view> &lmpm::errorIdTexts() {
  static const std::vector<std::string_view> texts = {
#define LCI_ERROR(NAME, TEXT) TEXT,
#include "LCI/Errors/ErrorIds.def"
  };
  return texts;
}

std::string_view lmpm::textOf(ErrorId id) { return errorIdTexts()[static_cast<size_t>(id)]; }

std::optional<ErrorId> lmpm::findErrorId(std::string_view text) {
  const std::vector<std::string_view> &texts = errorIdTexts();
  for (size_t i = 0; i < texts.size(); ++i)
    if (texts[i] == text)
      return static_cast<ErrorId>(i);
  return std::nullopt;
}

std::string lmpm::withErrorId(const std::string &message, ErrorId id) {
  return message + " [" + std::string(textOf(id)) + "]";
}
