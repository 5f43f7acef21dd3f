//===- Explain.cpp - The pages of docs/errors, embedded in tools ----------===//
//
// The build writes the text of every page into ErrorPages.inc (cmake/EmbedPages.cmake), so that a
// tool explains its messages wherever it is installed.
//
//===----------------------------------------------------------------------===//

#include "LCI/Errors/ErrorId.h"

using namespace lmpm;

namespace {
struct Page {
  std::string_view id, text;
};
} // namespace

static constexpr Page pages[] = {
#include "ErrorPages.inc"
};

std::string_view lmpm::explanationOf(ErrorId id) {
  for (const Page &page : pages)
    if (page.id == textOf(id))
      return page.text;
  return ""; // test_errors.py requires a page for each
}
