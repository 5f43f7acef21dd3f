//===- Levels.h - Programs on their way down --------------------*- C++ -*-===//

#ifndef LMPM_PYTHON_LEVELS_H
#define LMPM_PYTHON_LEVELS_H

#include "Core.h"
#include "LCI/Bindings/Bindings.h"

namespace lmpm::python {

/// Bindings from their text, `NAME=VALUE` on top; throws what is wrong with them. `name` is what
/// messages call the text.
::lci::Bindings readBindings(Context &context, const std::string &text, const std::string &name,
                             const std::vector<std::string> &sets);

/// A copy of a module whose program is bound and proved.
std::shared_ptr<Module> bind(const Module &module, const std::string &text, const std::string &name,
                             const std::vector<std::string> &sets);

} // namespace lmpm::python

#endif // LMPM_PYTHON_LEVELS_H
