//===- InterpreterBackend.h - The interpreter as a back end -----*- C++ -*-===//
//
// `--backend=interp`, and the reference of `--check`.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_INTERPRETERBACKEND_H
#define LCI_DRIVER_INTERPRETERBACKEND_H

#include "LCI/Execution/Backend.h"
#include "LCI/Interpreter/Interpreter.h"
#include "LCI/Runtime/StopFlag.h"

namespace mlir::lci {

/// The arguments of a run as the interpreter's environment.
Environment toEnvironment(const RunArguments &arguments);

/// Runs a bound program cell by cell. Errors are reported as diagnostics; the returned failure only
/// refers to them.
class InterpreterBackend : public Backend {
public:
  /// `countAll` also counts the decisions of constraints.
  static FailureOr<std::unique_ptr<InterpreterBackend>> create(ProgramOp program, bool countAll);

  const char *name() const override { return "interp"; }
  ::lci::Status setArguments(const RunArguments &arguments) override;
  ::lci::Status initialise() override;
  ::lci::Status setValue(const std::string &name, const ::lci::Array &value) override;
  ::lci::Result<::lci::Array> value(const std::string &name) override;
  ::lci::Result<Counters> runEpochs(int64_t first, int64_t last) override;
  ::lci::Result<Counters> runTick(int64_t epoch, int64_t phase) override;
  bool remember() override;
  void recall() override;
  ::lci::StopFlag *stopFlag() override { return &flag; }
  ::lci::Result<Observations> observe(int64_t epoch) override;
  ::lci::Result<Counters> broken(int64_t epoch) override;
  bool mayReject() const override { return true; }
  bool keepsRecords() const override { return true; }
  std::optional<::lci::Records> records(const std::string &name) override;
  ::lci::Status setRecords(const std::string &name, const ::lci::Records &records) override;

private:
  InterpreterBackend(ProgramOp program, std::unique_ptr<Interpreter> interpreter)
      : program(program), interpreter(std::move(interpreter)) {}
  ProgramOp program;
  std::unique_ptr<Interpreter> interpreter;
  ::lci::StopFlag flag;
  std::vector<std::tuple<std::string, ::lci::Array, ::lci::Records>> remembered;
};

} // namespace mlir::lci

#endif // LCI_DRIVER_INTERPRETERBACKEND_H
