//===- Flags.cpp - What flags of the tools are in Python ------------------===//
//
// Messages name what to give by the flags of the tools. Python has none: there, the same is an
// argument of a function. A flag that a message of the libraries names has its line here, or is
// one of what only tools do (python/test/test_flags.py).
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "llvm/Support/Regex.h"

static constexpr std::pair<const char *, const char *> forms[] = {
    {"--set ([A-Za-z_][A-Za-z_0-9]*)=F.npy", "compile(\\1=array)"},
    {"--set ([A-Za-z_][A-Za-z_0-9]*)=([^ ,;:']+)", "compile(\\1=\\2)"},
    {"--set ([A-Za-z_][A-Za-z_0-9]*)", "compile(\\1=…)"},
    {"--set", "compile"},
    {"--input ([A-Za-z_][A-Za-z_0-9]*)=[^ ,;:']+", "run({\"\\1\": array})"},
    {"'--input'", "run(params=…)"},
    {"--input", "run"},
    {"--(en|dis)able", "\\1able"},
    {"--backend=([a-z]+)", "backend=\"\\1\""},
    {"--counters(=[a-z]+)?", "counters\\1"},
    {"--seed ([0-9]+)", "seed=\\1"},
    {"--seed", "seed"},
    {"--epochs", "epochs"},
    {"--threads", "threads"},
    {"--lowering", "lowering"},
    {"--schedule", "schedule"},
    {"--tf32", "tf32=True"},
    {"--resume ([^ ,;:]+)", "resume(\"\\1\")"},
    {"--resume", "resume"},
};

std::string lmpm::python::inPython(llvm::StringRef message) {
  std::string text = message.str();
  if (!message.contains("--"))
    return text;
  for (auto [flag, form] : forms) {
    llvm::Regex pattern(flag);
    while (pattern.match(text)) // no form has a flag in it
      text = pattern.sub(form, text);
  }
  return text;
}
