//===- CReports.cpp - Constraints and warnings in the C interface ---------===//

#include "CPrograms.h"
#include "Text.h"

using namespace lci;

//===----------------------------------------------------------------------===//
// Constraints and warnings
//===----------------------------------------------------------------------===//

int64_t lci_constraint_count(const lci_program *program) {
  auto count = call([&] {
    return withProgram(program, [](Program &of) {
      return Result<int64_t>(static_cast<int64_t>(of.program->breakable().size()));
    });
  });
  return count ? *count : -1;
}

const char *lci_constraint_name(const lci_program *program, int64_t number) {
  return findText(program, number, "constraint that commits can break",
                  [](Program &of) -> auto & { return of.program->breakable(); });
}

static Status countBroken(Program &program, const std::string &name, int64_t &cells) {
  const std::vector<std::string> &known = program.program->breakable();
  if (!isOneOf(known, name))
    return Failure{ErrorId::NoSuchName,
                   "expected one of the bundle's hard constraints that commits can break (" +
                       listOf(known) + "), but got '" + name + "'"};
  if (Status started = checkStarted(program); !started)
    return started;
  program.worker.wait();
  if (!program.state)
    return program.state.failure();
  Result<Counters> broken = program.program->backend().broken(program.epoch);
  if (!broken)
    return broken.failure();
  cells = (*broken)[name + ".broken"];
  return Done{};
}

int lci_get_broken(lci_program *program, const char *name, int64_t *cells) {
  return callForStatus([&] {
    return withProgram(program, [&](Program &of) -> Status {
      if (!name || !cells)
        return missing(name ? "a place for a number" : "a name");
      return countBroken(of, name, *cells);
    });
  });
}

int64_t lci_warning_count(lci_program *program) {
  auto count = call([&] {
    return withProgram(program, [](Program &of) -> Result<int64_t> {
      of.worker.wait();
      of.warnings = of.program->bundle().warnings;
      for (const auto &sentences :
           {of.program->emptyInputs(), of.program->rejections({}, of.counters, of.rejected)})
        of.warnings.insert(of.warnings.end(), sentences.begin(), sentences.end());
      return static_cast<int64_t>(of.warnings.size());
    });
  });
  return count ? *count : -1;
}

const char *lci_warning(const lci_program *program, int64_t number) {
  return findText(program, number, "warning that was counted",
                  [](Program &of) -> auto & { return of.warnings; });
}
